/** The code by groups, such as joints: one group's sliders at a time. Taking hold of a part brings its group up. */
import { CodeSliders } from '../../shell/controls/code-sliders.js'
import { labelFor } from '../../shell/controls/labelled-range.js'
import { element } from '../../shell/element.js'
import type { PoseOpened } from './pose-protocol.js'

export class CodeGroups {
  readonly root: HTMLElement
  readonly #select = element('select', { id: 'group', 'data-testid': 'group' })
  readonly #row = element('div', { class: 'group' }, labelFor('group', 'Joint', true), this.#select)
  readonly #room = element('div')
  #opened: Pick<PoseOpened, 'entries' | 'bounds'> | undefined
  #sliders: CodeSliders | undefined
  /** Entries of the group on show. */
  #entries: readonly number[] = []
  #code: ArrayLike<number> = []

  /** @param onInput  an entry was moved, by its place in the code */
  constructor(private readonly onInput: (entry: number, value: number) => void) {
    this.root = element('div', {}, this.#row, this.#room)
    this.#select.addEventListener('change', () => this.#show())
  }

  open(opened: Pick<PoseOpened, 'entries' | 'bounds'>): void {
    this.#opened = opened
    const groups = [...new Set(opened.entries.map(({ group }) => group))]
    this.#select.replaceChildren(...groups.map((group) => element('option', { value: group }, group)))
    this.#row.hidden = groups.length < 2
    this.#code = new Float64Array(opened.entries.length)
    this.#show()
  }

  set group(group: string) {
    if (this.#select.value === group || ![...this.#select.options].some(({ value }) => value === group)) return
    this.#select.value = group
    this.#show()
  }

  show(code: ArrayLike<number>): void {
    this.#code = code
    // A slider in somebody's hand, or under their keys, is where they put it.
    if (this.#room.querySelector('input:active, input:focus-visible')) return
    this.#sliders?.show(this.#entries.map((entry) => code[entry]))
  }

  #show(): void {
    if (!this.#opened) return
    const { entries, bounds } = this.#opened
    const own = [...entries.keys()].filter((entry) => entries[entry].group === this.#select.value)
    this.#entries = own
    this.#sliders = new CodeSliders({
      names: own.map((entry) => entries[entry].name),
      lower: own.map((entry) => bounds.lower[entry]),
      upper: own.map((entry) => bounds.upper[entry]),
      overshoot: 0,
      text: (value, k) => readAs(value, entries[own[k]].readAs),
      onInput: (values, k) => this.onInput(own[k], values[k]),
    })
    this.#room.replaceChildren(this.#sliders.root)
    this.#sliders.show(own.map((entry) => this.#code[entry]))
  }
}

function readAs(value: number, { factor, unit, decimals }: PoseOpened['entries'][number]['readAs']): string {
  const text = (factor * value).toFixed(decimals)
  // "-0" is zero.
  return `${Number(text) === 0 ? text.replace('-', '') : text.replace('-', '\u2212')}${unit}`
}
