/**
 * The dense kernel: rows of points times a matrix packed in panels of 16 columns, in blocks of 2 rows x 16 columns.
 * On V8 that block is the best (8 sums, 4 weights and 2 inputs fill the 16 registers); unrolling the inner loop spills
 * registers and halves the speed. Every sum runs over the inputs in order, in every block shape, so that a point's
 * answer does not depend on the batch it came in.
 */
import {
  doWhile,
  f32x4,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  type WasmFunction,
  when,
} from '../../math/wasm/assembler.js'
import type { Madd } from './madd.js'
import type { FINISH } from './records.js'

type Finish = keyof typeof FINISH

const PARAMS = {
  to: 'i32',
  toStride: 'i32',
  from: 'i32',
  fromStride: 'i32',
  /** Panels of 16 columns, each [inputs][16]. */
  weight: 'i32',
  inputs: 'i32',
  panels: 'i32',
  /** 'bias': one row of biases. 'slope' and 'mask': rows laid out as the output's. */
  beside: 'i32',
  /** Lower bound of the results ('bias' only): 0 is relu. */
  floor: 'f32',
  rows: 'i32',
} as const

export type DenseFunction = WasmFunction<typeof PARAMS>

type Arguments = { [K in keyof typeof PARAMS]: Local<(typeof PARAMS)[K]> }

/** Adds the kernel with the given ending; the one with a bias is exported as 'dense'. */
export function defineDense(module: ModuleBuilder, madd: Madd, finish: Finish): DenseFunction {
  const isExported = finish === 'bias'
  const name = isExported ? 'dense' : `dense.${finish}`
  const row = defineDenseRow(module, madd, `${name}.row`, finish)
  return module.define(name, { params: PARAMS, isExported }, (p, scope) => densePairs(p, scope, madd, finish, row))
}

/**
 * The kernel for the last of the rows alone.
 * @param vectors  columns of a panel, in fours: 4 as everywhere, or more where these fit the layer better
 */
export function defineDenseRow(
  module: ModuleBuilder,
  madd: Madd,
  name: string,
  finish: Finish = 'bias',
  vectors = 4,
): DenseFunction {
  return module.define(name, { params: PARAMS }, (p, scope) => denseRow(p, scope, madd, finish, vectors))
}

/** All rows: pairs here, an odd last row in the one-row kernel. */
function densePairs(p: Arguments, scope: Scope, madd: Madd, finish: Finish, row: DenseFunction): Statement[] {
  const [a0, a1, end, weight, to, beside, besideRow, from, panel, pair] = scope.some(10, 'i32')
  const sums = [scope.some(4, 'v128'), scope.some(4, 'v128')]
  const [x0, x1, w] = scope.some(3, 'v128')
  const floor = scope.local('v128')
  const block = [
    ...sums.flatMap((rowSums, r) => startSums(rowSums, finish, beside.get, r > 0 ? sums[0] : undefined)),
    a0.set(from.get),
    a1.set(i32.add(from.get, p.fromStride.get)),
    end.set(i32.add(from.get, i32.shl(p.inputs.get, i32.const(2)))),
    weight.set(p.weight.get),
    doWhile(
      [
        x0.set(v128.loadSplat(a0.get)),
        x1.set(v128.loadSplat(a1.get)),
        ...[0, 1, 2, 3].flatMap((c) => [
          w.set(v128.load(weight.get, 16 * c)),
          sums[0][c].set(madd(x0.get, w.get, sums[0][c].get)),
          sums[1][c].set(madd(x1.get, w.get, sums[1][c].get)),
        ]),
        increase(weight, 64),
        increase(a1, 4),
        increase(a0, 4),
      ],
      i32.ltU(a0.get, end.get),
    ),
    ...storeSums(sums[0], finish, to.get, besideRow.get, floor.get),
    increase(to, p.toStride.get),
    increase(besideRow, p.toStride.get),
    ...storeSums(sums[1], finish, to.get, besideRow.get, floor.get),
    increase(to, p.toStride.get),
    increase(besideRow, p.toStride.get),
    increase(from, i32.shl(p.fromStride.get, i32.const(1))),
    pair.set(i32.sub(pair.get, i32.const(2))),
  ]
  return [
    floor.set(f32x4.splat(p.floor.get)),
    when(i32.and(p.rows.get, i32.const(1)), [row.call(lastRowOf(p))]),
    p.rows.set(i32.and(p.rows.get, i32.const(-2))),
    when(p.rows.get, [
      doWhile(
        [
          to.set(i32.add(p.to.get, i32.shl(panel.get, i32.const(6)))),
          beside.set(i32.add(p.beside.get, i32.shl(panel.get, i32.const(6)))),
          besideRow.set(beside.get),
          from.set(p.from.get),
          pair.set(p.rows.get),
          doWhile(block, pair.get),
          p.weight.set(weight.get),
          increase(panel, 1),
        ],
        i32.ltU(panel.get, p.panels.get),
      ),
    ]),
  ]
}

