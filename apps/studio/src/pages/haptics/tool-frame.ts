/** The tool's own frame in the world, and what follows from it: where its nodes and its wrist are. */
import { boxOfPoints, type TetMesh } from 'pliant'
import * as THREE from 'three'
import type { ToolPose } from './haptics-protocol.js'

/** The rearmost part of a tool's length that the hand holds. */
const HELD = 0.28

/** Nodes at the end from which the tool is held: +Z in its own frame. */
export function wristOf({ positions }: TetMesh): number[] {
  const { lower, upper } = boxOfPoints(positions)
  const from = upper[2] - HELD * (upper[2] - lower[2])
  return Array.from({ length: positions.length / 3 }, (_, node) => node).filter(
    (node) => positions[3 * node + 2] > from,
  )
}

export class ToolFrame {
  readonly position = new THREE.Vector3()
  readonly rotation = new THREE.Quaternion()

  set({ position, rotation }: ToolPose): this {
    this.position.fromArray(position)
    this.rotation.fromArray(rotation).normalize()
    return this
  }

  get pose(): ToolPose {
    const { x, y, z, w } = this.rotation
    return { position: this.position.toArray(), rotation: [x, y, z, w] }
  }

  /** Points of the tool's frame in the world, xyz triples. */
  place(points: Float64Array, out: Float64Array): void {
    const point = new THREE.Vector3()
    for (let i = 0; i < points.length; i += 3) {
      point.fromArray(points, i).applyQuaternion(this.rotation).add(this.position)
      point.toArray(out, i)
    }
  }

  /**
   * Goes towards another as a hand would: most of the way within a tenth of a second, and no faster than `speed`.
   * @param seconds to move for
   * @param speed   [m/s]
   */
  approach(target: ToolFrame, seconds: number, speed: number): void {
    const share = 1 - Math.exp(-RATE * seconds)
    const way = this.position.distanceTo(target.position)
    this.position.lerp(target.position, Math.min(share, way > 0 ? (speed * seconds) / way : 1))
    const turn = this.rotation.angleTo(target.rotation)
    this.rotation.slerp(target.rotation, Math.min(share, turn > 0 ? (TURN * seconds) / turn : 1))
  }
}

/** How fast a hand follows [1/s], and how fast it turns at most [rad/s]. */
const RATE = 22
const TURN = 5
