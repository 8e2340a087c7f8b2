/**
 * The small dense network of one pair, one row at a time. Panels are of 24 columns where that leaves fewer of them empty than
 * 16 do, and the last layer, which has one output, is a product of two rows: 24 x 24 takes 2/3 of the multiplications that
 * panels of 16 take.
 */
import type { Arena } from '../../../math/wasm/arena.js'
import {
  doWhile,
  f32,
  f32x4,
  i32,
  increase,
  type ModuleBuilder,
  type Statement,
  v128,
  when,
  whileLoop,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import type { Activation } from '../../dense/dense-shape.js'
import { FORMULAS } from '../../wasm/activation.js'
import { defineDenseRow } from '../../wasm/dense.js'
import type { Madd } from '../../wasm/madd.js'
import { PANEL, packedRows, packMatrix, roundUp } from '../../wasm/pack.js'
import { ACTIVATION } from '../../wasm/records.js'

/** Columns of a panel. */
const WIDE = 24
/** Words that the outputs of a layer take, whatever its panels. */
export function layerWords(outputs: number): number {
  return Math.max(roundUp(outputs, PANEL), roundUp(outputs, WIDE))
}

/** A hidden layer of one pair. */
const LAYER = record({
  /** Panels. */
  weight: 'u32',
  bias: 'u32',
  inputs: 'u32',
  panels: 'u32',
  isWide: 'u32',
  /** 0 for relu, -infinity for none. */
  floor: 'f32',
  /** ACTIVATION that follows, and bytes of the outputs. */
  activation: 'u32',
  width: 'u32',
})

/** The last one: a row of weights, of so many bytes, and the bias. */
const LAST = record({ weight: 'u32', width: 'u32', bias: 'f32' })

/** Addresses. */
export interface PackedPair {
  layers: number
  layersEnd: number
  last: number
}

/**
 * @param widths   of the input row, of each hidden layer, and 1
 * @param weights  of each layer, row-major [in, out]
 */
export function packPairLayers(
  widths: readonly number[],
  weights: readonly Float32Array[],
  biases: readonly Float32Array[],
  activation: Activation,
  arena: Arena,
): PackedPair {
  const behind = activation === 'relu' ? ACTIVATION.none : ACTIVATION[activation]
  const hidden = widths.slice(1, -1).map((outputs, l) => {
    const panel = roundUp(outputs, WIDE) < roundUp(outputs, PANEL) ? WIDE : PANEL
    const bias = new Float32Array(roundUp(outputs, panel))
    bias.set(biases[l])
    return {
      weight: arena.place(packMatrix(weights[l], widths[l], outputs, panel)),
      bias: arena.place(bias),
      inputs: packedRows(widths[l]),
      panels: bias.length / panel,
      isWide: panel === WIDE ? 1 : 0,
      floor: activation === 'relu' ? 0 : -Infinity,
      activation: behind,
      width: 4 * roundUp(outputs, 4),
    }
  })
  const end = widths.length - 2
  const row = new Float32Array(roundUp(widths[end], 4))
  row.set(weights[end])
  const layers = arena.place(LAYER.encode(hidden))
  const last = LAST.encode([{ weight: arena.place(row), width: 4 * row.length, bias: biases[end][0] }])
  return { layers, layersEnd: layers + hidden.length * LAYER.size, last: arena.place(last) }
}

/** Answers a row at `from` by LAYER records from `layers` to `end`, then LAST; rows behind it take turns at `to` and `from`. */
export function definePairLayers(module: ModuleBuilder, madd: Madd) {
  const narrow = defineDenseRow(module, madd, 'pairs.row')
  const wide = defineDenseRow(module, madd, 'pairs.row24', 'bias', WIDE / 4)
  const names = ['silu', 'tanh', 'elu', 'softplus'] as const
  const passes = names.map((name) => ({ kind: ACTIVATION[name], pass: defineValues(module, madd, name) }))
  const params = { layers: 'i32', end: 'i32', last: 'i32', from: 'i32', to: 'i32' } as const
  return module.define('pairs.layers', { params, result: 'f32' }, ({ layers, end, last, from, to }, scope) => {
    const [kind, spare, past] = scope.some(3, 'i32')
    const sum = scope.local('v128')
    const field = (name: Exclude<keyof typeof LAYER.at, 'floor'>) => LAYER.load(layers.get, name)
    const one = i32.const(1)
    const row = {
      ...{
        to,
        toStride: i32.const(0),
        from,
        fromStride: i32.const(0),
        rows: one,
        floor: LAYER.load(layers.get, 'floor'),
      },
      ...{ weight: field('weight'), inputs: field('inputs'), panels: field('panels'), beside: field('bias') },
    }
    const layer: Statement[] = [
      when(field('isWide'), [wide.call(row)], [narrow.call(row)]),
      kind.set(field('activation')),
      ...passes.map((each) =>
        when(i32.eq(kind.get, i32.const(each.kind)), [
          each.pass.call({ values: to, end: i32.add(to.get, field('width')) }),
        ]),
      ),
      spare.set(from.get),
      from.set(to.get),
      to.set(spare.get),
      increase(layers, LAYER.size),
    ]
    return [
      whileLoop(i32.ltU(layers.get, end.get), layer),
      spare.set(LAST.load(last.get, 'weight')),
      past.set(i32.add(from.get, LAST.load(last.get, 'width'))),
      sum.set(f32x4.const(0)),
      doWhile(
        [sum.set(madd(v128.load(from.get), v128.load(spare.get), sum.get)), increase(from, 16), increase(spare, 16)],
        i32.ltU(from.get, past.get),
      ),
      sum.set(f32x4.add(sum.get, v128.shuffle(sum.get, sum.get, [2, 3, 0, 1]))),
      sum.set(f32x4.add(sum.get, v128.shuffle(sum.get, sum.get, [1, 0, 3, 2]))),
      f32.add(f32x4.extract(sum.get, 0), LAST.load(last.get, 'bias')),
    ]
  })
}

/** An activation without its slope. */
function defineValues(module: ModuleBuilder, madd: Madd, name: keyof typeof FORMULAS) {
  const params = { values: 'i32', end: 'i32' } as const
  return module.define(`pairs.${name}`, { params }, ({ values, end }, scope) => {
    const [x, slope] = scope.some(2, 'v128')
    return [
      doWhile(
        [
          x.set(v128.load(values.get)),
          ...FORMULAS[name](scope, madd, x, slope),
          v128.store(values.get, x.get),
          increase(values, 16),
        ],
        i32.ltU(values.get, end.get),
      ),
    ]
  })
}
