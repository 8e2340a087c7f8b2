/** Goes through what the cloth can collide with, a few seconds each, until somebody chooses. */
import type { Collision } from '../cloth/cloth-protocol.js'

export const TOUR: readonly Collision[] = ['learned', 'none', 'exact']
/** How long each is shown [s], and at least for how many frames: slow machines must show something of it. */
const SECONDS = 6
const FRAMES = 10

export class CollisionTour {
  #seconds = 0
  #frames = 0
  #on = true

  constructor(private readonly onNext: (collision: Collision) => void) {}

  get on(): boolean {
    return this.#on
  }

  set on(on: boolean) {
    this.#on = on
    this.restart()
  }

  /** Of the time for the one on show, 0 to 1. */
  get share(): number {
    return Math.min(1, this.#seconds / SECONDS)
  }

  restart(): void {
    this.#seconds = 0
    this.#frames = 0
  }

  /** A frame was shown. @param seconds since the one before */
  frame(seconds: number, shown: Collision): void {
    if (!this.#on) return
    this.#frames++
    this.#seconds += seconds
    if (this.#seconds < SECONDS || this.#frames < FRAMES) return
    this.restart()
    this.onNext(TOUR[(TOUR.indexOf(shown) + 1) % TOUR.length])
  }
}
