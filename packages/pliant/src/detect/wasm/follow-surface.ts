/**
 * What is done once for each shape of the surface: boxes round groups of patches at once, boxes round the patches of a
 * group and round the triangles of a patch when a point first comes near. Ends are found in doubles, moved to the
 * surface's middle and rounded last, so that they are off by rounding of single precision alone.
 */
import {
  doWhile,
  f64,
  f64x2,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
} from '../../math/wasm/assembler.js'
import { BOXES, GROUP, PATCH, PLACE, SINGLE, TASK, TASK_ADDRESS } from './nearest-layout.js'

/** What rounding does to distances in doubles, by the size of coordinates. */
const DOUBLE = 1e-12

/** Points further away, in extents of the surface, are left to doubles. */
const FAR = 500

const TASK_CODE = i32.const(TASK_ADDRESS)

type Pair = [Local<'v128'>, Local<'v128'>]

/** Least and greatest coordinates: x and y in one vector, z in both lanes of the other. */
interface Ends {
  lower: Pair
  upper: Pair
}

function endsOf(scope: Scope): Ends {
  const [a, b, c, d] = scope.some(4, 'v128')
  return { lower: [a, b], upper: [c, d] }
}

/**
 * Goes along a list of vertices, whose number is even.
 * @param sum  where given, is not finite afterwards if a vertex is not
 */
function boundVertices(
  scope: Scope,
  { lower, upper }: Ends,
  from: Local<'i32'>,
  end: Local<'i32'>,
  sum?: Local<'v128'>,
): Statement[] {
  const { pmin, pmax, add } = f64x2
  const [p, q] = scope.some(2, 'i32')
  const [one, two, z] = scope.some(3, 'v128')
  const readTwo = [
    p.set(i32.load(from.get)),
    q.set(i32.load(from.get, 4)),
    one.set(v128.load(p.get)),
    two.set(v128.load(q.get)),
    z.set(f64x2.loadUpper(q.get, f64x2.loadSplat(p.get, 16), 16)),
  ]
  const swapped = ({ get }: Local<'v128'>): V128 => v128.shuffle(get, get, [2, 3, 0, 1])
  return [
    ...readTwo,
    ...[lower, upper].flatMap((ends) => [ends[0].set(one.get), ends[1].set(z.get)]),
    doWhile(
      [
        ...readTwo,
        lower[0].set(pmin(lower[0].get, pmin(one.get, two.get))),
        lower[1].set(pmin(lower[1].get, z.get)),
        upper[0].set(pmax(upper[0].get, pmax(one.get, two.get))),
        upper[1].set(pmax(upper[1].get, z.get)),
        ...(sum ? [sum.set(add(sum.get, add(add(one.get, two.get), z.get)))] : []),
        increase(from, 8),
      ],
      i32.ltU(from.get, end.get),
    ),
    lower[1].set(pmin(lower[1].get, swapped(lower[1]))),
    upper[1].set(pmax(upper[1].get, swapped(upper[1]))),
  ]
}

/** The origin, as ends are kept. */
function readOrigin(scope: Scope): { origin: Pair; read: Statement[] } {
  const [xy, z] = scope.some(2, 'v128')
  const read = [xy.set(v128.load(TASK_CODE, TASK.at.origin)), z.set(f64x2.loadSplat(TASK_CODE, TASK.at.origin + 16))]
  return { origin: [xy, z], read }
}

/** Writes a box into its lane. @param lane  address of the block's first lower end, four bytes further for each lane */
function storeBox(scope: Scope, lane: Local<'i32'>, { lower, upper }: Ends, [xy, z]: Pair): Statement[] {
  const value = scope.local('v128')
  const storeTwo = (both: V128, origin: Local<'v128'>, first: number, second: number): Statement[] => [
    value.set(f64x2.demote(f64x2.sub(both, origin.get))),
    v128.storeLane(lane.get, value.get, 0, first),
    v128.storeLane(lane.get, value.get, 1, second),
  ]
  const at = BOXES.at
  return [
    ...storeTwo(lower[0].get, xy, at.lower, at.lower + 16),
    ...storeTwo(upper[0].get, xy, at.upper, at.upper + 16),
    ...storeTwo(v128.shuffle(lower[1].get, upper[1].get, [0, 1, 6, 7]), z, at.lower + 32, at.upper + 32),
  ]
}

