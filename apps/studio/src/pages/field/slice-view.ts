/** One slice as a picture with axes in metres, a cross where the cursor points, and a way for the keyboard to move it. */
import { tickText } from '../../draw/length-text.js'
import { plainContext } from '../../draw/plain-context.js'
import type { Rectangle } from '../../draw/slice-painter.js'
import { roundStep, ticks } from '../../draw/ticks.js'
import { element } from '../../shell/element.js'
import { AXIS_NAMES, type SliceGrid } from './slice-plane.js'

/** Room for labels around the picture [CSS pixels]. */
const MARGIN = { left: 52, right: 8, top: 6, bottom: 32 }
const FONT = '11px system-ui, sans-serif'
const INK = '#9aa7b8'
/** How far an arrow key moves the cross, as a share of the picture; a tenth of it with Shift. */
const KEY_STEP = 0.02

/** A place in the picture, 0 to 1 from the left and from the bottom. */
export type SlicePlace = readonly [across: number, up: number]

export interface SliceViewOptions {
  title: string
  testId: string
  /** The cursor moved to a place in the picture, or left it. */
  onPlace(place: SlicePlace | undefined): void
}

type Paint = (context: CanvasRenderingContext2D, into: Rectangle, pixels: number) => void

export class SliceView {
  readonly root: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #note = element('span', { class: 'slice-note' })
  /** Over the picture, so that moving the cross does not paint it again. */
  readonly #cross = element('canvas', { class: 'cross', 'aria-hidden': 'true' })
  readonly #resize: ResizeObserver
  #grid: SliceGrid | undefined
  #paint: Paint | undefined
  #place: SlicePlace | undefined

  constructor(options: SliceViewOptions) {
    this.#canvas = element('canvas', {
      'data-testid': options.testId,
      tabindex: 0,
      role: 'img',
      'aria-label': `${options.title}; arrow keys move the point that is read`,
    })
    this.root = element(
      'figure',
      { class: 'slice' },
      element('figcaption', {}, element('strong', {}, options.title), this.#note),
      element('div', { class: 'slice-canvas' }, this.#canvas, this.#cross),
    )
    this.#resize = new ResizeObserver(() => this.#repaint())
    this.#resize.observe(this.#canvas)
    this.#canvas.addEventListener('pointermove', (event) => options.onPlace(this.#placeOf(event)))
    this.#canvas.addEventListener('pointerleave', () => options.onPlace(undefined))
    this.#canvas.addEventListener('blur', () => options.onPlace(undefined))
    this.#canvas.addEventListener('keydown', (event) => {
      const place = this.#placeAfter(event)
      if (!place) return
      event.preventDefault()
      options.onPlace(place)
    })
  }

  /** @param paint fills the given rectangle [canvas pixels] with the slice; called again when the size changes */
  show(grid: SliceGrid, paint: Paint): void {
    this.#grid = grid
    this.#paint = paint
    this.#repaint()
  }

  /** A few words beside the title. */
  set note(text: string) {
    if (this.#note.textContent !== text) this.#note.textContent = text
  }

  set place(place: SlicePlace | undefined) {
    if (this.#place === place) return
    this.#place = place
    this.#drawCross()
  }

  dispose(): void {
    this.#resize.disconnect()
  }

  /** Where the picture lies in the canvas [CSS pixels]: as large as fits with equal scales. */
  #picture(): Rectangle {
    const { clientWidth, clientHeight } = this.#canvas
    const grid = this.#grid
    const roomX = Math.max(1, clientWidth - MARGIN.left - MARGIN.right)
    const roomY = Math.max(1, clientHeight - MARGIN.top - MARGIN.bottom)
    if (!grid) return { x: MARGIN.left, y: MARGIN.top, width: roomX, height: roomY }
    const [spanX, spanY] = [grid.upper[0] - grid.lower[0], grid.upper[1] - grid.lower[1]]
    const scale = Math.min(roomX / spanX, roomY / spanY)
    const [width, height] = [scale * spanX, scale * spanY]
    return { x: MARGIN.left + (roomX - width) / 2, y: MARGIN.top + (roomY - height) / 2, width, height }
  }

  #repaint(): void {
    const grid = this.#grid
    const { clientWidth, clientHeight } = this.#canvas
    if (!grid || !this.#paint || clientWidth === 0 || clientHeight === 0) return
    const pixels = devicePixelRatio
    const context = cleared(this.#canvas, clientWidth * pixels, clientHeight * pixels)
    const picture = this.#picture()
    const { x, y, width, height } = picture
    context.resetTransform()
    this.#paint(context, { x: x * pixels, y: y * pixels, width: width * pixels, height: height * pixels }, pixels)
    context.setTransform(pixels, 0, 0, pixels, 0, 0)
    drawAxes(context, grid, picture)
    this.#drawCross()
  }

  #drawCross(): void {
    const { clientWidth, clientHeight } = this.#canvas
    const context = cleared(this.#cross, clientWidth * devicePixelRatio, clientHeight * devicePixelRatio)
    if (!this.#place) return
    const { x, y, width, height } = this.#picture()
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    const [px, py] = [x + this.#place[0] * width, y + (1 - this.#place[1]) * height]
    for (const [colour, thickness] of [
      ['rgb(10 14 20 / 0.8)', 3],
      ['#ffffff', 1],
    ] as const) {
      context.strokeStyle = colour
      context.lineWidth = thickness
      context.beginPath()
      context.moveTo(px - 9, py)
      context.lineTo(px + 9, py)
      context.moveTo(px, py - 9)
      context.lineTo(px, py + 9)
      context.stroke()
    }
  }

  #placeOf(event: PointerEvent): SlicePlace | undefined {
    const { x, y, width, height } = this.#picture()
    const across = (event.offsetX - x) / width
    const up = 1 - (event.offsetY - y) / height
    return across >= 0 && across <= 1 && up >= 0 && up <= 1 ? [across, up] : undefined
  }

  #placeAfter(event: KeyboardEvent): SlicePlace | undefined {
    const moves: Record<string, SlicePlace> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    }
    const move = moves[event.key]
    if (!move) return undefined
    const step = event.shiftKey ? KEY_STEP / 10 : KEY_STEP
    const [across, up] = this.#place ?? [0.5, 0.5]
    const within = (value: number): number => Math.min(1, Math.max(0, value))
    return [within(across + step * move[0]), within(up + step * move[1])]
  }
}

