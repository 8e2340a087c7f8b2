/**
 * The nearest triangle of each point: nearest node first, four boxes at a time in single precision, which choose; then
 * two triangles at a time in double precision, which decide. Their squared distances are those of `closestOnTriangle` to
 * the last bit: the same steps in the same order, with every branch computed and one chosen.
 */
import {
  doWhile,
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
import type { I32, Local, Scope, Statement, V128 } from '../../math/wasm/code.js'
import { NO_SLOT } from '../point-search.js'
import { CORNER_BYTES, NODE, NOWHERE, TASK, TRIANGLE_BYTES } from './point-records.js'

/** What a slot is where the kernel cannot tell. */
export const ASK_TWIN = -2

/** Boxes are rounded to single precision, by this part of the way and of the body's size. */
export const BOX_SLACK = 1e-6

/** Squared, from the origin: further away single precision would overflow. */
const FARTHEST_SQUARED = 1e30

/** A triangle whose height is below this part of its longest side goes by its sides: `closestOnTriangle`. */
const NEEDLE_SQUARED = 1e-5 * 1e-5

/** Bytes of what waits: squared distance, child and its end. */
export const WAITING_BYTES = 12

/** No distance, as an integer: greater than any. */
const NOT_HIT = 0x7fffffff

type Vector = Local<'v128'>[]

export function defineNearestKernel(module: ModuleBuilder): void {
  const needle = module.take('squaredToNeedle', {
    params: { corners: 'i32', x: 'f64', y: 'f64', z: 'f64' },
    result: 'f64',
  })
  module.define('nearest', { params: { task: 'i32' }, isExported: true }, ({ task }, scope) => {
    const [point, slot, corners, stack, top, node, child, end, second, bestAt, reachBits, key] = scope.some(12, 'i32')
    const p = scope.some(3, 'f64')
    const [best, squared, way, slack] = scope.some(4, 'f64')
    const both = scope.some(3, 'v128')
    const local = scope.some(3, 'v128')
    const [reach, distance, keys, low, high, squares, bestBoth] = scope.some(7, 'v128')
    const fromOrigin = (axis: number) => f64.sub(p[axis].get, TASK.load(task.get, 'origin', axis))

    const tighten = [
      way.set(f64.add(f64.mul(f64.sqrt(best.get), f64.const(1 + BOX_SLACK)), slack.get)),
      reach.set(f32x4.demote(f64x2.splat(f64.mul(way.get, way.get)))),
      reach.set(f32x4.pmin(f32x4.const(NOWHERE), v128.splatLane(reach, 0))),
      reachBits.set(i32x4.extract(reach.get, 0)),
      bestBoth.set(f64x2.splat(best.get)),
    ]
    /** One lane of the pair against the best so far; of equal ones the lower slot wins. */
    const settle = (at: I32, lane: 0 | 1): Statement[] => [
      squared.set(f64x2.extract(squares.get, lane)),
      when(i32.or(f64.lt(squared.get, best.get), i32.and(f64.le(squared.get, best.get), i32.ltU(at, bestAt.get))), [
        best.set(squared.get),
        bestAt.set(at),
        ...tighten,
      ]),
    ]
    /** Written in any case, kept where the lane is hit. */
    const push = (lane: number): Statement[] => [
      key.set(i32x4.extract(keys.get, lane)),
      i32.store(top.get, key.get),
      v128.storePair(top.get, v128.loadPair(childOf(node, key), NODE.at.children), 4),
      increase(top, i32.mul(i32.ltU(key.get, i32.const(NOT_HIT)), i32.const(WAITING_BYTES))),
    ]
    const open = [
      node.set(child.get),
      ...squaredToBoxes(node, local, distance, low),
      keys.set(
        v128.select(
          v128.or(v128.and(distance.get, i32x4.lanes(-4, -4, -4, -4)), i32x4.lanes(0, 1, 2, 3)),
          i32x4.lanes(NOT_HIT, NOT_HIT, NOT_HIT, NOT_HIT),
          f32x4.le(distance.get, reach.get),
        ),
      ),
      ...sortLanes(keys, low, high),
      ...[3, 2, 1].flatMap(push),
      key.set(i32x4.extract(keys.get, 0)),
      when(
        i32.ltU(key.get, i32.const(NOT_HIT)),
        [
          child.set(childOf(node, key)),
          end.set(i32.load(child.get, NODE.at.children + 4)),
          child.set(i32.load(child.get, NODE.at.children)),
        ],
        [child.set(i32.const(1)), end.set(i32.const(1))],
      ),
    ]
    const pair = squaredToPair(scope, child, second, both, squares, (isNeedle) =>
      ([0, 1] as const).map((lane) =>
        when(i32.and(i32x4.bitmask(isNeedle), i32.const(1 << (2 * lane))), [
          squares.set(
            f64x2.replace(
              squares.get,
              needle.call({ corners: lane === 0 ? child : second, x: p[0], y: p[1], z: p[2] }),
              lane,
            ),
          ),
        ]),
      ),
    )
    const lookAtLeaf = whileLoop(i32.ltU(child.get, end.get), [
      second.set(i32.add(child.get, i32.const(TRIANGLE_BYTES))),
      second.set(i32.select(second.get, child.get, i32.ltU(second.get, end.get))),
      ...pair,
      when(v128.anyTrue(f64x2.le(squares.get, bestBoth.get)), [...settle(child.get, 0), ...settle(second.get, 1)]),
      increase(child, 2 * TRIANGLE_BYTES),
    ])
    const search = [
      ...local.map((value, axis) => value.set(f32x4.demote(f64x2.splat(fromOrigin(axis))))),
      ...local.map((value) => value.set(v128.splatLane(value, 0))),
      ...both.map((value, axis) => value.set(f64x2.splat(p[axis].get))),
      best.set(TASK.load(task.get, 'limit')),
      bestAt.set(i32.const(0)),
      ...tighten,
      top.set(stack.get),
      i32.store(top.get, i32.const(0)),
      i32.store(top.get, TASK.load(task.get, 'nodes'), 4),
      i32.store(top.get, i32.const(0), 8),
      increase(top, WAITING_BYTES),
      doWhile(
        [
          increase(top, -WAITING_BYTES),
          when(i32.geU(reachBits.get, i32.load(top.get)), [
            child.set(i32.load(top.get, 4)),
            end.set(i32.load(top.get, 8)),
            whileLoop(i32.eq(end.get, i32.const(0)), open),
            lookAtLeaf,
          ]),
        ],
        i32.ltU(stack.get, top.get),
      ),
      when(
        bestAt.get,
        [i32.store(slot.get, i32.divU(i32.sub(bestAt.get, corners.get), i32.const(TRIANGLE_BYTES)))],
        [i32.store(slot.get, i32.const(NO_SLOT))],
      ),
    ]
    return [
      point.set(TASK.load(task.get, 'points')),
      slot.set(TASK.load(task.get, 'slots')),
      corners.set(TASK.load(task.get, 'corners')),
      stack.set(TASK.load(task.get, 'stack')),
      slack.set(TASK.load(task.get, 'slack')),
      doWhile(
        [
          ...p.map((value, axis) => value.set(loadCoordinate(point, axis))),
          way.set(sumOf([0, 1, 2].map((axis) => f64.mul(fromOrigin(axis), fromOrigin(axis))))),
          when(f64.lt(way.get, f64.const(FARTHEST_SQUARED)), search, [i32.store(slot.get, i32.const(ASK_TWIN))]),
          increase(point, CORNER_BYTES),
          increase(slot, 4),
        ],
        i32.ltU(point.get, TASK.load(task.get, 'pointsEnd')),
      ),
    ]
  })
}

function loadCoordinate(point: Local<'i32'>, axis: number) {
  return f64.load(point.get, 8 * axis)
}

function sumOf(terms: ReturnType<typeof f64.add>[]) {
  return terms.reduce((sum, term) => f64.add(sum, term))
}

/** Address of a child in its node, but for where children begin, by its key: the lowest two bits are its lane. */
function childOf(node: Local<'i32'>, key: Local<'i32'>): I32 {
  return i32.add(node.get, i32.shl(i32.and(key.get, i32.const(3)), i32.const(3)))
}

function squaredToBoxes(node: Local<'i32'>, p: Vector, out: Local<'v128'>, way: Local<'v128'>): Statement[] {
  return [0, 1, 2].flatMap((axis) => [
    way.set(
      f32x4.pmax(
        f32x4.pmax(
          f32x4.sub(NODE.load(node.get, 'lower', axis), p[axis].get),
          f32x4.sub(p[axis].get, NODE.load(node.get, 'upper', axis)),
        ),
        f32x4.const(0),
      ),
    ),
    out.set(axis === 0 ? f32x4.mul(way.get, way.get) : f32x4.add(out.get, f32x4.mul(way.get, way.get))),
  ])
}

/** Rising, by three rounds of comparisons. */
function sortLanes(keys: Local<'v128'>, low: Local<'v128'>, high: Local<'v128'>): Statement[] {
  const rounds = [
    { partners: [1, 0, 3, 2], merge: [0, 5, 2, 7] },
    { partners: [2, 3, 0, 1], merge: [0, 1, 6, 7] },
    { partners: [0, 2, 1, 3], merge: [0, 1, 6, 7] },
  ] as const
  return rounds.flatMap(({ partners, merge }) => [
    high.set(v128.shuffle(keys.get, keys.get, partners)),
    low.set(i32x4.minS(keys.get, high.get)),
    high.set(i32x4.maxS(keys.get, high.get)),
    keys.set(v128.shuffle(low.get, high.get, merge)),
  ])
}

const cross = (u: Vector, v: Vector, axis: number): V128 => {
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
  return f64x2.sub(f64x2.mul(u[i].get, v[j].get), f64x2.mul(u[j].get, v[i].get))
}
/** From the first to the last, as `closestOnTriangle` adds. */
const sum = (x: V128, y: V128, z: V128): V128 => f64x2.add(f64x2.add(x, y), z)
const dot = (u: Vector, v: Vector): V128 =>
  sum(f64x2.mul(u[0].get, v[0].get), f64x2.mul(u[1].get, v[1].get), f64x2.mul(u[2].get, v[2].get))
/** n . (u x v) */
const dotCross = (n: Vector, u: Vector, v: Vector): V128 =>
  sum(f64x2.mul(n[0].get, cross(u, v, 0)), f64x2.mul(n[1].get, cross(u, v, 1)), f64x2.mul(n[2].get, cross(u, v, 2)))

/**
 * `closestOnTriangle` of two triangles, by the addresses of their corners; only the squared distance.
 * @param onNeedles  what to do where some are needles, by their lanes
 */
function squaredToPair(
  scope: Scope,
  first: Local<'i32'>,
  second: Local<'i32'>,
  p: Vector,
  squares: Local<'v128'>,
  onNeedles: (isNeedle: V128) => Statement[],
): Statement[] {
  const vector = (): Vector => scope.some(3, 'v128')
  const [a, ab, ac, ap, n] = [vector(), vector(), vector(), vector(), vector()]
  const [square, abab, acac, abac, longest, isNeedle] = scope.some(6, 'v128')
  const [d1, d2, d3, d4, d5, d6, vb, vc] = scope.some(8, 'v128')
  const [vTop, vBottom, wTop, wBottom, isB, isC, isAb, isAc, isBc, isCorner] = scope.some(10, 'v128')
  const [zero, one] = [f64x2.const(0), f64x2.const(1)]
  const corner = (k: number, axis: number): V128 => {
    const offset = k * CORNER_BYTES + 8 * axis
    return f64x2.loadUpper(second.get, f64x2.loadSplat(first.get, offset), offset)
  }
  const { and, andNot, or, select } = v128
  return [
    ...a.flatMap((value, axis) => [
      value.set(corner(0, axis)),
      ab[axis].set(f64x2.sub(corner(1, axis), value.get)),
      ac[axis].set(f64x2.sub(corner(2, axis), value.get)),
      ap[axis].set(f64x2.sub(p[axis].get, value.get)),
    ]),
    ...n.map((value, axis) => value.set(cross(ab, ac, axis))),
    square.set(dot(n, n)),
    abab.set(dot(ab, ab)),
    acac.set(dot(ac, ac)),
    longest.set(f64x2.pmax(abab.get, acac.get)),
    isNeedle.set(f64x2.le(square.get, f64x2.mul(f64x2.mul(f64x2.const(NEEDLE_SQUARED), longest.get), longest.get))),
    d1.set(dot(ab, ap)),
    d2.set(dot(ac, ap)),
    abac.set(dot(ab, ac)),
    d3.set(f64x2.sub(d1.get, abab.get)),
    d4.set(f64x2.sub(d2.get, abac.get)),
    d5.set(f64x2.sub(d1.get, abac.get)),
    d6.set(f64x2.sub(d2.get, acac.get)),
    vb.set(dotCross(n, ap, ac)),
    vc.set(dotCross(n, ab, ap)),
    // Regions in the order in which `closestOnTriangle` asks; each leaves out those before it.
    isCorner.set(and(f64x2.le(d1.get, zero), f64x2.le(d2.get, zero))),
    isB.set(andNot(and(f64x2.ge(d3.get, zero), f64x2.le(d4.get, d3.get)), isCorner.get)),
    isCorner.set(or(isCorner.get, isB.get)),
    isC.set(andNot(and(f64x2.ge(d6.get, zero), f64x2.le(d5.get, d6.get)), isCorner.get)),
    isCorner.set(or(isCorner.get, isC.get)),
    isAb.set(andNot(and(f64x2.le(vc.get, zero), and(f64x2.gt(d1.get, zero), f64x2.lt(d3.get, zero))), isCorner.get)),
    isAc.set(
      andNot(
        and(f64x2.le(vb.get, zero), and(f64x2.gt(d2.get, zero), f64x2.lt(d6.get, zero))),
        or(isCorner.get, isAb.get),
      ),
    ),
    // Reused: from here on what d4 - d3 and d5 - d6 are asked for.
    d4.set(f64x2.sub(d4.get, d3.get)),
    d5.set(f64x2.sub(d5.get, d6.get)),
    isBc.set(
      andNot(
        and(
          f64x2.le(f64x2.sub(f64x2.sub(square.get, vb.get), vc.get), zero),
          and(f64x2.gt(d4.get, zero), f64x2.gt(d5.get, zero)),
        ),
        or(isCorner.get, or(isAb.get, isAc.get)),
      ),
    ),
    // v and w as quotients: 0 or 1 at corners, and 0 across from a side.
    vTop.set(andNot(select(d1.get, vb.get, isAb.get), or(isCorner.get, or(isAc.get, isBc.get)))),
    vTop.set(or(vTop.get, and(one, isB.get))),
    vBottom.set(select(one, select(abab.get, square.get, isAb.get), isCorner.get)),
    wTop.set(select(d4.get, select(d2.get, vc.get, isAc.get), isBc.get)),
    wTop.set(or(andNot(wTop.get, or(isCorner.get, isAb.get)), and(one, isC.get))),
    wBottom.set(
      select(one, select(f64x2.add(d4.get, d5.get), select(acac.get, square.get, isAc.get), isBc.get), isCorner.get),
    ),
    wTop.set(f64x2.div(wTop.get, wBottom.get)),
    vTop.set(select(f64x2.sub(one, wTop.get), f64x2.div(vTop.get, vBottom.get), isBc.get)),
    ...[0, 1, 2].flatMap((axis) => [
      vb.set(
        f64x2.sub(p[axis].get, sum(a[axis].get, f64x2.mul(vTop.get, ab[axis].get), f64x2.mul(wTop.get, ac[axis].get))),
      ),
      squares.set(axis === 0 ? f64x2.mul(vb.get, vb.get) : f64x2.add(squares.get, f64x2.mul(vb.get, vb.get))),
    ]),
    when(v128.anyTrue(isNeedle.get), onNeedles(isNeedle.get)),
  ]
}
