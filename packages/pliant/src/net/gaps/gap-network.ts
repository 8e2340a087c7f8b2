/** A gap network (formula and tensors: gap-shape.ts), ready to be asked, by the fastest backend that the host has. */
import type { Floats } from '../../math/floats.js'
import { chooseBackend } from '../choose-backend.js'
import type { NetworkOptions } from '../create-network.js'
import { createDenseNetwork } from '../dense/dense-network.js'
import type { Backend, Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import { denseOfGaps, type GapShape, gapTensors } from './gap-shape.js'
import { ScalarGapNetwork } from './scalar-gap-network.js'
import { createSimdGapNetwork } from './wasm/simd-gap-network.js'

/** What computes a gap network. */
export interface GapBackend {
  readonly backend: Backend
  readonly backendNote?: string
  /**
   * Values and, if there is room for them, gradients by the code; arrays are checked by the caller.
   * @param codes      one after the other
   * @param values     receives one number for each
   * @param gradients  receives `codeSize` numbers for each
   */
  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void
  /** Ends helper threads, if any. */
  dispose(): void
}

export class GapNetwork implements GapBackend {
  private constructor(
    readonly shape: GapShape,
    private readonly by: GapBackend,
  ) {}

  /**
   * @param tensors  everything that `gapTensors(shape)` lists
   * @throws RangeError if a size is none, or a tensor is missing or has the wrong length; what the backend throws
   */
  static async create(shape: GapShape, tensors: Tensors, options: NetworkOptions = {}): Promise<GapNetwork> {
    requireSizes('gap network', [
      ['codeSize', shape.codeSize, 1],
      ['gaps', shape.gaps, 0],
    ])
    requireTensors('gap network', gapTensors(shape), tensors)
    const { backend } = chooseBackend(options.backend)
    if (backend !== 'scalar' && shape.gaps > 0) {
      const simd = { relaxed: backend === 'simd-relaxed', threads: options.threads ?? 1 }
      return new GapNetwork(shape, await createSimdGapNetwork(shape, tensors, simd))
    }
    // Without gaps it is a dense network, which has kernels of its own.
    const dense = await createDenseNetwork(denseOfGaps(shape), tensors, options)
    return new GapNetwork(shape, new ScalarGapNetwork(shape, tensors, dense))
  }

  get backend(): Backend {
    return this.by.backend
  }

  get backendNote(): string | undefined {
    return this.by.backendNote
  }

  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    this.by.query(codes, count, values, gradients)
  }

  dispose(): void {
    this.by.dispose()
  }
}
