/** What a frame costs, drawing apart, and how deep the cloth is inside the exact body. */
import { RollingMedian } from '../../measure/rolling-median.js'
import { element } from '../../shell/element.js'
import type { Frame, Penetration } from './cloth-protocol.js'

/** Frames that medians are taken over, and looks at the exact body that the worst is kept of. */
const FRAMES = 60
const LOOKS = 75

const PARTS = ['pose', 'queries', 'cloth', 'skin'] as const
const PART_TITLES = {
  pose: 'Pose of the field',
  queries: 'Distance queries',
  cloth: 'Clip, cloth, self-contact',
  skin: 'Vertices for the eye',
} as const

export interface FrameFigures {
  /** Medians [ms] of everything but drawing, and of its parts. */
  readonly total: number
  readonly parts: Readonly<Record<(typeof PARTS)[number], number>>
  /** Pictures a second. */
  readonly drawn: number
  readonly frames: number
}

export class FrameTables {
  readonly root: HTMLElement
  #medians = freshMedians()
  #looks: Penetration[] = []
  #last: Penetration | undefined
  readonly #cells: Readonly<Record<string, HTMLElement>>

  constructor() {
    const cell = (id: string): HTMLElement => element('td', { 'data-testid': id }, '\u2026')
    const row = (name: string, value: HTMLElement): HTMLElement =>
      element('tr', {}, element('th', { scope: 'row' }, name), value)
    this.#cells = Object.fromEntries(
      [...PARTS, 'total', 'drawn', 'asked', 'deepest', 'worst', 'share'].map((id) => [id, cell(`frame-${id}`)]),
    )
    const cells = this.#cells
    this.root = element(
      'aside',
      { class: 'readouts', 'aria-label': 'Figures' },
      element(
        'section',
        {},
        element('h2', {}, 'A step of 1/60 s'),
        element(
          'table',
          { class: 'facts' },
          ...PARTS.map((part) => row(PART_TITLES[part], cells[part])),
          element('tr', { class: 'sum' }, element('th', { scope: 'row' }, 'All but drawing'), cells['total']),
          row('Points asked', cells['asked']),
          row('Pictures drawn', cells['drawn']),
        ),
      ),
      element(
        'section',
        {},
        element('h2', {}, 'Inside the exact body'),
        element(
          'table',
          { class: 'facts' },
          row('Deepest vertex now', cells['deepest']),
          row('Deepest of the last 5 s', cells['worst']),
          row('Vertices deeper than 1%', cells['share']),
        ),
        element('p', { class: 'quiet' }, 'In % of the height, by the triangles, whatever the cloth meets.'),
      ),
    )
  }

  get figures(): FrameFigures {
    const { total, drawn, ...parts } = this.#medians
    return {
      total: total.value,
      parts: {
        pose: parts.pose.value,
        queries: parts.queries.value,
        cloth: parts.cloth.value,
        skin: parts.skin.value,
      },
      drawn: 1 / drawn.value,
      frames: total.count,
    }
  }

  /** The worst of the looks that are kept. */
  get worst(): Penetration | undefined {
    if (this.#looks.length === 0) return undefined
    return {
      deepest: Math.max(...this.#looks.map(({ deepest }) => deepest)),
      share: Math.max(...this.#looks.map(({ share }) => share)),
    }
  }

  /** @param seconds since the picture before */
  add({ spent, penetration, queries }: Frame, seconds: number): void {
    const total = spent.pose + spent.queries + spent.cloth + spent.skin
    for (const part of PARTS) this.#medians[part].add(spent[part])
    this.#medians.total.add(total)
    this.#medians.drawn.add(seconds)
    if (penetration && penetration !== this.#last) {
      this.#last = penetration
      this.#looks.push(penetration)
      if (this.#looks.length > LOOKS) this.#looks.shift()
    }
    this.#write(queries)
  }

  /** Figures of another garment, character or collision are none of this one's. */
  clear(): void {
    this.#medians = freshMedians()
    this.#looks = []
    this.#last = undefined
    for (const cell of Object.values(this.#cells)) cell.textContent = '\u2026'
  }

  #write(queries: number): void {
    const { total, parts, drawn } = this.figures
    const cells = this.#cells
    for (const part of PARTS) cells[part].textContent = milliseconds(parts[part])
    cells['total'].textContent = milliseconds(total)
    cells['asked'].textContent = Math.round(queries).toLocaleString('en')
    cells['drawn'].textContent = `${drawn.toFixed(drawn < 10 ? 1 : 0)} a second`
    const [now, { worst }] = [this.#looks.at(-1), this]
    if (!now || !worst) return
    cells['deepest'].textContent = percent(now.deepest)
    cells['worst'].textContent = percent(worst.deepest)
    cells['share'].textContent = percent(now.share)
  }
}

function freshMedians() {
  const median = () => new RollingMedian(FRAMES)
  return { pose: median(), queries: median(), cloth: median(), skin: median(), total: median(), drawn: median() }
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)}\u202fms`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}\u202f%`
}
