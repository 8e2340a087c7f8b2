/** The kernels of posed networks (network-shape.ts), and what their module exports. */
import type { ModuleBuilder } from '../../math/wasm/assembler.js'
import { defineLayerKernels } from './dense-step.js'
import { defineGridPullBack, defineGridSample } from './grid.js'
import type { Driver } from './kernel-module.js'
import type { Madd } from './madd.js'
import { defineRun } from './run.js'
import { defineTranspose } from './transpose.js'

/** Addresses in bytes; see the files of the kernels. */
export interface PointKernels extends Driver {
  /** to = max(floor, from * weight + bias), for the work per pose. */
  dense(
    to: number,
    toStride: number,
    from: number,
    fromStride: number,
    weight: number,
    inputs: number,
    panels: number,
    bias: number,
    floor: number,
    rows: number,
  ): void
  /** tanh in place (values, slopes, end of values). */
  tanh(values: number, slopes: number, end: number): void
  transpose(from: number, to: number, inputs: number, outputs: number): void
}

export function definePointKernels(module: ModuleBuilder, madd: Madd): void {
  defineRun(module, madd, {
    ...defineLayerKernels(module, madd),
    sample: defineGridSample(module, madd),
    pullBack: defineGridPullBack(module, madd),
  })
  defineTranspose(module)
}
