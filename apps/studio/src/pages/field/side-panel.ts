/** The side panel: code, speed and quality. */
import { type OwnError, showOwnError } from '../../draw/own-error-badge.js'
import { sideSection } from '../../shell/controls/side-section.js'
import { actionButton, ToggleButton } from '../../shell/controls/toggle-button.js'
import { element } from '../../shell/element.js'

export interface SidePanelOptions {
  onRandom(): void
  onRest(): void
  onAnimate(on: boolean): void
}

export class SidePanel {
  readonly sections: readonly HTMLElement[]
  readonly #sliders = element('div')
  readonly #timing = element('div')
  readonly #quality = element('div')
  readonly #ownError = element('span', { class: 'badge', 'data-testid': 'own-error' })
  readonly #backend = element('span', {
    class: 'badge plain',
    'data-testid': 'backend',
    title: 'What runs the network',
  })
  readonly #animate: ToggleButton

  constructor(options: SidePanelOptions) {
    this.#animate = new ToggleButton(
      'animate',
      ['Animate', 'Stop'],
      options.onAnimate,
      'Moves smoothly through the trained codes',
    )
    this.sections = [
      sideSection(
        'Pose',
        [this.#ownError],
        this.#sliders,
        element(
          'div',
          { class: 'buttons' },
          actionButton('rest', 'Rest pose', 'Every code at zero', options.onRest),
          actionButton('random', 'Random', 'A pose from the trained range', options.onRandom),
          this.#animate.root,
        ),
      ),
      sideSection('Speed', [this.#backend], this.#timing),
      sideSection('Quality', [], this.#quality),
    ]
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
    this.#animate.on = on
  }
}
