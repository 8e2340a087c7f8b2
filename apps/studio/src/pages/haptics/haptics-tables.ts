/** What a step costs, drawing apart; how hard the hand is pushed; how deep the bodies are inside each other. */
import { RollingMedian } from '../../measure/rolling-median.js'
import { element } from '../../shell/element.js'
import { ForcePlot } from './force-plot.js'
import { type Frame, PARTS, type Penetration } from './haptics-protocol.js'

/** Frames that medians are taken over. */
const FRAMES = 60

const PART_TITLES = {
  code: 'Code and pose',
  queries: 'Distance queries',
  nearest: 'Nearest triangles, forces',
  body: 'FEM of the body',
  tool: 'FEM of the hand',
  rest: 'Rest',
} as const

export interface HapticsFigures {
  /** Medians [ms] of everything but drawing, of its parts, and of drawing. */
  readonly total: number
  readonly parts: Readonly<Record<(typeof PARTS)[number], number>>
  readonly drawing: number
  /** Pictures a second. */
  readonly drawn: number
  readonly frames: number
}

export class HapticsTables {
  readonly root: HTMLElement
  readonly #plot = new ForcePlot()
  #medians = freshMedians()
  #worst: Penetration | undefined
  readonly #cells: Readonly<Record<string, HTMLElement>>
  readonly #force = element('span', { class: 'figure', 'data-testid': 'force' }, '\u2026')

  constructor() {
    const cell = (id: string): HTMLElement => element('td', { 'data-testid': `frame-${id}` }, '\u2026')
    const row = (name: string, value: HTMLElement): HTMLElement =>
      element('tr', {}, element('th', { scope: 'row' }, name), value)
    this.#cells = Object.fromEntries(
      [...PARTS, 'total', 'drawing', 'drawn', 'touching', 'deepest', 'worst', 'reverse'].map((id) => [id, cell(id)]),
    )
    const cells = this.#cells
    this.root = element(
      'aside',
      { class: 'readouts', 'aria-label': 'Figures' },
      element('section', {}, element('h2', {}, 'Force on the hand', this.#force), this.#plot.root),
      element(
        'section',
        {},
        element('h2', {}, 'Contact'),
        element(
          'table',
          { class: 'facts' },
          row('Vertices of the hand that push', cells['touching']),
          row('Deepest in the exact body', cells['deepest']),
          row('Deepest since the last reset', cells['worst']),
          row('Body in the exact hand, since', cells['reverse']),
        ),
        element('p', { class: 'quiet' }, "In % of the body's diagonal, by the triangles, whatever contact goes by."),
      ),
      element(
        'section',
        {},
        element('h2', {}, 'A step of 1/60 s'),
        element(
          'table',
          { class: 'facts' },
          ...PARTS.map((part) => row(PART_TITLES[part], cells[part])),
          element('tr', { class: 'sum' }, element('th', { scope: 'row' }, 'All but drawing'), cells['total']),
          row('Drawing, apart', cells['drawing']),
          row('Pictures drawn', cells['drawn']),
        ),
      ),
    )
  }

  get figures(): HapticsFigures {
    const { total, drawn, drawing, ...parts } = this.#medians
    return {
      total: total.value,
      parts: Object.fromEntries(PARTS.map((part) => [part, parts[part].value])) as HapticsFigures['parts'],
      drawing: drawing.value,
      drawn: 1 / drawn.value,
      frames: total.count,
    }
  }

  /** The deepest of all frames since `clear`. */
  get worst(): Penetration | undefined {
    return this.#worst
  }

  /** @param seconds since the picture before @param drawing [ms] */
  add(frame: Frame, seconds: number, drawing: number): void {
    const { spent, penetration, force, touched, time } = frame
    for (const part of PARTS) this.#medians[part].add(spent[part])
    this.#medians.total.add(PARTS.reduce((sum, part) => sum + spent[part], 0))
    this.#medians.drawing.add(drawing)
    this.#medians.drawn.add(seconds)
    const { toolInBody = 0, bodyInTool = 0 } = this.#worst ?? {}
    this.#worst = {
      toolInBody: Math.max(toolInBody, penetration.toolInBody),
      bodyInTool: Math.max(bodyInTool, penetration.bodyInTool),
    }
    const newtons = Math.hypot(...force)
    this.#plot.add(time, newtons)
    this.#force.textContent = `${newtons.toFixed(2)}\u202fN`
    this.#cells['touching'].textContent = String(touched.vertices.length)
    this.#cells['deepest'].textContent = percent(penetration.toolInBody)
    this.#write(this.#worst)
  }

  /** Figures of another field or body are none of this one's. */
  clear(): void {
    this.#medians = freshMedians()
    this.#worst = undefined
    this.#plot.clear()
    for (const cell of Object.values(this.#cells)) cell.textContent = '\u2026'
  }

  #write(worst: Penetration): void {
    const { total, parts, drawing, drawn } = this.figures
    const cells = this.#cells
    for (const part of PARTS) cells[part].textContent = milliseconds(parts[part])
    cells['total'].textContent = milliseconds(total)
    cells['drawing'].textContent = milliseconds(drawing)
    cells['drawn'].textContent = `${drawn.toFixed(drawn < 10 ? 1 : 0)} a second`
    cells['worst'].textContent = percent(worst.toolInBody)
    cells['reverse'].textContent = percent(worst.bodyInTool)
  }
}

function freshMedians() {
  const median = () => new RollingMedian(FRAMES)
  return {
    code: median(),
    queries: median(),
    nearest: median(),
    body: median(),
    tool: median(),
    rest: median(),
    total: median(),
    drawing: median(),
    drawn: median(),
  }
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)}\u202fms`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}\u202f%`
}
