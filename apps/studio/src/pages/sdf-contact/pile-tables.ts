/** How many contacts there are and how deep, what energy is left, what a step costs, and what an overlap's cells say. */
import { threeDigits } from '../../draw/length-text.js'
import { TimePlot } from '../../draw/time-plot.js'
import { element } from '../../shell/element.js'
import { FactsTable, milliseconds } from '../../shell/figures/facts-table.js'
import { type StepFigures, StepTable } from '../../shell/figures/step-table.js'
import type { Frame, OverlapLook, StepPart } from './pile-protocol.js'

export class PileTables {
  readonly root: HTMLElement
  readonly #contact = new FactsTable([
    ['contacts', 'Contacts'],
    ['pushing', 'Of them push'],
    ['pairs', 'Pairs of bodies in contact'],
    ['deepest', 'Deepest overlap'],
  ])
  readonly #energy = new FactsTable([
    ['kinetic', 'Of motion'],
    ['total', 'With height over the floor'],
  ])
  readonly #plot = new TimePlot({
    ...{ testId: 'energy-plot', name: 'Energy with height over the floor', unit: 'joules', axis: 'energy [J]' },
    leastTop: 1,
  })
  readonly #step = new StepTable<StepPart>({
    broad: 'Broad phase',
    contacts: 'Contacts',
    solver: 'Solver',
  })
  readonly #overlap = new FactsTable([
    ['overlap-pair', 'Pair'],
    ['overlap-inside', 'Cells inside both'],
    ['overlap-border', 'Cells at the border'],
    ['overlap-volume', 'Volume'],
    ['overlap-time', 'Time of one look'],
  ])
  readonly #overlapSection = element(
    'section',
    { hidden: true },
    element('h2', {}, 'Overlap of the pair'),
    this.#overlap.root,
  )

  constructor() {
    this.root = element(
      'aside',
      { class: 'readouts', 'aria-label': 'Figures' },
      element('section', {}, element('h2', {}, 'Contact'), this.#contact.root),
      element('section', {}, element('h2', {}, 'Energy'), this.#energy.root, this.#plot.root),
      this.#overlapSection,
      element('section', {}, element('h2', {}, 'A step of 1/60 s'), this.#step.root),
    )
  }

  get figures(): StepFigures<StepPart> {
    return this.#step.figures
  }

  /** @param seconds since the frame before @param drawing [ms] */
  add({ contacts, energy, spent, steps, time }: Frame, seconds: number, drawing: number): void {
    const { count, pushing, pairs, deepest } = contacts
    this.#contact.write('contacts', String(count))
    this.#contact.write('pushing', String(pushing))
    this.#contact.write('pairs', String(pairs))
    this.#contact.write('deepest', `${threeDigits(1000 * deepest)}\u202fmm`)
    this.#energy.write('kinetic', `${joules(energy.kinetic)}\u202fJ`)
    this.#energy.write('total', `${joules(energy.total)}\u202fJ`)
    // Time that stands still costs nothing, which is no news.
    if (steps === 0) return
    this.#step.add(spent, seconds, drawing)
    this.#plot.add(time, energy.total)
  }

  /** @param look  undefined for none @param names  of the bodies */
  showOverlap(look: OverlapLook | undefined, isAsked: boolean, names: readonly string[]): void {
    this.#overlapSection.hidden = !isAsked
    this.#overlap.clear()
    if (!look) {
      if (isAsked) this.#overlap.write('overlap-pair', 'none that overlaps')
      return
    }
    const { bodies, counts, volume } = look
    const cubic = (value: number): string => threeDigits(1e6 * value)
    this.#overlap.write('overlap-pair', bodies.map((i) => `${i + 1} ${names[i]}`).join(', '))
    this.#overlap.write('overlap-inside', counts.inside.toLocaleString('en'))
    this.#overlap.write('overlap-border', counts.border.toLocaleString('en'))
    this.#overlap.write('overlap-volume', `${cubic(volume[0])} to ${cubic(volume[1])}\u202fcm\u00b3`)
    this.#overlap.write('overlap-time', milliseconds(look.milliseconds))
  }

  /** Figures of another pile or setting are none of this one's. */
  clear(): void {
    this.#step.clear()
    this.#plot.clear()
  }
}

/** What is left of a body at rest is not worth a power of ten. */
function joules(value: number): string {
  return Math.abs(value) < 1e-3 ? '0.000' : threeDigits(value)
}
