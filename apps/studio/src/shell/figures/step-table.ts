/** What a step costs and where the time goes, drawing apart, as medians of the last frames. */
import { RollingMedian } from '../../measure/rolling-median.js'
import { FactsTable, milliseconds } from './facts-table.js'

/** Frames that medians are taken over. */
const FRAMES = 60

export interface StepFigures<Part extends string> {
  /** Medians [ms] of everything but drawing, of its parts, and of drawing. */
  readonly total: number
  readonly parts: Readonly<Record<Part, number>>
  readonly drawing: number
  readonly fps: number
  readonly frames: number
}

export class StepTable<Part extends string> {
  readonly #table = new FactsTable([])
  readonly #parts: readonly Part[]
  #medians: Readonly<Record<Part | 'total' | 'drawing' | 'seconds', RollingMedian>>

  /** @param titles of the parts of a step, in their order */
  constructor(titles: Readonly<Record<Part, string>>) {
    this.#parts = Object.keys(titles) as Part[]
    for (const part of this.#parts) this.#table.add(`frame-${part}`, titles[part])
    this.#table.add('frame-total', 'All but drawing', true)
    this.#table.add('frame-drawing', 'Drawing')
    this.#table.add('frame-fps', 'Frame rate')
    this.#medians = this.#fresh()
  }

  get root(): HTMLElement {
    return this.#table.root
  }

  get figures(): StepFigures<Part> {
    const { total, drawing, seconds } = this.#medians
    return {
      total: total.value,
      parts: Object.fromEntries(this.#parts.map((part) => [part, this.#medians[part].value])) as Record<Part, number>,
      drawing: drawing.value,
      fps: 1 / seconds.value,
      frames: total.count,
    }
  }

  /** @param spent [ms] @param seconds since the frame before @param drawing [ms] */
  add(spent: Readonly<Record<Part, number>>, seconds: number, drawing: number): void {
    let total = 0
    for (const part of this.#parts) {
      this.#medians[part].add(spent[part])
      total += spent[part]
    }
    this.#medians.total.add(total)
    this.#medians.drawing.add(drawing)
    this.#medians.seconds.add(seconds)
    this.#write()
  }

  /** Figures of another object or setting are none of this one's. */
  clear(): void {
    this.#medians = this.#fresh()
    this.#table.clear()
  }

  #write(): void {
    const { total, parts, drawing, fps } = this.figures
    for (const part of this.#parts) this.#table.write(`frame-${part}`, milliseconds(parts[part]))
    this.#table.write('frame-total', milliseconds(total))
    this.#table.write('frame-drawing', milliseconds(drawing))
    this.#table.write('frame-fps', `${fps.toFixed(fps < 10 ? 1 : 0)} fps`)
  }

  #fresh(): Record<Part | 'total' | 'drawing' | 'seconds', RollingMedian> {
    const names = [...this.#parts, 'total', 'drawing', 'seconds'] as const
    return Object.fromEntries(names.map((name) => [name, new RollingMedian(FRAMES)])) as Record<
      (typeof names)[number],
      RollingMedian
    >
  }
}
