/** The part of the page about the space of codes: the slice that follows the body, its axes, and the rounds of learning. */
import { labelFor } from '../../../shell/controls/labelled-range.js'
import { element } from '../../../shell/element.js'
import type { ContactSettings, Frame, Opened } from '../contact-protocol.js'
import type { CodeSlice } from './code-slice.js'
import { CodeSliceView } from './code-slice-view.js'
import { EXACT_LINE, LEARNED_LINE, PRESENT } from './paint-slice.js'
import { RoundPlayer } from './round-player.js'
import { SliceClient } from './slice-client.js'
import type { SliceAnswer } from './slice-protocol.js'
import { Trail } from './trail.js'

export interface SliceSectionEvents {
  onAxes(axes: Pick<ContactSettings, 'across' | 'up'>): void
  onFailure(message: string): void
}

/** What is on show, for tests and for the curious. */
export interface SliceState {
  readonly axes: CodeSlice['axes']
  readonly level: SliceAnswer['level']
  /** The code that it was made at. */
  readonly code: readonly number[]
  /** Slices shown so far. */
  readonly shown: number
  readonly tests: number
  /** Share of its exact nodes that touch, and of those at which the learned sign is the exact one. */
  readonly touching: number
  readonly agreeing: number
}

export class SliceSection {
  readonly root: HTMLElement
  readonly #view = new CodeSliceView()
  readonly #trail = new Trail()
  readonly #rounds: RoundPlayer
  readonly #across = element('select', { id: 'across', 'data-testid': 'across' })
  readonly #up = element('select', { id: 'up', 'data-testid': 'up' })
  readonly #note = element('span', { class: 'badge plain', 'data-testid': 'slice-level' })
  readonly #controls: HTMLFieldSetElement
  readonly #events: SliceSectionEvents
  #client: SliceClient | undefined
  #axes: CodeSlice['axes'] = [0, 0]
  #answer: SliceAnswer | undefined
  #shown = 0
  #lastTime = 0

  constructor(events: SliceSectionEvents) {
    this.#events = events
    this.#rounds = new RoundPlayer((round) => {
      this.#view.round = round
    })
    const axes = element(
      'div',
      { class: 'axes' },
      labelFor('across', 'Across', true),
      this.#across,
      labelFor('up', 'Up', true),
      this.#up,
    )
    this.#controls = element('fieldset', { class: 'plain', disabled: true }, axes, this.#rounds.root)
    this.root = element(
      'section',
      { 'aria-label': 'Slice of the space of codes' },
      element('h2', {}, 'Slice of the space of codes', this.#note),
      this.#view.root,
      legend(),
      this.#controls,
    )
    for (const select of [this.#across, this.#up]) select.addEventListener('change', () => this.#choose(select))
  }

  get round(): number {
    return this.#rounds.round
  }

  /** Where the dot is: the present values of the two modes. */
  get dot(): readonly number[] {
    const last = this.#trail.codes.at(-1)
    return last ? this.#axes.map((k) => last[k]) : []
  }

  get state(): SliceState | null {
    const answer = this.#answer
    if (!answer) return null
    const { exact, learned, slice, level, tests } = answer
    const stride = (learned.width - 1) / (exact.width - 1)
    let [touching, agreeing] = [0, 0]
    for (let n = 0; n < exact.values.length; n++) {
      const [column, row] = [stride * (n % exact.width), stride * Math.floor(n / exact.width)]
      if (exact.values[n] > 0) touching++
      if (exact.values[n] > 0 === learned.values[row * learned.width + column] < 0) agreeing++
    }
    const count = exact.values.length
    return {
      axes: slice.axes,
      level,
      code: [...slice.code],
      shown: this.#shown,
      tests,
      touching: touching / count,
      agreeing: agreeing / count,
    }
  }

  open({ name, bytes, bounds, rounds }: Opened): void {
    this.#client?.dispose()
    this.#client = new SliceClient({ name, bytes }, bounds, {
      onSlice: (answer) => this.#show(answer),
      onFailure: this.#events.onFailure,
    })
    this.#answer = undefined
    this.#shown = 0
    this.#trail.clear()
    this.#view.open(bounds, rounds)
    this.#rounds.open(rounds)
    const modes = Array.from(bounds.lower, (_, k) => k + 1)
    for (const select of [this.#across, this.#up]) {
      select.replaceChildren(...modes.map((mode) => element('option', { value: mode }, `mode ${mode}`)))
    }
    this.#controls.disabled = false
  }

  set axes({ across, up }: Pick<ContactSettings, 'across' | 'up'>) {
    this.#across.value = String(across)
    this.#up.value = String(up)
    this.#axes = [across - 1, up - 1]
    this.#view.axes = this.#axes
    this.#view.trail = this.#trail.codes
    // Time may stand still.
    const code = this.#trail.codes.at(-1)
    if (code) this.#client?.follow(code, this.#axes)
  }

  /** The body has moved on, or is back at its beginning. */
  follow({ code, time }: Frame): void {
    if (time < this.#lastTime) this.#trail.clear()
    this.#lastTime = time
    this.#trail.add(code)
    this.#view.trail = this.#trail.codes
    this.#client?.follow(code, this.#axes)
  }

  dispose(): void {
    this.#client?.dispose()
    this.#rounds.dispose()
    this.#view.dispose()
  }

  /** The other axis takes over the mode that this one had, if both would show the same. */
  #choose(select: HTMLSelectElement): void {
    const other = select === this.#across ? this.#up : this.#across
    const before = select === this.#across ? this.#axes[0] : this.#axes[1]
    if (other.value === select.value) other.value = String(before + 1)
    this.axes = { across: Number(this.#across.value), up: Number(this.#up.value) }
    this.#events.onAxes({ across: this.#axes[0] + 1, up: this.#axes[1] + 1 })
  }

  #show(answer: SliceAnswer): void {
    if (!this.#view.show(answer)) return
    this.#answer = answer
    this.#shown++
    this.#note.textContent =
      answer.level === 'full' ? 'all nodes exact' : answer.level === 'line' ? 'line exact' : 'refining\u2026'
  }
}

/** What contact.css draws a mark in. */
const COLOUR = `--${'colour'}`

function legend(): HTMLElement {
  const entry = (colour: string, text: string, shape: string): HTMLElement => {
    const mark = element('i', { class: shape })
    mark.style.setProperty(COLOUR, colour)
    return element('span', {}, mark, text)
  }
  return element(
    'p',
    { class: 'legend' },
    entry('#c8580c', 'touches itself', 'area'),
    entry('#286bb0', 'free', 'area'),
    entry(LEARNED_LINE, 'learned boundary', 'line'),
    entry(EXACT_LINE, 'exact boundary', 'line'),
    entry(PRESENT, 'the body now', 'dot'),
  )
}
