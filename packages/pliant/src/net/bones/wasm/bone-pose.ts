/** A pose in WebAssembly memory: posed segments, boxes and drivers. The warp grids follow when points ask for them. */
import type { PosedBones } from '../bone-choice.js'
import { type BoneNetworkShape, LEAST_SQUARE } from '../bone-shape.js'
import type { BonePlan } from './bone-plan.js'
import { BONE, BOX, SEGMENT } from './bone-records.js'

/** Radius of nobody's segment [m]: farther from every point than any bone is, so that all others enter in full. */
const NOBODY = -1e30

/** Writes what no pose changes. */
export function writeStillParts(shape: BoneNetworkShape, plan: BonePlan, floats: Float32Array): void {
  const radii = [...shape.bones.map(({ radius }) => radius), NOBODY]
  for (const [b, radius] of radii.entries()) {
    floats[(plan.segments + b * SEGMENT.size + SEGMENT.at.radius) / 4] = radius
  }
  for (const [b, { half }] of shape.bones.entries()) {
    floats.set(half, (plan.boxes + b * BOX.size + BOX.at.half) / 4)
  }
}

export function writePosedBones(posed: PosedBones, plan: BonePlan, floats: Float32Array): void {
  const { segments, toBox } = posed
  for (let b = 0; b < plan.boneCount; b++) {
    const segment = (plan.segments + b * SEGMENT.size) / 4
    let squared = LEAST_SQUARE
    for (let axis = 0; axis < 3; axis++) {
      const direction = segments[6 * b + 3 + axis]
      squared += direction * direction
      floats[segment + axis] = segments[6 * b + axis]
      floats[segment + SEGMENT.at.minusDirection / 4 + axis] = -direction
    }
    floats[segment + SEGMENT.at.minusInverse / 4] = -1 / squared
    const box = (plan.boxes + b * BOX.size) / 4
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) {
        const entry = toBox[12 * b + 4 * row + column]
        floats[box + BOX.at.columns / 4 + 4 * column + row] = entry
        if (column < 3) floats[box + BOX.at.rows / 4 + 4 * row + column] = entry
      }
    }
  }
}

/** Drivers of all bones, whose warp grids from now on are out of date. */
export function writeDrivers(drivers: ArrayLike<number>, plan: BonePlan, floats: Float32Array): void {
  for (let i = 0; i < drivers.length; i++) floats[plan.drivers / 4 + i] = drivers[i]
  for (let b = 0; b < plan.boneCount; b++) floats[(plan.bones + b * BONE.size + BONE.at.isPosed) / 4] = 0
}
