/** Pointer, wheel, keys and gamepads over the scene, as moves of the hand. */
import * as THREE from 'three'
import type { HandDriver } from './hand-driver.js'
import { gamepadMove, isHandKey, keysMove } from './hand-moves.js'

/** How far a notch of the wheel (100 pixels) moves the hand away, as seconds of a held key. */
const NOTCH = 0.05
/** Pixels in a line of wheels that count in lines. */
const LINE = 16

export interface HandInputEvents {
  /** Someone takes the hand: a recorded path ends. */
  onTake(): void
}

export class HandInput {
  readonly #held = new Set<string>()
  readonly #pointers = new Set<number>()
  readonly #listeners = new AbortController()
  readonly #place = new THREE.Vector2()

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly driver: HandDriver,
    private readonly events: HandInputEvents,
  ) {
    const { signal } = this.#listeners
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { signal })
    canvas.addEventListener('pointermove', (event) => this.#point(event), { signal })
    for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
      canvas.addEventListener(name, ({ pointerId }) => this.#pointers.delete(pointerId), { signal })
    }
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false })
    canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal })
    canvas.addEventListener('keydown', (event) => this.#key(event), { signal })
    canvas.addEventListener('keyup', ({ code }) => this.#held.delete(code), { signal })
    canvas.addEventListener('blur', () => this.#held.clear(), { signal })
  }

  /** A key is pressed or let go, by a button that stands for it. @param code as keyboards name it */
  hold(code: string, held: boolean): void {
    if (held) {
      this.events.onTake()
      this.#held.add(code)
    } else this.#held.delete(code)
  }

  /** Keys that are held and sticks that are bent. @param seconds since the last call */
  poll(seconds: number): void {
    if (this.#held.size > 0) this.driver.move(keysMove(this.#held), seconds)
    for (const pad of navigator.getGamepads()) {
      if (!pad?.connected) continue
      const move = gamepadMove(pad)
      if (Object.values(move).every((value) => value === 0)) continue
      this.events.onTake()
      this.driver.move(move, seconds)
    }
  }

  dispose(): void {
    this.#listeners.abort()
  }

  #press(event: PointerEvent): void {
    this.#pointers.add(event.pointerId)
    if (!this.#orbits(event)) {
      this.events.onTake()
      this.#point(event)
    }
  }

  #point(event: PointerEvent): void {
    if (!event.isPrimary || this.#orbits(event)) return
    const { left, top, width, height } = this.canvas.getBoundingClientRect()
    this.#place.set((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height)
    this.driver.pointTo(this.#place)
  }

  /** The right button, a modifier with the left one, or a second finger turn the camera. */
  #orbits({ buttons, shiftKey, ctrlKey, metaKey }: PointerEvent): boolean {
    return (buttons & 2) !== 0 || (buttons !== 0 && (shiftKey || ctrlKey || metaKey)) || this.#pointers.size > 1
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault()
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1)
    this.events.onTake()
    this.driver.move({ across: 0, up: 0, away: -Math.sign(pixels), turn: 0 }, (NOTCH * Math.abs(pixels)) / 100)
  }

  #key(event: KeyboardEvent): void {
    // With Shift they turn the view.
    if (!isHandKey(event.code) || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    this.hold(event.code, true)
  }
}
