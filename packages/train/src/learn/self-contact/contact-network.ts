/** A network that is being learned: one compiled function, asked with whatever weights it has by now. */
import { type CompiledFunction, compileFunction, grad, input, sum } from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import type { ContactGraph } from './contact-graph.js'

/** Codes of one run: more do not make it faster. */
const ROWS = 4096

export class ContactNetwork {
  private constructor(
    private readonly graph: ContactGraph,
    private readonly values: CompiledFunction<'values'>,
    private readonly both: CompiledFunction<'values' | 'gradients'>,
  ) {}

  /** @param threads  of both functions; with another number sums round otherwise */
  static async create(graph: ContactGraph, threads: number): Promise<ContactNetwork> {
    const tensors = new Map([...graph.tensors].map(([name, dims]) => [name, input(name, dims)]))
    const codes = input('codes', ['n', graph.codeSize])
    const inputs = [codes, ...tensors.values()]
    const values = graph.values((name) => tensors.get(name)!, codes, 'n')
    const gradients = grad(sum(values), [codes])[0]
    return new ContactNetwork(
      graph,
      await compileFunction({ inputs, outputs: { values } }, { threads }),
      await compileFunction({ inputs, outputs: { values, gradients } }, { threads }),
    )
  }

  /** @param codes  one after the other */
  async valuesAt(weights: Weights, codes: Float32Array): Promise<Float32Array> {
    const values = new Float32Array(codes.length / this.graph.codeSize)
    for await (const part of this.parts(this.values, weights, codes)) values.set(part.result.values, part.first)
    return values
  }

  /** The same with the gradients by the code. */
  async gradientsAt(weights: Weights, codes: Float32Array): Promise<{ values: Float32Array; gradients: Float32Array }> {
    const { codeSize } = this.graph
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
    const { codeSize } = this.graph
    const feeds = Object.fromEntries([...this.graph.tensors.keys()].map((name) => [name, weights.get(name)!]))
    for (let first = 0; first < codes.length / codeSize; first += ROWS) {
      const part = codes.slice(first * codeSize, (first + ROWS) * codeSize)
      yield { first, result: await of.run({ codes: part, ...feeds }) }
    }
  }
}
