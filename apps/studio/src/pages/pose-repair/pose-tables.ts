/** What was learned and exact geometry say of both poses, how far apart these are, and what an answer of each costs. */
import { lengthText, threeDigits, unitFor } from '../../draw/length-text.js'
import { element } from '../../shell/element.js'
import { contactQuality } from '../../shell/figures/contact-quality.js'
import { FactsTable, milliseconds } from '../../shell/figures/facts-table.js'
import { ComparisonTable } from './comparison-table.js'
import { LIT_COLOURS } from './lit-body.js'
import type { PoseFrame, PoseLook, PoseOpened, PoseRepair } from './pose-protocol.js'

export class PoseTables {
  readonly sections: readonly HTMLElement[]
  readonly #poses = new ComparisonTable([
    ['distance', 'Learned f'],
    ['clearance', 'Clearance'],
    ['exact', 'Touches, exactly'],
    ['pairs', 'Pairs that meet'],
  ])
  readonly #nearest = element('p', { class: 'quiet nearest', 'data-testid': 'nearest' })
  readonly #change = new FactsTable([
    ['moved', 'Code moved by'],
    ['most-moved', 'Most changed'],
    ['repaired', 'Last repair'],
  ])
  readonly #times = new FactsTable([
    ['learned-time', 'Learned answer, with gradient'],
    ['exact-time', 'Exact answer'],
    ['answer-ratio', 'Learned is faster by'],
    ['keep-time', 'Keeping a pose free'],
  ])
  readonly #measured = element('div', { 'data-testid': 'quality' })
  #opened: PoseOpened | undefined

  constructor() {
    const section = (title: string, ...parts: HTMLElement[]): HTMLElement =>
      element('section', {}, element('h2', {}, title), ...parts)
    this.sections = [
      section('Does it touch itself?', this.#poses.root, this.#nearest, legend()),
      section('What was changed', this.#change.root),
      section('Time, medians', this.#times.root),
      section('Quality of the file', this.#measured),
    ]
  }

  open(opened: PoseOpened): void {
    this.#opened = opened
    this.#measured.replaceChildren(contactQuality(opened.quality))
    // A body without parts has one clearance, which is its learned distance.
    const isWhole = opened.unit === 'code'
    this.#poses.hide('clearance', isWhole)
    this.#nearest.hidden = isWhole
    this.#change.clear()
    this.#times.clear()
  }

  show({ before, after, codes, repair, times }: PoseFrame): void {
    const opened = this.#opened!
    const both = <T>(read: (look: PoseLook) => T): [T, T] => [read(before), read(after)]
    this.#poses.write(
      'distance',
      both(({ distance }) => threeDigits(distance)),
      both(({ distance }) => distance < 0),
    )
    this.#poses.write(
      'clearance',
      both(({ clearance }) => clearanceText(clearance, opened.unit)),
      both(({ clearance }) => clearance < 0),
    )
    this.#poses.write(
      'exact',
      both(({ touching }) => (touching ? 'yes' : 'no')),
      both(({ touching }) => touching),
    )
    this.#poses.write(
      'pairs',
      both(({ pairs }) => pairs.toLocaleString('en')),
      both(({ pairs }) => pairs > 0),
    )
    this.#nearest.textContent = `Nearest: ${after.nearest}`
    this.#writeChange(codes, opened)
    this.#change.write('repaired', repair ? repairText(repair) : '\u2013')
    this.#times.write('learned-time', timeText(times.learned))
    this.#times.write('exact-time', timeText(times.exact))
    this.#times.write('answer-ratio', `${threeDigits(times.exact / times.learned)}\u202f\u00d7`)
    this.#times.write('keep-time', Number.isFinite(times.keep) ? milliseconds(times.keep) : '\u2013')
  }

  #writeChange({ before, after }: PoseFrame['codes'], { entries }: PoseOpened): void {
    const ways = Array.from(after, (value, k) => value - before[k])
    const most = ways.reduce((best, way, k) => (Math.abs(way) > Math.abs(ways[best]) ? k : best), 0)
    const { group, name, readAs } = entries[most]
    this.#change.write('moved', threeDigits(Math.hypot(...ways)))
    this.#change.write(
      'most-moved',
      ways[most] === 0
        ? '\u2013'
        : `${group} ${name}, ${(readAs.factor * ways[most]).toFixed(Math.max(1, readAs.decimals)).replace('-', '\u2212')}${readAs.unit}`,
    )
  }
}

export function repairText({ free, wasFree, tests, milliseconds: spent }: PoseRepair): string {
  const what = wasFree ? 'was free' : free ? 'free, exactly' : 'no free pose found'
  return `${what}; ${tests} test${tests === 1 ? '' : 's'}, ${threeDigits(spent)}\u202fms`
}

/** @param microseconds  of one answer */
function timeText(microseconds: number): string {
  return microseconds < 1000
    ? `${threeDigits(microseconds)}\u202f\u00b5s`
    : `${threeDigits(microseconds / 1000)}\u202fms`
}

function clearanceText(clearance: number, unit: PoseOpened['unit']): string {
  return unit === 'm' ? lengthText(clearance, unitFor(0.1)) : threeDigits(clearance)
}

function legend(): HTMLElement {
  const entry = (colour: number, text: string): HTMLElement => {
    const mark = element('i')
    mark.style.setProperty('--colour', `#${colour.toString(16).padStart(6, '0')}`)
    return element('span', {}, mark, text)
  }
  return element(
    'p',
    { class: 'legend' },
    entry(LIT_COLOURS.near, 'near'),
    entry(LIT_COLOURS.deep, 'in each other, learned'),
    entry(LIT_COLOURS.exact, 'meet, exactly'),
  )
}
