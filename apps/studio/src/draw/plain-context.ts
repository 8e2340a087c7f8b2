/**
 * A drawing context whose pixels live in main memory. Slices are thousands of short strokes over pixels made by us,
 * which a GPU is slow at: animating the bar with software rendering went from 3 to 13 frames a second.
 */
export function plainContext(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('studio: the browser gives no 2D canvas; close other pages and reload.')
  return context
}
