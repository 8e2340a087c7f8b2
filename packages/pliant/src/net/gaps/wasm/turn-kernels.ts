/**
 * Pieces that turn and stretch, T = exp(v) S (piece-shape.ts), and the way back, four at a time. Their numbers lie in planes:
 * all x of v, all y, all z, then xx, xy, xz, yy, yz, zz of S; T row by row.
 *
 * exp(v) is the rotation by the quaternion (cos h, v sin h / (2 h)), h = |v| / 2. Quarters of a turn are taken off h until
 * series do: h - n pi changes the quaternion's sign at most, which the rotation does not see.
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
} from '../../../math/wasm/assembler.js'
import type { Madd } from '../../wasm/madd.js'
import { PIECE_SIZE, STRETCH } from '../piece-shape.js'

const { add, sub, mul, div } = f32x4

/** Until |h| <= pi / 2 seven terms leave less than rounding. */
const SINE = [1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362_880, -1 / 39_916_800, 1 / 6_227_020_800]
const COSINE = [1, -1 / 2, 1 / 24, -1 / 720, 1 / 40_320, -1 / 3_628_800, 1 / 479_001_600]
/** pi in two parts, of which whole multiples of the first are exact. */
const PI = [3.140625, Math.PI - 3.140625] as const
/** Squared, of angles below which quotients stand at their limits, which they are to single precision. */
const LEAST_SQUARE = 1e-12

interface Turn {
  /** R, row by row. */
  r: readonly Local<'v128'>[]
  /** |v|^2, at least a little. */
  square: Local<'v128'>
  /** cos h, and sin h / h. */
  cosine: Local<'v128'>
  quotient: Local<'v128'>
  /** Fills them. */
  statements: Statement[]
}

/** R = exp(v) */
function turnOf(scope: Scope, madd: Madd, v: readonly Local<'v128'>[]): Turn {
  const r = scope.some(9, 'v128')
  const [square, half, whole, rest, cosine, quotient, w] = scope.some(7, 'v128')
  const [x, y, z] = scope.some(3, 'v128')
  const series = (terms: readonly number[]): V128 =>
    terms.reduceRight<V128 | undefined>(
      (sum, term) => (sum ? madd(sum, w.get, f32x4.const(term)) : f32x4.const(term)),
      undefined,
    )!
  // Adding 1.5 * 2^23 rounds to an integer.
  const magic = f32x4.const(12582912)
  const twice = (a: V128, b: V128): V128 => mul(add(a, a), b)
  const products = scope.some(9, 'v128')
  const [xx, yy, zz, xy, xz, yz, wx, wy, wz] = products
  const one = f32x4.const(1)
  return {
    ...{ r, square, cosine, quotient },
    statements: [
      square.set(madd(v[0].get, v[0].get, madd(v[1].get, v[1].get, mul(v[2].get, v[2].get)))),
      square.set(f32x4.pmax(square.get, f32x4.const(LEAST_SQUARE))),
      half.set(mul(f32x4.sqrt(square.get), f32x4.const(0.5))),
      whole.set(sub(add(mul(half.get, f32x4.const(1 / Math.PI)), magic), magic)),
      rest.set(sub(sub(half.get, mul(whole.get, f32x4.const(PI[0]))), mul(whole.get, f32x4.const(PI[1])))),
      w.set(mul(rest.get, rest.get)),
      cosine.set(series(COSINE)),
      quotient.set(div(mul(rest.get, series(SINE)), half.get)),
      w.set(mul(quotient.get, f32x4.const(0.5))),
      ...[x, y, z].map((axis, k) => axis.set(mul(v[k].get, w.get))),
      ...(
        [
          [xx, x, x],
          [yy, y, y],
          [zz, z, z],
          [xy, x, y],
          [xz, x, z],
          [yz, y, z],
          [wx, cosine, x],
          [wy, cosine, y],
          [wz, cosine, z],
        ] as const
      ).map(([to, a, b]) => to.set(twice(a.get, b.get))),
      r[0].set(sub(one, add(yy.get, zz.get))),
      r[1].set(sub(xy.get, wz.get)),
      r[2].set(add(xz.get, wy.get)),
      r[3].set(add(xy.get, wz.get)),
      r[4].set(sub(one, add(xx.get, zz.get))),
      r[5].set(sub(yz.get, wx.get)),
      r[6].set(sub(xz.get, wy.get)),
      r[7].set(add(yz.get, wx.get)),
      r[8].set(sub(one, add(xx.get, yy.get))),
    ],
  }
}

const PARAMS = {
  told: 'i32',
  turned: 'i32',
  /** Receives the gradient by what was told; on the way there unused. */
  byTold: 'i32',
  /** Bytes of a plane, not zero, and from row to row of all three. */
  plane: 'i32',
  stride: 'i32',
  rows: 'i32',
} as const

/** T of what is told. */
export function defineTurn(module: ModuleBuilder, madd: Madd) {
  return defineOverPieces(module, 'pieces.turn', (scope, { told, turned }) => {
    const { r, statements } = turnOf(scope, madd, told.vector)
    return [...statements, ...turned.map((at, i) => v128.store(at, rowTimes(madd, r, told.stretch, i)))]
  })
}

