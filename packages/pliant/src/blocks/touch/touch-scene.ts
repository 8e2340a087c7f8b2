/**
 * A tool in a hand on a soft body (Zesch et al. 2022, section 4.1): what is where at the beginning and of what it is made
 * is a script, which fields tell where the surfaces are is the caller's choice, and time passes by `step`.
 */
import { nodesMeshField } from '../../character.js'
import { ExactMeshField } from '../../exact/index.js'
import {
  BoxedField,
  boxOfPoints,
  GuardedField,
  type MovingField,
  type NodeState,
  type SelfAware,
  type TetMesh,
  type Vec3,
} from '../../index.js'
import { ElasticTouch, type TouchOptions } from '../../respond/index.js'
import { FemBody, type FemOptions } from '../../sim/index.js'
import type { ToolPath } from '../../unstable.js'

/** How a scene begins. */
export interface TouchScript {
  /** What is touched, at rest [m]. */
  readonly bodyMesh: TetMesh
  /** Where its nodes are [m], xyz triples; left out, at rest. */
  readonly bodyStart?: Float64Array
  /** Nodes of it that stay where they are. */
  readonly fixed: readonly number[]
  /** What touches it, at rest [m]. */
  readonly toolMesh: TetMesh
  /** Where its nodes are [m], xyz triples; left out, at rest. */
  readonly toolStart?: Float64Array
  /** Nodes of it that the hand holds. */
  readonly wrist: readonly number[]
  /** What both are made of, and how they touch. */
  readonly options: TouchSceneOptions
}

/** What the bodies of a scene are made of, and how they touch. */
export interface TouchSceneOptions {
  /** Of what is touched. */
  readonly body: FemOptions
  /** Of the tool. */
  readonly tool: FemOptions
  /** Of their contact, and of the hand. */
  readonly touch: TouchOptions
}

/** Makes the field that tells where a body's surface is, in the world. */
export type NodesField = (body: FemBody) => MovingField<NodeState>

/** What tells where the surfaces are. */
export interface TouchFields {
  /** Of what is touched. */
  body: NodesField
  /** Of the tool; with it, vertices of the body are held out of the tool as well. */
  tool?: NodesField
  /** How near the other's box a vertex has to be to be asked about [m]; left out, all are asked. */
  margin?: number
}

/** Puts clocks round the parts of a scene. */
export interface TouchWatch {
  /** Makes a body, and may count what its steps take. */
  body?(mesh: TetMesh, options: FemOptions, part: TouchPart): FemBody
  /** The same field, its calls counted. */
  field?(field: MovingField<NodeState>, part: TouchPart): MovingField<NodeState>
}

/** What is touched, and what touches. */
export type TouchPart = 'body' | 'tool'

/** A body's own triangles: a tree, refitted in every step. */
export const exactNodes: NodesField = ({ surface, nodeCount }) =>
  nodesMeshField(surface, nodeCount, new ExactMeshField(surface))

/** A learned field where it trusts itself, else the body's own triangles. */
export function guardedNodes(learned: MovingField<NodeState> & Pick<SelfAware, 'trusted'>): NodesField {
  return (body) => new GuardedField(learned, exactNodes(body))
}

/** Both bodies of a script, and their contact. */
export class TouchScene {
  /** What is touched. */
  readonly body: FemBody
  /** What touches it. */
  readonly tool: FemBody
  /** Their contact; its `report` tells of the last step. */
  readonly touch: ElasticTouch
  readonly #position = new Float64Array(3)
  readonly #rotation = new Float64Array(4)
  /** How long the last step's parts were [s]. */
  #substep = 0

  /** @throws RangeError if a body cannot be simulated, or an option is out of range */
  constructor(
    { bodyMesh, bodyStart, fixed, toolMesh, toolStart, wrist, options }: TouchScript,
    fields: TouchFields,
    watch: TouchWatch = {},
  ) {
    const make = watch.body ?? ((mesh: TetMesh, fem: FemOptions) => new FemBody(mesh, fem))
    this.body = make(bodyMesh, options.body, 'body')
    this.body.pin(fixed)
    if (bodyStart) this.body.positions.set(bodyStart)
    this.tool = make(toolMesh, options.tool, 'tool')
    if (toolStart) this.tool.positions.set(toolStart)
    const { body, tool } = this
    const fieldOf = (part: TouchPart, maker: NodesField): MovingField<NodeState> => {
      const field = boxed(maker(this[part]), fields.margin)
      return watch.field?.(field, part) ?? field
    }
    const bodyField = fieldOf('body', fields.body)
    const toolField = fields.tool && fieldOf('tool', fields.tool)
    this.touch = new ElasticTouch({ body, bodyField, tool, ...(toolField && { toolField }), wrist }, options.touch)
  }

  /**
   * Goes on in the motion of another scene of the same bodies: where their nodes are, and how fast. For a scene that is
   * made again with other options; the tool is held as this scene's script says.
   */
  goOnFrom({ body, tool }: Pick<TouchScene, TouchPart>): void {
    for (const [own, before] of [
      [this.body, body],
      [this.tool, tool],
    ]) {
      own.positions.set(before.positions)
      own.velocities.set(before.velocities)
    }
  }

  /**
   * Where the hand, which is in the wrist's middle, is to be at the end of the next step.
   * @param position  [m] @param rotation  quaternion xyzw, from how the tool was when the scene was made
   */
  moveHand(position: ArrayLike<number>, rotation: ArrayLike<number>): void {
    this.touch.moveHand(position, rotation)
  }

  /** Moves the hand to its place on a path of the wrist's middle. @param time  since the path's beginning [s] */
  moveHandAlong(path: ToolPath, time: number): void {
    path.at(path.times[0] + time, this.#position, this.#rotation)
    this.moveHand(this.#position, this.#rotation)
  }

  /** Moves both bodies on. @param frame  [s] */
  step(frame: number): void {
    this.touch.step(frame)
    const { substep, maxFrame } = this.touch.settings
    const duration = Math.min(frame, maxFrame)
    // As `ElasticTouch.step` divides it.
    this.#substep = duration / Math.max(1, Math.ceil(duration / substep - 1e-9))
  }

  /**
   * Force [N] of the body on the tool: all that contact gave to the body's nodes in the last step, turned round. What the
   * hand itself feels, `touch.report.handForce`, swings about it with the inertia that splitting the contact adds to the
   * tool (docs/notes/haptics-page.md).
   */
  reaction(): Vec3 {
    const { forces, forceStiffness: s, velocities: v } = this.body
    const sum: [number, number, number] = [0, 0, 0]
    for (let i = 0, d = 0; i < forces.length; i += 3, d += 6) {
      const [dx, dy, dz] = [this.#substep * v[i], this.#substep * v[i + 1], this.#substep * v[i + 2]]
      sum[0] -= forces[i] - s[d] * dx - s[d + 1] * dy - s[d + 2] * dz
      sum[1] -= forces[i + 1] - s[d + 1] * dx - s[d + 3] * dy - s[d + 4] * dz
      sum[2] -= forces[i + 2] - s[d + 2] * dx - s[d + 4] * dy - s[d + 5] * dz
    }
    return sum
  }
}

function boxed(field: MovingField<NodeState>, margin: number | undefined): MovingField<NodeState> {
  return margin === undefined ? field : new BoxedField(field, { margin, boxOf: ({ nodes }) => boxOfPoints(nodes) })
}
