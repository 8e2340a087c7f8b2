/** What depends on the code alone, in plain code: coefficients, blended tensors and the first bias. */
import type { Tensors } from '../network.js'
import { featureSize, type NetworkShape } from '../network-shape.js'

/** The tensors a query meets, by name: 'warp', 'dense.{l}.weight', 'dense.{l}.bias'. */
export type PosedTensors = Map<string, Float32Array>

/** Buffers for the tensors that change with the pose; the others are shared with the network. */
export function createPosedTensors(shape: NetworkShape, tensors: Tensors): PosedTensors {
  const posed: PosedTensors = new Map()
  const { conditioning } = shape
  const copy = (name: string): Float32Array => Float32Array.from(tensors.get(name)!)
  const blendsLayers = conditioning.kind === 'blend' && conditioning.layers > 0
  for (let l = 0; l <= shape.hidden.length; l++) {
    const weight = `dense.${l}.weight`
    const bias = `dense.${l}.bias`
    posed.set(weight, blendsLayers ? copy(weight) : tensors.get(weight)!)
    posed.set(bias, blendsLayers || l === 0 ? copy(bias) : tensors.get(bias)!)
  }
  if (shape.warp) posed.set('warp', copy('warp.base'))
  return posed
}

/** Fills `posed` for a code of shape.code values. */
export function poseTensors(shape: NetworkShape, tensors: Tensors, code: ArrayLike<number>, posed: PosedTensors): void {
  const { conditioning } = shape
  if (conditioning.kind === 'input') {
    foldCode(shape, tensors, code, posed.get('dense.0.bias')!)
    return
  }
  const coefficients = codeCoefficients(shape, tensors, code)
  if (shape.warp) {
    blend(tensors.get('warp.base')!, tensors.get('warp.basis')!, coefficients, coefficients.length, posed.get('warp')!)
  }
  if (conditioning.layers === 0) return
  for (let l = 0; l <= shape.hidden.length; l++) {
    for (const name of [`dense.${l}.weight`, `dense.${l}.bias`]) {
      blend(tensors.get(name)!, tensors.get(`${name}.basis`)!, coefficients, conditioning.layers, posed.get(name)!)
    }
  }
}

/** c(z) = L z + V tanh(A z + a) + v. */
function codeCoefficients(shape: NetworkShape, tensors: Tensors, code: ArrayLike<number>): Float64Array {
  const out = Float64Array.from(tensors.get('code.offset')!)
  addProduct(code, shape.code, tensors.get('code.linear')!, out)
  const hiddenBias = tensors.get('code.hidden.bias')
  if (hiddenBias) {
    const hidden = Float64Array.from(hiddenBias)
    addProduct(code, shape.code, tensors.get('code.hidden.weight')!, hidden)
    addProduct(hidden.map(Math.tanh), hidden.length, tensors.get('code.output')!, out)
  }
  return out
}

/** The code's rows of the first layer are its last; what they add is the same for every point of a pose. */
function foldCode(shape: NetworkShape, tensors: Tensors, code: ArrayLike<number>, outBias: Float32Array): void {
  const sums = Float64Array.from(tensors.get('dense.0.bias')!)
  addProduct(code, shape.code, tensors.get('dense.0.weight')!.subarray(featureSize(shape) * sums.length), sums)
  outBias.set(sums)
}

/** out += row vector times row-major matrix [rows, out.length]. */
function addProduct(row: ArrayLike<number>, rows: number, matrix: Float32Array, out: Float64Array): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < out.length; j++) out[j] += row[i] * matrix[i * out.length + j]
  }
}

function blend(
  base: Float32Array,
  basis: Float32Array,
  coefficients: Float64Array,
  count: number,
  out: Float32Array,
): void {
  for (let i = 0; i < out.length; i++) {
    let sum = base[i]
    for (let k = 0; k < count; k++) sum += coefficients[k] * basis[k * out.length + i]
    out[i] = sum
  }
}
