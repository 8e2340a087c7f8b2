/**
 * The whole step of a free sheet that falls on a moving character, ours against Rapier's soft bodies: same body, clip,
 * sheet, mass, friction and frame, in turns frame by frame. Counted in both: the clip's pose, the body's motion (posing
 * the field; or skinning and kinematic targets), the cloth with all contacts. Each frame is judged by the exact body.
 */
import { boxOfPoints, type Vec3 } from 'pliant'
import type { Clip, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { type BodyBone, type BodyField, ClipPlayer, Cloth, clothGrid } from 'pliant/sim'
import { CharacterObstacle } from 'pliant/unstable'
import { DrapeJudge, type DrapePenetration } from '../../drape/judge.js'
import { median } from '../../timing/median.js'
import { RapierCloth } from './rapier.js'

export interface StepFigures {
  /** Of a whole frame [ms]. */
  median: number
  max: number
  /** Median of its part that moves the body [ms]: the field's pose; or skinning and kinematic targets. */
  body: number
  /** Vertices within a fiftieth of the height from the body, mean over frames [%]: whether both do the same work. */
  touching: number
  penetration: DrapePenetration
  /** Coordinates that were not finite, over all frames. */
  notFinite: number
}

export interface StepResult {
  clothVertices: number
  /** Of the square sheet [m]. */
  side: number
  /** Simulated duration of a step [s], and how many. */
  frame: number
  frames: number
  learned: StepFigures
  rapier: StepFigures
  /** rapier / learned, of the medians and of the maxima. */
  ratio: number
  maxRatio: number
}

const FRAME = 1 / 60
const SHEET = 32
/** In body heights: side of the sheet, and how far above the head it begins. */
const SIDE = 0.6
const ABOVE = 0.01
const NEAR = 0.02
/** Frames before those that count: the fall, and the engine compiles what is hot. */
const WARM_UP = 30

/** @param field  posed by this; `bones` tell the skin's velocity */
export async function timeStep(
  character: SkinnedCharacter,
  bones: readonly BodyBone[],
  field: BodyField,
  clip: Clip,
  frames: number,
): Promise<StepResult> {
  const { height, triangles } = character
  const player = new ClipPlayer(character.skeleton)
  player.play(clip, { fade: 0 })
  const body = new Float32Array(3 * character.vertexCount)
  placeBody(character, player, body)
  const box = boxOfPoints(body)
  const side = SIDE * height
  const centre: Vec3 = [
    (box.lower[0] + box.upper[0]) / 2,
    box.upper[1] + ABOVE * height,
    (box.lower[2] + box.upper[2]) / 2,
  ]
  const cloth = new Cloth(clothGrid(SHEET, SHEET, { size: [side, side], centre }))
  const obstacle = new CharacterObstacle(character.skeleton, bones, field)
  obstacle.update(player.pose, player.rootFrame, 0)
  const { density, friction, thickness } = cloth.settings
  const mass = density * side ** 2
  const rapier = await RapierCloth.create(body, triangles, { count: SHEET, side, centre, mass, friction, thickness })
  const truth = new ExactMeshField({ positions: Float64Array.from(body), triangles })
  const runs = { learned: new Run(cloth, height), rapier: new Run(cloth, height) }
  for (let n = -WARM_UP; n < frames; n++) {
    const clipBegan = performance.now()
    player.advance(FRAME)
    const sampling = performance.now() - clipBegan
    runs.learned.time(
      sampling,
      () => obstacle.update(player.pose, player.rootFrame, FRAME),
      () => cloth.step(FRAME, obstacle),
    )
    runs.rapier.time(
      sampling,
      () => {
        placeBody(character, player, body)
        rapier.moveBody(body)
      },
      () => rapier.step(FRAME),
    )
    if (n >= 0) {
      truth.update({ vertices: body })
      runs.learned.judge(cloth.positions, truth)
      runs.rapier.judge(Float64Array.from(rapier.positions()), truth)
    } else for (const run of Object.values(runs)) run.forgetTime()
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  rapier.free()
  const [learned, theirs] = [runs.learned.figures(), runs.rapier.figures()]
  return {
    clothVertices: cloth.vertexCount,
    side,
    frame: FRAME,
    frames,
    learned,
    rapier: theirs,
    ratio: theirs.median / learned.median,
    maxRatio: theirs.max / learned.max,
  }
}

/** Skinned vertices in the world [m]. */
function placeBody(character: SkinnedCharacter, { pose, rootFrame: m }: ClipPlayer, out: Float32Array): void {
  character.positionsOfPose(pose, out)
  for (let i = 0; i < out.length; i += 3) {
    const [x, y, z] = [out[i], out[i + 1], out[i + 2]]
    out[i] = m[0] * x + m[4] * y + m[8] * z + m[12]
    out[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13]
    out[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14]
  }
}

class Run {
  private readonly height: number
  private readonly drape: DrapeJudge
  private readonly distances: Float64Array
  private readonly totals: number[] = []
  private readonly bodies: number[] = []
  private touching = 0
  private notFinite = 0

  constructor({ vertexCount, triangles }: Cloth, height: number) {
    this.height = height
    this.drape = new DrapeJudge(vertexCount, triangles, height)
    this.distances = new Float64Array(vertexCount)
  }

  /** @param sampling  time that the clip's pose took [ms] */
  time(sampling: number, moveBody: () => void, step: () => void): void {
    const began = performance.now()
    moveBody()
    const moved = performance.now()
    step()
    this.bodies.push(moved - began)
    this.totals.push(sampling + performance.now() - began)
  }

  forgetTime(): void {
    this.totals.pop()
    this.bodies.pop()
  }

  /** @param positions  the cloth's vertices in the world [m] */
  judge(positions: Float64Array, truth: ExactMeshField): void {
    const { distances } = this
    truth.query(positions, distances.length, distances)
    for (const distance of distances) if (distance < NEAR * this.height) this.touching++
    for (const value of positions) if (!Number.isFinite(value)) this.notFinite++
    this.drape.look(positions, truth)
  }

  figures(): StepFigures {
    const { totals, distances } = this
    return {
      median: median(totals),
      max: Math.max(...totals),
      body: median(this.bodies),
      touching: (100 * this.touching) / (totals.length * distances.length),
      penetration: this.drape.result(),
      notFinite: this.notFinite,
    }
  }
}
