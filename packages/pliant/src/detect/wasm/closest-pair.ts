/**
 * Squared distances of a point from two triangles at once, to the last bit those of `closestOnTriangle`
 * (exact/point-triangle.ts): the same operations in the same order, all regions at once instead of one after the other.
 */
import { f64x2, type Local, type ModuleBuilder, type V128, v128 } from '../../math/wasm/assembler.js'
import { NEEDLE } from '../../exact/point-triangle.js'
import { PLACE } from './nearest-layout.js'

type Vector = Local<'v128'>[]

/** A function of a point, each coordinate in both lanes, and two places; NaN for a needle. */
export function defineClosestPair(module: ModuleBuilder) {
  const params = { px: 'v128', py: 'v128', pz: 'v128', first: 'i32', second: 'i32' } as const
  return module.define('closestPair', { params, result: 'v128' }, ({ px, py, pz, first, second }, scope) => {
    const { add, sub, mul, div, and, or, le, ge, lt, gt } = { ...f64x2, ...v128 }
    const [p, q] = scope.some(2, 'i32')
    const [a, ab, ac, ap, n] = Array.from({ length: 5 }, () => scope.some(3, 'v128'))
    const [square, abab, acac, abac, d1, d2, d3, d4, d5, d6] = scope.some(10, 'v128')
    const [vb, vc, d43, d56, mask, v, w, onV, onW] = scope.some(9, 'v128')
    const zero = f64x2.const(0)
    const one = f64x2.const(1)
    const point = [px, py, pz]
    const corner = (index: number, to: Vector, from?: Vector) => [
      p.set(PLACE.load(first.get, 'corners', index)),
      q.set(PLACE.load(second.get, 'corners', index)),
      ...to.map((value, axis) => {
        const both = f64x2.loadUpper(q.get, f64x2.loadSplat(p.get, 8 * axis), 8 * axis)
        return value.set(from ? sub(both, from[axis].get) : both)
      }),
    ]
    const [vNumerator, vDenominator, wNumerator, wDenominator] = scope.some(4, 'v128')
    /** Where the mask is set: v = a / b and w = c / d. */
    const choose = (condition: V128, ...quotients: [V128, V128, V128, V128]) => [
      mask.set(condition),
      ...[vNumerator, vDenominator, wNumerator, wDenominator].map((value, k) =>
        value.set(v128.select(quotients[k], value.get, mask.get)),
      ),
    ]
    const get = (value: Local<'v128'>): V128 => value.get
    const away = [onV, onW, v]
    return [
      ...corner(0, a),
      ...corner(1, ab, a),
      ...corner(2, ac, a),
      ...ap.map((value, axis) => value.set(sub(point[axis].get, a[axis].get))),
      ...cross(ab, ac).map((value, axis) => n[axis].set(value)),
      square.set(dot(n, n)),
      abab.set(dot(ab, ab)),
      acac.set(dot(ac, ac)),
      d1.set(dot(ab, ap)),
      d2.set(dot(ac, ap)),
      abac.set(dot(ab, ac)),
      d3.set(sub(d1.get, abab.get)),
      d4.set(sub(d2.get, abac.get)),
      d5.set(sub(d1.get, abac.get)),
      d6.set(sub(d2.get, acac.get)),
      vb.set(dotCode(n.map(get), cross(ap, ac))),
      vc.set(dotCode(n.map(get), cross(ab, ap))),
      d43.set(sub(d4.get, d3.get)),
      d56.set(sub(d5.get, d6.get)),
      vNumerator.set(vb.get),
      vDenominator.set(square.get),
      wNumerator.set(vc.get),
      wDenominator.set(square.get),
      // From the last region that is asked for to the first, as the first that holds counts.
      ...choose(
        and(
          and(le(sub(sub(square.get, vb.get), vc.get), zero), gt(d43.get, zero)),
          gt(d56.get, zero),
        ),
        zero,
        one,
        d43.get,
        add(d43.get, d56.get),
      ),
      // On the side opposite the first corner v is what w leaves.
      onV.set(mask.get),
      ...choose(and(and(le(vb.get, zero), gt(d2.get, zero)), lt(d6.get, zero)), zero, one, d2.get, acac.get),
      onV.set(v128.andNot(onV.get, mask.get)),
      ...choose(and(and(le(vc.get, zero), gt(d1.get, zero)), lt(d3.get, zero)), d1.get, abab.get, zero, one),
      onV.set(v128.andNot(onV.get, mask.get)),
      ...choose(and(ge(d6.get, zero), le(d5.get, d6.get)), zero, one, one, one),
      onV.set(v128.andNot(onV.get, mask.get)),
      ...choose(and(ge(d3.get, zero), le(d4.get, d3.get)), one, one, zero, one),
      onV.set(v128.andNot(onV.get, mask.get)),
      onW.set(or(gt(d1.get, zero), gt(d2.get, zero))),
      w.set(and(div(wNumerator.get, wDenominator.get), onW.get)),
      v.set(
        and(
          v128.select(sub(one, w.get), div(vNumerator.get, vDenominator.get), onV.get),
          onW.get,
        ),
      ),
      ...[0, 1, 2].map((axis) =>
        a[axis].set(add(add(a[axis].get, mul(v.get, ab[axis].get)), mul(w.get, ac[axis].get))),
      ),
      ...away.map((value, axis) => value.set(sub(point[axis].get, a[axis].get))),
      mask.set(f64x2.pmax(abab.get, acac.get)),
      v128.or(
        dot(away, away),
        // All bits set are NaN.
        le(square.get, mul(mul(f64x2.const(NEEDLE * NEEDLE), mask.get), mask.get)),
      ),
    ]
  })
}

function dot(u: Vector, v: Vector): V128 {
  return dotCode(
    u.map(({ get }) => get),
    v.map(({ get }) => get),
  )
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
