/**
 * How often a closed surface winds round points, as `CrossingNumber` counts it: four boxes at a time in single precision
 * choose, then two triangles at a time in double precision. Signs of determinants are taken where they are larger than
 * their rounding; where one is not, exact arithmetic is asked for that triangle.
 */
import {
  doWhile,
  f32,
  f32x4,
  f64,
  f64x2,
  i32,
  i32x4,
  increase,
  type ModuleBuilder,
  v128,
  when,
  whileLoop,
} from '../../math/wasm/assembler.js'
import type { F64, I32, Local, Scope, Statement, V128 } from '../../math/wasm/code.js'
import { ASKED } from '../point-search.js'
import { CORNER_BYTES, NODE, TASK, TRIANGLE_BYTES } from './point-records.js'

/** Bounds of rounding, a little more than Shewchuk's: 3.3e-16 and 7.8e-16 of the sums of magnitudes. */
const TURN_ERROR = 4e-16
const SIDE_ERROR = 9e-16
/** Products that have lost digits to underflow are smaller than this. */
const UNDERFLOW = 1e-290

/** Beyond every box, and not where a child is missing. */
const FAR = 1e38

export function defineCrossingKernel(module: ModuleBuilder): void {
  const exact = module.take('crossing', {
    params: { corners: 'i32', x: 'f64', y: 'f64', z: 'f64', ahead: 'i32' },
    result: 'i32',
  })
  module.define('wind', { params: { task: 'i32' }, isExported: true }, ({ task }, scope) => {
    const [point, out, stack, top, node, child, end, second, ahead, lanes, unsure, winding] = scope.some(12, 'i32')
    const p = scope.some(3, 'f64')
    const both = scope.some(3, 'v128')
    const local = scope.some(3, 'v128')
    /** What boxes must reach into: along x the ray, across it the point. */
    const low = scope.some(3, 'v128')
    const high = scope.some(3, 'v128')
    const [room, hits, goesAhead] = scope.some(3, 'v128')
    const lower = (axis: number): F64 => TASK.load(task.get, 'lower', axis)
    const upper = (axis: number): F64 => TASK.load(task.get, 'upper', axis)
    const isOutside = [0, 1, 2]
      .flatMap((axis) => [f64.lt(p[axis].get, lower(axis)), f64.gt(p[axis].get, upper(axis))])
      .reduce((any, one) => i32.or(any, one))
    const reaches = (axis: number): V128 =>
      v128.and(
        f32x4.ge(NODE.load(node.get, 'upper', axis), low[axis].get),
        f32x4.le(NODE.load(node.get, 'lower', axis), high[axis].get),
      )
    /** Written in any case, kept where the lane is hit. */
    const push = (lane: number): Statement[] => [
      v128.storePair(top.get, v128.loadPair(node.get, NODE.at.children + 8 * lane)),
      increase(top, i32.shl(i32.and(i32.shrU(lanes.get, i32.const(lane)), i32.const(1)), i32.const(3))),
    ]
    const open = [
      node.set(child.get),
      hits.set(v128.and(v128.and(reaches(1), reaches(2)), reaches(0))),
      lanes.set(i32x4.bitmask(hits.get)),
      ...[0, 1, 2, 3].flatMap(push),
    ]
    const askExactly = (corners: Local<'i32'>, bit: number): Statement =>
      when(i32.and(unsure.get, i32.const(bit)), [
        increase(winding, exact.call({ corners, x: p[0], y: p[1], z: p[2], ahead })),
      ])
    const lookAtLeaf = whileLoop(i32.ltU(child.get, end.get), [
      second.set(i32.add(child.get, i32.const(TRIANGLE_BYTES))),
      // Alone, the first triangle is looked at twice and counted once.
      lanes.set(i32.select(i32.const(FIRST | SECOND), i32.const(FIRST), i32.ltU(second.get, end.get))),
      second.set(i32.select(second.get, child.get, i32.ltU(second.get, end.get))),
      ...passPair(scope, { first: child, second, p: both, goesAhead, lanes, unsure, winding }),
      when(unsure.get, [askExactly(child, FIRST), askExactly(second, SECOND)]),
      increase(child, 2 * TRIANGLE_BYTES),
    ])
    const count = [
      ahead.set(f64.gt(f64.sub(p[0].get, lower(0)), f64.sub(upper(0), p[0].get))),
      goesAhead.set(i32x4.splat(i32.sub(i32.const(0), ahead.get))),
      room.set(f32x4.splat(f32.demote(TASK.load(task.get, 'slack')))),
      ...both.map((value, axis) => value.set(f64x2.splat(p[axis].get))),
      ...local.flatMap((value, axis) => [
        value.set(f32x4.splat(f32.demote(f64.sub(p[axis].get, TASK.load(task.get, 'origin', axis))))),
        low[axis].set(f32x4.sub(value.get, room.get)),
        high[axis].set(f32x4.add(value.get, room.get)),
      ]),
      low[0].set(v128.select(low[0].get, f32x4.const(-FAR), goesAhead.get)),
      high[0].set(v128.select(f32x4.const(FAR), high[0].get, goesAhead.get)),
      top.set(stack.get),
      i32.store(top.get, TASK.load(task.get, 'nodes')),
      i32.store(top.get, i32.const(0), 4),
      increase(top, 8),
      doWhile(
        [
          increase(top, -8),
          child.set(i32.load(top.get)),
          end.set(i32.load(top.get, 4)),
          when(end.get, [lookAtLeaf], open),
        ],
        i32.ltU(stack.get, top.get),
      ),
    ]
    return [
      point.set(TASK.load(task.get, 'points')),
      out.set(TASK.load(task.get, 'windings')),
      stack.set(TASK.load(task.get, 'stack')),
      doWhile(
        [
          when(i32.eq(i32.load(out.get), i32.const(ASKED)), [
            ...p.map((value, axis) => value.set(f64.load(point.get, 8 * axis))),
            winding.set(i32.const(0)),
            when(isOutside, [], count),
            i32.store(out.get, winding.get),
          ]),
          increase(point, CORNER_BYTES),
          increase(out, 4),
        ],
        i32.ltU(point.get, TASK.load(task.get, 'pointsEnd')),
      ),
    ]
  })
}

