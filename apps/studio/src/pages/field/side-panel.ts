/** The left side: object, code, speed and quality. */
import { type OwnError, showOwnError } from '../../draw/own-error-badge.js'
import { element } from '../../shell/element.js'

export interface SidePanelOptions {
  picker: HTMLElement
  onRandom(): void
  onRest(): void
  onAnimate(on: boolean): void
}

export class SidePanel {
  readonly root: HTMLElement
  readonly #alert = element('p', { class: 'alert', role: 'alert', 'data-testid': 'error', hidden: true })
  readonly #sliders = element('div')
  readonly #timing = element('div')
  readonly #quality = element('div')
  readonly #ownError = element('span', { class: 'badge', 'data-testid': 'own-error' })
  readonly #backend = element('span', {
    class: 'badge plain',
    'data-testid': 'backend',
    title: 'What runs the network',
  })
  readonly #animate: HTMLButtonElement

  constructor(options: SidePanelOptions) {
    const button = (text: string, title: string, testId: string, onClick: () => void): HTMLButtonElement => {
      const made = element('button', { type: 'button', 'data-testid': testId, title }, text)
      made.addEventListener('click', onClick)
      return made
    }
    this.#animate = button('Animate', 'Moves smoothly through the trained codes', 'animate', () => {
      options.onAnimate(this.#animate.getAttribute('aria-pressed') !== 'true')
    })
    this.animating = false
    const section = (title: string, extra: Node[], ...children: Node[]): HTMLElement =>
      element('section', {}, element('h2', {}, title, ...extra), ...children)
    this.root = element(
      'aside',
      { class: 'side', 'aria-label': 'Object and pose' },
      section('Object', [], options.picker, this.#alert),
      section(
        'Pose',
        [this.#ownError],
        this.#sliders,
        element(
          'div',
          { class: 'buttons' },
          button('Rest pose', 'Every code at zero', 'rest', options.onRest),
          button('Random', 'A pose from the trained range', 'random', options.onRandom),
          this.#animate,
        ),
      ),
      section('Speed', [this.#backend], this.#timing),
      section('Quality', [], this.#quality),
    )
  }

  setObject(sliders: HTMLElement, timing: HTMLElement, quality: HTMLElement, backend: string): void {
    this.#sliders.replaceChildren(sliders)
    this.#timing.replaceChildren(timing)
    this.#quality.replaceChildren(quality)
    this.#backend.textContent = backend
  }

  set ownError(error: OwnError) {
    showOwnError(this.#ownError, error)
  }

  set animating(on: boolean) {
    this.#animate.setAttribute('aria-pressed', String(on))
    this.#animate.textContent = on ? 'Stop' : 'Animate'
  }

  /** One line for people, or undefined to take it away. */
  set problem(message: string | undefined) {
    this.#alert.hidden = message === undefined
    this.#alert.textContent = message ?? ''
  }
}
