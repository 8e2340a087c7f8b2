/**
 * An exported ONNX network run by onnxruntime-node, an optional peer: for hosts that prefer its threads, and as an
 * independent check of our own kernels. Asynchronous, since onnxruntime is.
 */
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Floats } from '../../math/floats.js'
import { requireFinite, requireQuery } from '../../math/require.js'
import { CHUNK, list, type OrtOptions, openSession } from './session.js'

export { createOrtCodeField, type OrtCodeField } from './codes.js'
export type { OrtOptions }

/** Frame, unit and normalisation of points and code are those of the file. */
export interface OrtNetwork {
  /**
   * Values at `count` points (xyz triples), in the units of the file; with an array for them, gradients with respect to the point.
   * @throws Error if gradients are asked for and the file has no output of that name
   */
  query(points: Floats, count: number, code: ArrayLike<number>, values: Floats, gradients?: Floats): Promise<void>
  /** Frees what onnxruntime holds; the network cannot be asked afterwards. */
  dispose(): Promise<void>
}

/**
 * Opens an exported ONNX file.
 * @param onnx  a model with the input 'points' [n, 3], if it has a code also 'code' [c], and the outputs
 *              'distance' [n] or [n, 1] and, for gradients, 'gradient' [n, 3]
 * @throws Error if onnxruntime-node is not installed or the file's inputs and outputs are others
 */
export async function createOrtNetwork(onnx: Uint8Array, options: OrtOptions = {}): Promise<OrtNetwork> {
  const { ort, session } = await openSession(onnx, options)
  checkNames(session)
  const hasCode = session.inputNames.includes('code')
  const hasGradient = session.outputNames.includes('gradient')

  return {
    async query(points, count, code, values, gradients) {
      if (gradients && !hasGradient) {
        throw new Error("ort: the file has no output 'gradient'; export it with gradients.")
      }
      requireQuery(points, count, values, gradients)
      requireFinite('pose', code, 'code entry')
      const feeds: Record<string, Tensor> = {}
      if (hasCode) feeds['code'] = new ort.Tensor('float32', Float32Array.from(code), [code.length])
      const fetches = gradients ? ['distance', 'gradient'] : ['distance']
      for (let start = 0; start < count; start += CHUNK) {
        const size = Math.min(CHUNK, count - start)
        const chunk = Float32Array.from(points.subarray(3 * start, 3 * (start + size)))
        feeds['points'] = new ort.Tensor('float32', chunk, [size, 3])
        const results = await session.run(feeds, fetches)
        values.set(results['distance'].data as Float32Array, start)
        gradients?.set(results['gradient'].data as Float32Array, 3 * start)
      }
    },
    dispose: () => session.release(),
  }
}

function checkNames({ inputNames, outputNames }: InferenceSession): void {
  const unknown = inputNames.filter((name) => name !== 'points' && name !== 'code')
  if (!inputNames.includes('points') || unknown.length > 0) {
    throw new Error(`ort: the file's inputs are ${list(inputNames)}; it needs 'points' and may have 'code'.`)
  }
  if (!outputNames.includes('distance')) {
    throw new Error(`ort: the file's outputs are ${list(outputNames)}; it needs 'distance'.`)
  }
}
