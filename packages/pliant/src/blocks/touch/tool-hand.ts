/**
 * A hand that carries the tool of a scene: to where it is asked to be, not faster than a hand would, or along a recorded
 * path.
 */
import type { TetMesh } from '../../index.js'
import { conjugateQuaternion, multiplyQuaternions, rotateVector, type ToolPath } from '../../unstable.js'
import { ToolFrame, type ToolPose } from './tool-frame.js'
import type { TouchScene } from './touch-scene.js'

/** A recorded way of the tool's own frame, and where it begins. */
export interface RecordedPath {
  /** Positions [m] and turns by time [s], which begins at 0. */
  readonly path: ToolPath
  /** The path's first pose. */
  readonly start: ToolPose
}

/** How fast the hand goes at most, in sizes of what is touched a second, and how near a path's start it has arrived. */
const SPEED = 4
const ARRIVED = 0.004

/** Carries a tool; `hold` it first. */
export class ToolHand {
  /** Where in the recorded path [s]; undefined while the hand goes where it is asked to be. */
  pathTime: number | undefined
  readonly #recorded: RecordedPath
  readonly #size: number
  readonly #frame = new ToolFrame()
  readonly #target = new ToolFrame()
  /** How the tool was turned when it was taken, undone. */
  readonly #untaken = new Float64Array(4)
  /** The wrist's middle in the tool's own frame [m]. */
  readonly #wrist = new Float64Array(3)

  /** Where the path begins. @param size  of what is touched [m]: speeds and ways are told in it */
  constructor(recorded: RecordedPath, size: number) {
    this.#recorded = recorded
    this.#size = size
    this.reset()
  }

  /** Of the tool's own frame, as the hand would have it: the tool itself may be held back. */
  get pose(): ToolPose {
    return this.#frame.pose
  }

  /** Back to where the path begins, as does the path if it is played. */
  reset(): void {
    this.#frame.set(this.#recorded.start)
    this.#target.set(this.#recorded.start)
    if (this.pathTime !== undefined) this.pathTime = 0
  }

  /** The nodes of a tool in the hand [m]. @param tool  at rest in its own frame */
  placed({ positions }: TetMesh): Float64Array {
    const placed = new Float64Array(positions.length)
    this.#frame.place(positions, placed)
    return placed
  }

  /** Takes the tool of a scene that has just been made, where it lies in the hand at rest (`placed`). */
  hold({ touch }: TouchScene): void {
    const { position, rotation } = this.#frame
    const middle = touch.handPosition!
    conjugateQuaternion(rotation, 0, this.#untaken, 0)
    for (let axis = 0; axis < 3; axis++) this.#wrist[axis] = middle[axis] - position[axis]
    rotateVector(this.#untaken, 0, this.#wrist, 0, this.#wrist, 0)
  }

  /** Follows the recorded path from its beginning, once the hand has come there. */
  play(): void {
    this.pathTime = 0
  }

  /** Leaves the path. */
  leave(): void {
    this.pathTime = undefined
  }

  /**
   * Moves on, and the hand of the scene that is held with it. Call before the scene's step.
   * @param frame  [s] @param asked  where the tool is asked to be, if no path is played
   */
  move(scene: TouchScene, frame: number, asked: ToolPose): void {
    if (this.pathTime === undefined) this.#target.set(asked)
    else this.#followPath(frame)
    this.#frame.approach(this.#target, frame, SPEED * this.#size)
    const { position, rotation } = this.#frame
    const wrist = new Float64Array(3)
    rotateVector(rotation, 0, this.#wrist, 0, wrist, 0)
    for (let axis = 0; axis < 3; axis++) wrist[axis] += position[axis]
    const turn = new Float64Array(4)
    multiplyQuaternions(rotation, 0, this.#untaken, 0, turn, 0)
    scene.moveHand(wrist, turn)
  }

  /** The path waits until the hand has come to its beginning, and lets go at its end. */
  #followPath(frame: number): void {
    const { path, start } = this.#recorded
    if (this.pathTime === 0) {
      this.#target.set(start)
      if (this.#frame.distanceTo(this.#target) > ARRIVED * this.#size) return
    }
    this.pathTime! += frame
    path.at(this.pathTime!, this.#target.position, this.#target.rotation)
    if (this.pathTime! > path.duration + frame) this.pathTime = undefined
  }
}
