/** One of a few values, side by side. */
import { element } from '../element.js'

export interface SegmentsOptions<Value extends string> {
  /** Of the group; `<name>-<value>` is the test id of each. */
  name: string
  /** Told to those who do not see the page, or shown before the values. */
  legend: string
  legendVisible?: boolean
  /** Values with what is told where they are pointed at. */
  values: Readonly<Record<Value, string>>
  /** What is written on those that are not called by their value. */
  texts?: Readonly<Partial<Record<Value, string>>>
  onChange(value: Value): void
}

export class Segments<Value extends string> {
  readonly root: HTMLElement
  readonly #inputs: ReadonlyMap<Value, HTMLInputElement>

  constructor({ name, legend, legendVisible = false, values, texts, onChange }: SegmentsOptions<Value>) {
    const names = Object.keys(values) as Value[]
    this.#inputs = new Map(
      names.map((value) => [
        value,
        element('input', { type: 'radio', name, value, 'data-testid': `${name}-${value}` }),
      ]),
    )
    this.root = element(
      'fieldset',
      { class: legendVisible ? 'segments' : 'segments wide' },
      element('legend', { class: legendVisible ? '' : 'visually-hidden' }, legend),
      ...[...this.#inputs].map(([value, input]) =>
        element('label', { title: values[value] }, input, element('span', {}, texts?.[value] ?? value)),
      ),
    )
    for (const [value, input] of this.#inputs) input.addEventListener('change', () => onChange(value))
  }

  set value(value: Value) {
    this.#inputs.get(value)!.checked = true
  }
}
