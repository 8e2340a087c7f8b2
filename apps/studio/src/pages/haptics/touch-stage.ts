/** The body on its base and the tool in a hand: takes settings, lets time pass, tells what each part of a step took. */
import {
  type BodyMaterial,
  BoxedField,
  boxOfPoints,
  fieldHalfSpace,
  GuardedField,
  type MovingField,
  type NodeState,
  surfaceOfTets,
} from 'pliant'
import { nodesMeshField } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { ElasticTouch } from 'pliant/respond'
import type { FemBody, FemMaterial, FemOptions } from 'pliant/sim'
import { boxCentre, boxDiagonal } from 'pliant/unstable'
import type { OwnError } from '../../draw/own-error-badge.js'
import { fittingBuffers, STEP } from '../../shell/simulation/protocol.js'
import type { Stage } from '../../shell/simulation/worker-host.js'
import { ExactLook } from './exact-look.js'
import type { HapticPair, LearnedBody } from './haptic-pair.js'
import {
  FIELDS,
  type Frame,
  type HapticsSettings,
  type HapticsSimulation,
  type Opened,
  type Penetration,
  type ToolPose,
} from './haptics-protocol.js'
import { type RecordedPath, recordPath } from './recorded-path.js'
import { ToolFrame, wristOf } from './tool-frame.js'
import { TimedBody, TouchClock } from './touch-clock.js'

/** Looser, bodies shiver under a hand; docs/notes/touch.md. */
const TOLERANCE = 0.01
/** The part of the body's height, from below, that stands fast. */
const BASE = 0.06
/** A light, soft rubber: stiff enough for the palm not to fold back, and no stiffer: see below. */
const TOOL_MATERIAL: FemMaterial = { density: 500, young: 8e4, poisson: 0.4, stiffnessDamping: 0.02 }
/** Pressure per depth, in Young's moduli of the body over its size: twice the default, for half of the depth. */
const CONTACT_STIFFNESS = 80
/** How the hand holds the tool, in Young's moduli of the body: times its size [N/m], and at most times its size squared [N]. */
const HAND_STIFFNESS = 1
const HAND_FORCE = 0.02
/**
 * Half a step at a time: splitting the contact between the two solvers adds inertia to the hand, by the square of this.
 * With whole steps it swings on the body, and the force with it (docs/notes/haptics-page.md).
 */
const SUBSTEP = STEP / 2
/** How near the other's box a vertex has to be to be asked about, in diagonals. */
const BOX_MARGIN = 0.08
/** How fast the hand goes at most, in diagonals of the body a second. */
const HAND_SPEED = 4

export class TouchStage implements Stage<HapticsSimulation> {
  readonly settings: HapticsSettings = { field: 'learned', stiffness: 2, friction: 0.4 }
  readonly #pair: HapticPair
  readonly #clock = new TouchClock()
  readonly #recorded: RecordedPath
  readonly #wrist: number[]
  readonly #diagonal: number
  readonly #hand = new ToolFrame()
  readonly #target = new ToolFrame()
  readonly #wristMiddle = new ToolFrame()
  #body!: FemBody
  #tool!: FemBody
  #touch!: ElasticTouch
  #look!: ExactLook
  /** How the hand was turned when `ElasticTouch` was made. */
  readonly #taken = new ToolFrame()
  /** Settings were changed: both are made again before the next step. */
  #stale = false
  #time = 0
  #pathTime: number | undefined

  /** @throws Error if one of the two cannot be simulated */
  constructor(pair: HapticPair, settings: Partial<HapticsSettings>) {
    this.#pair = pair
    this.#wrist = wristOf(pair.tool)
    this.#take(settings)
    const { mesh } = pair.body
    this.#diagonal = boxDiagonal(boxOfPoints(mesh.positions))
    this.#recorded = recordPath(pair.tool, surfaceOfTets(mesh))
    this.reset()
  }

  get opened(): Opened {
    const { name, field, body, toolLearned, tool, material } = this.#pair
    const { lower, upper } = boxOfPoints(body.mesh.positions)
    const [x, y, z] = boxCentre(boxOfPoints(tool.positions))
    return {
      name,
      backend: field.network.backend,
      nodes: body.modal.nodeCount,
      bodyTriangles: this.#body.surface.triangles.slice(),
      toolTriangles: this.#tool.surface.triangles.slice(),
      toolLearned: toolLearned !== undefined,
      box: { lower: [...lower], upper: [...upper] },
      toolMiddle: [x, y, z],
      start: this.#recorded.start,
      pathSeconds: this.#recorded.path.duration,
      young: runTimeMaterial(material).young,
      settings: { ...this.settings },
    }
  }

