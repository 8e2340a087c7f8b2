/** The key to a slice's colours: an upright bar with round numbers in the object's unit. */
import { cssColour } from '../../draw/colour-map.js'
import { type LengthUnit, tickText } from '../../draw/length-text.js'
import { plainContext } from '../../draw/plain-context.js'
import type { ColourScale } from '../../draw/slice-painter.js'
import { roundStep, ticks } from '../../draw/ticks.js'
import { element } from '../../shell/element.js'

const FONT = '11px system-ui, sans-serif'
const INK = '#9aa7b8'
const BAR_WIDTH = 12
const MARGIN = { top: 20, bottom: 32 }

export class ColourBar {
  readonly root: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #resize: ResizeObserver
  #shown: { scale: ColourScale; unit: LengthUnit; ends: readonly [string, string] } | undefined

  constructor(label: string) {
    this.#canvas = element('canvas', { role: 'img', 'aria-label': label })
    this.root = element('div', { class: 'colour-bar' }, this.#canvas)
    this.#resize = new ResizeObserver(() => this.#repaint())
    this.#resize.observe(this.#canvas)
  }

  /** @param ends words under and over the bar */
  show(scale: ColourScale, unit: LengthUnit, ends: readonly [lower: string, upper: string]): void {
    this.#shown = { scale, unit, ends }
    this.#repaint()
  }

  dispose(): void {
    this.#resize.disconnect()
  }

  #repaint(): void {
    const canvas = this.#canvas
    const { clientWidth, clientHeight } = canvas
    if (!this.#shown || clientHeight === 0) return
    const context = plainContext(canvas)
    const { scale, unit, ends } = this.#shown
    canvas.width = Math.round(clientWidth * devicePixelRatio)
    canvas.height = Math.round(clientHeight * devicePixelRatio)
    context.scale(devicePixelRatio, devicePixelRatio)
    const height = clientHeight - MARGIN.top - MARGIN.bottom
    const gradient = context.createLinearGradient(0, MARGIN.top + height, 0, MARGIN.top)
    for (let i = 0; i < 256; i++) gradient.addColorStop(i / 255, cssColour(scale.table, i))
    context.fillStyle = gradient
    context.fillRect(0, MARGIN.top, BAR_WIDTH, height)
    context.font = FONT
    context.fillStyle = INK
    context.textBaseline = 'top'
    context.fillText(ends[1] ? `${ends[1]}, ${unit.name}` : unit.name, 0, 2)
    context.textBaseline = 'bottom'
    context.fillText(ends[0], 0, clientHeight - MARGIN.bottom + 17)
    context.textBaseline = 'middle'
    const [lower, upper] = [scale.lower * unit.perMetre, scale.upper * unit.perMetre]
    const most = Math.max(2, Math.min(8, Math.floor(height / 24)))
    for (const value of ticks(lower, upper, most)) {
      const y = MARGIN.top + height * (1 - (value - lower) / (upper - lower))
      context.fillRect(BAR_WIDTH, y - 0.5, 4, 1)
      context.fillText(tickText(value, roundStep(upper - lower, most)), BAR_WIDTH + 7, y)
    }
  }
}
