/** The visitor's own body as JSON: a box to write in, examples to begin from, and one line where it is no body. */
import { element } from '../../shell/element.js'
import { EXAMPLE_SHAPES, FIRST_SHAPE, readOwnShape } from './own-shape.js'

export class ShapeEditor {
  readonly root: HTMLElement
  readonly #text = element('textarea', {
    id: 'own-shape',
    rows: 9,
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    'aria-describedby': 'own-shape-problem',
    'data-testid': 'own-shape',
  })
  readonly #examples = element(
    'select',
    { 'aria-label': 'Example to begin from', 'data-testid': 'example' },
    element('option', { value: '' }, 'Examples\u2026'),
    ...Object.keys(EXAMPLE_SHAPES).map((name) => element('option', { value: name }, name)),
  )
  readonly #problem = element('p', {
    id: 'own-shape-problem',
    class: 'problem',
    role: 'alert',
    'data-testid': 'shape-problem',
  })
  /** What falls now: what is being written is not undone by it. */
  #shown = ''
  /** What is wrong with what was written last, and with what falls, as the worker found. */
  #mistake: string | undefined
  #refusal: string | undefined

  /** @param onDrop  a body that was read without a mistake */
  constructor(private readonly onDrop: (text: string) => void) {
    const drop = element('button', { type: 'button', 'data-testid': 'drop-shape' }, 'Drop it')
    drop.addEventListener('click', () => this.#drop())
    this.#text.value = FIRST_SHAPE
    this.#text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      this.#drop()
    })
    this.#examples.addEventListener('change', () => {
      const text = EXAMPLE_SHAPES[this.#examples.value]
      this.#examples.value = ''
      if (text === undefined) return
      this.#text.value = text
      this.#drop()
    })
    this.root = element(
      'div',
      { class: 'shape-editor' },
      element('label', { for: 'own-shape', class: 'visually-hidden' }, 'Your own body as JSON'),
      this.#text,
      this.#problem,
      element('div', { class: 'buttons' }, this.#examples, drop),
    )
  }

  /** What falls is this: from the address or a file. */
  set text(text: string) {
    if (text === this.#shown) return
    this.#shown = text
    this.#text.value = text || FIRST_SHAPE
  }

  /** Why what was asked for does not fall: one line, or undefined. */
  set refusal(message: string | undefined) {
    if (message === this.#refusal) return
    this.#refusal = message
    this.#tell()
  }

  #drop(): void {
    const text = this.#text.value
    this.#mistake = mistakeIn(text)
    this.#tell()
    if (this.#mistake !== undefined) return
    this.#shown = text
    this.onDrop(text)
  }

  #tell(): void {
    const message = this.#mistake ?? this.#refusal
    this.#problem.textContent = message ?? ''
    this.#text.toggleAttribute('aria-invalid', message !== undefined)
  }
}

function mistakeIn(text: string): string | undefined {
  try {
    readOwnShape(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
