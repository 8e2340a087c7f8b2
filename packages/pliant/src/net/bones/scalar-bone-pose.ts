/** The work per pose in plain code: drivers to coefficients to each bone's warp grid (formula: bone-shape.ts). */
import type { Tensors } from '../network.js'
import { type BoneNetworkShape, MAX_DRIVERS } from './bone-shape.js'

/**
 * @param drivers  [bones, 3 * MAX_DRIVERS]
 * @param out      receives the posed grids, laid out as 'warp.base'
 */
export function poseWarps(
  shape: BoneNetworkShape,
  tensors: Tensors,
  drivers: ArrayLike<number>,
  out: Float32Array,
): void {
  const inputs = 3 * MAX_DRIVERS
  const { coefficients, codeHidden } = shape
  const base = tensors.get('warp.base')!
  const basis = tensors.get('warp.basis')!
  const size = base.length / shape.bones.length
  const c = new Float64Array(coefficients)
  const units = new Float64Array(codeHidden)
  for (let b = 0; b < shape.bones.length; b++) {
    const u = (i: number): number => drivers[b * inputs + i]
    units.set(ofBone(tensors, 'code.hidden.bias', b, codeHidden))
    addProduct(u, inputs, ofBone(tensors, 'code.hidden.weight', b, inputs * codeHidden), units)
    for (let h = 0; h < codeHidden; h++) units[h] = Math.tanh(units[h])
    c.set(ofBone(tensors, 'code.offset', b, coefficients))
    addProduct(u, inputs, ofBone(tensors, 'code.linear', b, inputs * coefficients), c)
    addProduct((h) => units[h], codeHidden, ofBone(tensors, 'code.output', b, codeHidden * coefficients), c)
    for (let i = 0; i < size; i++) {
      let sum = base[b * size + i]
      for (let k = 0; k < coefficients; k++) sum += c[k] * basis[(b * coefficients + k) * size + i]
      out[b * size + i] = sum
    }
  }
}

function ofBone(tensors: Tensors, name: string, bone: number, length: number): Float32Array {
  return tensors.get(name)!.subarray(bone * length, (bone + 1) * length)
}

/** out += row * matrix, [rows, out.length]. */
function addProduct(row: (i: number) => number, rows: number, matrix: Float32Array, out: Float64Array): void {
  for (let i = 0; i < rows; i++) {
    const value = row(i)
    for (let o = 0; o < out.length; o++) out[o] += value * matrix[i * out.length + o]
  }
}
