/** A figure of capsules with the joints of a human: its exact field is known, and so are its skin's weights. */
import { BoneCapsulesField } from '../../../src/field/bone-capsules.js'
import type { Clip } from '../../../src/model/clip.js'
import { Skeleton } from '../../../src/model/skeleton.js'
import type { SkinnedSurface } from '../../../src/model/skinned-surface.js'

/** Name, parent, place relative to the parent [m], the bone's end in the joint's frame, radius. */
const JOINTS = [
  ['Hips', -1, [0, 1, 0], [0, 0.1, 0], 0.14],
  ['Chest', 0, [0, 0.35, 0], [0, 0.05, 0], 0.14],
  ['LeftArm', 1, [0.22, 0.05, 0], [0.28, 0, 0], 0.045],
  ['LeftForeArm', 2, [0.28, 0, 0], [0.25, 0, 0], 0.04],
  ['LeftHand', 3, [0.25, 0, 0], [0.12, 0, 0], 0.04],
  ['RightArm', 1, [-0.22, 0.05, 0], [-0.28, 0, 0], 0.045],
  ['RightForeArm', 5, [-0.28, 0, 0], [-0.25, 0, 0], 0.04],
  ['RightHand', 6, [-0.25, 0, 0], [-0.12, 0, 0], 0.04],
  ['LeftUpLeg', 0, [0.1, -0.05, 0], [0, -0.4, 0], 0.075],
  ['LeftLeg', 8, [0, -0.42, 0], [0, -0.4, 0], 0.06],
  ['LeftFoot', 9, [0, -0.42, 0], [0, 0, 0.15], 0.05],
  ['RightUpLeg', 0, [-0.1, -0.05, 0], [0, -0.4, 0], 0.075],
  ['RightLeg', 11, [0, -0.42, 0], [0, -0.4, 0], 0.06],
  ['RightFoot', 12, [0, -0.42, 0], [0, 0, 0.15], 0.05],
] as const

export function puppet() {
  const count = JOINTS.length
  const skeleton = new Skeleton({
    names: JOINTS.map(([name]) => name),
    parents: Int32Array.from(JOINTS, ([, parent]) => parent),
    root: 0,
    rest: {
      translations: Float64Array.from(JOINTS.flatMap(([, , place]) => [...place])),
      rotations: Float64Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      scales: new Float64Array(3 * count).fill(1),
    },
  })
  const bones = JOINTS.map(([, , , end, radius], joint) => ({ joint, start: [0, 0, 0] as const, end, radius }))
  const capsules = new BoneCapsulesField(bones)
  const body = skin(skeleton, bones)
  const character = {
    skeleton,
    surface: body.surface,
    height: 1.7,
    vertexCount: body.positions.length / 3,
    positionsOfPose: (_: unknown, out: Float64Array | Float32Array) => out.set(body.positions),
  }
  return { skeleton, bones, capsules, character }
}

/** Points round every bone's middle, each moved by its joint alone. */
function skin(skeleton: Skeleton, bones: { joint: number; end: readonly number[]; radius: number }[]) {
  const positions: number[] = []
  for (const { joint, end, radius } of bones) {
    for (let k = 0; k < 24; k++) {
      const [along, angle] = [(k % 4) / 3, (Math.PI * Math.trunc(k / 4)) / 3]
      const across = Math.abs(end[1]) > 0 ? [0, 2] : Math.abs(end[0]) > 0 ? [1, 2] : [0, 1]
      for (let axis = 0; axis < 3; axis++) {
        const round = across.indexOf(axis) === 0 ? Math.cos(angle) : across.indexOf(axis) === 1 ? Math.sin(angle) : 0
        positions.push(skeleton.restMatrices[16 * joint + 12 + axis] + along * end[axis] + radius * round)
      }
    }
  }
  const vertices = positions.length / 3
  const surface: Pick<SkinnedSurface, 'bones' | 'influenceStarts' | 'influenceBones' | 'influenceWeights'> = {
    bones: { joints: Uint16Array.from(bones, ({ joint }) => joint), inverseBind: new Float64Array(0) },
    influenceStarts: Uint32Array.from({ length: vertices + 1 }, (_, v) => v),
    influenceBones: Uint16Array.from({ length: vertices }, (_, v) => Math.trunc(v / 24)),
    influenceWeights: new Float32Array(vertices).fill(1),
  }
  return { positions: Float64Array.from(positions), surface: surface as SkinnedSurface }
}

/** Swings joints about the given axis to and fro, by an angle [rad] once a second; the root walks and turns. */
export function swing(
  skeleton: Skeleton,
  joints: Readonly<Record<string, readonly [axis: 0 | 1 | 2, angle: number]>>,
  walk = 0,
): Clip {
  const times = Float32Array.from({ length: 31 }, (_, k) => k / 30)
  const tracks = Object.entries(joints).map(([name, [axis, angle]]) => ({
    target: skeleton.jointNamed(name),
    path: 'rotation' as const,
    interpolation: 'LINEAR' as const,
    times,
    values: Float32Array.from(
      [...times].flatMap((time) => {
        const half = (angle * Math.sin(2 * Math.PI * time)) / 2
        return [0, 1, 2].map((a) => (a === axis ? Math.sin(half) : 0)).concat(Math.cos(half))
      }),
    ),
    size: 4,
  }))
  const root = {
    target: 0,
    path: 'translation' as const,
    interpolation: 'LINEAR' as const,
    times,
    values: Float32Array.from([...times].flatMap((time) => [0, 1, walk * time])),
    size: 3,
  }
  return { name: 'swing', duration: 1, tracks: [...tracks, root] }
}
