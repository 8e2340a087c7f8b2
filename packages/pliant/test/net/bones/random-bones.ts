/** Random networks in bone frames with poses and points for them; every backend and the training graph meet the same. */
import { quaternionOfVector } from '../../../src/math/quaternion.js'
import { randomStream } from '../../../src/math/random.js'
import { type BoneNetworkShape, boneTensors, MAX_DRIVERS } from '../../../src/net/bones/bone-shape.js'

/** Bones 1..40, nearest 1..4, sizes that are no multiples of four among them. */
export function randomBoneShape(seed: number, fixed: Partial<BoneNetworkShape> & { boneCount?: number } = {}) {
  const random = randomStream(seed, 1)
  const { boneCount = 1 + random.below(40), ...rest } = fixed
  const vec = (lower: number, upper: number) =>
    [random.between(lower, upper), random.between(lower, upper), random.between(lower, upper)] as [
      number,
      number,
      number,
    ]
  const shape: BoneNetworkShape = {
    bones: Array.from({ length: boneCount }, (_, b) => ({
      name: `bone ${b}`,
      // Not in order: a bone's number is not its joint's.
      joint: boneCount - b,
      centre: vec(-0.05, 0.05),
      half: vec(0.15, 0.5),
      nodes: [2 + random.below(10), 2 + random.below(10), 2 + random.below(10)] as const,
      start: vec(-0.1, 0.1),
      end: vec(-0.3, 0.3),
      radius: random.between(0, 0.1),
      drivers: [boneCount - b],
    })),
    nearest: 1 + random.below(4),
    fade: random.between(0.05, 0.3),
    sharpness: random.between(1, 40),
    scale: random.between(0.5, 2),
    coefficients: 1 + random.below(9),
    codeHidden: 1 + random.below(18),
    warp: { resolution: 2 + random.below(5), features: random.below(6) },
    grid: { features: random.below(6) },
    hidden: 1 + random.below(40),
    ...rest,
  }
  return shape
}

export function randomBoneTensors(shape: BoneNetworkShape, seed: number): Map<string, Float32Array> {
  let stream = 10
  return new Map(
    Array.from(boneTensors(shape), ([name, dimensions]) => {
      const random = randomStream(seed, stream++)
      const size = dimensions.reduce((product, n) => product * n, 1)
      const spread = name.startsWith('warp') || name === 'grid' ? 0.1 : 0.3
      return [name, Float32Array.from({ length: size }, () => spread * random.normal())]
    }),
  )
}

/** Joint matrices (column-major 4x4, rotation with uniform scale) and drivers. */
export function randomBonePose(shape: BoneNetworkShape, seed: number) {
  const random = randomStream(seed, 2)
  const joints = shape.bones.length + 1
  const matrices = new Float64Array(16 * joints)
  const q = new Float64Array(4)
  for (let j = 0; j < joints; j++) {
    quaternionOfVector([random.normal(), random.normal(), random.normal()], 0, q, 0)
    const [x, y, z, w] = q
    const scale = random.between(0.8, 1.25)
    const columns = [
      [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
      [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
      [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
    ]
    for (const [c, column] of columns.entries()) {
      for (let axis = 0; axis < 3; axis++) matrices[16 * j + 4 * c + axis] = scale * column[axis]
    }
    for (let axis = 0; axis < 3; axis++) matrices[16 * j + 12 + axis] = random.between(-0.6, 0.6)
    matrices[16 * j + 15] = 1
  }
  const drivers = Float64Array.from({ length: shape.bones.length * 3 * MAX_DRIVERS }, () => 0.3 * random.normal())
  return { matrices, drivers }
}

/** Points in and around the bones, beyond all boxes too; single precision, so that all backends are asked the same. */
export function randomBonePoints(count: number, seed: number): Float32Array {
  const random = randomStream(seed, 3)
  return Float32Array.from({ length: 3 * count }, () => random.between(-1.2, 1.2))
}
