/** What a visitor can change: what keeps the body apart, and who pulls. */
import { Segments } from '../../shell/controls/segments.js'
import { sideSection } from '../../shell/controls/side-section.js'
import { actionButton, ToggleButton } from '../../shell/controls/toggle-button.js'
import { element } from '../../shell/element.js'
import type { ContactSettings, Keep } from './contact-protocol.js'

export interface ContactControlsOptions {
  onSettings(settings: Partial<ContactSettings>): void
  onPause(paused: boolean): void
  onReset(): void
}

const KEEP_TITLES: Readonly<Record<Keep, string>> = {
  nothing: 'Nothing: the body passes through itself',
  learned: 'The learned distance to self-contact and its gradient: one row of the solver',
  hybrid: 'The same, and an exact test after each step, which takes back what it finds touching',
}
const KEEP_TEXTS: Partial<Record<Keep, string>> = { hybrid: 'learned + exact' }

export class ContactControls {
  readonly sections: readonly HTMLElement[]
  readonly #keep: Segments<Keep>
  readonly #script: ToggleButton
  readonly #pause: ToggleButton
  readonly #told = element('p', { class: 'quiet' })

  constructor({ onSettings, onPause, onReset }: ContactControlsOptions) {
    this.#keep = new Segments<Keep>({
      name: 'keep',
      legend: 'Keep apart by',
      values: KEEP_TITLES,
      texts: KEEP_TEXTS,
      onChange: (keep) => {
        this.#told.textContent = KEEP_TITLES[keep]
        onSettings({ keep })
      },
    })
    this.#script = new ToggleButton(
      'script',
      ['Pull by itself', 'Stop pulling'],
      (on) => onSettings({ pull: on ? 'script' : 'hand' }),
      'Pulls at two vertices at a time, over and over: the script that the bench measures',
    )
    this.#pause = new ToggleButton('pause', ['Pause', 'Continue'], onPause)
    const reset = actionButton('reset', 'Reset', 'Back above the table, at rest', onReset)
    this.sections = [
      sideSection('Keep apart by', [], this.#keep.root, this.#told),
      sideSection(
        'Pull',
        [],
        element('div', { class: 'buttons' }, this.#script.root),
        element('div', { class: 'buttons' }, this.#pause.root, reset),
      ),
    ]
  }

  show({ keep, pull }: ContactSettings): void {
    this.#keep.value = keep
    this.#told.textContent = KEEP_TITLES[keep]
    this.script = pull === 'script'
  }

  set script(on: boolean) {
    this.#script.on = on
  }

  set paused(on: boolean) {
    this.#pause.on = on
  }
}
