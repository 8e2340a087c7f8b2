/** A gap network that is being learned: one compiled function, asked with whatever weights it has by now. */
import { type GapShape, gapTensors } from 'pliant/unstable'
import { type CompiledFunction, compileFunction, grad, input, sum } from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import { gapGraph } from './gap-graph.js'

/** Codes of one run: more do not make it faster. */
const ROWS = 4096

export class ContactNetwork {
  private constructor(
    readonly shape: GapShape,
    private readonly values: CompiledFunction<'values'>,
    private readonly both: CompiledFunction<'values' | 'gradients'>,
  ) {}

  /** @param threads  of both functions; with another number sums round otherwise */
  static async create(shape: GapShape, threads: number): Promise<ContactNetwork> {
    const names = [...gapTensors(shape)]
    const tensors = new Map(names.map(([name, dims]) => [name, input(name, dims)]))
    const codes = input('codes', ['n', shape.codeSize])
    const inputs = [codes, ...tensors.values()]
    const values = gapGraph(shape, (name) => tensors.get(name)!, codes, 'n')
    const gradients = grad(sum(values), [codes])[0]
    return new ContactNetwork(
      shape,
      await compileFunction({ inputs, outputs: { values } }, { threads }),
      await compileFunction({ inputs, outputs: { values, gradients } }, { threads }),
    )
  }

  /** @param codes  one after the other */
  async valuesAt(weights: Weights, codes: Float32Array): Promise<Float32Array> {
    const values = new Float32Array(codes.length / this.shape.codeSize)
    for await (const part of this.parts(this.values, weights, codes)) values.set(part.result.values, part.first)
    return values
  }

  /** The same with the gradients by the code. */
  async gradientsAt(weights: Weights, codes: Float32Array): Promise<{ values: Float32Array; gradients: Float32Array }> {
    const { codeSize } = this.shape
    const values = new Float32Array(codes.length / codeSize)
    const gradients = new Float32Array(codes.length)
    for await (const { result, first } of this.parts(this.both, weights, codes)) {
      values.set(result.values, first)
      gradients.set(result.gradients, first * codeSize)
    }
    return { values, gradients }
  }

  async dispose(): Promise<void> {
    await Promise.all([this.values.dispose(), this.both.dispose()])
  }

  private async *parts<Name extends string>(of: CompiledFunction<Name>, weights: Weights, codes: Float32Array) {
    const { codeSize } = this.shape
    const feeds = Object.fromEntries([...gapTensors(this.shape).keys()].map((name) => [name, weights.get(name)!]))
    for (let first = 0; first < codes.length / codeSize; first += ROWS) {
      const part = codes.slice(first * codeSize, (first + ROWS) * codeSize)
      yield { first, result: await of.run({ codes: part, ...feeds }) }
    }
  }
}
