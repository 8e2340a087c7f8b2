/** An exported field over codes (`pliant export` of a body with self-contact) run by onnxruntime-node: for large batches. */
import type { Floats } from '../../math/floats.js'
import { isFloats, shown } from '../../math/require.js'
import { CHUNK, list, type OrtOptions, openSession } from './session.js'

/** As `ConfigurationField`, asynchronous. */
export interface OrtCodeField {
  /**
   * Distances of codes and, with an array for them, their gradients by the code; units are those of the file.
   * @throws RangeError if an array is too short or not of floats
   */
  query(codes: Floats, count: number, distances: Floats, gradients?: Floats): Promise<void>
  /** Frees what onnxruntime holds; the field cannot be asked afterwards. */
  dispose(): Promise<void>
}

const INPUT = 'codes'
const OUTPUTS = ['distance', 'gradient']

/**
 * Opens an exported ONNX file.
 * @param onnx      a model with the input 'codes' [n, c] and the outputs 'distance' [n] and 'gradient' [n, c]
 * @param codeSize  c
 * @throws Error if onnxruntime-node is not installed or the file's inputs and outputs are others
 */
export async function createOrtCodeField(
  onnx: Uint8Array,
  codeSize: number,
  options: OrtOptions = {},
): Promise<OrtCodeField> {
  const { ort, session } = await openSession(onnx, options)
  const { inputNames, outputNames } = session
  if (inputNames.join() !== INPUT || !OUTPUTS.every((name) => outputNames.includes(name))) {
    throw new Error(
      `ort: the file has ${list(inputNames)} and ${list(outputNames)}; a field over codes has '${INPUT}' and ${list(OUTPUTS)}.`,
    )
  }
  return {
    async query(codes, count, distances, gradients) {
      requireRoom('codes', codes, count * codeSize)
      requireRoom('distances', distances, count)
      if (gradients) requireRoom('gradients', gradients, count * codeSize)
      for (let start = 0; start < count; start += CHUNK) {
        const size = Math.min(CHUNK, count - start)
        const chunk = Float32Array.from(codes.subarray(start * codeSize, (start + size) * codeSize))
        const feeds = { [INPUT]: new ort.Tensor('float32', chunk, [size, codeSize]) }
        const results = await session.run(feeds, gradients ? OUTPUTS : OUTPUTS.slice(0, 1))
        distances.set(results['distance'].data as Float32Array, start)
        gradients?.set(results['gradient'].data as Float32Array, start * codeSize)
      }
    },
    dispose: () => session.release(),
  }
}

function requireRoom(of: string, values: Floats, length: number): void {
  if (isFloats(values) && values.length >= length) return
  throw new RangeError(`query: ${of} is ${shown(values)}; give ${length} in a Float32Array or Float64Array.`)
}