/** An empty canvas of this size [pixels]; a new size takes new memory, so it is set only when it differs. */
function cleared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const [w, h] = [Math.round(width), Math.round(height)]
  const context = plainContext(canvas)
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w
    canvas.height = h
  } else {
    context.resetTransform()
    context.clearRect(0, 0, w, h)
  }
  return context
}

function drawAxes(context: CanvasRenderingContext2D, grid: SliceGrid, { x, y, width, height }: Rectangle): void {
  context.font = FONT
  context.fillStyle = INK
  context.strokeStyle = INK
  context.lineWidth = 1
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1)
  const [spanX, spanY] = [grid.upper[0] - grid.lower[0], grid.upper[1] - grid.lower[1]]
  const mostX = Math.max(2, Math.floor(width / 42))
  const mostY = Math.max(2, Math.floor(height / 26))
  context.textAlign = 'center'
  context.textBaseline = 'top'
  for (const value of ticks(grid.lower[0], grid.upper[0], mostX)) {
    const at = x + ((value - grid.lower[0]) / spanX) * width
    context.fillRect(at - 0.5, y + height, 1, 4)
    context.fillText(tickText(value, roundStep(spanX, mostX)), at, y + height + 6)
  }
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  for (const value of ticks(grid.lower[1], grid.upper[1], mostY)) {
    const at = y + height - ((value - grid.lower[1]) / spanY) * height
    context.fillRect(x - 4, at - 0.5, 4, 1)
    context.fillText(tickText(value, roundStep(spanY, mostY)), x - 6, at)
  }
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  context.fillText(`${AXIS_NAMES[grid.horizontal]} [m]`, x + width / 2, y + height + MARGIN.bottom)
  context.save()
  context.translate(x - MARGIN.left + 1, y + height / 2)
  context.rotate(-Math.PI / 2)
  context.textBaseline = 'top'
  context.fillText(`${AXIS_NAMES[grid.vertical]} [m]`, 0, 0)
  context.restore()
}
