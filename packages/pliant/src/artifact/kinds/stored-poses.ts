/** Poses of a skeleton in a file. */
import type { Skeleton, SkeletonPose } from '../../model/skeleton.js'
import { type Tensors, take } from '../take.js'

const PARTS = [
  ['translations', 3],
  ['rotations', 4],
  ['scales', 3],
] as const

/** One pose, exactly. */
export function storePose(tensors: Tensors, name: string, pose: SkeletonPose): void {
  for (const [part, size] of PARTS) {
    tensors.set(`${name}.${part}`, { shape: [pose[part].length / size, size], data: pose[part] })
  }
}

export function takePose(tensors: Tensors, name: string, joints: number): SkeletonPose {
  const [translations, rotations, scales] = PARTS.map(([part, size]) =>
    take(tensors, `${name}.${part}`, [joints, size], Float64Array),
  )
  return { translations, rotations, scales }
}

/**
 * Poses of a list one after the other, in single precision: they are to judge by, not to render. A part is left out
 * where no pose moves it, below the root, away from rest; what the root does is not seen and comes back as at rest.
 */
export function storePoses(tensors: Tensors, name: string, poses: readonly SkeletonPose[], skeleton: Skeleton): void {
  const { rest, belowRoot, jointCount: joints } = skeleton
  for (const [part, size] of PARTS) {
    const all = new Float32Array(poses.length * joints * size)
    poses.forEach((pose, p) => {
      const seen = pose[part].map((value, i) => (belowRoot[Math.floor(i / size)] === 1 ? value : rest[part][i]))
      all.set(seen, p * joints * size)
    })
    const atRest = Float32Array.from(rest[part])
    if (all.every((value, i) => value === atRest[i % atRest.length])) continue
    tensors.set(`${name}.${part}`, { shape: [poses.length, joints, size], data: all })
  }
}

/** Poses to read, not to change: where a part was left out they share the one at rest, however many they are. */
export function takePoses(
  tensors: Tensors,
  name: string,
  count: number,
  { rest, jointCount }: Skeleton,
): SkeletonPose[] {
  const [translations, rotations, scales] = PARTS.map(([part, size]) => {
    if (!tensors.has(`${name}.${part}`)) {
      const atRest = rest[part].slice()
      return () => atRest
    }
    const all = take(tensors, `${name}.${part}`, [count, jointCount, size], Float32Array)
    const length = jointCount * size
    return (p: number) => Float64Array.from(all.subarray(p * length, (p + 1) * length))
  })
  return Array.from({ length: count }, (_, p) => ({
    translations: translations(p),
    rotations: rotations(p),
    scales: scales(p),
  }))
}
