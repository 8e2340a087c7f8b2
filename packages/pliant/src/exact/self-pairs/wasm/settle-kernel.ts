/**
 * Whether pairs of triangles meet, four at a time, as far as single precision can tell: no, yes, or not sure. Sides of
 * either's corners by the plane of the other, then, where both planes are crossed, how the two stretches of their common
 * line lie to each other, by two more determinants (Guigue and Devillers 2003). A sign counts only beyond what rounding can
 * do to it; touching is never sure. What is not sure is left to exact predicates.
 *
 * Rounding: let no coordinate be above M, and each be off by at most d = 2^-24 M, what making it single does. A difference of
 * two, whose rounding is at most 2 d, is then off by less than k = 4 d. Of vectors u, v, w with components up to p, q, r,
 * each off by k, and with 2^-24 p, q and r no more than k / 2:
 *
 *   u x v    is off by at most  2 k (p + q) + 2 k^2, rounding adds 5 * 2^-24 p q:     3.25 k (p + q + k) in all
 *   w . u x v  by at most  3 k (2 p q) + 3 * 3.25 k (p + q + k)(r + k), rounding 3 k (p q + q r + r p)
 *
 * which is less than 13 k (p q + q r + r p) for p, q and r that are larger by k; `SLACK` is a bit more, for the rounding of
 * the bound itself, and for what is too small for single precision: M is at least 2^-20, so the bound is at least 2^-120, and
 * products lose 2^-149 each.
 */
import {
  doWhile,
  f32x4,
  type I32,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  when,
} from '../../../math/wasm/assembler.js'
import { transposed } from './fit-kernels.js'
import { CANDIDATE, MEETING, TRIANGLE, VERTEX } from './pair-records.js'

export interface SettleKernel {
  /**
   * Settles candidates up to `end`, and up to three behind it that are written but not settled.
   * @param to   receives a `MEETING` for each that is not ruled out
   * @param off  k, how much a difference of two coordinates may be off
   * @returns the end of these
   */
  settle(candidate: number, end: number, to: number, off: number): number
}

/** k of the comment above, as a share of M: 4 * 2^-24, and a bit for roundings of roundings. */
export const OFF = 1.001 * 2 ** -22

const LANES = 4
const SLACK = 14

type Lanes = Local<'v128'>
/** x, y and z, of four triangles at once. */
type Point = Lanes[]

