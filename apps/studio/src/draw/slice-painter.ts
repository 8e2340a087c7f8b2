/** Paints node values into a rectangle of a canvas: colours smoothed between nodes, iso-lines sharp on top. */
import { type ColourTable, colourIndex } from './colour-map.js'
import { isoLines } from './iso-lines.js'
import { plainContext } from './plain-context.js'

export interface NodeValues {
  readonly values: Float32Array
  readonly width: number
  readonly height: number
}

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ColourScale {
  readonly table: ColourTable
  /** Values at the ends of the table. */
  readonly lower: number
  readonly upper: number
  /** Opacity, 0 to 1, from the value zero to the upper end; below zero all is opaque. Opaque if not given. */
  readonly fade?: readonly [zero: number, upper: number]
}

/** One pixel per node, made when first needed and kept between calls. */
let scratch: HTMLCanvasElement | undefined

/** Values that are not finite stay transparent. */
export function paintValues(
  target: CanvasRenderingContext2D,
  nodes: NodeValues,
  scale: ColourScale,
  into: Rectangle,
): void {
  const { width, height } = nodes
  scratch ??= document.createElement('canvas')
  const context = plainContext(scratch)
  if (scratch.width !== width) scratch.width = width
  if (scratch.height !== height) scratch.height = height
  const image = context.createImageData(width, height)
  writePixels(nodes, scale, image.data)
  context.putImageData(image, 0, 0)
  target.imageSmoothingEnabled = true
  target.imageSmoothingQuality = 'high'
  // The outermost nodes lie on the bounds, so half a pixel is cut off all round.
  target.drawImage(scratch, 0.5, 0.5, width - 1, height - 1, into.x, into.y, into.width, into.height)
}

/** @param out  receives rgba bytes, the topmost row of nodes first; those of values that are not finite stay as they are */
export function writePixels(
  { values, width, height }: NodeValues,
  { table, lower, upper, fade }: ColourScale,
  out: Uint8ClampedArray,
): void {
  for (let row = 0; row < height; row++) {
    // Rows run upwards, pixels downwards.
    let at = 4 * width * (height - 1 - row)
    for (let i = row * width; i < (row + 1) * width; i++, at += 4) {
      const value = values[i]
      if (!Number.isFinite(value)) continue
      const index = 3 * colourIndex(value, lower, upper)
      out[at] = table[index]
      out[at + 1] = table[index + 1]
      out[at + 2] = table[index + 2]
      out[at + 3] = fade && value > 0 ? 255 * mix(fade, Math.min(1, value / upper)) : 255
    }
  }
}

function mix([from, to]: readonly [number, number], share: number): number {
  return from + share * (to - from)
}

export interface LineStyle {
  readonly colour: string
  /** [canvas pixels] */
  readonly width: number
}

export function paintIsoLine(
  target: CanvasRenderingContext2D,
  nodes: NodeValues,
  level: number,
  style: LineStyle,
  into: Rectangle,
): void {
  paintSegments(target, isoLines(nodes.values, nodes.width, nodes.height, level), nodes, style, into)
}

/**
 * @param segments  x0, y0, x1, y1 in units of nodes, one after the other
 * @param nodes     how many there are in the rectangle
 */
export function paintSegments(
  target: CanvasRenderingContext2D,
  segments: ArrayLike<number>,
  nodes: Pick<NodeValues, 'width' | 'height'>,
  style: LineStyle,
  into: Rectangle,
): void {
  const scaleX = into.width / (nodes.width - 1)
  const scaleY = into.height / (nodes.height - 1)
  const bottom = into.y + into.height
  target.beginPath()
  for (let i = 0; i < segments.length; i += 4) {
    target.moveTo(into.x + segments[i] * scaleX, bottom - segments[i + 1] * scaleY)
    target.lineTo(into.x + segments[i + 2] * scaleX, bottom - segments[i + 3] * scaleY)
  }
  target.strokeStyle = style.colour
  target.lineWidth = style.width
  // Round ends hide the joints of a bold line; a thin one has none to hide.
  target.lineCap = style.width > 2 ? 'round' : 'butt'
  target.stroke()
}