/** Entry i of R S. */
function rowTimes(madd: Madd, r: readonly Local<'v128'>[], stretch: readonly Local<'v128'>[], i: number): V128 {
  const [row, column] = [3 * Math.trunc(i / 3), i % 3]
  const [a, b, c] = [0, 1, 2].map((k) => stretch[STRETCH[3 * k + column]].get)
  return madd(r[row].get, a, madd(r[row + 1].get, b, mul(r[row + 2].get, c)))
}

/** From the gradient by T, in its place, to that by v and S. */
export function defineTurnBack(module: ModuleBuilder, madd: Madd) {
  return defineOverPieces(module, 'pieces.turnBack', (scope, { told, turned, byTold }) => {
    const { r, square, cosine, quotient, statements } = turnOf(scope, madd, told.vector)
    const by = scope.some(9, 'v128')
    const byR = scope.some(9, 'v128')
    const w = scope.some(3, 'v128')
    const [rest, along, across] = scope.some(3, 'v128')
    const dot = (a: readonly Local<'v128'>[], i: number, b: readonly Local<'v128'>[], j: number): V128 =>
      madd(a[i].get, b[j].get, madd(a[i + 1].get, b[j + 1].get, mul(a[i + 2].get, b[j + 2].get)))
    /** Entry (j, k) of R^T by. */
    const byEntry = (j: number, k: number): V128 =>
      madd(r[j].get, by[k].get, madd(r[3 + j].get, by[3 + k].get, mul(r[6 + j].get, by[6 + k].get)))
    const [x, y, z] = told.vector
    /** Entry of v x w. */
    const cross = (k: number): V128 => {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3]
      return sub(mul([x, y, z][a].get, w[b].get), mul([x, y, z][b].get, w[a].get))
    }
    return [
      ...statements,
      ...by.map((value, i) => value.set(v128.load(turned[i]))),
      // S as it is its own transpose.
      ...byR.map((value, i) => value.set(rowTimes(madd, by, told.stretch, i))),
      // Turning R by a small w changes it by [w] R (rotation-exponential.ts).
      w[0].set(sub(dot(byR, 6, r, 3), dot(byR, 3, r, 6))),
      w[1].set(sub(dot(byR, 0, r, 6), dot(byR, 6, r, 0))),
      w[2].set(sub(dot(byR, 3, r, 0), dot(byR, 0, r, 3))),
      // J^T w = a w + c (v . w) v - b v x w with a = sin t / t, b = (1 - cos t) / t^2, c = (1 - a) / t^2.
      rest.set(mul(quotient.get, cosine.get)),
      along.set(madd(x.get, w[0].get, madd(y.get, w[1].get, mul(z.get, w[2].get)))),
      along.set(mul(along.get, div(sub(f32x4.const(1), rest.get), square.get))),
      across.set(mul(mul(quotient.get, quotient.get), f32x4.const(0.5))),
      ...[x, y, z].map((axis, k) =>
        v128.store(byTold[k], sub(madd(rest.get, w[k].get, mul(along.get, axis.get)), mul(across.get, cross(k)))),
      ),
      ...[0, 1, 2].flatMap((j) =>
        [0, 1, 2].slice(j).map((k) => {
          const to = byTold[3 + STRETCH[3 * j + k]]
          return v128.store(to, j === k ? byEntry(j, k) : add(byEntry(j, k), byEntry(k, j)))
        }),
      ),
    ]
  })
}

interface FourPieces {
  told: { vector: readonly Local<'v128'>[]; stretch: readonly Local<'v128'>[] }
  /** Where the nine numbers of each are. */
  turned: readonly Local<'i32'>['get'][]
  byTold: readonly Local<'i32'>['get'][]
}

/** A pass over all pieces of all rows. */
function defineOverPieces(module: ModuleBuilder, name: string, body: (scope: Scope, four: FourPieces) => Statement[]) {
  return module.define(name, { params: PARAMS }, ({ told, turned, byTold, plane, stride, rows }, scope) => {
    const offset = scope.local('i32')
    const nine = () => scope.some(PIECE_SIZE, 'i32')
    const addresses = { told: nine(), turned: nine(), byTold: nine() }
    const starts = { told, turned, byTold } as const
    const values = scope.some(PIECE_SIZE, 'v128')
    const locate = (['told', 'turned', 'byTold'] as const).flatMap((of) =>
      addresses[of].map((address, i) =>
        address.set(i === 0 ? i32.add(starts[of].get, offset.get) : i32.add(addresses[of][i - 1].get, plane.get)),
      ),
    )
    const get = (all: readonly Local<'i32'>[]) => all.map((address) => address.get)
    return [
      doWhile(
        [
          offset.set(i32.const(0)),
          doWhile(
            [
              ...locate,
              ...values.map((value, i) => value.set(v128.load(addresses.told[i].get))),
              ...body(scope, {
                told: { vector: values.slice(0, 3), stretch: values.slice(3) },
                turned: get(addresses.turned),
                byTold: get(addresses.byTold),
              }),
              increase(offset, 16),
            ],
            i32.ltU(offset.get, plane.get),
          ),
          ...[told, turned, byTold].map((start) => increase(start, stride.get)),
          rows.set(i32.sub(rows.get, i32.const(1))),
        ],
        rows.get,
      ),
    ]
  })
}
