/** An exported dense network (`exportDenseOnnx` of @pliant/train) run by onnxruntime-node. */
import type { Floats } from '../../math/floats.js'
import { requirePullBack, requireRows } from '../dense/dense-checks.js'
import type { DenseShape } from '../dense/dense-shape.js'
import { CHUNK, list, type OrtOptions, openSession } from './session.js'

/** As `DenseNetwork`, asynchronous: shapes of arrays and the meaning of cotangents are there. */
export interface OrtDenseNetwork {
  evaluate(inputs: Floats, count: number, out: Floats): Promise<void>
  pullBack(
    inputs: Floats,
    count: number,
    cotangents: Floats | null,
    outValues: Floats,
    outGradients: Floats,
  ): Promise<void>
  /** Frees what onnxruntime holds; the network cannot be asked afterwards. */
  dispose(): Promise<void>
}

const INPUTS = ['inputs', 'cotangents']
const OUTPUTS = ['values', 'gradients']

/**
 * @param onnx   a model with the inputs 'inputs' [rows, n] and 'cotangents' [rows, m] and the outputs 'values' [rows, m]
 *               and 'gradients' [rows, n]
 * @param shape  what it was exported from
 * @throws Error if onnxruntime-node is not installed or the file's inputs and outputs are others
 */
export async function createOrtDenseNetwork(
  onnx: Uint8Array,
  shape: DenseShape,
  options: OrtOptions = {},
): Promise<OrtDenseNetwork> {
  const { ort, session } = await openSession(onnx, options)
  requireNames('inputs', session.inputNames, INPUTS)
  requireNames('outputs', session.outputNames, OUTPUTS)

  const rows = (source: Floats | null, start: number, count: number, width: number) => {
    const values = source
      ? Float32Array.from(source.subarray(start * width, (start + count) * width))
      : new Float32Array(count * width).fill(1)
    return new ort.Tensor('float32', values, [count, width])
  }
  const run = async (
    inputs: Floats,
    count: number,
    cotangents: Floats | null,
    outValues: Floats,
    outGradients?: Floats,
  ): Promise<void> => {
    for (let start = 0; start < count; start += CHUNK) {
      const size = Math.min(CHUNK, count - start)
      // onnxruntime wants every input, also those that nothing it is asked for depends on.
      const feeds = {
        inputs: rows(inputs, start, size, shape.inputs),
        cotangents: rows(cotangents, start, size, shape.outputs),
      }
      const results = await session.run(feeds, outGradients ? OUTPUTS : OUTPUTS.slice(0, 1))
      outValues.set(results['values'].data as Float32Array, start * shape.outputs)
      outGradients?.set(results['gradients'].data as Float32Array, start * shape.inputs)
    }
  }
  return {
    async evaluate(inputs, count, out) {
      requireRows(shape, inputs, count, out)
      await run(inputs, count, null, out)
    },
    async pullBack(inputs, count, cotangents, outValues, outGradients) {
      requirePullBack(shape, inputs, count, cotangents, outValues, outGradients)
      await run(inputs, count, cotangents, outValues, outGradients)
    },
    dispose: () => session.release(),
  }
}

function requireNames(of: string, names: readonly string[], needed: readonly string[]): void {
  if (needed.every((name) => names.includes(name))) return
  throw new Error(`ort: the file's ${of} are ${list(names)}; a dense network needs ${list(needed)}.`)
}
