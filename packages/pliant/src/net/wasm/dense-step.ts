/** One DENSE record: a layer there or back, and the activation behind it. */
import { type I32, i32, type ModuleBuilder, type Statement, when } from '../../math/wasm/assembler.js'
import { type ActivationFunction, defineActivation } from './activation.js'
import { type DenseFunction, defineDense } from './dense.js'
import type { Madd } from './madd.js'
import { ACTIVATION, DENSE, FINISH } from './records.js'

export interface LayerKernels {
  dense: Record<keyof typeof FINISH, DenseFunction>
  activation: Record<'silu' | 'tanh' | 'elu' | 'softplus', ActivationFunction>
}

/** Every ending and every activation. */
export function defineLayerKernels(module: ModuleBuilder, madd: Madd): LayerKernels {
  return {
    dense: {
      bias: defineDense(module, madd, 'bias'),
      slope: defineDense(module, madd, 'slope'),
      mask: defineDense(module, madd, 'mask'),
    },
    activation: {
      silu: defineActivation(module, madd, 'silu'),
      tanh: defineActivation(module, madd, 'tanh'),
      elu: defineActivation(module, madd, 'elu'),
      softplus: defineActivation(module, madd, 'softplus'),
    },
  }
}

/** `step` is the record's address. */
export function defineDenseStep(module: ModuleBuilder, { dense, activation }: LayerKernels) {
  const params = { step: 'i32', rows: 'i32', scratch: 'i32' } as const
  return module.define('dense.step', { params }, ({ step, rows, scratch }, scope) => {
    const [to, kind] = scope.some(2, 'i32')
    type Word = Exclude<keyof typeof DENSE.at, 'floor'>
    const field = (name: Word): I32 => DENSE.load(step.get, name)
    const inScratch = (name: Word): I32 => i32.add(scratch.get, field(name))
    const call = (finish: keyof typeof FINISH): Statement =>
      dense[finish].call({
        to,
        toStride: field('toStride'),
        from: inScratch('from'),
        fromStride: field('fromStride'),
        weight: field('weight'),
        inputs: field('inputs'),
        panels: field('panels'),
        beside: finish === 'bias' ? field('beside') : inScratch('beside'),
        floor: DENSE.load(step.get, 'floor'),
        rows,
      })
    const end = i32.add(to.get, i32.mul(rows.get, field('toStride')))
    const passes = (['silu', 'tanh', 'elu', 'softplus'] as const).map((name) =>
      when(i32.eq(kind.get, i32.const(ACTIVATION[name])), [
        activation[name].call({ values: to, slopes: inScratch('slopes'), end }),
      ]),
    )
    return [
      to.set(inScratch('to')),
      kind.set(field('finish')),
      when(
        kind.get,
        [when(i32.eq(kind.get, i32.const(FINISH.slope)), [call('slope')], [call('mask')])],
        [call('bias')],
      ),
      kind.set(field('activation')),
      when(kind.get, passes),
    ]
  })
}
