/**
 * Where the hand is asked to be, by whatever drives it: a pointer in the plane that faces the camera, keys and a
 * gamepad's sticks along the camera's own axes, or a controller in WebXR. Seen from anywhere, the tool reaches in from
 * the right, a little away from the viewer.
 */
import { STROKE_PITCH, STROKE_YAW, type ToolPose } from 'pliant/unstable/blocks'
import * as THREE from 'three'
import type { HandMove } from './hand-moves.js'
import type { Opened } from './haptics-protocol.js'

/** How far the tool's middle may go from the body's, in diagonals of its box. */
const REACH = 1.1
/** How fast keys and sticks move the hand, in diagonals a second, and turn it [rad/s]. */
const SPEED = 0.7
const TURN_SPEED = 1.6

export class HandDriver {
  /** The tool's middle in the world [m]. */
  readonly #middle = new THREE.Vector3()
  readonly #rotation = new THREE.Quaternion()
  readonly #toolMiddle = new THREE.Vector3()
  readonly #centre = new THREE.Vector3()
  readonly #ray = new THREE.Raycaster()
  #floor = 0
  #size = 1
  /** Turned by hand, on top of the camera's direction [rad]. */
  #turn = 0
  /** Which way the camera looked when the tool was put where it begins [rad]. */
  #yawAtStart = 0

  constructor(private readonly camera: THREE.PerspectiveCamera) {}

  /** Begins where the tool waits; the camera has its place already. */
  begin({ box, toolMiddle, start }: Pick<Opened, 'box' | 'toolMiddle' | 'start'>): void {
    const [lower, upper] = [new THREE.Vector3(...box.lower), new THREE.Vector3(...box.upper)]
    this.#size = lower.distanceTo(upper)
    this.#floor = lower.y
    this.#centre.addVectors(lower, upper).multiplyScalar(0.5)
    this.#toolMiddle.fromArray(toolMiddle)
    this.#turn = 0
    this.#yawAtStart = this.#yaw()
    this.take(start)
  }

  /** Goes on from where a path or a controller left the tool. */
  take({ position, rotation }: ToolPose): void {
    this.#rotation.fromArray(rotation)
    this.#middle
      .copy(this.#toolMiddle)
      .applyQuaternion(this.#rotation)
      .add(new THREE.Vector3(...position))
  }

  get pose(): ToolPose {
    const origin = this.#toolMiddle.clone().applyQuaternion(this.#rotation).negate().add(this.#middle)
    const { x, y, z, w } = this.#rotation
    return { position: origin.toArray(), rotation: [x, y, z, w] }
  }

  /** @param place  in the picture, -1 to 1 to the right and up */
  pointTo(place: THREE.Vector2): void {
    const towards = this.camera.getWorldDirection(new THREE.Vector3())
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(towards, this.#middle)
    this.#ray.setFromCamera(place, this.camera)
    if (this.#ray.ray.intersectPlane(plane, this.#middle)) this.#settle()
  }

  /** @param seconds for which keys are held or sticks are bent */
  move({ across, up, away, turn }: HandMove, seconds: number): void {
    if (across === 0 && up === 0 && away === 0 && turn === 0) return
    const way = SPEED * this.#size * seconds
    this.#turn += TURN_SPEED * seconds * turn
    this.#middle.add(new THREE.Vector3(across, up, -away).applyQuaternion(this.camera.quaternion).multiplyScalar(way))
    this.#settle()
  }

  /** A controller: -Z where it points. */
  hold(position: THREE.Vector3, rotation: THREE.Quaternion): void {
    this.take({ position: position.toArray(), rotation: rotation.toArray() })
  }

  #settle(): void {
    const away = this.#middle.clone().sub(this.#centre)
    this.#middle.copy(this.#centre).add(away.clampLength(0, REACH * this.#size))
    this.#middle.y = Math.max(this.#middle.y, this.#floor)
    const turned = STROKE_YAW + this.#turn + this.#yaw() - this.#yawAtStart
    this.#rotation.setFromEuler(new THREE.Euler(STROKE_PITCH, turned, 0, 'YXZ'))
  }

  #yaw(): number {
    const view = this.camera.getWorldDirection(new THREE.Vector3())
    return Math.atan2(-view.x, -view.z)
  }
}
