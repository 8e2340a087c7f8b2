/**
 * A dressed character: body, garment and air, stepped together. Each frame the caller says where the body is at the
 * frame's end; attachments go with the skin, the rest of the cloth hangs, falls and rubs against the body.
 *
 * The cloth lives in the world [m]. Where the body jumps (a cut, a character set elsewhere), the cloth is carried along
 * with the root instead of being dragged through whatever is between.
 */
import { invertAffine, multiplyAffine } from '../../math/mat4.js'
import { requireDuration, requireNumbers } from '../../math/require.js'
import type { Skeleton, SkeletonPose } from '../../model/skeleton.js'
import type { SkinnedCharacter } from '../../model/skinned-character.js'
import { Cloth } from '../cloth/cloth.js'
import { CLOTH_DEFAULTS, type ClothOptions } from '../cloth/cloth-options.js'
import type { Garment } from '../cloth/garment.js'
import { type BodyBone, type BodyField, CharacterObstacle } from './character-obstacle.js'
import { SkinAnchors, transformPoint } from './skin-anchors.js'

/** A cloth's options, and what a character adds. */
export interface DressOptions extends ClothOptions {
  /** Metres per unit of the character: 0.01 for one made in centimetres. */
  unit?: number
  /** What the field may be wrong by [units], added to the thickness: `quality.safetyMargin` of an artifact. */
  margin?: number
}
/**
 * No tethers: cloth held at both ends, as a sleeve with a cuff on a bent elbow, could not share its strain; all of it would
 * gather where the two ends' tethers meet. A skirt sags by one percent for it.
 */
export const DRESS_DEFAULTS = { unit: 1, margin: 0, tethers: false } as const

/** A root that goes further than this in a frame [heights] has jumped: a run is 0.1. */
const JUMP = 0.5

/** A character that wears a garment: cloth in the world, attached to the skin, that meets the character's field. */
export class DressedCharacter {
  /** Positions in the world [m]; set its `wind` as the weather goes. */
  readonly cloth: Cloth
  /** What the cloth meets; its `body` may be exchanged between frames, undefined for none. */
  readonly obstacle: CharacterObstacle
  private readonly skeleton: Skeleton
  private readonly garment: Garment
  private readonly anchors: SkinAnchors
  private readonly targets: Float64Array
  private readonly distances: Float64Array
  private readonly normals: Float64Array
  private readonly unit: number
  private readonly jumpLength: number
  private readonly rootFrame = new Float64Array(16)
  private readonly turn = new Float64Array(16)

