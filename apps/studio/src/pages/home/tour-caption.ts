/** Says below the scene which collision is on, how deep the cloth is inside the body and how long a step takes. */
import { ToggleButton } from '../../shell/controls/toggle-button.js'
import { element } from '../../shell/element.js'
import type { Collision } from '../cloth/cloth-protocol.js'
import { TOUR } from './collision-tour.js'

/** Deeper than this is seen [m]. */
const VISIBLE = 0.01

const TITLES: Readonly<Record<Collision, string>> = {
  none: 'No collision: the cloth hangs through the body',
  learned: 'Learned collision: the network keeps it outside',
  exact: 'Exact collision: a tree of triangles, refitted every frame',
}

export interface TourCaptionOptions {
  onChoose(collision: Collision): void
  onPlay(playing: boolean): void
}

export class TourCaption {
  readonly root: HTMLElement
  readonly #title = element('p', { class: 'tour-title', 'data-testid': 'tour-title', 'aria-live': 'polite' })
  readonly #depth = element('strong', { 'data-testid': 'tour-depth' }, '\u2026')
  readonly #time = element('strong', { 'data-testid': 'tour-time' }, '\u2026')
  readonly #chips: ReadonlyMap<Collision, HTMLButtonElement>
  readonly #play: ToggleButton

  constructor({ onChoose, onPlay }: TourCaptionOptions) {
    this.#chips = new Map(
      TOUR.map((collision) => {
        const chip = element('button', { type: 'button', class: 'chip', 'data-testid': `tour-${collision}` }, collision)
        chip.addEventListener('click', () => onChoose(collision))
        return [collision, chip]
      }),
    )
    this.#play = new ToggleButton('tour-play', ['Pause', 'Play'], (paused) => onPlay(!paused))
    const figure = (value: HTMLElement, name: string): HTMLElement =>
      element('span', {}, value, element('small', {}, name))
    this.root = element(
      'div',
      { class: 'tour' },
      element('div', { class: 'chips' }, ...this.#chips.values(), this.#play.root),
      this.#title,
      element(
        'div',
        { class: 'tour-figures' },
        figure(this.#depth, 'inside the body at most'),
        figure(this.#time, 'per step of 1/60 s'),
      ),
    )
  }

  /** @param share of its time that has passed, 0 to 1; undefined while nothing switches by itself */
  showCollision(collision: Collision, share: number | undefined): void {
    if (this.#title.textContent !== TITLES[collision]) this.#title.textContent = TITLES[collision]
    for (const [name, chip] of this.#chips) {
      chip.setAttribute('aria-pressed', String(name === collision))
      chip.style.setProperty('--passed', String(name === collision ? (share ?? 1) : 0))
    }
  }

  /** @param depth [m] @param milliseconds of a step; undefined while there is none yet */
  showFigures(depth: number | undefined, milliseconds: number | undefined): void {
    this.#depth.textContent = depth === undefined ? '\u2026' : `${(100 * depth).toFixed(1)}\u202fcm`
    this.#depth.className = depth !== undefined && depth > VISIBLE ? 'bad' : 'good'
    this.#time.textContent = milliseconds === undefined ? '\u2026' : `${milliseconds.toFixed(1)}\u202fms`
  }

  set playing(on: boolean) {
    this.#play.on = !on
  }
}
