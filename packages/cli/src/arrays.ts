/** Arrays that travel as .npy: points and codes in, results out. */

import { fileKind } from '@pliant/train/unstable/input'
import { readNpy, writeNpy } from 'pliant/files'
import { asBadInput, UsageError } from './errors.js'
import { readInput } from './files.js'

export type Precision = 'float32' | 'float64'

export interface Points {
  /** xyz triples [m], finite. */
  readonly data: Float32Array | Float64Array
  readonly count: number
  readonly precision: Precision
}

/** @throws UsageError if the file is no array of shape [n, 3] of finite floats */
export async function readPoints(path: string): Promise<Points> {
  const { shape, data } = await readFloats(path)
  if (shape.length !== 2 || shape[1] !== 3) {
    throw new UsageError(`${path}: points have shape [${shape.join(', ')}]; save them as [n, 3].`)
  }
  const bad = firstNotFinite(data)
  if (bad >= 0) {
    const where = `points[${Math.floor(bad / 3)}, ${bad % 3}]`
    throw new UsageError(`${path}: ${where} is ${data[bad]}; remove or repair points that are not finite.`)
  }
  return { data, count: shape[0], precision: precisionOf(data) }
}

/**
 * @param size  how many values the artifact's code has
 * @param owner the artifact, for the message
 * @throws UsageError if the file is no array of shape [size] or [1, size] of finite floats
 */
export async function readCode(path: string, size: number, owner: string): Promise<Float64Array> {
  const { shape, data } = await readFloats(path)
  if (shape.length > 2 || shape.length === 0 || (shape.length === 2 && shape[0] !== 1)) {
    throw new UsageError(
      `${path}: the code has shape [${shape.join(', ')}]; save one code as [${size}] or [1, ${size}].`,
    )
  }
  if (data.length !== size) {
    const remedy = `pass the code that 'pliant inspect ${owner}' describes`
    throw new UsageError(`${path}: the code has ${data.length} values, ${owner} needs ${size}; ${remedy}.`)
  }
  const bad = firstNotFinite(data)
  if (bad >= 0) throw new UsageError(`${path}: code[${bad}] is ${data[bad]}; pass finite numbers.`)
  return Float64Array.from(data)
}

export interface Codes {
  /** One after the other, finite. */
  readonly data: Float32Array | Float64Array
  readonly count: number
  /** As the file has them: [count, size], or [size] of one. */
  readonly shape: readonly number[]
  readonly precision: Precision
}

/**
 * @param size  how many values the artifact's code has
 * @param owner the artifact, for the message
 * @throws UsageError if the file is no array of shape [n, size] or [size] of finite floats
 */
export async function readCodes(path: string, size: number, owner: string): Promise<Codes> {
  const { shape, data } = await readFloats(path)
  if (shape.length !== 1 && shape.length !== 2) {
    throw new UsageError(`${path}: the codes have shape [${shape.join(', ')}]; save them as [n, ${size}].`)
  }
  const width = shape[shape.length - 1]
  if (width !== size) {
    const remedy = `pass codes that 'pliant inspect ${owner}' describes`
    throw new UsageError(`${path}: a code has ${width} values, ${owner} needs ${size}; ${remedy}.`)
  }
  const bad = firstNotFinite(data)
  if (bad >= 0) {
    const where = `code[${Math.floor(bad / size)}, ${bad % size}]`
    throw new UsageError(`${path}: ${where} is ${data[bad]}; pass finite numbers.`)
  }
  return { data, count: data.length / size, shape, precision: precisionOf(data) }
}

/**
 * @param count  how many nodes the artifact's body has
 * @param owner  the artifact, for the message
 * @throws UsageError if the file is no array of shape [count, 3] of finite floats
 */
export async function readNodes(path: string, count: number, owner: string): Promise<Float64Array> {
  const { shape, data } = await readFloats(path)
  if (shape.length !== 2 || shape[1] !== 3 || shape[0] !== count) {
    throw new UsageError(
      `${path}: nodes have shape [${shape.join(', ')}]; ${owner} needs [${count}, 3], in its own order.`,
    )
  }
  const bad = firstNotFinite(data)
  if (bad >= 0) {
    throw new UsageError(`${path}: nodes[${Math.floor(bad / 3)}, ${bad % 3}] is ${data[bad]}; pass finite numbers.`)
  }
  return Float64Array.from(data)
}

/** A float array of the wanted precision. */
export function makeFloats(precision: Precision, length: number): Float32Array | Float64Array {
  return precision === 'float32' ? new Float32Array(length) : new Float64Array(length)
}

/** The bytes of a .npy file. */
export function npyBytes(
  data: Float32Array | Float64Array | Uint32Array | Uint8Array,
  shape: readonly number[],
): Uint8Array {
  return writeNpy(data, [...shape])
}

async function readFloats(path: string): Promise<{ shape: readonly number[]; data: Float32Array | Float64Array }> {
  const bytes = await readInput(path)
  if (fileKind(bytes) === 'artifact') {
    throw new UsageError(`${path} is a trained artifact, not a .npy array; pass an array of numbers.`)
  }
  const { shape, data, dtype } = await asBadInput(() => readNpy(bytes), path)
  // By the type in the file: 64-bit integers arrive as Float64Array too.
  if (dtype !== 'f4' && dtype !== 'f8') {
    throw new UsageError(`${path}: the array holds ${dtype}; save it as float32 (f4) or float64 (f8).`)
  }
  return { shape, data: data as Float32Array | Float64Array }
}

function precisionOf(data: Float32Array | Float64Array): Precision {
  return data instanceof Float32Array ? 'float32' : 'float64'
}

function firstNotFinite(data: Float32Array | Float64Array): number {
  for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) return i
  return -1
}