/** To the next lane, of the next block after the fourth. */
function nextLane(lane: Local<'i32'>, number: Local<'i32'>): Statement[] {
  const stepOver = i32.mul(i32.eq(i32.and(number.get, i32.const(3)), i32.const(0)), i32.const(BOXES.size - 16))
  return [increase(number, 1), increase(lane, i32.add(i32.const(4), stepOver))]
}

/**
 * Bounds all groups, and puts the frame about them.
 * Returns the surface's greatest extent [m], not finite if a vertex is not.
 */
export function defineFollow(module: ModuleBuilder): void {
  module.define('follow', { params: {}, result: 'f64', isExported: true }, (_, scope) => {
    const [group, groupsEnd, from, end, lane, number] = scope.some(6, 'i32')
    const own = endsOf(scope)
    const all = endsOf(scope)
    const sum = scope.local('v128')
    const [extent, largest, middle] = scope.some(3, 'f64')
    const { origin, read } = readOrigin(scope)
    const merge = (least: boolean, to: Pair, by: Pair): Statement[] =>
      to.map((value, k) => value.set((least ? f64x2.pmin : f64x2.pmax)(value.get, by[k].get)))
    const vectors = (ends: Ends): Local<'v128'>[] => [...ends.lower, ...ends.upper]
    return [
      TASK.store(TASK_CODE, 'update', i32.add(TASK.load(TASK_CODE, 'update'), i32.const(1))),
      group.set(TASK.load(TASK_CODE, 'groups')),
      groupsEnd.set(TASK.load(TASK_CODE, 'groupsEnd')),
      ...all.lower.map((value) => value.set(f64x2.const(Infinity))),
      ...all.upper.map((value) => value.set(f64x2.const(-Infinity))),
      doWhile(
        [
          from.set(GROUP.load(group.get, 'vertices')),
          end.set(GROUP.load(group.get, 'verticesEnd')),
          ...boundVertices(scope, own, from, end, sum),
          ...vectors(own).map((value, k) => v128.store(group.get, value.get, GROUP.at.lower + 16 * k)),
          ...merge(true, all.lower, own.lower),
          ...merge(false, all.upper, own.upper),
          increase(group, GROUP.size),
        ],
        i32.ltU(group.get, groupsEnd.get),
      ),
      ...[0, 1, 2].flatMap((axis) => {
        const [low, high] = [all.lower, all.upper].map((ends) =>
          axis < 2 ? f64x2.extract(ends[0].get, axis as 0 | 1) : f64x2.extract(ends[1].get, 0),
        )
        return [
          extent.set(f64.max(extent.get, f64.sub(high, low))),
          largest.set(f64.max(largest.get, f64.max(f64.abs(low), f64.abs(high)))),
          middle.set(f64.mul(f64.add(low, high), f64.const(0.5))),
          TASK.store(TASK_CODE, 'origin', middle.get, axis),
        ]
      }),
      TASK.store(TASK_CODE, 'far', f64.mul(extent.get, f64.const(FAR))),
      TASK.store(
        TASK_CODE,
        'slack',
        f64.add(f64.mul(extent.get, f64.const(SINGLE)), f64.mul(largest.get, f64.const(DOUBLE))),
      ),
      ...read,
      lane.set(TASK.load(TASK_CODE, 'groupBoxes')),
      group.set(TASK.load(TASK_CODE, 'groups')),
      number.set(i32.const(0)),
      doWhile(
        [
          ...vectors(own).map((value, k) => value.set(v128.load(group.get, GROUP.at.lower + 16 * k))),
          ...storeBox(scope, lane, own, origin),
          ...nextLane(lane, number),
          increase(group, GROUP.size),
        ],
        i32.ltU(group.get, groupsEnd.get),
      ),
      sum.set(f64x2.mul(sum.get, f64x2.const(0))),
      f64.add(extent.get, f64.add(f64x2.extract(sum.get, 0), f64x2.extract(sum.get, 1))),
    ]
  })
}

