/** A button that is on or off, and says what pressing it does. */
import { element } from '../element.js'

export class ToggleButton {
  readonly root: HTMLButtonElement
  readonly #texts: readonly [off: string, on: string]

  /** @param texts what pressing it does while it is off, and while it is on */
  constructor(
    testId: string,
    texts: readonly [off: string, on: string],
    onToggle: (on: boolean) => void,
    title?: string,
  ) {
    this.#texts = texts
    this.root = element('button', { type: 'button', 'data-testid': testId, ...(title && { title }) })
    this.root.addEventListener('click', () => onToggle(this.root.getAttribute('aria-pressed') !== 'true'))
    this.on = false
  }

  set on(on: boolean) {
    this.root.setAttribute('aria-pressed', String(on))
    this.root.textContent = this.#texts[on ? 1 : 0]
  }
}

/** A button that does one thing. */
export function actionButton(testId: string, text: string, title: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', 'data-testid': testId, title }, text)
  button.addEventListener('click', onClick)
  return button
}
