/** What a visitor can change: motion, garment, wind, and what the cloth meets. */
import { type OwnError, showOwnError } from '../../draw/own-error-badge.js'
import { element } from '../../shell/element.js'
import { LabelledRange, labelFor } from '../../shell/labelled-range.js'
import { type ClothSettings, COLLISIONS, type Collision, type Opened } from './cloth-protocol.js'

export interface ClothControlsOptions {
  picker: HTMLElement
  onSettings(settings: Partial<ClothSettings>): void
  onPlay(playing: boolean): void
  onDress(): void
}

const COLLISION_TITLES: Readonly<Record<Collision, string>> = {
  neural: 'The learned field',
  exact: "The body's own triangles: a tree, refitted in every frame",
  none: 'Nothing: the cloth hangs through the body',
}

const GARMENT_TITLES = { skirt: 'Skirt', sleeves: 'Sleeves' } as const

export class ClothControls {
  readonly root: HTMLElement
  readonly #alert = element('p', { class: 'alert', role: 'alert', 'data-testid': 'error', hidden: true })
  readonly #clip = element('select', { id: 'clip', 'data-testid': 'clip' })
  readonly #seen = element('span', { class: 'badge', 'data-testid': 'seen' })
  readonly #ownError = element('span', { class: 'badge', 'data-testid': 'own-error' })
  readonly #garment = element('select', { id: 'garment', 'data-testid': 'garment' })
  readonly #play = element('button', { type: 'button', 'data-testid': 'play' }, 'Pause')
  readonly #speed: LabelledRange
  readonly #wind: LabelledRange
  readonly #windFrom: LabelledRange
  readonly #collisions: ReadonlyMap<Collision, HTMLInputElement>
  #clips: Opened['clips'] = []

  constructor(options: ClothControlsOptions) {
    const { onSettings } = options
    this.#speed = new LabelledRange(
      'speed',
      'Speed',
      0,
      4,
      (value) => `${value.toFixed(2)}\u202f\u00d7`,
      (speed) => onSettings({ speed }),
    )
    this.#wind = new LabelledRange(
      'wind',
      'Wind',
      0,
      15,
      (value) => `${value.toFixed(1)}\u202fm/s`,
      (wind) => onSettings({ wind }),
    )
    this.#windFrom = new LabelledRange('wind-from', 'from', -180, 180, sideText, (degrees) =>
      onSettings({ windFrom: (degrees * Math.PI) / 180 }),
    )
    this.#collisions = new Map(
      COLLISIONS.map((name) => [
        name,
        element('input', { type: 'radio', name: 'collision', value: name, 'data-testid': `collision-${name}` }),
      ]),
    )
    const dress = element(
      'button',
      { type: 'button', 'data-testid': 'dress', title: 'Begin again from the rest pose' },
      'Put on anew',
    )
    const section = (title: string, badges: Node[], ...children: Node[]): HTMLElement =>
      element('section', {}, element('h2', {}, title, ...badges), ...children)
    this.root = element(
      'aside',
      { class: 'side', 'aria-label': 'Character, garment and weather' },
      section('Character', [], options.picker, this.#alert),
      section(
        'The cloth meets',
        [],
        element(
          'fieldset',
          { class: 'segments wide' },
          element('legend', { class: 'visually-hidden' }, 'Collision'),
          ...[...this.#collisions].map(([name, input]) =>
            element('label', { title: COLLISION_TITLES[name] }, input, element('span', {}, name)),
          ),
        ),
      ),
      section(
        'Motion',
        [this.#seen],
        element('div', { class: 'picker' }, labelFor('clip', 'Clip'), this.#clip, this.#play),
        this.#speed.root,
        element('p', { class: 'quiet' }, 'Pose ', this.#ownError),
      ),
      section(
        'Garment',
        [],
        element('div', { class: 'picker' }, labelFor('garment', 'Garment'), this.#garment, dress),
        this.#wind.root,
        this.#windFrom.root,
      ),
    )
    this.#clip.addEventListener('change', () => {
      this.#tellSeen()
      onSettings({ clip: this.#clip.value })
    })
    this.#garment.addEventListener('change', () =>
      onSettings({ garment: this.#garment.value as ClothSettings['garment'] }),
    )
    for (const [collision, input] of this.#collisions) input.addEventListener('change', () => onSettings({ collision }))
    this.#play.addEventListener('click', () => options.onPlay(this.#play.getAttribute('aria-pressed') === 'true'))
    dress.addEventListener('click', options.onDress)
    this.playing = true
  }

  show({ clips, garments, settings }: Opened): void {
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
    this.#collisions.get(settings.collision)!.checked = true
    this.#tellSeen()
  }

  set playing(on: boolean) {
    this.#play.setAttribute('aria-pressed', String(!on))
    this.#play.textContent = on ? 'Pause' : 'Play'
  }

  set ownError(error: OwnError) {
    showOwnError(this.#ownError, error, 'exact body used')
  }

  /** One line for people, or undefined to take it away. */
  set problem(message: string | undefined) {
    this.#alert.hidden = message === undefined
    this.#alert.textContent = message ?? ''
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
