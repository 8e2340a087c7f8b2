/** A quantity over the last few seconds, with axes. */
import { element } from '../shell/element.js'
import { tickText } from './length-text.js'
import { plainContext } from './plain-context.js'
import { roundStep, roundUp, ticks } from './ticks.js'

/** What is plotted. */
export interface PlottedQuantity {
  testId: string
  /** Told to those who do not see the picture: what it is, and its unit in full. */
  name: string
  unit: string
  /** Written beside its axis, unit included. */
  axis: string
  /** The least value that the axis reaches to: below it, noise would fill the picture. */
  leastTop: number
}

/** Time that is shown [s]. */
const PLOT_SECONDS = 6
/** Room for labels [CSS pixels]. */
const MARGIN = { left: 48, right: 6, top: 8, bottom: 30 }
const FONT = '11px system-ui, sans-serif'
const INK = '#9aa7b8'
const GRID = 'rgb(154 167 184 / 0.16)'
const LINE = '#8cc3ff'
const FILL = 'rgb(140 195 255 / 0.16)'

export class TimePlot {
  readonly root: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #times: number[] = []
  readonly #values: number[] = []
  #top: number

  constructor(private readonly quantity: PlottedQuantity) {
    this.#canvas = element('canvas', { 'data-testid': quantity.testId, role: 'img' })
    this.#top = quantity.leastTop
    this.root = element('div', { class: 'time-plot' }, this.#canvas)
  }

  /** @param time [s], from the beginning again where it is less than before */
  add(time: number, value: number): void {
    if (time < (this.#times.at(-1) ?? 0)) this.clear()
    this.#times.push(time)
    this.#values.push(value)
    while (this.#times[0] < time - PLOT_SECONDS) {
      this.#times.shift()
      this.#values.shift()
    }
    this.#top = roundUp(Math.max(this.quantity.leastTop, 1.05 * Math.max(...this.#values)))
    this.#draw()
  }

  clear(): void {
    this.#times.length = 0
    this.#values.length = 0
    this.#draw()
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    if (width === 0 || height === 0) return
    const canvas = this.#canvas
    const [w, h] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)]
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w
      canvas.height = h
    }
    const context = plainContext(canvas)
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    context.clearRect(0, 0, width, height)
    const area = {
      x: MARGIN.left,
      y: MARGIN.top,
      width: width - MARGIN.left - MARGIN.right,
      height: height - MARGIN.top - MARGIN.bottom,
    }
    this.#drawAxes(context, area)
    this.#drawLine(context, area)
    const last = this.#values.at(-1) ?? 0
    const { name, unit } = this.quantity
    canvas.setAttribute('aria-label', `${name} over ${PLOT_SECONDS} seconds; now ${last.toFixed(1)} ${unit}`)
  }

  #drawAxes(context: CanvasRenderingContext2D, { x, y, width, height }: Area): void {
    context.font = FONT
    context.fillStyle = INK
    context.strokeStyle = GRID
    context.lineWidth = 1
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    const step = roundStep(this.#top, 4)
    for (const value of ticks(0, this.#top, 4)) {
      const at = Math.round(y + height * (1 - value / this.#top)) + 0.5
      context.beginPath()
      context.moveTo(x, at)
      context.lineTo(x + width, at)
      context.stroke()
      context.fillText(tickText(value, step), x - 6, at)
    }
    context.textBaseline = 'top'
    context.textAlign = 'center'
    for (const ago of ticks(-PLOT_SECONDS, 0, 3)) {
      context.fillText(tickText(ago, 1), x + width * (1 + ago / PLOT_SECONDS) - (ago === 0 ? 3 : 0), y + height + 5)
    }
    context.textBaseline = 'bottom'
    context.fillText('time [s]', x + width / 2, y + height + MARGIN.bottom)
    context.save()
    context.translate(1, y + height / 2)
    context.rotate(-Math.PI / 2)
    context.textBaseline = 'top'
    context.fillText(this.quantity.axis, 0, 0)
    context.restore()
  }

  #drawLine(context: CanvasRenderingContext2D, { x, y, width, height }: Area): void {
    if (this.#times.length < 2) return
    const now = this.#times[this.#times.length - 1]
    const across = (i: number): number => x + width * (1 + (this.#times[i] - now) / PLOT_SECONDS)
    context.beginPath()
    for (const [i, value] of this.#values.entries()) context.lineTo(across(i), y + height * (1 - value / this.#top))
    context.strokeStyle = LINE
    context.lineWidth = 1.5
    context.lineJoin = 'round'
    context.stroke()
    context.lineTo(across(this.#times.length - 1), y + height)
    context.lineTo(across(0), y + height)
    context.fillStyle = FILL
    context.fill()
  }
}

interface Area {
  x: number
  y: number
  width: number
  height: number
}
