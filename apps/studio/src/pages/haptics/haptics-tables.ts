/** How hard the hand is pushed, how deep the two are inside each other, and what a step costs, drawing apart. */
import { TimePlot } from '../../draw/time-plot.js'
import { element } from '../../shell/element.js'
import { FactsTable, percent } from '../../shell/figures/facts-table.js'
import { type StepFigures, StepTable } from '../../shell/figures/step-table.js'
import type { Frame, Penetration, StepPart } from './haptics-protocol.js'

export class HapticsTables {
  readonly root: HTMLElement
  readonly #plot = new TimePlot({
    ...{ testId: 'force-plot', name: 'Force on the hand', unit: 'newtons', axis: 'force [N]', leastTop: 1 },
  })
  readonly #step = new StepTable<StepPart>({
    code: 'Pose of the field',
    queries: 'Distance queries',
    nearest: 'Nearest triangles, forces',
    body: 'FEM of the body',
    tool: 'FEM of the hand',
    rest: 'Rest',
  })
  readonly #contact = new FactsTable([
    ['frame-touching', 'Vertices of the hand that push'],
    ['frame-deepest', 'Deepest in the exact body'],
    ['frame-worst', 'Deepest since the last reset'],
    ['frame-reverse', 'Body in the exact hand, since'],
  ])
  readonly #force = element('span', { class: 'figure', 'data-testid': 'force' }, '\u2026')
  #worst: Penetration | undefined

  constructor() {
    this.root = element(
      'aside',
      { class: 'readouts', 'aria-label': 'Figures' },
      element('section', {}, element('h2', {}, 'Force on the hand', this.#force), this.#plot.root),
      element(
        'section',
        {},
        element('h2', {}, 'Contact'),
        this.#contact.root,
        element(
          'p',
          { class: 'quiet' },
          "In % of the body's diagonal, by the triangles, whatever contact is found by.",
        ),
      ),
      element('section', {}, element('h2', {}, 'A step of 1/60 s'), this.#step.root),
    )
  }

  get figures(): StepFigures<StepPart> {
    return this.#step.figures
  }

  /** The deepest of all frames since `clear`. */
  get worst(): Penetration | undefined {
    return this.#worst
  }

  /** @param seconds since the frame before @param drawing [ms] */
  add({ spent, penetration, force, touched, time }: Frame, seconds: number, drawing: number): void {
    this.#step.add(spent, seconds, drawing)
    const { toolInBody = 0, bodyInTool = 0 } = this.#worst ?? {}
    this.#worst = {
      toolInBody: Math.max(toolInBody, penetration.toolInBody),
      bodyInTool: Math.max(bodyInTool, penetration.bodyInTool),
    }
    const newtons = Math.hypot(...force)
    this.#plot.add(time, newtons)
    this.#force.textContent = `${newtons.toFixed(2)}\u202fN`
    this.#contact.write('frame-touching', String(touched.vertices.length))
    this.#contact.write('frame-deepest', percent(penetration.toolInBody))
    this.#contact.write('frame-worst', percent(this.#worst.toolInBody))
    this.#contact.write('frame-reverse', percent(this.#worst.bodyInTool))
  }

  /** Figures of another field or body are none of this one's. */
  clear(): void {
    this.#worst = undefined
    this.#plot.clear()
    this.#step.clear()
    this.#contact.clear()
  }
}
