/** One dressed character of a measurement: timed in its parts, judged after each frame. */
import type { SignedField } from 'pliant'
import type { BodyBone, BodyField, ClipPlayer, Garment } from 'pliant/sim'
import { timedField } from 'pliant/unstable'
import { type DressedBody, DressedScene, type DressedSceneOptions } from 'pliant/unstable/blocks'
import { DrapeEnergy, type DrapeEnergyResult } from './energy.js'
import { DrapeJudge, type DrapePenetration } from './judge.js'

export interface DrapeRunResult {
  penetration: DrapePenetration
  /** Mean time of a frame [ms]: changing the pose, asking the field, all else. */
  time: { pose: number; queries: number; solver: number; total: number }
  /** Mean number of points asked in a frame. */
  queriesPerFrame: number
  energy: DrapeEnergyResult
  /** Coordinates that were not finite, over all frames. */
  notFinite: number
}

export class DrapeRun {
  readonly scene: DressedScene
  private judge: DrapeJudge
  private readonly height: number
  private readonly energy: DrapeEnergy
  private readonly spent = { update: 0, queries: 0, total: 0 }
  private readonly points: Float64Array
  private readonly ends: BoneEnds
  private asked = 0
  private frames = 0
  private notFinite = 0

  constructor(
    body: DressedBody,
    garment: Garment,
    field: BodyField | undefined,
    /** Its player is moved on by the caller: several runs may share it. */
    options: DressedSceneOptions & { player: ClipPlayer },
  ) {
    const timed = field && timedField(field, this.spent)
    this.scene = new DressedScene(body, garment, timed, options)
    const { cloth } = this.scene
    this.height = body.character.height
    this.judge = new DrapeJudge(cloth.vertexCount, cloth.triangles, this.height)
    this.energy = new DrapeEnergy(cloth, garment.attached)
    this.points = new Float64Array(cloth.positions.length)
    this.ends = new BoneEnds(body.bones)
  }

  /** @param truth  the exact body at the player's pose in the root frame; left out, the frame is not counted */
  step(frame: number, truth?: SignedField): void {
    const { scene, spent, points } = this
    const { cloth } = scene
    const before = { ...spent }
    const began = performance.now()
    scene.follow(frame)
    spent.total += performance.now() - began
    const bodySpeed = this.ends.speed(scene.jointMatrices, scene.rootFrame, frame)
    if (!truth) {
      Object.assign(spent, before)
      return
    }
    this.frames++
    this.asked += cloth.contacts.queries
    for (const value of cloth.positions) if (!Number.isFinite(value)) this.notFinite++
    scene.clothInRoot(points)
    this.judge.look(points, truth)
    this.energy.look(cloth, bodySpeed)
  }

  /** How deep the cloth got since it was asked last; counts afresh from here. */
  takePenetration(): DrapePenetration {
    const { cloth } = this.scene
    const found = this.judge.result()
    this.judge = new DrapeJudge(cloth.vertexCount, cloth.triangles, this.height)
    return found
  }

  result(): DrapeRunResult {
    const { spent, frames } = this
    const [pose, queries, total] = [spent.update / frames, spent.queries / frames, spent.total / frames]
    return {
      penetration: this.judge.result(),
      time: { pose, queries, solver: total - pose - queries, total },
      queriesPerFrame: this.asked / frames,
      energy: this.energy.result(),
      notFinite: this.notFinite,
    }
  }
}

/** The fastest end of a bone: skin is no faster but for its thickness. */
class BoneEnds {
  private readonly bones: readonly BodyBone[]
  private before: Float64Array
  private now: Float64Array

  constructor(bones: readonly BodyBone[]) {
    this.bones = bones
    this.before = new Float64Array(6 * bones.length).fill(Number.NaN)
    this.now = new Float64Array(6 * bones.length)
  }

  /** [m/s]; 0 at the first call */
  speed(joints: Float64Array, root: Float64Array, frame: number): number {
    const { before, now } = this
    let fastest = 0
    this.bones.forEach(({ joint, start, end }, b) => {
      for (const [e, place] of [start, end].entries()) {
        const at = 6 * b + 3 * e
        const local = [0, 1, 2].map((row) => affineRow(joints, 16 * joint, row, place))
        let squared = 0
        for (let row = 0; row < 3; row++) {
          now[at + row] = affineRow(root, 0, row, local)
          squared += (now[at + row] - before[at + row]) ** 2
        }
        if (squared > 0) fastest = Math.max(fastest, Math.sqrt(squared) / frame)
      }
    })
    this.before = now
    this.now = before
    return fastest
  }
}

function affineRow(m: Float64Array, at: number, row: number, p: ArrayLike<number>): number {
  return m[at + row] * p[0] + m[at + 4 + row] * p[1] + m[at + 8 + row] * p[2] + m[at + 12 + row]
}
