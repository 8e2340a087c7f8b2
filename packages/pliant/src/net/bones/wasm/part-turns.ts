/** Rotations of parts: the polar part of their motions by Higham's iteration, as math/polar3.ts has it, two at a time. */

import { HIGHAM_STEPS, LEAST_CHANGE, LEAST_VOLUME } from '../../../math/polar3.js'
import {
  doWhile,
  f64x2,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
} from '../../../math/wasm/assembler.js'
import { MOTION, PAIR_MATRIX, PARTS, TURNED } from './part-records.js'

const { add, sub, mul, div, abs } = f64x2

/**
 * Exports 'turnParts': writes rotations, and returns TURNED if that is all of them. Parts whose motion is as good as
 * singular, or turned inside out, are left to polarRotation; `turned` says which.
 */
export function defineTurnParts(module: ModuleBuilder): void {
  const params = { parts: 'i32' } as const
  module.define('turnParts', { params, result: 'i32', isExported: true }, ({ parts }, scope) => {
    const word = (name: 'motions' | 'motionsEnd' | 'rotations' | 'turned') => PARTS.load(parts.get, name)
    const [motion, end, to, flags, left, all] = scope.some(6, 'i32')
    const r = scope.some(9, 'v128')
    const cofactors = scope.some(9, 'v128')
    const [determinant, isGoing, change, next, volume] = scope.some(5, 'v128')
    const step: Statement[] = [
      determinant.set(div(f64x2.const(1), determinant.get)),
      change.set(f64x2.const(0)),
      ...r.flatMap((entry, i) => [
        next.set(mul(f64x2.const(0.5), add(entry.get, mul(determinant.get, cofactors[i].get)))),
        change.set(add(change.get, abs(sub(next.get, entry.get)))),
        entry.set(v128.select(next.get, entry.get, isGoing.get)),
      ]),
      isGoing.set(v128.andNot(isGoing.get, f64x2.lt(change.get, f64x2.const(LEAST_CHANGE)))),
      ...invert(r, cofactors, determinant),
      left.set(i32.sub(left.get, i32.const(1))),
    ]
    return [
      motion.set(word('motions')),
      end.set(word('motionsEnd')),
      to.set(word('rotations')),
      flags.set(word('turned')),
      all.set(i32.const(TURNED)),
      doWhile(
        [
          volume.set(f64x2.const(0)),
          ...r.flatMap((entry, i) => [
            entry.set(loadPair(motion, 8 * i)),
            volume.set(add(volume.get, mul(entry.get, entry.get))),
          ]),
          volume.set(div(volume.get, f64x2.const(3))),
          volume.set(mul(volume.get, f64x2.sqrt(volume.get))),
          ...invert(r, cofactors, determinant),
          isGoing.set(f64x2.gt(determinant.get, mul(f64x2.const(LEAST_VOLUME), volume.get))),
          i32.store(flags.get, i32x4.bitmask(isGoing.get)),
          all.set(i32.and(all.get, i32.load(flags.get))),
          left.set(i32.const(HIGHAM_STEPS)),
          doWhile(step, i32.and(v128.anyTrue(isGoing.get), i32.ltU(i32.const(0), left.get))),
          ...r.map((entry, i) => v128.store(to.get, entry.get, 16 * i)),
          increase(motion, 2 * MOTION),
          increase(to, PAIR_MATRIX),
          increase(flags, 4),
        ],
        i32.ltU(motion.get, end.get),
      ),
      all.get,
    ]
  })
}

/** The number at a place in the motions of a pair. */
export function loadPair(motion: Local<'i32'>, offset: number): V128 {
  return f64x2.loadUpper(motion.get, f64x2.loadSplat(motion.get, offset), MOTION + offset)
}

/** Cofactors of a matrix, row by row, and its determinant. */
function invert(r: Local<'v128'>[], cofactors: Local<'v128'>[], determinant: Local<'v128'>): Statement[] {
  const minor = (a: number, b: number, c: number, d: number): V128 =>
    sub(mul(r[a].get, r[b].get), mul(r[c].get, r[d].get))
  const minors = [
    minor(4, 8, 5, 7),
    minor(5, 6, 3, 8),
    minor(3, 7, 4, 6),
    minor(2, 7, 1, 8),
    minor(0, 8, 2, 6),
    minor(1, 6, 0, 7),
    minor(1, 5, 2, 4),
    minor(2, 3, 0, 5),
    minor(0, 4, 1, 3),
  ]
  const [first, second, third] = [0, 1, 2].map((i) => mul(r[i].get, cofactors[i].get))
  return [...cofactors.map((cofactor, i) => cofactor.set(minors[i])), determinant.set(add(add(first, second), third))]
}
