/** What a visitor can change: who moves the hand, what contact goes by, and what the body is made of. */
import { threeDigits } from '../../draw/length-text.js'
import { type OwnError, showOwnError } from '../../draw/own-error-badge.js'
import { element } from '../../shell/element.js'
import { LabelledRange } from '../../shell/labelled-range.js'
import { FIELDS, type FieldChoice, type HapticsSettings, type Opened } from './haptics-protocol.js'

export interface HapticsControlsOptions {
  picker: HTMLElement
  /** Elements for other ways to move the hand, such as WebXR's button. */
  ways: HTMLElement
  onSettings(settings: Partial<HapticsSettings>): void
  onPause(paused: boolean): void
  onReset(): void
  onPath(play: boolean): void
}

const FIELD_TITLES: Readonly<Record<FieldChoice, string>> = {
  learned: 'The trained network',
  exact: "The bodies' own triangles: trees, refitted in every step",
}
/** Doublings of the stiffness for run time. */
const DOUBLINGS = [-1, 3] as const

export class HapticsControls {
  readonly root: HTMLElement
  readonly #alert = element('p', { class: 'alert', role: 'alert', 'data-testid': 'error', hidden: true })
  readonly #pause = element('button', { type: 'button', 'data-testid': 'pause' }, 'Pause')
  readonly #path = element('button', { type: 'button', 'data-testid': 'path' }, 'Play recorded path')
  readonly #ownError = element('span', { class: 'badge', 'data-testid': 'own-error', hidden: true })
  readonly #sides = element('p', { class: 'quiet', 'data-testid': 'sides' })
  readonly #fields: ReadonlyMap<FieldChoice, HTMLInputElement>
  readonly #stiffness: LabelledRange
  readonly #friction: LabelledRange
  #young = 0

  constructor(options: HapticsControlsOptions) {
    const { onSettings } = options
    this.#fields = new Map(
      FIELDS.map((name) => [
        name,
        element('input', { type: 'radio', name: 'field', value: name, 'data-testid': `field-${name}` }),
      ]),
    )
    const stiffnessText = (doublings: number): string =>
      `${threeDigits((this.#young * 2 ** doublings) / 1000)}\u202fkPa`
    this.#stiffness = new LabelledRange('stiffness', "Young's modulus", ...DOUBLINGS, stiffnessText, (d) =>
      onSettings({ stiffness: 2 ** d }),
    )
    this.#friction = new LabelledRange(
      'friction',
      'Friction',
      0,
      1.2,
      (value) => value.toFixed(2),
      (friction) => onSettings({ friction }),
    )
    const reset = element(
      'button',
      { type: 'button', 'data-testid': 'reset', title: 'Both bodies at rest, the hand where it began' },
      'Reset',
    )
    const section = (title: string, badges: Node[], ...children: Node[]): HTMLElement =>
      element('section', {}, element('h2', {}, title, ...badges), ...children)
    this.root = element(
      'aside',
      { class: 'side', 'aria-label': 'Body, hand and contact' },
      section('Body', [], options.picker, this.#alert),
      section(
        'The hand',
        [],
        element('div', { class: 'buttons' }, this.#path),
        element('div', { class: 'buttons' }, this.#pause, reset),
        options.ways,
      ),
      section(
        'Contact goes by',
        [this.#ownError],
        element(
          'fieldset',
          { class: 'segments wide' },
          element('legend', { class: 'visually-hidden' }, 'Field'),
          ...[...this.#fields].map(([name, input]) =>
            element('label', { title: FIELD_TITLES[name] }, input, element('span', {}, name)),
          ),
        ),
        this.#sides,
        this.#friction.root,
      ),
      section('The body is made of', [], this.#stiffness.root),
    )
    for (const [field, input] of this.#fields) input.addEventListener('change', () => onSettings({ field }))
    this.#pause.addEventListener('click', () => options.onPause(this.#pause.getAttribute('aria-pressed') !== 'true'))
    this.#path.addEventListener('click', () => options.onPath(this.#path.getAttribute('aria-pressed') !== 'true'))
    reset.addEventListener('click', options.onReset)
    this.paused = false
    this.path = false
  }

  show({ settings, young, toolLearned }: Pick<Opened, 'settings' | 'young' | 'toolLearned'>): void {
    this.#young = young
    this.#fields.get(settings.field)!.checked = true
    this.#stiffness.value = Math.log2(settings.stiffness)
    this.#friction.value = settings.friction
    this.#sides.textContent = toolLearned
      ? 'Both ways, body and hand by their networks.'
      : 'Both ways; the hand has no network and goes by its triangles.'
  }

  set paused(on: boolean) {
    this.#pause.setAttribute('aria-pressed', String(on))
    this.#pause.textContent = on ? 'Go on' : 'Pause'
  }

  set path(playing: boolean) {
    this.#path.setAttribute('aria-pressed', String(playing))
    this.#path.textContent = playing ? 'Stop recorded path' : 'Play recorded path'
  }

  /** Undefined where the body's field is not learned. */
  set ownError(error: OwnError | undefined) {
    this.#ownError.hidden = error === undefined
    if (error) showOwnError(this.#ownError, error, 'triangles used')
  }

  /** One line for people, or undefined to take it away. */
  set problem(message: string | undefined) {
    this.#alert.hidden = message === undefined
    this.#alert.textContent = message ?? ''
  }
}
