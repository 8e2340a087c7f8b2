/** A slider with its name and value. */
import { element } from '../element.js'

export class LabelledRange {
  readonly root: HTMLElement
  readonly #input: HTMLInputElement
  readonly #output: HTMLOutputElement

  constructor(
    id: string,
    name: string,
    min: number,
    max: number,
    private readonly text: (value: number) => string,
    onInput: (value: number) => void,
  ) {
    this.#input = element('input', { id, type: 'range', min, max, step: (max - min) / 120, 'data-testid': id })
    this.#output = element('output', { for: id, 'data-testid': `${id}-value` })
    this.root = element('div', { class: 'slider plain' }, labelFor(id, name, true), this.#output, this.#input)
    this.#input.addEventListener('input', () => {
      this.#label()
      onInput(this.#input.valueAsNumber)
    })
  }

  set value(value: number) {
    this.#input.value = String(value)
    this.#label()
  }

  #label(): void {
    this.#output.value = this.text(this.#input.valueAsNumber)
    this.#input.setAttribute('aria-valuetext', this.#output.value)
  }
}

/** @param visible or only told to those who do not see the page */
export function labelFor(id: string, text: string, visible = false): HTMLElement {
  return element('label', visible ? { for: id } : { for: id, class: 'visually-hidden' }, text)
}
