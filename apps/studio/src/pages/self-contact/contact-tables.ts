/** What the learned field and exact geometry say of the body now, what an answer of each costs, and what a step takes. */
import { threeDigits } from '../../draw/length-text.js'
import { element } from '../../shell/element.js'
import { contactQuality } from '../../shell/figures/contact-quality.js'
import { FactsTable } from '../../shell/figures/facts-table.js'
import { type StepFigures, StepTable } from '../../shell/figures/step-table.js'
import { STEP } from '../../shell/simulation/protocol.js'
import type { Frame, Opened, StepPart } from './contact-protocol.js'

export class ContactTables {
  readonly now: HTMLElement
  readonly step: HTMLElement
  readonly quality: HTMLElement
  readonly #measured = element('div', { 'data-testid': 'quality' })
  readonly #facts = new FactsTable([
    ['learned-distance', 'Learned distance f'],
    ['exact-touching', 'Exact: touches itself'],
    ['touching-looks', 'Touching, of all looks'],
    ['learned-time', 'Learned answer, with gradient'],
    ['exact-time', 'Exact answer'],
    ['answer-ratio', 'Learned is faster by'],
  ])
  readonly #parts = new StepTable<StepPart>({ step: 'Simulation', look: 'Exact looks, timing' })
  readonly #body = new FactsTable([
    ['real-time', 'Faster than real time by'],
    ['exact-tests', 'Exact tests in a step'],
    ['triangles', 'Triangles'],
    ['modes', 'Modes'],
  ])

  constructor() {
    this.now = element('section', {}, element('h2', {}, 'Does it touch itself?'), this.#facts.root)
    this.step = element('section', {}, element('h2', {}, 'A step of 1/60 s'), this.#parts.root, this.#body.root)
    this.quality = element('section', {}, element('h2', {}, 'Quality of the file'), this.#measured)
  }

  get figures(): StepFigures<StepPart> {
    return this.#parts.figures
  }

  open({ triangles, bounds, quality }: Opened): void {
    this.#measured.replaceChildren(contactQuality(quality))
    this.#body.write('triangles', (triangles.length / 3).toLocaleString('en'))
    this.#body.write('modes', String(bounds.lower.length))
  }

  /** @param seconds since the frame before @param drawing [ms] */
  add({ spent, distance, look, exactTests }: Frame, seconds: number, drawing: number): void {
    this.#parts.add(spent, seconds, drawing)
    const facts = this.#facts
    facts.write('learned-distance', `${threeDigits(distance)} (${distance < 0 ? 'touching' : 'free'})`)
    if (look.looks > 0) {
      const { learned, exact } = look.microseconds
      facts.write('exact-touching', look.touching ? 'yes' : 'no')
      facts.write('touching-looks', `${look.touchingLooks.toLocaleString('en')} of ${look.looks.toLocaleString('en')}`)
      facts.write('learned-time', `${threeDigits(learned)}\u202f\u00b5s`)
      facts.write('exact-time', `${threeDigits(exact)}\u202f\u00b5s`)
      facts.write('answer-ratio', `${threeDigits(exact / learned)}\u202f\u00d7`)
    }
    this.#body.write('real-time', `${threeDigits((1000 * STEP) / this.figures.parts.step)}\u202f\u00d7`)
    this.#body.write('exact-tests', threeDigits(exactTests))
  }

  /** Figures of another body or setting are none of this one's. */
  clear(): void {
    this.#facts.clear()
    this.#parts.clear()
  }
}
