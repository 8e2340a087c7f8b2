/** The slice on the page: axes, and three layers, so that a dot that moves paints no picture again. */
import { tickText } from '../../../draw/length-text.js'
import { plainContext } from '../../../draw/plain-context.js'
import type { Rectangle } from '../../../draw/slice-painter.js'
import { roundStep, ticks } from '../../../draw/ticks.js'
import { element } from '../../../shell/element.js'
import type { CodeBox, LearnedRounds } from '../contact-protocol.js'
import type { CodeSlice } from './code-slice.js'
import { paintPresent, paintSamples, paintSlice, type SliceFrame } from './paint-slice.js'
import type { SliceAnswer } from './slice-protocol.js'

/** Room for labels around the picture [CSS pixels]. */
const MARGIN = { left: 44, right: 8, top: 6, bottom: 34 }
const FONT = '11px system-ui, sans-serif'
const INK = '#9aa7b8'

export class CodeSliceView {
  readonly root: HTMLElement
  readonly #picture = element('canvas', { 'data-testid': 'code-slice', role: 'img', 'aria-label': 'Slice of codes' })
  readonly #samples = element('canvas', { 'aria-hidden': 'true' })
  readonly #present = element('canvas', { 'data-testid': 'code-dot', 'aria-hidden': 'true' })
  readonly #resize: ResizeObserver
  #box: CodeBox | undefined
  #axes: CodeSlice['axes'] = [0, 0]
  #answer: SliceAnswer | undefined
  #rounds: LearnedRounds | undefined
  #round = 0
  #trail: readonly Float64Array[] = []

  constructor() {
    this.root = element('div', { class: 'code-slice' }, this.#picture, this.#samples, this.#present)
    this.#resize = new ResizeObserver(() => this.#paintAll())
    this.#resize.observe(this.root)
  }

  open(box: CodeBox, rounds: LearnedRounds | undefined): void {
    this.#box = box
    this.#rounds = rounds
    this.#answer = undefined
    this.#paintAll()
  }

  /** What was painted for other axes goes. */
  set axes(axes: CodeSlice['axes']) {
    if (axes[0] === this.#axes[0] && axes[1] === this.#axes[1]) return
    this.#axes = axes
    this.#answer = undefined
    this.#paintAll()
  }

  /** @returns whether it was painted: one for other axes than those on show comes too late */
  show(answer: SliceAnswer): boolean {
    const [across, up] = answer.slice.axes
    if (across !== this.#axes[0] || up !== this.#axes[1]) return false
    this.#answer = answer
    this.#paintPicture()
    return true
  }

  set round(round: number) {
    this.#round = round
    this.#paintSamples()
  }

  set trail(trail: readonly Float64Array[]) {
    this.#trail = trail
    this.#paintPresent()
  }

  dispose(): void {
    this.#resize.disconnect()
  }

  #paintAll(): void {
    this.#paintPicture()
    this.#paintSamples()
    this.#paintPresent()
  }

  #paintPicture(): void {
    const [context, frame] = this.#begin(this.#picture)
    if (!context || !frame) return
    if (this.#answer) paintSlice(context, this.#answer, frame)
    context.setTransform(frame.pixels, 0, 0, frame.pixels, 0, 0)
    drawAxes(context, frame)
    const [across, up] = this.#axes
    this.#picture.setAttribute(
      'aria-label',
      `Slice of the space of codes along modes ${across + 1} and ${up + 1}: learned distance to self-contact, learned and exact boundary`,
    )
  }

  #paintSamples(): void {
    const [context, frame] = this.#begin(this.#samples)
    if (context && frame && this.#rounds) paintSamples(context, this.#rounds, this.#round, frame)
  }

  #paintPresent(): void {
    const [context, frame] = this.#begin(this.#present)
    if (context && frame) paintPresent(context, this.#trail, frame)
  }

  /** An empty layer, and where the slice lies in it. */
  #begin(canvas: HTMLCanvasElement): [CanvasRenderingContext2D | undefined, SliceFrame | undefined] {
    const { clientWidth, clientHeight } = this.root
    if (!this.#box || clientWidth === 0 || clientHeight === 0) return [undefined, undefined]
    const pixels = devicePixelRatio
    const [width, height] = [Math.round(clientWidth * pixels), Math.round(clientHeight * pixels)]
    const context = plainContext(canvas)
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width
      canvas.height = height
    }
    context.resetTransform()
    context.globalAlpha = 1
    context.clearRect(0, 0, width, height)
    return [context, { axes: this.#axes, box: this.#box, into: squareIn(clientWidth, clientHeight, pixels), pixels }]
  }
}

/** The largest square that leaves room for labels [canvas pixels]. */
export function squareIn(width: number, height: number, pixels: number): Rectangle {
  const roomX = Math.max(1, width - MARGIN.left - MARGIN.right)
  const roomY = Math.max(1, height - MARGIN.top - MARGIN.bottom)
  const side = Math.min(roomX, roomY)
  return {
    x: pixels * (MARGIN.left + (roomX - side) / 2),
    y: pixels * (MARGIN.top + (roomY - side) / 2),
    width: pixels * side,
    height: pixels * side,
  }
}

function drawAxes(context: CanvasRenderingContext2D, { axes, box, into, pixels }: SliceFrame): void {
  const [x, y, side] = [into.x / pixels, into.y / pixels, into.width / pixels]
  const most = Math.max(2, Math.floor(side / 60))
  context.font = FONT
  context.fillStyle = INK
  context.strokeStyle = INK
  context.strokeRect(x - 0.5, y - 0.5, side + 1, side + 1)
  for (const [n, k] of axes.entries()) {
    const [lower, upper] = [box.lower[k], box.upper[k]]
    const step = roundStep(upper - lower, most)
    context.textAlign = n === 0 ? 'center' : 'right'
    context.textBaseline = n === 0 ? 'top' : 'middle'
    for (const value of ticks(lower, upper, most)) {
      const share = (value - lower) / (upper - lower)
      const text = tickText(value, step)
      if (n === 0) context.fillText(text, x + share * side, y + side + 5)
      else context.fillText(text, x - 6, y + (1 - share) * side)
    }
  }
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  context.fillText(`mode ${axes[0] + 1}`, x + side / 2, y + side + MARGIN.bottom)
  context.save()
  context.translate(x - MARGIN.left + 1, y + side / 2)
  context.rotate(-Math.PI / 2)
  context.textBaseline = 'top'
  context.fillText(`mode ${axes[1] + 1}`, 0, 0)
  context.restore()
}