  /**
   * Stands as the skeleton does at rest, until the first step.
   * @param bones    segments that tell the skin's velocity: `manifest.network.bones`
   * @param garment  in the root frame at rest, in the character's unit
   */
  constructor(
    character: Pick<SkinnedCharacter, 'skeleton' | 'surface' | 'positionsOfPose' | 'vertexCount' | 'height'>,
    bones: readonly BodyBone[],
    garment: Garment,
    field?: BodyField,
    options: DressOptions = {},
  ) {
    const { unit = DRESS_DEFAULTS.unit, margin = DRESS_DEFAULTS.margin, ...rest } = options
    const tethers = options.tethers ?? DRESS_DEFAULTS.tethers
    const thickness = (options.thickness ?? CLOTH_DEFAULTS.thickness) + unit * margin
    const { positions, triangles } = garment.mesh
    this.skeleton = character.skeleton
    this.garment = garment
    this.unit = unit
    this.jumpLength = JUMP * character.height * unit
    this.obstacle = new CharacterObstacle(character.skeleton, bones, field)
    this.cloth = new Cloth(
      { positions: positions.map((value) => unit * value), triangles },
      { ...rest, thickness, tethers },
    )
    this.targets = new Float64Array(3 * garment.attached.length)
    this.distances = new Float64Array(garment.attached.length)
    this.normals = new Float64Array(3 * garment.attached.length)
    garment.attached.forEach((vertex, i) => {
      this.targets.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i)
    })
    this.anchors = new SkinAnchors(character, this.targets)
    this.reset()
    this.cloth.attach(garment.attached)
  }

  /** Resets the garment, on a body that stands at rest. @param rootFrame  where; default: as the skeleton does */
  reset(rootFrame?: Float64Array): void {
    const { skeleton, cloth, garment, obstacle } = this
    if (rootFrame) {
      requireNumbers('dressed character', rootFrame, 'root frame value', 16)
      this.rootFrame.set(rootFrame)
    } else skeleton.rootFrame(skeleton.rest, this.rootFrame)
    this.scaleRoot()
    for (let i = 0; i < cloth.positions.length; i += 3) {
      transformPoint(this.rootFrame, 0, garment.mesh.positions, i, cloth.positions, i)
    }
    cloth.velocities.fill(0)
    obstacle.forgetMotion()
    obstacle.update(skeleton.rest, this.rootFrame, 0)
  }

  /**
   * Simulates one frame.
   * @param frame      its duration [s]; no more than the cloth's `maxFrame` is simulated
   * @param pose       of the body at the frame's end; of the root and above only `rootFrame` counts
   * @param rootFrame  root frame to world at the frame's end, in the character's unit: a `ClipPlayer`'s, or
   *   `Skeleton.rootFrameOf` a renderer's root joint
   * @throws RangeError if the duration is no number, or naming a joint that is missing or not finite
   */
  step(frame: number, pose: SkeletonPose, rootFrame: Float64Array): void {
    const { cloth, obstacle, targets } = this
    requireDuration('dressed character', frame)
    this.skeleton.requirePose('dressed character', pose)
    requireNumbers('dressed character', rootFrame, 'root frame value', 16)
    const duration = Math.min(frame, cloth.settings.maxFrame)
    if (!(duration > 0)) return
    this.rootFrame.set(rootFrame)
    this.scaleRoot()
    if (this.hasJumped()) this.carry()
    obstacle.update(pose, this.rootFrame, duration)
    this.anchors.move(obstacle.jointMatrices, targets)
    for (let i = 0; i < targets.length; i += 3) transformPoint(this.rootFrame, 0, targets, i, targets, i)
    if (obstacle.body) this.pushAttached()
    cloth.moveAttached(targets)
    cloth.step(duration, obstacle.body ? obstacle : undefined)
  }

  /** Skin folds over what lies on it, and limbs press on it: attachments stay outside as the rest of the cloth does. */
  private pushAttached(): void {
    const { targets, distances, normals, cloth } = this
    this.obstacle.field.query(targets, distances.length, distances, normals)
    for (let k = 0; k < distances.length; k++) {
      const i = 3 * k
      const depth = cloth.settings.thickness - distances[k]
      const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2])
      if (!(depth > 0 && depth < Infinity && length > 0 && length < Infinity)) continue
      for (let axis = i; axis < i + 3; axis++) targets[axis] += (depth / length) * normals[axis]
    }
  }

  private scaleRoot(): void {
    for (let i = 0; i < 15; i++) if (i % 4 !== 3) this.rootFrame[i] *= this.unit
  }

  private hasJumped(): boolean {
    const [before, now] = [this.obstacle.rootFrame, this.rootFrame]
    return Math.hypot(now[12] - before[12], now[13] - before[13], now[14] - before[14]) > this.jumpLength
  }

  /** The cloth goes with the root, its velocity turned alike. */
  private carry(): void {
    const { cloth, obstacle, turn } = this
    invertAffine(obstacle.rootFrame, 0, turn, 0)
    multiplyAffine(this.rootFrame, 0, turn, 0, turn, 0)
    for (let i = 0; i < cloth.positions.length; i += 3) {
      transformPoint(turn, 0, cloth.positions, i, cloth.positions, i)
    }
    turn.fill(0, 12, 15)
    for (let i = 0; i < cloth.velocities.length; i += 3) {
      transformPoint(turn, 0, cloth.velocities, i, cloth.velocities, i)
    }
    obstacle.forgetMotion()
  }
}
