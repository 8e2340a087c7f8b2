/** The few lines of code that do what a page shows, in a dialog, ready to be copied. */
import { element } from './element.js'

/** How long the button says that it has copied [ms]. */
const TOLD_MS = 1600

export class CodePanel {
  readonly root: HTMLDialogElement
  readonly #code: string

  constructor(code: string) {
    this.#code = code.trim()
    const close = element('button', { type: 'button', 'aria-label': 'Close' }, '\u00d7')
    this.root = element(
      'dialog',
      { class: 'code-dialog', 'aria-label': 'The code that does it', 'data-testid': 'code-dialog' },
      element('h2', {}, 'The code that does it', close),
      this.listing(),
    )
    close.addEventListener('click', () => this.root.close())
    // A click beside the dialog is a click on its backdrop.
    this.root.addEventListener('click', ({ target }) => {
      if (target === this.root) this.root.close()
    })
  }

  /** A button that opens the dialog. */
  opener(): HTMLElement {
    const button = element('button', { type: 'button', class: 'link', 'data-testid': 'code-link' }, 'The code')
    button.addEventListener('click', () => this.root.showModal())
    return button
  }

  /** The lines and a button that copies them. */
  listing(): HTMLElement {
    return element(
      'div',
      { class: 'listing' },
      element('div', { class: 'listing-bar' }, 'TypeScript', copyButton('copy-code', this.#code)),
      element('pre', { tabindex: 0 }, element('code', {}, this.#code)),
    )
  }
}

export function copyButton(testId: string, text: string): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy', 'data-testid': testId }, 'Copy')
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(text)) ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, TOLD_MS)
  })
  return button
}

/** @returns whether the browser let us: pages served without TLS may not */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
