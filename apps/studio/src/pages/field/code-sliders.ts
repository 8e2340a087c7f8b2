/** A slider per code entry: name, value, the trained range marked on the track, double-click to reset. */
import { tickText } from '../../draw/length-text.js'
import { element } from '../../shell/element.js'

/** The sliders reach this share of the range beyond either end, to see what the field does where it was not trained. */
const OVERSHOOT = 0.25
const STEPS = 300

export interface CodeSlidersOptions {
  names: readonly string[]
  lower: readonly number[]
  upper: readonly number[]
  onInput(code: number[]): void
}

export class CodeSliders {
  readonly root = element('div', { class: 'sliders' })
  readonly #inputs: HTMLInputElement[] = []
  readonly #outputs: HTMLOutputElement[] = []

  constructor(options: CodeSlidersOptions) {
    const report = (): void => {
      this.#label()
      options.onInput(this.#inputs.map((input) => input.valueAsNumber))
    }
    for (const [k, name] of options.names.entries()) {
      const span = options.upper[k] - options.lower[k]
      const id = `code-${k}`
      const input = element('input', {
        id,
        type: 'range',
        min: options.lower[k] - OVERSHOOT * span,
        max: options.upper[k] + OVERSHOOT * span,
        // Any value may be set from outside, by an address for one; the keyboard's step is set apart below.
        step: 'any',
        title: 'Double-click to reset',
        'data-testid': `code-${name}`,
      })
      const output = element('output', { for: id, 'data-testid': `code-${name}-value` })
      input.addEventListener('input', report)
      input.addEventListener('dblclick', () => {
        input.value = '0'
        report()
      })
      input.addEventListener('keydown', (event) => {
        const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
        if (direction === undefined) return
        event.preventDefault()
        input.value = String(input.valueAsNumber + (direction * span * (event.shiftKey ? 10 : 1)) / STEPS)
        report()
      })
      this.#inputs.push(input)
      this.#outputs.push(output)
      const row = element('div', { class: 'slider' }, element('label', { for: id }, name), output, input)
      // Where the trained range begins and ends on the track, for the style sheet.
      const whole = 1 + 2 * OVERSHOOT
      row.style.setProperty('--from', String(OVERSHOOT / whole))
      row.style.setProperty('--to', String((1 + OVERSHOOT) / whole))
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
      const text = tickText(input.valueAsNumber, 0.01)
      this.#outputs[k].value = text
      input.setAttribute('aria-valuetext', text)
    }
  }
}
