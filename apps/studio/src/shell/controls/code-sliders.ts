/** A slider per code entry: name, value, the trained range marked on the track, double-click to reset. */
import { tickText } from '../../draw/length-text.js'
import { element } from '../element.js'

/** Presses of an arrow key from end to end. */
const STEPS = 300

export interface CodeSlidersOptions {
  names: readonly string[]
  lower: readonly number[]
  upper: readonly number[]
  /** The sliders reach this share of the range beyond either end, to see what happens where nothing was trained. */
  overshoot: number
  /** A value as people read it, by its place. */
  text?(value: number, entry: number): string
  /** @param entry  that was moved */
  onInput(code: number[], entry: number): void
}

export class CodeSliders {
  readonly root = element('div', { class: 'sliders' })
  readonly #inputs: HTMLInputElement[] = []
  readonly #outputs: HTMLOutputElement[] = []

  constructor(private readonly options: CodeSlidersOptions) {
    const { overshoot } = options
    const report = (entry: number): void => {
      this.#label()
      options.onInput(
        this.#inputs.map((input) => input.valueAsNumber),
        entry,
      )
    }
    for (const [k, name] of options.names.entries()) {
      const span = options.upper[k] - options.lower[k]
      const id = `code-${k}`
      const input = element('input', {
        id,
        type: 'range',
        min: options.lower[k] - overshoot * span,
        max: options.upper[k] + overshoot * span,
        // Any value may be set from outside, by an address for one; the keyboard's step is set apart below.
        step: 'any',
        title: 'Double-click to reset',
        'data-testid': `code-${name}`,
      })
      const output = element('output', { for: id, 'data-testid': `code-${name}-value` })
      input.addEventListener('input', () => report(k))
      input.addEventListener('dblclick', () => {
        input.value = '0'
        report(k)
      })
      input.addEventListener('keydown', (event) => {
        const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
        if (direction === undefined) return
        event.preventDefault()
        input.value = String(input.valueAsNumber + (direction * span * (event.shiftKey ? 10 : 1)) / STEPS)
        report(k)
      })
      this.#inputs.push(input)
      this.#outputs.push(output)
      const row = element('div', { class: 'slider' }, element('label', { for: id }, name), output, input)
      // Where the trained range begins and ends on the track, for the style sheet.
      const whole = 1 + 2 * overshoot
      row.style.setProperty('--from', String(overshoot / whole))
      row.style.setProperty('--to', String((1 + overshoot) / whole))
      this.root.append(row)
    }
    if (options.names.length === 0) this.root.append(element('p', { class: 'quiet' }, 'This object does not bend.'))
  }

  show(code: ArrayLike<number>): void {
    for (const [k, input] of this.#inputs.entries()) input.value = String(code[k])
    this.#label()
  }

  #label(): void {
    for (const [k, input] of this.#inputs.entries()) {
      const text = this.options.text?.(input.valueAsNumber, k) ?? tickText(input.valueAsNumber, 0.01)
      this.#outputs[k].value = text
      input.setAttribute('aria-valuetext', text)
    }
  }
}
