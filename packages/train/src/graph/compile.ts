/** Functions of tensors, compiled to one ONNX model: forward, or forward and gradient alike. */
import type { InferenceSession } from 'onnxruntime-node'
import { lowerGraph } from './lower.js'
import { encodeModel } from './onnx/model.js'
import { bindFeeds, createSession, type Feeds, type SessionOptions } from './session.js'
import type { Tensor } from './tensor.js'

export interface FunctionParts {
  inputs: readonly Tensor[]
  /** Float32 tensors by the name under which they are returned. */
  outputs: Readonly<Record<string, Tensor>>
  /** Values of parameters by name; the initial ones where missing. They are baked into the model. */
  parameters?: ReadonlyMap<string, Float32Array>
}

export interface RunOptions {
  /** Checked before the run begins. */
  signal?: AbortSignal
}

export interface CompiledFunction<Name extends string = string> {
  /**
   * @returns row-major values by output name
   * @throws RangeError if a feed does not fit; the signal's reason if it is aborted
   */
  run(feeds: Feeds, options?: RunOptions): Promise<Record<Name, Float32Array>>
  /** Frees the memory of onnxruntime; the function cannot run afterwards. */
  dispose(): Promise<void>
}

/**
 * @throws RangeError if an output needs an input that is not listed
 */
export async function compileFunction<Outputs extends Readonly<Record<string, Tensor>>>(
  parts: FunctionParts & { outputs: Outputs },
  options: SessionOptions = {},
): Promise<CompiledFunction<Extract<keyof Outputs, string>>> {
  checkOutputs(parts.outputs)
  const session: InferenceSession = await createSession(lowerGraph(parts), options)
  return {
    async run(feeds, { signal } = {}) {
      signal?.throwIfAborted()
      const results = await session.run(bindFeeds(parts.inputs, feeds))
      const values = Object.keys(parts.outputs).map((name) => [name, results[name].data])
      return Object.fromEntries(values)
    },
    dispose: () => session.release(),
  }
}

/**
 * The same as a plain `.onnx` file for other engines: operator set 18, no custom operators.
 * @param parts.parametersAsConstants  must be true: a plain file has no other place for them
 */
export function exportOnnx(parts: FunctionParts & { parametersAsConstants?: true }): Uint8Array<ArrayBuffer> {
  checkOutputs(parts.outputs)
  return encodeModel(lowerGraph(parts))
}

function checkOutputs(outputs: Readonly<Record<string, Tensor>>): void {
  for (const [name, tensor] of Object.entries(outputs)) {
    if (tensor.type !== 'float32') throw new RangeError(`compile: output '${name}' is ${tensor.type}; return float32.`)
  }
}
