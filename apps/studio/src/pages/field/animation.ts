/** Calls back every frame while on; where people ask for less motion, a new still pose every few seconds instead. */
const STILL_MS = 2500

export class Animation {
  #frame = 0
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #onTime: (seconds: number) => void

  constructor(onTime: (seconds: number) => void) {
    this.#onTime = onTime
  }

  get running(): boolean {
    return this.#frame !== 0 || this.#timer !== undefined
  }

  /** @param reducedMotion steps between still poses */
  start(reducedMotion: boolean): void {
    this.stop()
    const began = performance.now()
    const tell = (): void => this.#onTime((performance.now() - began) / 1000)
    if (reducedMotion) {
      this.#timer = setInterval(tell, STILL_MS)
      return
    }
    const loop = (): void => {
      this.#frame = requestAnimationFrame(loop)
      tell()
    }
    this.#frame = requestAnimationFrame(loop)
  }

  stop(): void {
    cancelAnimationFrame(this.#frame)
    clearInterval(this.#timer)
    this.#frame = 0
    this.#timer = undefined
  }
}
