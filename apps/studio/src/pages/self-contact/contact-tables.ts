/** What the learned field and exact geometry say of the body now, what an answer of each costs, and what a step takes. */
import { threeDigits } from '../../draw/length-text.js'
import { element } from '../../shell/element.js'
import { FactsTable } from '../../shell/figures/facts-table.js'
import { type StepFigures, StepTable } from '../../shell/figures/step-table.js'
import { STEP } from '../../shell/simulation/protocol.js'
import type { Frame, Opened, StepPart } from './contact-protocol.js'

export class ContactTables {
  readonly sections: readonly HTMLElement[]
  readonly #now = new FactsTable([
    ['learned-distance', 'Learned distance f'],
    ['exact-touching', 'Exact: touches itself'],
    ['touching-looks', 'Touching, of all looks'],
    ['learned-time', 'Learned answer, with gradient'],
    ['exact-time', 'Exact answer'],
    ['answer-ratio', 'Learned is faster by'],
  ])
  readonly #step = new StepTable<StepPart>({ step: 'Simulation', look: 'Exact looks, timing' })
  readonly #body = new FactsTable([
    ['real-time', 'Faster than real time by'],
    ['exact-tests', 'Exact tests in a step'],
    ['triangles', 'Triangles'],
    ['modes', 'Modes'],
  ])

  constructor() {
    this.sections = [
      element('section', {}, element('h2', {}, 'Does it touch itself?'), this.#now.root),
      element('section', {}, element('h2', {}, 'A step of 1/60 s'), this.#step.root, this.#body.root),
    ]
  }

  get figures(): StepFigures<StepPart> {
    return this.#step.figures
  }

  open({ triangles, bounds }: Opened): void {
    this.#body.write('triangles', (triangles.length / 3).toLocaleString('en'))
    this.#body.write('modes', String(bounds.lower.length))
  }

  /** @param seconds since the frame before @param drawing [ms] */
  add({ spent, distance, look, exactTests }: Frame, seconds: number, drawing: number): void {
    this.#step.add(spent, seconds, drawing)
    const now = this.#now
    now.write('learned-distance', `${threeDigits(distance)} (${distance < 0 ? 'touching' : 'free'})`)
    if (look.looks > 0) {
      const { learned, exact } = look.microseconds
      now.write('exact-touching', look.touching ? 'yes' : 'no')
      now.write('touching-looks', `${look.touchingLooks.toLocaleString('en')} of ${look.looks.toLocaleString('en')}`)
      now.write('learned-time', `${threeDigits(learned)}\u202f\u00b5s`)
      now.write('exact-time', `${threeDigits(exact)}\u202f\u00b5s`)
      now.write('answer-ratio', `${threeDigits(exact / learned)}\u202f\u00d7`)
    }
    this.#body.write('real-time', `${threeDigits((1000 * STEP) / this.figures.parts.step)}\u202f\u00d7`)
    this.#body.write('exact-tests', threeDigits(exactTests))
  }

  /** Figures of another body or setting are none of this one's. */
  clear(): void {
    this.#now.clear()
    this.#step.clear()
  }
}
