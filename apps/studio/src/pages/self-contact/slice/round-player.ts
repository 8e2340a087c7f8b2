/** Replays the rounds of active learning: a slider over them, and a button that lets them come one after the other. */
import { ToggleButton } from '../../../shell/controls/toggle-button.js'
import { element } from '../../../shell/element.js'
import type { LearnedRounds } from '../contact-protocol.js'
import { roundText } from './round-samples.js'

/** All rounds within this time [ms], as far as one is not shorter or longer than can be seen. */
const REPLAY_MS = 6000
const ROUND_MS = [60, 600] as const

export class RoundPlayer {
  readonly root: HTMLElement
  readonly #slider = element('input', { id: 'rounds', type: 'range', min: 0, step: 1, 'data-testid': 'rounds' })
  readonly #text = element('output', { for: 'rounds', 'data-testid': 'rounds-value' })
  readonly #play: ToggleButton
  #rounds: LearnedRounds | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  /** @param onRound  counted from 1; 0 for none */
  constructor(private readonly onRound: (round: number) => void) {
    this.#play = new ToggleButton(
      'rounds-play',
      ['Replay', 'Stop'],
      (on) => this.#replay(on),
      'The samples of active learning, round after round, in the order in which they were acquired',
    )
    this.root = element(
      'div',
      { class: 'rounds' },
      element('label', { for: 'rounds' }, 'Rounds of learning'),
      this.#play.root,
      this.#slider,
      this.#text,
    )
    this.#slider.addEventListener('input', () => {
      this.#stop()
      this.#show(this.#slider.valueAsNumber)
    })
  }

  get round(): number {
    return this.#rounds ? this.#slider.valueAsNumber : 0
  }

  open(rounds: LearnedRounds | undefined): void {
    this.#stop()
    this.#rounds = rounds
    this.#slider.disabled = rounds === undefined
    this.#play.root.disabled = rounds === undefined
    this.#slider.max = String(rounds?.counts.length ?? 0)
    this.#show(0)
  }

  dispose(): void {
    this.#stop()
  }

  #replay(on: boolean): void {
    if (!on || !this.#rounds) {
      this.#stop()
      return
    }
    const last = this.#rounds.counts.length
    this.#play.on = true
    // From the beginning, if it has come to its end.
    this.#show(this.round === last ? 1 : this.round + 1)
    const [least, most] = ROUND_MS
    this.#timer = setInterval(
      () => {
        if (this.round < last) this.#show(this.round + 1)
        if (this.round === last) this.#stop()
      },
      Math.min(most, Math.max(least, REPLAY_MS / last)),
    )
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#play.on = false
  }

  #show(round: number): void {
    this.#slider.value = String(round)
    this.#text.value = this.#rounds ? roundText(this.#rounds, round) : 'The file keeps no samples.'
    this.#slider.setAttribute('aria-valuetext', this.#text.value)
    this.onRound(round)
  }
}
