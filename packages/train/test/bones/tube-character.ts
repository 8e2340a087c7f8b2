/** An arm: a closed tube along +y on three joints, and clips that bend it. Small enough to train on in seconds. */
import { type Clip, Skeleton, type SkinnedCharacter, type SkinnedSurface } from 'pliant/character'
import { createCharacter } from 'pliant/unstable'

const LENGTH = 3
const RADIUS = 0.3

/** @param around corners of each ring; `rings - 1` of them between the two ends */
export function tubeCharacter({ rings = 24, around = 16 } = {}): {
  character: SkinnedCharacter
  train: Clip[]
  unseen: Clip
} {
  const skeleton = new Skeleton({
    names: ['root', 'middle', 'tip'],
    parents: Int32Array.of(-1, 0, 1),
    root: 0,
    rest: {
      translations: Float64Array.of(0, 0, 0, 0, 1, 0, 0, 1, 0),
      rotations: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      scales: new Float64Array(9).fill(1),
    },
  })
  const surface = tubeSurface(rings, around)
  const train = [bend('x', 0, 60), bend('z', 2, -50)]
  const character = createCharacter({ skeleton, surface, clips: train, height: LENGTH }, train)
  return { character, train, unseen: bend('unseen', 0, 40, 30) }
}

/** Turns the middle joint about an axis up to an angle [degrees], and the tip by half or as told. */
function bend(name: string, axis: number, angle: number, tip = angle / 2): Clip {
  const track = (target: number, degrees: number): Clip['tracks'][number] => {
    const half = (degrees * Math.PI) / 360
    const end = [0, 0, 0, Math.cos(half)]
    end[axis] = Math.sin(half)
    return {
      target,
      path: 'rotation',
      interpolation: 'LINEAR',
      size: 4,
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, ...end),
    }
  }
  return { name, duration: 1, tracks: [track(1, angle), track(2, tip)] }
}

function tubeSurface(rings: number, around: number): SkinnedSurface {
  const bound: number[] = [0, 0, 0]
  for (let ring = 1; ring < rings; ring++) {
    const s = ring / rings
    const radius = RADIUS * Math.sqrt(1 - (2 * s - 1) ** 8)
    for (let k = 0; k < around; k++) {
      const angle = (2 * Math.PI * k) / around
      bound.push(radius * Math.cos(angle), LENGTH * s, radius * Math.sin(angle))
    }
  }
  bound.push(0, LENGTH, 0)
  const last = bound.length / 3 - 1
  const triangles: number[] = []
  for (let k = 0; k < around; k++) {
    const next = (k + 1) % around
    triangles.push(0, 1 + k, 1 + next)
    for (let ring = 0; ring + 2 < rings; ring++) {
      const [a, b] = [1 + ring * around, 1 + (ring + 1) * around]
      triangles.push(a + k, b + k, a + next, a + next, b + k, b + next)
    }
    triangles.push(last, 1 + (rings - 2) * around + next, 1 + (rings - 2) * around + k)
  }
  const starts = [0]
  const bones: number[] = []
  const weights: number[] = []
  for (let v = 0; v <= last; v++) {
    // Joint j holds y from j to j + 1; half a unit around each border is shared.
    const y = bound[3 * v + 1]
    const shares = [1, 2].map((border) => Math.min(Math.max((y - border) / 0.5 + 0.5, 0), 1))
    const all = [1 - shares[0], shares[0] * (1 - shares[1]), shares[1]]
    const used = all.map((weight, bone) => ({ weight, bone })).filter(({ weight }) => weight > 0)
    used.sort((a, b) => b.weight - a.weight)
    for (const { weight, bone } of used) {
      bones.push(bone)
      weights.push(weight)
    }
    starts.push(bones.length)
  }
  const inverseBind = new Float64Array(48)
  for (let joint = 0; joint < 3; joint++) {
    for (let i = 0; i < 4; i++) inverseBind[16 * joint + 5 * i] = 1
    inverseBind[16 * joint + 13] = -joint
  }
  return {
    bound: Float64Array.from(bound),
    triangles: Uint32Array.from(triangles),
    bones: { joints: Uint16Array.of(0, 1, 2), inverseBind },
    influenceStarts: Uint32Array.from(starts),
    influenceBones: Uint16Array.from(bones),
    influenceWeights: Float32Array.from(weights),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}
