/** What a step costs, drawing apart, and how deep the cloth is inside the exact body. */
import { element } from '../../shell/element.js'
import { FactsTable, percent } from '../../shell/figures/facts-table.js'
import { type StepFigures, StepTable } from '../../shell/figures/step-table.js'
import type { Frame, Penetration, StepPart } from './cloth-protocol.js'

/** Looks at the exact body that the worst is kept of. */
const LOOKS = 75

export class ClothTables {
  readonly root: HTMLElement
  readonly #step = new StepTable<StepPart>({
    pose: 'Pose of the field',
    queries: 'Distance queries',
    cloth: 'Clip, cloth, self-contact',
    skin: 'Skinning for display',
  })
  readonly #asked = new FactsTable([['frame-asked', 'Points asked']])
  readonly #depth = new FactsTable([
    ['frame-deepest', 'Deepest vertex now'],
    ['frame-worst', 'Deepest of the last 5 s'],
    ['frame-share', 'Vertices deeper than 1%'],
  ])
  #looks: Penetration[] = []
  #last: Penetration | undefined

  constructor() {
    this.root = element(
      'aside',
      { class: 'readouts', 'aria-label': 'Figures' },
      element(
        'section',
        {},
        element('h2', {}, 'Inside the exact body'),
        this.#depth.root,
        element('p', { class: 'quiet' }, 'In % of the height, by the triangles, whatever the cloth collides with.'),
      ),
      element('section', {}, element('h2', {}, 'A step of 1/60 s'), this.#step.root, this.#asked.root),
    )
  }

  get figures(): StepFigures<StepPart> {
    return this.#step.figures
  }

  /** The worst of the looks that are kept. */
  get worst(): Penetration | undefined {
    if (this.#looks.length === 0) return undefined
    return {
      deepest: Math.max(...this.#looks.map(({ deepest }) => deepest)),
      share: Math.max(...this.#looks.map(({ share }) => share)),
    }
  }

  /** @param seconds since the frame before @param drawing [ms] */
  add({ spent, penetration, queries }: Frame, seconds: number, drawing: number): void {
    this.#step.add(spent, seconds, drawing)
    this.#asked.write('frame-asked', Math.round(queries).toLocaleString('en'))
    if (!penetration || penetration === this.#last) return
    this.#last = penetration
    this.#looks.push(penetration)
    if (this.#looks.length > LOOKS) this.#looks.shift()
    this.#depth.write('frame-deepest', percent(penetration.deepest))
    this.#depth.write('frame-worst', percent(this.worst!.deepest))
    this.#depth.write('frame-share', percent(penetration.share))
  }

  /** Figures of another garment, character or collision are none of this one's. */
  clear(): void {
    for (const table of [this.#step, this.#asked, this.#depth]) table.clear()
    this.#looks = []
    this.#last = undefined
  }
}