  set(settings: Partial<HapticsSettings>): void {
    this.#take(settings)
    this.#stale = true
  }

  /** Both at rest, the tool where the recorded path begins. */
  reset(): void {
    this.#time = 0
    this.#hand.set(this.#recorded.start)
    this.#target.set(this.#recorded.start)
    if (this.#pathTime !== undefined) this.#pathTime = 0
    this.#make()
  }

  command(command: HapticsSimulation['command']): void {
    if (command === 'reset') this.reset()
    else this.#pathTime = command === 'play' ? 0 : undefined
  }

  dispose(): void {
    this.#pair.dispose()
  }

  /**
   * @param pose  where the hand is asked to be, if no path is played
   * @param spare buffers of an earlier frame, to be used again if they still fit
   * @throws Error if the simulation cannot go on; `reset` begins again
   */
  advance(steps: number, pose: ToolPose, spare: Frame['vertices'] | undefined): Frame {
    if (this.#stale) this.#remake()
    const clock = this.#clock
    clock.reset()
    let total = 0
    let penetration: Penetration = { toolInBody: 0, bodyInTool: 0 }
    for (let step = 0; step < steps; step++) {
      const began = performance.now()
      this.#moveHand(pose)
      this.#touch.step(STEP)
      this.#time += STEP
      total += performance.now() - began
      penetration = this.#deeper(penetration)
    }
    const { report } = this.#touch
    const { count, featuresA, featuresB } = report.touching
    const { code, queries, nearest, body, tool } = clock
    return {
      vertices: this.#vertices(spare),
      time: this.#time,
      pathTime: this.#pathTime,
      hand: this.#hand.pose,
      field: this.settings.field,
      touched: { triangles: featuresA.slice(0, count), vertices: featuresB.slice(0, count) },
      force: reactionOf(this.#body),
      ownError: this.settings.field === 'learned' ? this.#ownError() : undefined,
      spent: {
        code: code / steps,
        queries: queries / steps,
        nearest: nearest / steps,
        body: body / steps,
        tool: tool / steps,
        rest: (total - code - queries - nearest - body - tool) / steps,
      },
      penetration,
    }
  }

  #ownError(): OwnError {
    const { expectedError, trusted } = this.#pair.field
    return { expected: expectedError / this.#diagonal, trusted }
  }

  #take(settings: Partial<HapticsSettings>): void {
    const { field, stiffness, friction } = settings
    if (field && FIELDS.includes(field)) this.settings.field = field
    if (stiffness !== undefined && stiffness > 0) this.settings.stiffness = Math.min(Math.max(stiffness, 0.25), 16)
    if (friction !== undefined && friction >= 0) this.settings.friction = Math.min(friction, 2)
  }

  #make(): void {
    const { body, material, tool } = this.#pair
    const { stiffness } = this.settings
    const soft = runTimeMaterial(material)
    const { lower, upper } = boxOfPoints(body.mesh.positions)
    const ground = { field: fieldHalfSpace([0, 1, 0], lower[1]) }
    const options: FemOptions = { tolerance: TOLERANCE, obstacles: [ground] }
    this.#body = new TimedBody(
      body.mesh,
      { ...options, material: { ...soft, young: stiffness * soft.young } },
      this.#clock,
      'body',
    )
    const base = lower[1] + BASE * (upper[1] - lower[1])
    const nodes = Array.from({ length: this.#body.nodeCount }, (_, node) => node)
    this.#body.pin(nodes.filter((node) => body.mesh.positions[3 * node + 1] < base))
    // Whose hand it is bears its weight.
    this.#tool = new TimedBody(tool, { ...options, material: TOOL_MATERIAL, gravity: [0, 0, 0] }, this.#clock, 'tool')
    this.#hand.place(tool.positions, this.#tool.positions)
    this.#look = new ExactLook(this.#body, this.#tool)
    this.#join()
  }

  /** With other settings, in the same motion. */
  #remake(): void {
    this.#stale = false
    const before = [this.#body, this.#tool]
    this.#make()
    for (const [i, fem] of [this.#body, this.#tool].entries()) {
      fem.positions.set(before[i].positions)
      fem.velocities.set(before[i].velocities)
    }
  }

  /** Lets them touch; the tool must lie at rest in the hand. */
  #join(): void {
    const { body: fem, tool } = { body: this.#body, tool: this.#tool }
    const { field, friction } = this.settings
    const { toolLearned } = this.#pair
    const exact = (of: FemBody): MovingField<NodeState> =>
      nodesMeshField(of.surface, of.nodeCount, new ExactMeshField(of.surface))
    const fieldOf = (learned: LearnedBody | undefined, of: FemBody): MovingField<NodeState> =>
      field === 'learned' && learned ? new GuardedField(learned.field, exact(of)) : exact(of)
    const margin = BOX_MARGIN * this.#diagonal
    const boxOf = ({ nodes }: NodeState) => boxOfPoints(nodes)
    const timed = (touched: MovingField<NodeState>): MovingField<NodeState> =>
      this.#clock.field(new BoxedField(touched, { margin, boxOf }))
    const { young } = fem.material
    this.#touch = new ElasticTouch(
      {
        body: fem,
        bodyField: timed(fieldOf(this.#pair, fem)),
        tool,
        toolField: timed(fieldOf(toolLearned, tool)),
        wrist: this.#wrist,
      },
      {
        friction,
        substep: SUBSTEP,
        stiffness: (CONTACT_STIFFNESS * young) / fem.size,
        handStiffness: HAND_STIFFNESS * young * fem.size,
        handForce: HAND_FORCE * young * fem.size ** 2,
      },
    )
    this.#taken.set(this.#hand.pose)
    // The hand is in the wrist's middle: where that is in the tool's own frame.
    const inverse = this.#hand.rotation.clone().invert()
    this.#wristMiddle.position.fromArray(this.#touch.handPosition!).sub(this.#hand.position).applyQuaternion(inverse)
  }

  #moveHand(pose: ToolPose): void {
    const [hand, target] = [this.#hand, this.#target]
    if (this.#pathTime === undefined) target.set(pose)
    else this.#followPath()
    hand.approach(target, STEP, HAND_SPEED * this.#diagonal)
    const wrist = this.#wristMiddle.position.clone().applyQuaternion(hand.rotation).add(hand.position)
    const turn = hand.rotation.clone().multiply(this.#taken.rotation.clone().invert())
    this.#touch.moveHand(wrist.toArray(), turn.toArray())
  }

  /** The path waits until the hand has come to its beginning, and lets go at its end. */
  #followPath(): void {
    const { path, start } = this.#recorded
    const [position, rotation] = [new Float64Array(3), new Float64Array(4)]
    if (this.#pathTime === 0) {
      this.#target.set(start)
      if (this.#hand.position.distanceTo(this.#target.position) > 0.004 * this.#diagonal) return
    }
    this.#pathTime! += STEP
    path.at(this.#pathTime!, position, rotation)
    this.#target.position.fromArray(position)
    this.#target.rotation.fromArray(rotation)
    if (this.#pathTime! > path.duration + STEP) this.#pathTime = undefined
  }

  #deeper(before: Penetration): Penetration {
    const { toolInBody, bodyInTool } = this.#look.look()
    if (!Number.isFinite(toolInBody + bodyInTool)) {
      throw new Error('haptics: a vertex has no finite place any more; press Reset.')
    }
    return {
      toolInBody: Math.max(before.toolInBody, toolInBody / this.#diagonal),
      bodyInTool: Math.max(before.bodyInTool, bodyInTool / this.#diagonal),
    }
  }

  #vertices(spare: Frame['vertices'] | undefined): Frame['vertices'] {
    const { bodyVertices, toolVertices } = this.#look
    const { body, tool } = fittingBuffers(spare, { body: bodyVertices.length, tool: toolVertices.length })
    body.set(bodyVertices)
    tool.set(toolVertices)
    return { body, tool }
  }
}

/**
 * Force [N] of the body on the hand: all that contact gave to the body's nodes in the last step, turned round. What the
 * hand itself feels, `report.handForce`, swings about it with the inertia that splitting the contact adds to the tool.
 */
function reactionOf({ forces, forceStiffness: s, velocities: v }: FemBody): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0]
  for (let i = 0, d = 0; i < forces.length; i += 3, d += 6) {
    const [dx, dy, dz] = [SUBSTEP * v[i], SUBSTEP * v[i + 1], SUBSTEP * v[i + 2]]
    sum[0] -= forces[i] - s[d] * dx - s[d + 1] * dy - s[d + 2] * dz
    sum[1] -= forces[i + 1] - s[d + 1] * dx - s[d + 3] * dy - s[d + 4] * dz
    sum[2] -= forces[i + 2] - s[d + 2] * dx - s[d + 4] * dy - s[d + 5] * dz
  }
  return sum
}

/** Zesch et al. 2022, section 4.1: density / 6, Poisson's ratio 0.40, Young's modulus and damping / 10. */
function runTimeMaterial({ density, young, massDamping, stiffnessDamping }: BodyMaterial): BodyMaterial {
  return {
    density: density / 6,
    young: young / 10,
    poisson: 0.4,
    massDamping: massDamping / 10,
    stiffnessDamping: stiffnessDamping / 10,
  }
}
