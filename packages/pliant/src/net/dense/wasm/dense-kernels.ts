/** The driver of dense networks: takes tiles of rows through the layers, and cotangents back again. */
import {
  doWhile,
  f32x4,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Statement,
  v128,
  when,
  whileLoop,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import { defineDenseStep, defineLayerKernels } from '../../wasm/dense-step.js'
import type { Madd } from '../../wasm/madd.js'
import { DENSE, TILE } from '../../wasm/records.js'

/** One batch query: values, or values and products. Conventions as in net/wasm/records.ts. */
export const DENSE_PROGRAM = record({
  /** Rows of inputs, and of the gradients by them; their stride. */
  inputs: 'u32',
  gradients: 'u32',
  inputStride: 'u32',
  /** Rows of values, and of their cotangents; their stride. */
  values: 'u32',
  cotangents: 'u32',
  valueStride: 'u32',
  /** Arrays of DENSE records. */
  forward: 'u32',
  forwardEnd: 'u32',
  backward: 'u32',
  backwardEnd: 'u32',
  // All of the following in scratch.
  features: 'u32',
  featureGradient: 'u32',
  output: 'u32',
  /** Slopes of the outputs, if `hasSlopes`. */
  slopes: 'u32',
  /** Gradient over the last layer's sums. */
  seeds: 'u32',
  hasSlopes: 'u32',
  wantsGradient: 'u32',
})

/** Exports 'run'; `first` is a multiple of the tile, count is positive. */
export function defineDenseKernels(module: ModuleBuilder, madd: Madd): void {
  const copy = defineCopy(module)
  const weigh = defineWeigh(module)
  const step = defineDenseStep(module, defineLayerKernels(module, madd))
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  module.define('run', { params, isExported: true }, ({ program, first, count, scratch }, scope) => {
    const [rows, at, inputs, values, inputBytes, valueBytes] = scope.some(6, 'i32')
    const field = (name: keyof typeof DENSE_PROGRAM.at) => DENSE_PROGRAM.load(program.get, name)
    const inScratch = (name: keyof typeof DENSE_PROGRAM.at) => i32.add(scratch.get, field(name))
    const staged = (name: 'inputs' | 'gradients' | 'values' | 'cotangents', offset: Local<'i32'>) =>
      i32.add(field(name), offset.get)
    const steps = (from: 'forward' | 'backward', end: 'forwardEnd' | 'backwardEnd'): Statement[] => [
      at.set(field(from)),
      whileLoop(i32.ltU(at.get, field(end)), [step.call({ step: at, rows, scratch }), increase(at, DENSE.size)]),
    ]
    const tile = [
      rows.set(i32.const(TILE)),
      when(i32.ltU(count.get, rows.get), [rows.set(count.get)]),
      inputs.set(i32.mul(first.get, field('inputStride'))),
      values.set(i32.mul(first.get, field('valueStride'))),
      inputBytes.set(i32.mul(rows.get, field('inputStride'))),
      valueBytes.set(i32.mul(rows.get, field('valueStride'))),
      copy.call({ from: staged('inputs', inputs), to: inScratch('features'), bytes: inputBytes }),
      ...steps('forward', 'forwardEnd'),
      copy.call({ from: inScratch('output'), to: staged('values', values), bytes: valueBytes }),
      when(field('wantsGradient'), [
        copy.call({ from: staged('cotangents', values), to: inScratch('seeds'), bytes: valueBytes }),
        when(field('hasSlopes'), [
          weigh.call({ values: inScratch('seeds'), by: inScratch('slopes'), bytes: valueBytes }),
        ]),
        ...steps('backward', 'backwardEnd'),
        copy.call({ from: inScratch('featureGradient'), to: staged('gradients', inputs), bytes: inputBytes }),
      ]),
      increase(first, rows.get),
      count.set(i32.sub(count.get, rows.get)),
    ]
    return [doWhile(tile, count.get)]
  })
}

/** `bytes` is a multiple of 16, not zero. */
function defineCopy(module: ModuleBuilder) {
  const params = { from: 'i32', to: 'i32', bytes: 'i32' } as const
  return module.define('dense.copy', { params }, ({ from, to, bytes }, scope) => {
    const end = scope.local('i32')
    return [
      end.set(i32.add(from.get, bytes.get)),
      doWhile(
        [v128.store(to.get, v128.load(from.get)), increase(from, 16), increase(to, 16)],
        i32.ltU(from.get, end.get),
      ),
    ]
  })
}

/** values *= by */
function defineWeigh(module: ModuleBuilder) {
  const params = { values: 'i32', by: 'i32', bytes: 'i32' } as const
  return module.define('dense.weigh', { params }, ({ values, by, bytes }, scope) => {
    const end = scope.local('i32')
    return [
      end.set(i32.add(values.get, bytes.get)),
      doWhile(
        [
          v128.store(values.get, f32x4.mul(v128.load(values.get), v128.load(by.get))),
          increase(values, 16),
          increase(by, 16),
        ],
        i32.ltU(values.get, end.get),
      ),
    ]
  })
}
