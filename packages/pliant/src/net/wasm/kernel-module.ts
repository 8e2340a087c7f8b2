/**
 * The kernels as one WebAssembly module, assembled when first needed and shared by every network of the process
 * (several modules alive in one Node 20 process sometimes ran up to four times slower).
 */
import { defineRunBones } from '../bones/wasm/run-bones.js'
import { defineActivation, FORMULAS } from './activation.js'
import { ModuleBuilder } from './assembler.js'
import { defineDense } from './dense.js'
import { defineGridPullBack, defineGridSample } from './grid.js'
import { plainMadd, relaxedMadd } from './madd.js'
import { defineRun } from './run.js'
import { defineTranspose } from './transpose.js'

/** What an instance of the module exports. Addresses in bytes; see the files of the kernels. */
export interface KernelExports {
  /** Answers `count` points of a program from point `first` on. */
  run(program: number, first: number, count: number, scratch: number): void
  /** The same for networks in bone frames. */
  runBones(program: number, first: number, count: number, scratch: number): void
  /** Poses the bones that no point has asked yet; otherwise a batch poses those that it asks. */
  poseBones(program: number, scratch: number): void
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

export interface KernelVariant {
  /** Fused multiply-add of relaxed SIMD. */
  relaxed: boolean
  /** For a memory that threads share. */
  shared: boolean
}

const compiled = new Map<string, Promise<WebAssembly.Module>>()

export function kernelModule(variant: KernelVariant): Promise<WebAssembly.Module> {
  const key = `${variant.relaxed} ${variant.shared}`
  const known = compiled.get(key)
  if (known) return known
  const module = WebAssembly.compile(assembleKernels(variant))
  compiled.set(key, module)
  return module
}

export function assembleKernels({ relaxed, shared }: KernelVariant): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder()
  const madd = relaxed ? relaxedMadd : plainMadd
  const tanh = defineActivation(module, madd, FORMULAS.tanh, 'tanh')
  const dense = defineDense(module, madd, 'bias', 'dense')
  defineRun(module, madd, {
    dense: {
      bias: dense,
      slope: defineDense(module, madd, 'slope'),
      mask: defineDense(module, madd, 'mask'),
    },
    activation: {
      silu: defineActivation(module, madd, FORMULAS.silu),
      tanh,
      elu: defineActivation(module, madd, FORMULAS.elu),
      softplus: defineActivation(module, madd, FORMULAS.softplus),
    },
    sample: defineGridSample(module, madd),
    pullBack: defineGridPullBack(module, madd),
  })
  defineTranspose(module)
  defineRunBones(module, madd, { dense, tanh })
  return module.bytes({ shared })
}