/** Bits of the two triangles of a pair, in masks of 32-bit lanes. */
const FIRST = 1
const SECOND = 4

interface Pair {
  /** Addresses of the corners. */
  first: Local<'i32'>
  second: Local<'i32'>
  p: Local<'v128'>[]
  /** All bits where the ray goes towards +x. */
  goesAhead: Local<'v128'>
  /** The triangles that count. */
  lanes: Local<'i32'>
  /** Receives those of which rounding leaves open how the ray passes. */
  unsure: Local<'i32'>
  /** Receives how it passes the others, added. */
  winding: Local<'i32'>
}

function passPair(scope: Scope, { first, second, p, goesAhead, lanes, unsure, winding }: Pair): Statement[] {
  const [x, y, z] = [0, 1, 2].map(() => scope.some(3, 'v128'))
  /** Seen along x, of the sides: twice the area with the point, and the magnitudes that it is the difference of. */
  const turns = scope.some(3, 'v128')
  const sizes = scope.some(3, 'v128')
  const [may, left, right, allLeft, allRight, product, side, error, isBehind, isBefore] = scope.some(10, 'v128')
  const { and, andNot, or } = v128
  const corner = (k: number, axis: number): V128 => {
    const offset = k * CORNER_BYTES + 8 * axis
    return f64x2.sub(f64x2.loadUpper(second.get, f64x2.loadSplat(first.get, offset), offset), p[axis].get)
  }
  const straddles = (u: Local<'v128'>[]): V128 =>
    and(
      f64x2.le(f64x2.pmin(f64x2.pmin(u[0].get, u[1].get), u[2].get), f64x2.const(0)),
      f64x2.ge(f64x2.pmax(f64x2.pmax(u[0].get, u[1].get), u[2].get), f64x2.const(0)),
    )
  const bitsOf = (mask: V128): I32 => i32.and(i32x4.bitmask(mask), lanes.get)
  const countOf = (bits: I32): I32 =>
    i32.add(i32.and(bits, i32.const(FIRST)), i32.and(i32.shrU(bits, i32.const(2)), i32.const(1)))
  const sum = (terms: V128[]): V128 => terms.reduce((all, term) => f64x2.add(all, term))
  return [
    unsure.set(i32.const(0)),
    ...[y, z].flatMap((u, i) => u.map((value, k) => value.set(corner(k, i + 1)))),
    may.set(and(straddles(y), straddles(z))),
    when(bitsOf(may.get), [
      ...turns.flatMap((turn, k) => {
        const to = (k + 1) % 3
        return [
          turn.set(f64x2.mul(y[k].get, z[to].get)),
          product.set(f64x2.mul(z[k].get, y[to].get)),
          sizes[k].set(f64x2.add(f64x2.abs(turn.get), f64x2.abs(product.get))),
          turn.set(f64x2.sub(turn.get, product.get)),
          error.set(f64x2.add(f64x2.mul(sizes[k].get, f64x2.const(TURN_ERROR)), f64x2.const(UNDERFLOW))),
          isBehind.set(f64x2.gt(turn.get, error.get)),
          isBefore.set(f64x2.lt(turn.get, f64x2.neg(error.get))),
          allLeft.set(k === 0 ? isBehind.get : and(allLeft.get, isBehind.get)),
          allRight.set(k === 0 ? isBefore.get : and(allRight.get, isBefore.get)),
          left.set(k === 0 ? isBehind.get : or(left.get, isBehind.get)),
          right.set(k === 0 ? isBefore.get : or(right.get, isBefore.get)),
        ]
      }),
      // Surely left of one side and right of another is surely beside the triangle.
      may.set(andNot(may.get, and(left.get, right.get))),
      when(bitsOf(may.get), [
        ...x.map((value, k) => value.set(corner(k, 0))),
        // Which side of the plane the point is on: each corner's x by the turn of the side across.
        side.set(sum(x.map((value, k) => f64x2.mul(value.get, turns[(k + 1) % 3].get)))),
        error.set(sum(x.map((value, k) => f64x2.mul(f64x2.abs(value.get), sizes[(k + 1) % 3].get)))),
        error.set(f64x2.add(f64x2.mul(error.get, f64x2.const(SIDE_ERROR)), f64x2.const(UNDERFLOW))),
        isBehind.set(f64x2.gt(side.get, error.get)),
        isBefore.set(f64x2.lt(side.get, f64x2.neg(error.get))),
        unsure.set(bitsOf(andNot(may.get, and(or(allLeft.get, allRight.get), or(isBehind.get, isBefore.get))))),
        // The ray towards +x meets a plane that it leaves through from behind, one that it enters through from before.
        product.set(or(and(allLeft.get, isBehind.get), and(allRight.get, isBefore.get))),
        may.set(
          and(
            and(may.get, or(isBehind.get, isBefore.get)),
            or(and(product.get, goesAhead.get), andNot(andNot(may.get, product.get), goesAhead.get)),
          ),
        ),
        lanes.set(bitsOf(may.get)),
        // Leaving counts one, entering minus one; towards -x the other way round.
        side.set(v128.select(allLeft.get, allRight.get, goesAhead.get)),
        error.set(v128.select(allRight.get, allLeft.get, goesAhead.get)),
        increase(winding, i32.sub(countOf(bitsOf(side.get)), countOf(bitsOf(error.get)))),
      ]),
    ]),
  ]
}
