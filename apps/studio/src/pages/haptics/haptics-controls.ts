/** What a visitor can change: who moves the hand, what contact is found by, and what the body is made of. */
import { threeDigits } from '../../draw/length-text.js'
import { type OwnError, showOwnError } from '../../draw/own-error-badge.js'
import { LabelledRange } from '../../shell/controls/labelled-range.js'
import { Segments } from '../../shell/controls/segments.js'
import { sideSection } from '../../shell/controls/side-section.js'
import { actionButton, ToggleButton } from '../../shell/controls/toggle-button.js'
import { element } from '../../shell/element.js'
import type { FieldChoice, HapticsSettings, Opened } from './haptics-protocol.js'

export interface HapticsControlsOptions {
  /** Other ways to move the hand, such as WebXR's button. */
  ways: readonly HTMLElement[]
  onSettings(settings: Partial<HapticsSettings>): void
  onPause(paused: boolean): void
  onReset(): void
  onPath(play: boolean): void
}

const FIELD_TITLES: Readonly<Record<FieldChoice, string>> = {
  learned: 'The learned fields of body and hand',
  exact: 'The triangles of both: trees, refitted in every step',
}
/** Doublings of the stiffness for run time. */
const DOUBLINGS = [-1, 3] as const

export class HapticsControls {
  readonly sections: readonly HTMLElement[]
  readonly #pause: ToggleButton
  readonly #path: ToggleButton
  readonly #ownError = element('span', { class: 'badge', 'data-testid': 'own-error', hidden: true })
  readonly #sides = element('p', { class: 'quiet', 'data-testid': 'sides' })
  readonly #field: Segments<FieldChoice>
  readonly #stiffness: LabelledRange
  readonly #friction: LabelledRange
  #young = 0

  constructor(options: HapticsControlsOptions) {
    const { onSettings } = options
    this.#pause = new ToggleButton('pause', ['Pause', 'Continue'], options.onPause)
    this.#path = new ToggleButton('path', ['Play recorded path', 'Stop recorded path'], options.onPath)
    this.#field = new Segments<FieldChoice>({
      name: 'field',
      legend: 'Contact found by',
      values: FIELD_TITLES,
      onChange: (field) => onSettings({ field }),
    })
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
    const reset = actionButton('reset', 'Reset', 'Both bodies at rest, the hand where it began', options.onReset)
    this.sections = [
      sideSection(
        'Hand',
        [],
        element('div', { class: 'buttons' }, this.#path.root),
        element('div', { class: 'buttons' }, this.#pause.root, reset),
        ...options.ways,
      ),
      sideSection('Contact found by', [this.#ownError], this.#field.root, this.#sides, this.#friction.root),
      sideSection('Material of the body', [], this.#stiffness.root),
    ]
  }

  show({ field, stiffness, friction }: HapticsSettings, { young, toolLearned }: Opened): void {
    this.#young = young
    this.#field.value = field
    this.#stiffness.value = Math.log2(stiffness)
    this.#friction.value = friction
    this.#sides.textContent = toolLearned
      ? 'Hand in body and body in hand, both by their learned fields.'
      : 'Hand in body and body in hand; the hand has no learned field, so its triangles are used.'
  }

  set paused(on: boolean) {
    this.#pause.on = on
  }

  set path(playing: boolean) {
    this.#path.on = playing
  }

  /** Undefined where the body's field is not learned. */
  set ownError(error: OwnError | undefined) {
    this.#ownError.hidden = error === undefined
    if (error) showOwnError(this.#ownError, error, 'triangles used')
  }
}