export function defineSettleKernel(module: ModuleBuilder): void {
  const params = { candidate: 'i32', end: 'i32', to: 'i32', off: 'f32' } as const
  module.define('settle', { params, result: 'i32', isExported: true }, ({ candidate, end, to, off }, scope) => {
    const [k, edge, reach, room, isApart, isSure, meets, first, second] = scope.some(9, 'v128')
    const [apartBits, meetBits] = scope.some(2, 'i32')
    const p = readCorners(scope, candidate, 'a')
    const q = readCorners(scope, candidate, 'b')
    const [pq, pr, qr, qs] = Array.from({ length: 4 }, () => scope.some(3, 'v128'))
    const across = Array.from({ length: 3 }, () => scope.some(3, 'v128'))
    const back = Array.from({ length: 3 }, () => scope.some(3, 'v128'))
    const [normalP, normalQ] = [scope.some(3, 'v128'), scope.some(3, 'v128')]
    const [sidesP, sidesQ] = [scope.some(3, 'v128'), scope.some(3, 'v128')]

    const planes = [
      ...subtract(pq, p.points[1], p.points[0]),
      ...subtract(pr, p.points[2], p.points[0]),
      ...subtract(qr, q.points[1], q.points[0]),
      ...subtract(qs, q.points[2], q.points[0]),
      ...across.flatMap((way, j) => subtract(way, q.points[j], p.points[0])),
      ...back.flatMap((way, j) => subtract(way, p.points[j], q.points[0])),
      // By 2 k larger: what is said below of an edge that begins elsewhere needs that.
      edge.set(f32x4.add(largest([pq, pr, qr, qs]), f32x4.add(k.get, k.get))),
      reach.set(f32x4.add(largest([...across, ...back]), f32x4.add(k.get, k.get))),
      // Of a plane's edges and the way to a corner: 14 k (e e + 2 e r).
      room.set(roomOf(k, f32x4.mul(edge.get, f32x4.add(edge.get, f32x4.add(reach.get, reach.get))))),
      ...setCross(normalP, pq, pr),
      ...setCross(normalQ, qr, qs),
      ...sidesQ.map((side, j) => side.set(dot(normalP, across[j]))),
      ...sidesP.map((side, j) => side.set(dot(normalQ, back[j]))),
      isApart.set(v128.or(areBeyond(sidesP, room), areBeyond(sidesQ, room))),
      isSure.set([...sidesP, ...sidesQ].map((side) => f32x4.gt(f32x4.abs(side.get), room.get)).reduce(v128.and)),
    ]

    // The corner alone on its side comes first, on the positive one, for which the other triangle is turned over if need be.
    const stretches = [
      ...aloneFirst(scope, p.points, sidesP),
      ...aloneFirst(scope, q.points, sidesQ),
      ...turnOver(scope, q.points, sidesP[0]),
      ...turnOver(scope, p.points, sidesQ[0]),
      ...subtract(pq, p.points[1], p.points[0]),
      ...subtract(pr, p.points[2], p.points[0]),
      ...across.flatMap((way, j) => subtract(way, q.points[j], p.points[0])),
      ...setCross(normalP, pq, across[0]),
      first.set(dot(normalP, across[1])),
      ...setCross(normalP, pr, across[2]),
      second.set(dot(normalP, across[0])),
      // An edge that began elsewhere is up to 2 e long, the way from another corner e + r: 14 k (4 e (e + r) + (e + r)^2).
      reach.set(f32x4.add(reach.get, edge.get)),
      room.set(roomOf(k, f32x4.mul(reach.get, f32x4.add(reach.get, f32x4.mul(edge.get, f32x4.const(4)))))),
      meets.set(
        v128.and(
          isSure.get,
          v128.and(f32x4.lt(first.get, f32x4.neg(room.get)), f32x4.lt(second.get, f32x4.neg(room.get))),
        ),
      ),
      isApart.set(
        v128.or(
          isApart.get,
          v128.and(isSure.get, v128.or(f32x4.gt(first.get, room.get), f32x4.gt(second.get, room.get))),
        ),
      ),
      apartBits.set(i32x4.bitmask(isApart.get)),
      meetBits.set(i32x4.bitmask(meets.get)),
    ]

    const bitOf = (bits: Local<'i32'>, lane: number): I32 => i32.and(i32.shrU(bits.get, i32.const(lane)), i32.const(1))
    const write = Array.from({ length: LANES }, (_, lane) =>
      when(i32.ltU(i32.add(candidate.get, i32.const(lane * CANDIDATE.size)), end.get), [
        when(i32.eq(bitOf(apartBits, lane), i32.const(0)), [
          MEETING.store(to.get, 'a', i32.load(candidate.get, lane * CANDIDATE.size + CANDIDATE.at.a)),
          MEETING.store(to.get, 'b', i32.load(candidate.get, lane * CANDIDATE.size + CANDIDATE.at.b)),
          MEETING.store(to.get, 'isSure', bitOf(meetBits, lane)),
          increase(to, MEETING.size),
        ]),
      ]),
    )
    return [
      k.set(f32x4.splat(off.get)),
      doWhile(
        [
          ...p.code,
          ...q.code,
          ...planes,
          when(i32.ltU(i32x4.bitmask(isApart.get), i32.const(15)), [...stretches, ...write]),
          increase(candidate, LANES * CANDIDATE.size),
        ],
        i32.ltU(candidate.get, end.get),
      ),
      to.get,
    ]
  })
}