/** The arguments of the one-row kernel for the last of an odd number of rows. */
function lastRowOf(p: Arguments) {
  const lastRow = (base: Local<'i32'>, stride: Local<'i32'>) =>
    i32.add(base.get, i32.mul(i32.sub(p.rows.get, i32.const(1)), stride.get))
  return { ...p, to: lastRow(p.to, p.toStride), from: lastRow(p.from, p.fromStride) }
}

/** One row, a panel at a time: 7.3 us for a point of 8x128; two panels at a time, to hide latency, took 12. */
function denseRow(p: Arguments, scope: Scope, madd: Madd, finish: Finish, vectors: number): Statement[] {
  const [from, end] = scope.some(2, 'i32')
  const sums = scope.some(vectors, 'v128')
  const [x, floor] = scope.some(2, 'v128')
  const inner = [
    x.set(v128.loadSplat(from.get)),
    ...sums.map((sum, c) => sum.set(madd(x.get, v128.load(p.weight.get, 16 * c), sum.get))),
    increase(p.weight, 16 * vectors),
    increase(from, 4),
  ]
  const panel = [
    ...startSums(sums, finish, p.beside.get),
    from.set(p.from.get),
    doWhile(inner, i32.ltU(from.get, end.get)),
    ...storeSums(sums, finish, p.to.get, p.beside.get, floor.get),
    increase(p.to, 16 * vectors),
    increase(p.beside, 16 * vectors),
    p.panels.set(i32.sub(p.panels.get, i32.const(1))),
  ]
  // 'slope' and 'mask' rows lie beside the output's: move to the last row, as `to` was.
  const besideRow = i32.add(p.beside.get, i32.mul(i32.sub(p.rows.get, i32.const(1)), p.toStride.get))
  return [
    floor.set(f32x4.splat(p.floor.get)),
    ...(finish === 'bias' ? [] : [p.beside.set(besideRow)]),
    end.set(i32.add(p.from.get, i32.shl(p.inputs.get, i32.const(2)))),
    doWhile(panel, p.panels.get),
  ]
}

/** Sums start at the bias, which so costs nothing, or at zero; a second row copies the first. */
function startSums(sums: Local<'v128'>[], finish: Finish, bias: Local<'i32'>['get'], first?: Local<'v128'>[]) {
  return sums.map((sum, c) => {
    if (finish !== 'bias') return sum.set(f32x4.const(0))
    return sum.set(first ? first[c].get : v128.load(bias, 16 * c))
  })
}

function storeSums(
  sums: Local<'v128'>[],
  finish: Finish,
  to: Local<'i32'>['get'],
  beside: Local<'i32'>['get'],
  floor: V128,
): Statement[] {
  return sums.map((sum, c) => {
    const other = v128.load(beside, 16 * c)
    if (finish === 'bias') return v128.store(to, f32x4.pmax(sum.get, floor), 16 * c)
    if (finish === 'slope') return v128.store(to, f32x4.mul(sum.get, other), 16 * c)
    return v128.store(to, v128.and(sum.get, f32x4.gt(other, f32x4.const(0))), 16 * c)
  })
}
