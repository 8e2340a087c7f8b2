/** What a visitor can change: what the cloth collides with, motion, garment and wind. */
import { type OwnError, showOwnError } from '../../draw/own-error-badge.js'
import { LabelledRange, labelFor } from '../../shell/controls/labelled-range.js'
import { Segments } from '../../shell/controls/segments.js'
import { sideSection } from '../../shell/controls/side-section.js'
import { actionButton, ToggleButton } from '../../shell/controls/toggle-button.js'
import { element } from '../../shell/element.js'
import type { SimulationRun } from '../../shell/simulation/simulation-page.js'
import type { ClothSettings, ClothSimulation, Collision, Opened } from './cloth-protocol.js'

export const COLLISION_TITLES: Readonly<Record<Collision, string>> = {
  learned: 'The learned field of the character',
  exact: "The character's own triangles: a tree, refitted in every frame",
  none: 'Nothing: the cloth hangs through the body',
}

const GARMENT_TITLES = { skirt: 'Skirt', sleeves: 'Sleeves' } as const

export class ClothControls {
  readonly sections: readonly HTMLElement[]
  readonly #clip = element('select', { id: 'clip', 'data-testid': 'clip' })
  readonly #seen = element('span', { class: 'badge', 'data-testid': 'seen' })
  readonly #ownError = element('span', { class: 'badge', 'data-testid': 'own-error' })
  readonly #garment = element('select', { id: 'garment', 'data-testid': 'garment' })
  readonly #play: ToggleButton
  readonly #speed: LabelledRange
  readonly #wind: LabelledRange
  readonly #windFrom: LabelledRange
  readonly #collision: Segments<Collision>
  #clips: Opened['clips'] = []

  constructor(run: SimulationRun<ClothSimulation>) {
    this.#speed = new LabelledRange(
      'speed',
      'Speed',
      0,
      4,
      (value) => `${value.toFixed(2)}\u202f\u00d7`,
      (speed) => run.set({ speed }),
    )
    this.#wind = new LabelledRange(
      'wind',
      'Wind',
      0,
      15,
      (value) => `${value.toFixed(1)}\u202fm/s`,
      (wind) => run.set({ wind }),
    )
    this.#windFrom = new LabelledRange('wind-from', 'from', -180, 180, sideText, (degrees) =>
      run.set({ windFrom: (degrees * Math.PI) / 180 }),
    )
    this.#collision = new Segments<Collision>({
      name: 'collision',
      legend: 'Collide with',
      values: COLLISION_TITLES,
      onChange: (collision) => run.set({ collision }),
    })
    this.#play = new ToggleButton('play', ['Pause', 'Play'], (paused) => {
      run.playing = !paused
    })
    const reset = actionButton('reset', 'Reset garment', 'Begin again from the rest pose', () => run.command('reset'))
    this.sections = [
      sideSection('Collide with', [], this.#collision.root),
      sideSection(
        'Motion',
        [this.#seen],
        element('div', { class: 'picker' }, labelFor('clip', 'Clip'), this.#clip, this.#play.root),
        this.#speed.root,
        element('p', { class: 'quiet' }, 'Learned field now: ', this.#ownError),
      ),
      sideSection(
        'Garment',
        [],
        element('div', { class: 'picker' }, labelFor('garment', 'Garment'), this.#garment, reset),
        this.#wind.root,
        this.#windFrom.root,
      ),
    ]
    this.#clip.addEventListener('change', () => {
      this.#tellSeen()
      run.set({ clip: this.#clip.value })
    })
    this.#garment.addEventListener('change', () =>
      run.set({ garment: this.#garment.value as ClothSettings['garment'] }),
    )
  }

  show(settings: ClothSettings, { clips, garments }: Opened): void {
    this.#clips = clips
    this.#clip.replaceChildren(
      ...clips.map(({ name, seconds }) => element('option', { value: name }, `${name} (${seconds.toFixed(1)} s)`)),
    )
    this.#garment.replaceChildren(...garments.map((name) => element('option', { value: name }, GARMENT_TITLES[name])))
    this.#clip.value = settings.clip
    this.#garment.value = settings.garment
    this.#speed.value = settings.speed
    this.#wind.value = settings.wind
    this.#windFrom.value = (settings.windFrom * 180) / Math.PI
    this.#collision.value = settings.collision
    this.#tellSeen()
  }

  set playing(on: boolean) {
    this.#play.on = !on
  }

  set ownError(error: OwnError) {
    showOwnError(this.#ownError, error, 'exact body used')
  }

  #tellSeen(): void {
    const trained = this.#clips.find(({ name }) => name === this.#clip.value)?.trained ?? null
    this.#seen.textContent = trained === null ? 'not named in training' : trained ? 'trained on' : 'never trained on'
    this.#seen.classList.toggle('plain', trained !== false)
  }
}

/** A direction as people say it. */
function sideText(degrees: number): string {
  const sides = ['the front', 'front left', 'the left', 'back left', 'behind', 'back right', 'the right', 'front right']
  return sides[Math.round(((degrees + 360) % 360) / 45) % 8]
}
