/** The work per pose on SIMD WebAssembly: posed segments and boxes into memory, drivers to each bone's warp grid. */
import type { KernelExports } from '../../wasm/kernel-module.js'
import { PANEL, packedRows } from '../../wasm/pack.js'
import type { PosedBones } from '../bone-choice.js'
import { type BoneNetworkShape, MAX_DRIVERS } from '../bone-shape.js'
import type { BonePlan } from './bone-plan.js'
import { BOX, SEGMENT } from './bone-records.js'

const INPUTS = 3 * MAX_DRIVERS

/** Where a bone stands that is never among the nearest, and lets all others enter in full. */
const FAR = 1e6

/** Writes what no pose changes. */
export function writeStillParts(shape: BoneNetworkShape, plan: BonePlan, floats: Float32Array): void {
  for (let b = 0; b < plan.segmentCount; b++) {
    const at = (plan.segments + b * SEGMENT.size) / 4
    if (b < shape.bones.length) floats[at + SEGMENT.at.radius / 4] = shape.bones[b].radius
    else floats.fill(FAR, at, at + 3)
  }
  for (const [b, { half }] of shape.bones.entries()) {
    floats.set(half, (plan.boxes + b * BOX.size + BOX.at.half) / 4)
  }
}

export function writePosedBones(posed: PosedBones, plan: BonePlan, floats: Float32Array): void {
  const { segments, toBox } = posed
  for (let b = 0; b < plan.bones.length; b++) {
    const segment = (plan.segments + b * SEGMENT.size) / 4
    let squared = 1e-12
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

/** One-row products all the way: drivers to hidden units and coefficients, coefficients to the grid. */
export function poseWarpGrids(
  shape: BoneNetworkShape,
  drivers: ArrayLike<number>,
  plan: BonePlan,
  kernels: KernelExports,
  floats: Float32Array,
): void {
  const codePanels = Math.ceil(shape.coefficients / PANEL)
  const unitPanels = Math.ceil(shape.codeHidden / PANEL)
  const unitRows = packedRows(shape.codeHidden)
  const coefficientRows = packedRows(shape.coefficients)
  const { units, unitSlopes, linearPart, coefficients } = plan
  const product = (out: number, row: number, matrix: number, rows: number, panels: number, bias: number): void =>
    kernels.dense(out, 0, row, 0, matrix, rows, panels, bias, -Infinity, 1)
  for (let b = 0; b < plan.bones.length; b++) {
    const bone = plan.bones[b]
    const at = bone.drivers / 4
    for (let i = 0; i < INPUTS; i++) floats[at + i] = drivers[b * INPUTS + i]
    product(units, bone.drivers, bone.hiddenWeight, INPUTS, unitPanels, bone.hiddenBias)
    kernels.tanh(units, unitSlopes, units + 4 * PANEL * unitPanels)
    product(linearPart, bone.drivers, bone.linear, INPUTS, codePanels, bone.offset)
    product(coefficients, units, bone.output, unitRows, codePanels, linearPart)
    product(bone.warp, coefficients, bone.basis, coefficientRows, plan.warpPanels, bone.base)
  }
}
