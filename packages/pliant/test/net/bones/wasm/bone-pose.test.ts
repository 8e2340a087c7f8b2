/** Segments and boxes on kernels are those of plain code, as floats, to the last bit. */
import { describe, expect, it } from 'vitest'
import { Arena } from '../../../../src/math/wasm/arena.js'
import { makePosedBones, poseBones } from '../../../../src/net/bones/bone-choice.js'
import { LEAST_SQUARE } from '../../../../src/net/bones/bone-shape.js'
import { planBones } from '../../../../src/net/bones/wasm/bone-plan.js'
import { BonePose } from '../../../../src/net/bones/wasm/bone-pose.js'
import { BOX, SEGMENT } from '../../../../src/net/bones/wasm/bone-records.js'
import { type BoneKernels, defineBoneKernels } from '../../../../src/net/bones/wasm/run-bones.js'
import { createSimdBoneNetwork } from '../../../../src/net/bones/wasm/simd-bone-network.js'
import { startKernels } from '../../../../src/net/wasm/kernel-instance.js'
import { reserveStaging } from '../../../../src/net/wasm/point-batches.js'
import { randomBonePoints, randomBonePose, randomBoneShape, randomBoneTensors } from '../random-bones.js'

async function posedIn(boneCount: number) {
  const shape = randomBoneShape(boneCount, { boneCount })
  const arena = new Arena()
  const plan = planBones(shape, randomBoneTensors(shape, 1), reserveStaging(arena), arena)
  const options = { relaxed: false, threads: 1, define: defineBoneKernels, worthSharing: 1, arena }
  const { kernels, floats } = await startKernels<BoneKernels>({ ...options, scratchSize: plan.scratchSize })
  return { shape, plan, pose: new BonePose(shape, plan, kernels, floats), floats }
}

describe('BonePose', () => {
  it.each([1, 2, 5, 30])('places %d bones as plain code does', async (count) => {
    const { shape, plan, pose, floats } = await posedIn(count)
    for (const seed of [1, 2, 3]) {
      const { matrices, drivers } = randomBonePose(shape, seed)
      // A joint that mirrors, and one scaled to nothing.
      const lost = 16 * shape.bones[0].joint
      if (seed === 2) for (let i = 0; i < 3; i++) matrices[lost + i] *= -1
      if (seed === 3) matrices.fill(0, lost, lost + 12)
      expect(pose.set(matrices, drivers)).toBe(true)
      const due = makePosedBones(count)
      poseBones(shape, matrices, due)
      for (let b = 0; b < count; b++) {
        const direction = [...due.segments.subarray(6 * b + 3, 6 * b + 6)]
        const squared = direction.reduce((sum, value) => sum + value * value, LEAST_SQUARE)
        const segment = [...due.segments.subarray(6 * b, 6 * b + 3), ...direction.map((d) => -d), -1 / squared]
        expect(at(floats, plan.segments + SEGMENT.size * b, 7)).toEqual(segment.map(asFloat))
        const [columns, rows] = [4, 3].map((lines) => Array.from({ length: 4 * lines }, () => 0))
        for (let row = 0; row < 3; row++) {
          for (let column = 0; column < 4; column++) {
            const entry = asFloat(due.toBox[12 * b + 4 * row + column])
            columns[4 * column + row] = entry
            if (column < 3) rows[4 * row + column] = entry
          }
        }
        expect(at(floats, plan.boxes + BOX.size * b + BOX.at.columns, 16)).toEqual(columns)
        expect(at(floats, plan.boxes + BOX.size * b + BOX.at.rows, 12)).toEqual(rows)
      }
    }
  })

  it('takes nothing that is not finite, and names it', async () => {
    const shape = randomBoneShape(9, { boneCount: 6 })
    const network = await createSimdBoneNetwork(shape, randomBoneTensors(shape, 9), { relaxed: false, threads: 1 })
    const { matrices, drivers } = randomBonePose(shape, 9)
    network.pose(matrices, drivers)
    const points = randomBonePoints(20, 9)
    const ask = (): Float32Array => {
      const distances = new Float32Array(20)
      network.query(points, 20, distances)
      return distances
    }
    const broken = (values: Float64Array, i: number, value: number): Float64Array => {
      const copy = values.map((number) => 0.5 * number)
      copy[i] = value
      return copy
    }
    const before = ask()
    const more = Float64Array.from([...matrices, ...matrices.subarray(16)])
    expect(() => network.pose(broken(matrices, 35, Number.NaN), drivers)).toThrow(/joint 2 is NaN/)
    expect(() => network.pose(broken(matrices, 6 * 16 + 15, Infinity), drivers)).toThrow(/joint 6 is Infinity/)
    // Of a joint that has no bone.
    expect(() => network.pose(broken(more, more.length - 1, Number.NaN), drivers)).toThrow(/joint 12 is NaN/)
    expect(() => network.pose(matrices, broken(drivers, 143, -Infinity))).toThrow(/bone 5 is -Infinity/)
    // Finite, but not as a float.
    expect(() => network.pose(matrices, broken(drivers, 0, 1e39))).toThrow(/bone 0 is Infinity/)
    expect(ask()).toEqual(before)
  })
})

function at(floats: Float32Array, address: number, count: number): number[] {
  return [...floats.subarray(address / 4, address / 4 + count)].map((value) => value + 0)
}

/** Zeros of either sign are one. */
function asFloat(value: number): number {
  return Math.fround(value) + 0
}