/** Corners of one of the triangles of four candidates. */
function readCorners(scope: Scope, candidate: Local<'i32'>, which: 'a' | 'b'): { code: Statement[]; points: Point[] } {
  const rows = scope.some(LANES, 'v128')
  const points = Array.from({ length: 3 }, () => scope.some(3, 'v128'))
  const code = points.flatMap((point, corner) => {
    const { code, axes } = transposed(scope, rows)
    return [
      ...rows.map((row, lane) => {
        const triangle = i32.load(candidate.get, lane * CANDIDATE.size + CANDIDATE.at[which])
        return row.set(VERTEX.load(TRIANGLE.load(triangle, 'corners', corner), 'place'))
      }),
      ...code,
      ...point.map((value, axis) => value.set(axes[axis])),
    ]
  })
  return { code, points }
}

function subtract(out: Point, a: Point, b: Point): Statement[] {
  return out.map((value, axis) => value.set(f32x4.sub(a[axis].get, b[axis].get)))
}

function setCross(out: Point, u: Point, v: Point): Statement[] {
  return out.map((value, axis) => {
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
    return value.set(f32x4.sub(f32x4.mul(u[i].get, v[j].get), f32x4.mul(u[j].get, v[i].get)))
  })
}

function dot(u: Point, v: Point): V128 {
  return u.map((value, axis) => f32x4.mul(value.get, v[axis].get)).reduce(f32x4.add)
}

/** The largest magnitude of any component. */
function largest(vectors: readonly Point[]): V128 {
  return vectors
    .flat()
    .map(({ get }) => f32x4.abs(get))
    .reduce(f32x4.pmax)
}

function roomOf(k: Lanes, products: V128): V128 {
  return f32x4.mul(f32x4.mul(k.get, f32x4.const(SLACK)), products)
}

/** Whether all corners are surely on one side. */
function areBeyond(sides: Point, room: Lanes): V128 {
  const above = sides.map((side) => f32x4.gt(side.get, room.get)).reduce(v128.and)
  const below = sides.map((side) => f32x4.lt(side.get, f32x4.neg(room.get))).reduce(v128.and)
  return v128.or(above, below)
}

/** Turns a triangle's corners round, and their sides, until the one comes first that is alone on its side. */
function aloneFirst(scope: Scope, corners: Point[], sides: Point): Statement[] {
  const [isSecond, isThird] = scope.some(2, 'v128')
  const signs = sides.map(({ get }) => f32x4.lt(get, f32x4.const(0)))
  const isAlone = (corner: number): V128 =>
    v128.andNot(
      v128.xor(signs[corner], signs[(corner + 1) % 3]),
      v128.xor(signs[(corner + 1) % 3], signs[(corner + 2) % 3]),
    )
  return [
    isSecond.set(isAlone(1)),
    isThird.set(isAlone(2)),
    ...[0, 1, 2].flatMap((axis) =>
      rotate(
        scope,
        corners.map((corner) => corner[axis]),
        isSecond,
        isThird,
      ),
    ),
    ...rotate(scope, sides, isSecond, isThird),
  ]
}

/** Three values to second, third, first, or to third, first, second. */
function rotate(scope: Scope, [a, b, c]: readonly Lanes[], isSecond: Lanes, isThird: Lanes): Statement[] {
  const [x, y] = scope.some(2, 'v128')
  return [
    x.set(a.get),
    y.set(b.get),
    a.set(v128.select(b.get, v128.select(c.get, a.get, isThird.get), isSecond.get)),
    b.set(v128.select(c.get, v128.select(x.get, b.get, isThird.get), isSecond.get)),
    c.set(v128.select(x.get, v128.select(y.get, c.get, isThird.get), isSecond.get)),
  ]
}

/** Exchanges the last two corners where a side is negative. */
function turnOver(scope: Scope, corners: Point[], side: Lanes): Statement[] {
  const [isNegative, kept] = scope.some(2, 'v128')
  return [
    isNegative.set(f32x4.lt(side.get, f32x4.const(0))),
    ...[0, 1, 2].flatMap((axis) => {
      const [second, third] = [corners[1][axis], corners[2][axis]]
      return [
        kept.set(second.get),
        second.set(v128.select(third.get, second.get, isNegative.get)),
        third.set(v128.select(kept.get, third.get, isNegative.get)),
      ]
    }),
  ]
}
