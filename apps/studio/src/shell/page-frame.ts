/**
 * What every page looks like: one line that says what is seen and why it is hard, with links to the documentation and
 * to the code that does it; the side panel; the 3D scene with what to do there, a placeholder while it loads, and
 * one line where something went wrong.
 */
import { CodePanel } from './code-panel.js'
import { element } from './element.js'
import { onTouch } from './pointer-kind.js'

export interface PageAbout {
  /** What is seen, and why it is hard: one sentence each. */
  seen: string
  hard: string
  /** File in the built documentation, as `docs/three.html`. */
  docs: string
  /** The few lines of code that do it. */
  code: string
}

export interface PageFrameOptions {
  /** Class of the page, for its style sheet. */
  name: string
  about: PageAbout
  /** What mouse and keys do in the scene, and what fingers do there. */
  help: { mouse: string; touch: string }
  /** Chooses the object; usable from the start. */
  picker: HTMLElement
  /** Sections of the side panel; disabled until the page is ready. */
  side: readonly HTMLElement[]
  /** The 3D view. */
  scene: HTMLElement
  /** Beside or below the scene. */
  rest: readonly HTMLElement[]
  /** The page says itself what it is, and there is nothing to choose: neither line on top nor picker. */
  landing?: boolean
}

export interface Problem {
  message: string
  /** What more there is to say, in small print. */
  details?: string
  /** What can be done about it, as buttons. */
  actions?: readonly { text: string; run(): void }[]
}

export class PageFrame {
  readonly root: HTMLElement
  readonly code: CodePanel
  readonly #alert = element('div', { class: 'alert', role: 'alert', 'data-testid': 'problem', hidden: true })
  readonly #controls: HTMLFieldSetElement
  readonly #bar = element('progress', { max: 1, 'aria-label': 'Loading' })
  readonly #waitingFor = element('p', { 'data-testid': 'progress', 'aria-live': 'polite' }, 'Loading\u2026')
  readonly #placeholder: HTMLElement

  constructor(options: PageFrameOptions) {
    const { about, scene } = options
    this.code = new CodePanel(about.code)
    // A landing page has links there, which work from the start.
    const disabled = !options.landing
    this.#controls = element('fieldset', { class: 'plain', disabled, 'data-testid': 'controls' }, ...options.side)
    this.#placeholder = element(
      'div',
      { class: 'placeholder', 'data-testid': 'placeholder' },
      element('span', { class: 'placeholder-shape', 'aria-hidden': 'true' }),
      this.#waitingFor,
      this.#bar,
    )
    scene.append(
      this.#placeholder,
      element('p', { class: 'help', 'data-testid': 'help' }, onTouch() ? options.help.touch : options.help.mouse),
    )
    this.root = element(
      'div',
      { class: `page ${options.name}-page` },
      ...(options.landing ? [] : [this.#aboutLine(about)]),
      this.#alert,
      element(
        'aside',
        { class: 'side', 'aria-label': 'Controls' },
        ...(options.landing ? [] : [options.picker]),
        this.#controls,
      ),
      scene,
      ...options.rest,
      this.code.root,
    )
  }

  /** What is waited for and how far it is, 0 to 1; undefined once the scene shows something. */
  set progress(progress: { text: string; share?: number } | undefined) {
    this.#placeholder.hidden = progress === undefined
    if (!progress) return
    this.#waitingFor.textContent = progress.text
    if (progress.share === undefined) this.#bar.removeAttribute('value')
    else this.#bar.value = progress.share
  }

  /** Whether the controls do something. */
  set ready(ready: boolean) {
    this.#controls.disabled = !ready
  }

  /** One line for people, and what to do about it; undefined to take it away. */
  set problem(problem: Problem | undefined) {
    this.#alert.hidden = problem === undefined
    this.#alert.replaceChildren()
    if (!problem) return
    const { message, details, actions = [] } = problem
    this.#alert.append(element('span', { 'data-testid': 'error' }, message))
    if (details) this.#alert.append(element('span', { class: 'quiet', 'data-testid': 'error-details' }, details))
    for (const { text, run } of actions) {
      const button = element('button', { type: 'button', 'data-testid': 'error-action' }, text)
      button.addEventListener('click', run)
      this.#alert.append(button)
    }
  }

  #aboutLine({ seen, hard, docs }: PageAbout): HTMLElement {
    return element(
      'header',
      { class: 'about', 'data-testid': 'about' },
      element('p', {}, element('strong', {}, seen), ' ', hard),
      element(
        'span',
        { class: 'links' },
        element('a', { href: docs, 'data-testid': 'docs-link' }, 'Documentation'),
        this.code.opener(),
      ),
    )
  }
}
