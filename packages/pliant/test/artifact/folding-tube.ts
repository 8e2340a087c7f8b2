/** A tube of four bones along +y that folds about x until its last bone runs into its first, with clips that do so. */
import type { Clip } from '../../src/model/clip.js'
import { JointCode } from '../../src/model/joint-code.js'
import { rigToGlb } from '../../src/model/rig-glb.js'
import { Skeleton, type SkeletonPose } from '../../src/model/skeleton.js'
import { SkinnedCharacter } from '../../src/model/skinned-character.js'
import type { SkinnedSurface } from '../../src/model/skinned-surface.js'

/** Bones of a metre each, one after the other. */
export const TUBE_JOINTS = ['root', 'first', 'second', 'third']
const BONES = TUBE_JOINTS.length
const RADIUS = 0.15
const RINGS = 16
const AROUND = 8
/** Weights pass from bone to bone over so much [m]. */
const SHARED = 0.3

/** A clip that turns the joints after the root about x to some angles [degrees] and back, 30 frames a second. */
export function foldingClip(name: string, angles: readonly number[], frames = 31): Clip {
  const times = Float32Array.from({ length: frames }, (_, i) => i / 30)
  const shares = Float32Array.from({ length: frames }, (_, i) => Math.sin((Math.PI * i) / (frames - 1)) ** 2)
  return {
    name,
    duration: (frames - 1) / 30,
    tracks: angles.map((degrees, i) => ({
      target: i + 1,
      path: 'rotation',
      interpolation: 'LINEAR',
      size: 4,
      times,
      values: Float32Array.from([...shares].flatMap((share) => aboutX((share * degrees * Math.PI) / 180))),
    })),
  }
}

/** The pose with joints after the root turned about x [rad]. */
export function foldedPose(skeleton: Skeleton, angles: readonly number[]): SkeletonPose {
  const pose = skeleton.createPose()
  angles.forEach((angle, i) => {
    pose.rotations.set(aboutX(angle), 4 * (i + 1))
  })
  return pose
}

/** How joints hang in the file: each from the one before it, or all of them from the first, as those of WebXR hands do. */
export type TubeHanging = 'chain' | 'flat'

/** Its code is the angle about x of each joint after the root over pi, each from -1 to 1, however they hang. */
export function foldingTube(hanging: TubeHanging = 'chain'): SkinnedCharacter {
  const before = Int32Array.from(TUBE_JOINTS, (_, joint) => joint - 1)
  const isFlat = hanging === 'flat'
  const placeOf = (joint: number): number => (isFlat ? joint : Math.min(joint, 1))
  const skeleton = new Skeleton({
    names: TUBE_JOINTS,
    parents: isFlat ? before.map((joint) => Math.min(joint, 0)) : before,
    root: 0,
    rest: {
      translations: Float64Array.from({ length: 3 * BONES }, (_, i) => (i % 3 === 1 ? placeOf(Math.floor(i / 3)) : 0)),
      rotations: Float64Array.from({ length: 4 * BONES }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      scales: new Float64Array(3 * BONES).fill(1),
    },
  })
  const size = BONES - 1
  const code = new JointCode(skeleton, {
    joints: Uint16Array.from({ length: size }, (_, i) => i + 1),
    axes: new Uint8Array(size),
    units: new Float64Array(size).fill(Math.PI),
    carriers: isFlat ? before : undefined,
    fixed: skeleton.createPose(),
    bounds: { lower: new Float64Array(size).fill(-1), upper: new Float64Array(size).fill(1) },
    dropped: [],
    largestAngle: Math.PI,
  })
  return new SkinnedCharacter({ skeleton, surface: tubeSurface(), code, height: BONES, skinning: 'linear' })
}

export function foldingGlb(clips: readonly Clip[]): Uint8Array {
  return rigToGlb(foldingTube(), clips)
}

function aboutX(angle: number): number[] {
  return [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)]
}

function tubeSurface(): SkinnedSurface {
  const bound: number[] = [0, 0, 0]
  for (let ring = 1; ring < RINGS; ring++) {
    const s = ring / RINGS
    const radius = RADIUS * Math.sqrt(1 - (2 * s - 1) ** 8)
    for (let k = 0; k < AROUND; k++) {
      const angle = (2 * Math.PI * k) / AROUND
      bound.push(radius * Math.cos(angle), BONES * s, radius * Math.sin(angle))
    }
  }
  bound.push(0, BONES, 0)
  const last = bound.length / 3 - 1
  const triangles: number[] = []
  for (let k = 0; k < AROUND; k++) {
    const next = (k + 1) % AROUND
    triangles.push(0, 1 + k, 1 + next)
    for (let ring = 0; ring + 2 < RINGS; ring++) {
      const [a, b] = [1 + ring * AROUND, 1 + (ring + 1) * AROUND]
      triangles.push(a + k, b + k, a + next, a + next, b + k, b + next)
    }
    triangles.push(last, 1 + (RINGS - 2) * AROUND + next, 1 + (RINGS - 2) * AROUND + k)
  }
  const influences = Array.from({ length: last + 1 }, (_, v) => influencesAt(bound[3 * v + 1]))
  const starts = [0]
  for (const of of influences) starts.push(starts[starts.length - 1] + of.length)
  const inverseBind = new Float64Array(16 * BONES)
  for (let joint = 0; joint < BONES; joint++) {
    for (let i = 0; i < 4; i++) inverseBind[16 * joint + 5 * i] = 1
    inverseBind[16 * joint + 13] = -joint
  }
  return {
    bound: Float64Array.from(bound),
    triangles: Uint32Array.from(triangles),
    bones: { joints: Uint16Array.from(TUBE_JOINTS, (_, joint) => joint), inverseBind },
    influenceStarts: Uint32Array.from(starts),
    influenceBones: Uint16Array.from(influences.flat(), ({ bone }) => bone),
    influenceWeights: Float32Array.from(influences.flat(), ({ weight }) => weight),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}

/** Bones that hold a height of the tube, the heaviest first. */
function influencesAt(y: number): { bone: number; weight: number }[] {
  const above = TUBE_JOINTS.map((_, bone) => Math.min(Math.max((y - bone) / SHARED + 0.5, 0), 1))
  above[0] = 1
  return above
    .map((share, bone) => ({ bone, weight: share * (1 - (above[bone + 1] ?? 0)) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
}
