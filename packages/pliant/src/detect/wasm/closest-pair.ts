/**
 * Squared distances of a point from two triangles at once, to the last bit those of `closestOnTriangle`
 * (exact/point-triangle.ts): the same operations in the same order, all regions at once instead of one after the other.
 */

import { NEEDLE } from '../../exact/point-triangle.js'
import { f64x2, type Local, type ModuleBuilder, type Statement, type V128, v128 } from '../../math/wasm/assembler.js'
import { PLACE } from './nearest-layout.js'

type Vector = Local<'v128'>[]

/** A function of a point, each coordinate in both lanes, and two places; NaN for a needle. */
export function defineClosestPair(module: ModuleBuilder) {
  const params = { px: 'v128', py: 'v128', pz: 'v128', first: 'i32', second: 'i32' } as const
  return module.define('closestPair', { params, result: 'v128' }, ({ px, py, pz, first, second }, scope) => {
    const { add, sub, mul, div, le, ge, lt, gt } = f64x2
    const { and, andNot, or, select } = v128
    const [p, q] = scope.some(2, 'i32')
    const [a, ab, ac, ap, n, away] = Array.from({ length: 6 }, () => scope.some(3, 'v128'))
    const [square, abab, acac, abac, d1, d2, d3, d4, d5, d6] = scope.some(10, 'v128')
    const [vb, vc, mask, v, w] = scope.some(5, 'v128')
    const zero = f64x2.const(0)
    const one = f64x2.const(1)
    const point = [px, py, pz]
    const corner = (index: number, to: Vector, from?: Vector): Statement[] => [
      p.set(PLACE.load(first.get, 'corners', index)),
      q.set(PLACE.load(second.get, 'corners', index)),
      ...to.map((value, axis) => {
        const both = f64x2.loadUpper(q.get, f64x2.loadSplat(p.get, 8 * axis), 8 * axis)
        return value.set(from ? sub(both, from[axis].get) : both)
      }),
    ]
    const all = (one: V128, two: V128, three: V128): V128 => and(and(one, two), three)
    const towards2 = sub(d4.get, d3.get)
    const towards1 = sub(d5.get, d6.get)
    return [
      ...corner(0, a),
      ...corner(1, ab, a),
      ...corner(2, ac, a),
      ...ap.map((value, axis) => value.set(sub(point[axis].get, a[axis].get))),
      ...cross(ab, ac).map((value, axis) => n[axis].set(value)),
      square.set(dot(n, n)),
      vb.set(dotCode(codes(n), cross(ap, ac))),
      vc.set(dotCode(codes(n), cross(ab, ap))),
      abab.set(dot(ab, ab)),
      acac.set(dot(ac, ac)),
      abac.set(dot(ab, ac)),
      d1.set(dot(ab, ap)),
      d2.set(dot(ac, ap)),
      d3.set(sub(d1.get, abab.get)),
      d4.set(sub(d2.get, abac.get)),
      d5.set(sub(d1.get, abac.get)),
      d6.set(sub(d2.get, acac.get)),
      v.set(div(vb.get, square.get)),
      w.set(div(vc.get, square.get)),
      // From the last region that is asked for to the first, as the first that holds counts.
      mask.set(all(le(sub(sub(square.get, vb.get), vc.get), zero), gt(towards2, zero), gt(towards1, zero))),
      w.set(select(div(towards2, add(towards2, towards1)), w.get, mask.get)),
      v.set(select(sub(one, w.get), v.get, mask.get)),
      mask.set(all(le(vb.get, zero), gt(d2.get, zero), lt(d6.get, zero))),
      w.set(select(div(d2.get, acac.get), w.get, mask.get)),
      v.set(andNot(v.get, mask.get)),
      mask.set(all(le(vc.get, zero), gt(d1.get, zero), lt(d3.get, zero))),
      w.set(andNot(w.get, mask.get)),
      v.set(select(div(d1.get, abab.get), v.get, mask.get)),
      mask.set(and(ge(d6.get, zero), le(d5.get, d6.get))),
      w.set(select(one, w.get, mask.get)),
      v.set(andNot(v.get, mask.get)),
      mask.set(and(ge(d3.get, zero), le(d4.get, d3.get))),
      w.set(andNot(w.get, mask.get)),
      v.set(select(one, v.get, mask.get)),
      mask.set(or(gt(d1.get, zero), gt(d2.get, zero))),
      w.set(and(w.get, mask.get)),
      v.set(and(v.get, mask.get)),
      ...away.map((value, axis) => {
        const closest = add(add(a[axis].get, mul(v.get, ab[axis].get)), mul(w.get, ac[axis].get))
        return value.set(sub(point[axis].get, closest))
      }),
      mask.set(f64x2.pmax(abab.get, acac.get)),
      // All bits set are no number.
      or(dot(away, away), le(square.get, mul(mul(f64x2.const(NEEDLE * NEEDLE), mask.get), mask.get))),
    ]
  })
}

function codes(vector: Vector): V128[] {
  return vector.map(({ get }) => get)
}

function dot(u: Vector, v: Vector): V128 {
  return dotCode(codes(u), codes(v))
}

function dotCode(u: V128[], v: V128[]): V128 {
  const [x, y, z] = [0, 1, 2].map((axis) => f64x2.mul(u[axis], v[axis]))
  return f64x2.add(f64x2.add(x, y), z)
}

function cross(u: Vector, v: Vector): V128[] {
  return [0, 1, 2].map((axis) => {
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
    return f64x2.sub(f64x2.mul(u[i].get, v[j].get), f64x2.mul(u[j].get, v[i].get))
  })
}
