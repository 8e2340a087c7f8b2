/**
 * The virtual coupling between a hand and its tool (Colgate et al. 1995): springs and dampers from the nodes of the
 * tool's wrist to where the hand would have them, weaker as a whole than a limit. The hand never holds the tool itself,
 * so it may go where the tool cannot; what it feels is the coupling's force, which is smooth where contact is.
 */
import type { Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { normaliseQuaternion, rotateVector, slerpQuaternions } from '../math/quaternion.js'
import { requireIndices } from '../math/require.js'
import type { FemBody } from '../sim/fem/fem-body.js'

/**
 * The springs and dampers by which a hand holds its tool. The hand may go where the tool cannot; what it feels is
 * their force.
 */
export interface HandSettings {
  /** Of all springs together [N/m], positive. */
  handStiffness: number
  /** Of all dampers together [N s/m], zero or more. */
  handDamping: number
  /** Most force [N] of the coupling, positive: of its forces on the wrist's nodes, turning ones too, lengths summed. */
  handForce: number
}

export class HandCoupling {
  /** Force on the hand [N], and torque about where it is [N m], of the last step: what a device would play. */
  readonly force = new Float64Array(3)
  readonly torque = new Float64Array(3)
  /** Where the hand is, and where it was when the last step ended: position [m], then quaternion. */
  private readonly target: Float64Array
  private readonly before: Float64Array
  private readonly current = new Float64Array(7)
  /** Wrist nodes from their centre at rest [m]. */
  private readonly offsets: Float64Array
  /** Where they are to be, at the beginning and at the end of a step. */
  private readonly from: Float64Array
  private readonly to: Float64Array
  /** Forces [N] on the wrist's nodes when the step begins, and how fast each falls as its node moves [N/m]. */
  private readonly pulls: Float64Array
  private readonly nodes: Uint32Array
  private stiffness = 0

  /**
   * @param nodes  of the tool's wrist; the hand is in their centre and unturned where they are now
   * @throws RangeError if there are none, or a number is not a node
   */
  constructor(
    private readonly tool: FemBody,
    nodes: ArrayLike<number>,
    private readonly settings: HandSettings,
  ) {
    requireIndices('touch', nodes, 'wrist node', tool.nodeCount)
    if (nodes.length === 0) throw new RangeError('touch: the wrist has no nodes; name those that the hand holds.')
    this.nodes = Uint32Array.from(nodes)
    const centre = new Float64Array(3)
    for (let i = 0; i < 3 * nodes.length; i++) {
      centre[i % 3] += tool.positions[3 * nodes[Math.trunc(i / 3)] + (i % 3)] / nodes.length
    }
    this.offsets = Float64Array.from(
      { length: 3 * nodes.length },
      (_, i) => tool.positions[3 * nodes[Math.trunc(i / 3)] + (i % 3)] - centre[i % 3],
    )
    this.target = Float64Array.of(...centre, 0, 0, 0, 1)
    this.before = this.target.slice()
    this.from = new Float64Array(3 * nodes.length)
    this.to = new Float64Array(3 * nodes.length)
    this.pulls = new Float64Array(3 * nodes.length)
  }

  /** Where the hand is [m]. */
  get position(): Vec3 {
    return [this.target[0], this.target[1], this.target[2]]
  }

  /**
   * Where the hand is to be at the end of the next frame.
   * @param rotation  quaternion xyzw, from how the tool was when it was taken; of any length but 0
   * @throws RangeError if a number is not finite
   */
  moveTo(position: ArrayLike<number>, rotation: ArrayLike<number>): void {
    for (let i = 0; i < 7; i++) {
      const value = i < 3 ? position?.[i] : rotation?.[i - 3]
      if (!Number.isFinite(value)) {
        throw new RangeError(
          `touch: the hand is to go to [${position?.[0]}, ${position?.[1]}, ${position?.[2]}] turned by [${rotation?.[0]}, ${rotation?.[1]}, ${rotation?.[2]}, ${rotation?.[3]}]; pass finite numbers.`,
        )
      }
    }
    for (let i = 0; i < 7; i++) this.target[i] = i < 3 ? position[i] : rotation[i - 3]
    normaliseQuaternion(this.target, 3)
  }

  /**
   * Adds forces and their stiffness to the tool for a step.
   * @param from  share of the frame that is over when it begins, and `to` when it ends
   * @param h     its duration [s]
   */
  pull(from: number, to: number, h: number): void {
    const { tool, nodes, pulls, settings } = this
    this.place(from, this.from)
    this.place(to, this.to)
    const { positions: x, velocities: v, forces, forceStiffness } = tool
    const { handStiffness: k, handDamping: c } = settings
    let total = 0
    for (let n = 0, i = 0; n < nodes.length; n++, i += 3) {
      let blocked = 0
      let foreseen = 0
      for (let axis = 0; axis < 3; axis++) {
        const at = 3 * nodes[n] + axis
        const way = this.to[i + axis] - x[at]
        pulls[i + axis] = (k * way + (c / h) * (this.to[i + axis] - this.from[i + axis])) / nodes.length
        blocked += pulls[i + axis] ** 2
        foreseen += (pulls[i + axis] - ((k * h + c) * v[at]) / nodes.length) ** 2
      }
      // The limit holds whether the step goes on as foreseen or ends at a wall.
      total += Math.sqrt(Math.max(blocked, foreseen))
    }
    const scale = total > settings.handForce ? settings.handForce / total : 1
    this.stiffness = (scale * (k + c / h)) / nodes.length
    for (let i = 0; i < pulls.length; i++) {
      const node = nodes[Math.trunc(i / 3)]
      pulls[i] *= scale
      forces[3 * node + (i % 3)] += pulls[i]
      forceStiffness[6 * node + DIAGONAL[i % 3]] += this.stiffness
    }
  }

  /** Works out force and torque on the hand. @param moves by which the tool's nodes went in the step [m] */
  feel(moves: Float64Array): void {
    const { nodes, pulls, force, torque, current, tool } = this
    force.fill(0)
    torque.fill(0)
    for (let n = 0; n < nodes.length; n++) {
      const i = 3 * nodes[n]
      const fx = this.stiffness * moves[i] - pulls[3 * n]
      const fy = this.stiffness * moves[i + 1] - pulls[3 * n + 1]
      const fz = this.stiffness * moves[i + 2] - pulls[3 * n + 2]
      const rx = tool.positions[i] - current[0]
      const ry = tool.positions[i + 1] - current[1]
      const rz = tool.positions[i + 2] - current[2]
      force[0] += fx
      force[1] += fy
      force[2] += fz
      torque[0] += ry * fz - rz * fy
      torque[1] += rz * fx - rx * fz
      torque[2] += rx * fy - ry * fx
    }
  }

  /** The frame is over: the hand is where it was to go. */
  arrive(): void {
    this.before.set(this.target)
  }

  /** Where the wrist is to be at a share of the frame. */
  private place(share: number, out: Floats): void {
    const { current, before, target, offsets } = this
    for (let axis = 0; axis < 3; axis++) current[axis] = before[axis] + share * (target[axis] - before[axis])
    slerpQuaternions(before, 3, target, 3, share, current, 3)
    for (let i = 0; i < out.length; i += 3) {
      rotateVector(current, 3, offsets, i, out, i)
      for (let axis = 0; axis < 3; axis++) out[i + axis] += current[axis]
    }
  }
}

/** Where xx, yy and zz are in a symmetric block. */
const DIAGONAL = [0, 3, 5]