/** Boxes of the patches of a group. */
export function defineFit(module: ModuleBuilder) {
  return module.define('fit', { params: { group: 'i32' } }, ({ group }, scope) => {
    const [patch, patchesEnd, from, end, lane, number] = scope.some(6, 'i32')
    const own = endsOf(scope)
    const { origin, read } = readOrigin(scope)
    return [
      ...read,
      GROUP.store(group.get, 'fitted', TASK.load(TASK_CODE, 'update')),
      patch.set(GROUP.load(group.get, 'patches')),
      patchesEnd.set(GROUP.load(group.get, 'patchesEnd')),
      lane.set(GROUP.load(group.get, 'boxes')),
      number.set(i32.const(0)),
      doWhile(
        [
          from.set(PATCH.load(patch.get, 'vertices')),
          end.set(PATCH.load(patch.get, 'verticesEnd')),
          ...boundVertices(scope, own, from, end),
          ...storeBox(scope, lane, own, origin),
          ...nextLane(lane, number),
          increase(patch, PATCH.size),
        ],
        i32.ltU(patch.get, patchesEnd.get),
      ),
    ]
  })
}

/** Boxes of the triangles of a patch, two at a time. */
export function defineOpen(module: ModuleBuilder) {
  const { pmin, pmax } = f64x2
  return module.define('open', { params: { patch: 'i32' } }, ({ patch }, scope) => {
    const [place, block, end, half, p, q] = scope.some(6, 'i32')
    const [a, b, c] = Array.from({ length: 3 }, () => scope.some(3, 'v128'))
    const [first, second] = scope.some(2, 'v128')
    const origin = scope.some(3, 'v128')
    const corners = [a, b, c]
    /** Of each corner x and y of the first triangle, x and y of the second, z of both. */
    const readCorners = corners.flatMap(([first, second, z], index) => [
      p.set(PLACE.load(place.get, 'corners', index)),
      q.set(i32.load(place.get, PLACE.size + PLACE.at.corners + 4 * index)),
      first.set(v128.load(p.get)),
      second.set(v128.load(q.get)),
      z.set(f64x2.loadUpper(q.get, f64x2.loadSplat(p.get, 16), 16)),
    ])
    const store = (field: 'lower' | 'upper', bound: (x: V128, y: V128) => V128): Statement[] => {
      const of = (k: number): V128 => bound(bound(a[k].get, b[k].get), c[k].get)
      const both = (lanes: [number, number, number, number]): V128 => v128.shuffle(first.get, second.get, lanes)
      const storeTwo = (axis: number, value: V128): Statement =>
        v128.storePair(half.get, f64x2.demote(f64x2.sub(value, origin[axis].get)), BOXES.at[field] + 16 * axis)
      return [
        first.set(of(0)),
        second.set(of(1)),
        storeTwo(0, both([0, 1, 4, 5])),
        storeTwo(1, both([2, 3, 6, 7])),
        storeTwo(2, of(2)),
      ]
    }
    return [
      ...origin.map((value, axis) => value.set(f64x2.loadSplat(TASK_CODE, TASK.at.origin + 8 * axis))),
      PATCH.store(patch.get, 'opened', TASK.load(TASK_CODE, 'update')),
      place.set(PATCH.load(patch.get, 'places')),
      block.set(PATCH.load(patch.get, 'boxes')),
      end.set(PATCH.load(patch.get, 'boxesEnd')),
      doWhile(
        [
          half.set(block.get),
          doWhile(
            [
              ...readCorners,
              ...store('lower', pmin),
              ...store('upper', pmax),
              increase(place, 2 * PLACE.size),
              increase(half, 8),
            ],
            i32.ltU(half.get, i32.add(block.get, i32.const(16))),
          ),
          increase(block, BOXES.size),
        ],
        i32.ltU(block.get, end.get),
      ),
    ]
  })
}
