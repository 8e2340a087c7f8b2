/** The body on its base and the tool in a hand: takes settings, lets time pass, tells what each part of a step took. */
import { boxOfPoints } from 'pliant'
import { boxCentre, boxDiagonal, runTimeMaterial } from 'pliant/unstable'
import {
  exactNodes,
  guardedNodes,
  type NodesField,
  type RecordedPath,
  STROKE_DEFAULTS,
  type StrokeSubject,
  strokePath,
  strokeScript,
  ToolHand,
  type ToolPose,
  TouchDepth,
  TouchScene,
} from 'pliant/unstable/blocks'
import type { OwnError } from '../../draw/own-error-badge.js'
import { fittingBuffers, STEP } from '../../shell/simulation/protocol.js'
import type { Stage } from '../../shell/simulation/worker-host.js'
import type { HapticPair, LearnedBody } from './haptic-pair.js'
import {
  FIELDS,
  type Frame,
  type HapticsSettings,
  type HapticsSimulation,
  type Opened,
  type Penetration,
} from './haptics-protocol.js'
import { TimedBody, TouchClock } from './touch-clock.js'

/** How near the other's box a vertex has to be to be asked about, in diagonals. */
const BOX_MARGIN = 0.08

export class TouchStage implements Stage<HapticsSimulation> {
  readonly settings: HapticsSettings = { field: 'learned', ...STROKE_DEFAULTS }
  readonly #pair: HapticPair
  readonly #clock = new TouchClock()
  readonly #subject: StrokeSubject
  readonly #recorded: RecordedPath
  readonly #diagonal: number
  readonly #hand: ToolHand
  #scene: TouchScene
  #depth!: TouchDepth
  /** Settings were changed: the scene is made again before the next step. */
  #stale = false
  #time = 0

  /** @throws Error if one of the two cannot be simulated */
  constructor(pair: HapticPair, settings: Partial<HapticsSettings>) {
    this.#pair = pair
    this.#take(settings)
    this.#subject = { bodyMesh: pair.body.mesh, material: pair.material, toolMesh: pair.tool }
    this.#diagonal = boxDiagonal(boxOfPoints(pair.body.mesh.positions))
    this.#recorded = strokePath(this.#subject)
    this.#hand = new ToolHand(this.#recorded, this.#diagonal)
    this.#scene = this.#make()
  }

  get opened(): Opened {
    const { name, field, body, toolLearned, tool, material } = this.#pair
    const { lower, upper } = boxOfPoints(body.mesh.positions)
    const [x, y, z] = boxCentre(boxOfPoints(tool.positions))
    return {
      name,
      backend: field.network.backend,
      nodes: body.modal.nodeCount,
      bodyTriangles: this.#scene.body.surface.triangles.slice(),
      toolTriangles: this.#scene.tool.surface.triangles.slice(),
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
    this.#hand.reset()
    this.#scene = this.#make()
  }

  command(command: HapticsSimulation['command']): void {
    if (command === 'reset') this.reset()
    else if (command === 'play') this.#hand.play()
    else this.#hand.leave()
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
      this.#hand.move(this.#scene, STEP, pose)
      this.#scene.step(STEP)
      this.#time += STEP
      total += performance.now() - began
      penetration = this.#deeper(penetration)
    }
    const { report } = this.#scene.touch
    const { count, featuresA, featuresB } = report.touching
    const { code, queries, nearest, body, tool } = clock
    return {
      vertices: this.#vertices(spare),
      time: this.#time,
      pathTime: this.#hand.pathTime,
      hand: this.#hand.pose,
      field: this.settings.field,
      touched: { triangles: featuresA.slice(0, count), vertices: featuresB.slice(0, count) },
      force: this.#scene.reaction(),
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

  /** The tool at rest in the hand. */
  #make(): TouchScene {
    const { field, stiffness, friction } = this.settings
    const fieldOf = (learned: LearnedBody | undefined): NodesField =>
      field === 'learned' && learned ? guardedNodes(learned.field) : exactNodes
    const scene = new TouchScene(
      {
        ...strokeScript(this.#subject, { stiffness, friction }),
        toolStart: this.#hand.placed(this.#pair.tool),
      },
      {
        body: fieldOf(this.#pair),
        tool: fieldOf(this.#pair.toolLearned),
        margin: BOX_MARGIN * this.#diagonal,
      },
      {
        body: (mesh, options, part) => new TimedBody(mesh, options, this.#clock, part),
        field: (touched) => this.#clock.field(touched),
      },
    )
    this.#hand.hold(scene)
    this.#depth = new TouchDepth(scene)
    return scene
  }

  /** With other settings, in the same motion. */
  #remake(): void {
    this.#stale = false
    const scene = this.#make()
    scene.goOnFrom(this.#scene)
    this.#scene = scene
  }

  #deeper(before: Penetration): Penetration {
    const { toolInBody, bodyInTool } = this.#depth.look()
    if (!Number.isFinite(toolInBody + bodyInTool)) {
      throw new Error('haptics: a vertex has no finite place any more; press Reset.')
    }
    return {
      toolInBody: Math.max(before.toolInBody, toolInBody / this.#diagonal),
      bodyInTool: Math.max(before.bodyInTool, bodyInTool / this.#diagonal),
    }
  }

  #vertices(spare: Frame['vertices'] | undefined): Frame['vertices'] {
    const { bodyVertices, toolVertices } = this.#depth
    const { body, tool } = fittingBuffers(spare, { body: bodyVertices.length, tool: toolVertices.length })
    body.set(bodyVertices)
    tool.set(toolVertices)
    return { body, tool }
  }
}
