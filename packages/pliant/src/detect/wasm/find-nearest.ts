/**
 * The search for the triangles nearest to points: boxes of groups, patches and triangles, four at a time in single
 * precision, tell off all but a few triangles, whose distances are worked out in doubles, two at a time.
 */
import {
  doWhile,
  f32,
  f32x4,
  f64,
  f64x2,
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
  whileLoop,
} from '../../math/wasm/assembler.js'
import { defineClosestPair } from './closest-pair.js'
import { defineFit, defineFollow, defineOpen } from './follow-surface.js'
import { BOXES, GROUP, MANY_CANDIDATES, PATCH, PLACE, QUERY, SINGLE, TASK, TASK_ADDRESS } from './nearest-layout.js'

export interface NearestKernels {
  /** Takes over the positions. Returns the greatest extent of the surface [m], not finite if a vertex is not. */
  follow(): number
  /** Answers the questions from one address to another. */
  find(query: number, queriesEnd: number): void
}

/** What rounding of single precision takes away from a length at most, as a part of it. */
const LONGER = 1 + 1e-6
/** So many patches are opened at least before others are looked for. */
const MANY_PATCHES = 8

const TASK_CODE = i32.const(TASK_ADDRESS)

export function defineNearestKernels(module: ModuleBuilder): void {
  defineFollow(module)
  const fit = defineFit(module)
  const open = defineOpen(module)
  const closestPair = defineClosestPair(module)
  const nearestBox = defineNearestBox(module)
  const params = { query: 'i32', queriesEnd: 'i32' } as const
  module.define('find', { params, isExported: true }, ({ query, queriesEnd }, scope) => {
    const [update, order, nearest, isUntold, isOver, triangle, lane, mask] = scope.some(8, 'i32')
    /** Lists of addresses: groups, patches and candidates that are near. */
    const [groups, groupsEnd, nextGroup, group] = scope.some(4, 'i32')
    const [patches, patchesEnd, nextPatch, patch] = scope.some(4, 'i32')
    const [candidates, candidatesEnd, at, kept, place, other] = scope.some(6, 'i32')
    const [block, blocksEnd, record, squaresAside, middlesAside, first, second] = scope.some(7, 'i32')
    const [best, squared, limit, slack, reach] = scope.some(5, 'f64')
    const offset = scope.some(3, 'f64')
    /** In single precision, seen from the surface's middle, and twice that; in doubles. */
    const point = scope.some(3, 'v128')
    const twice = scope.some(3, 'v128')
    const exact = scope.some(3, 'v128')
    const [radius, pair, square, lanes, offsets] = scope.some(5, 'v128')
    const [least, rest] = [leastOf(scope), leastOf(scope)]
    const away = scope.some(3, 'v128')
    const [px, py, pz] = exact
    const [twiceX, twiceY, twiceZ] = twice

    /** Numbers of the lanes of which a mask has bits, in front of others. */
    const firstLanes = (bits: Local<'i32'>): V128 => v128.load(i32.add(order.get, i32.shl(bits.get, i32.const(4))))
    const pick = (values: Local<'v128'>, of: Local<'v128'>): V128 =>
      v128.swizzle(
        values.get,
        i32x4.add(i32x4.mul(of.get, i32x4.splat(i32.const(0x04040404))), i32x4.splat(i32.const(0x03020100))),
      )
    /** Appends those of a list of boxes that the ball meets: addresses of their records, of `bytes` each. */
    const appendNear = (
      list: Local<'i32'>,
      { boxes, boxesEnd, records, bytes }: { boxes: I32; boxesEnd: I32; records: I32; bytes: number },
      besides: Statement[] = [],
    ): Statement[] => [
      block.set(boxes),
      blocksEnd.set(boxesEnd),
      record.set(records),
      doWhile(
        [
          ...away.map((value, axis) => {
            const below = f32x4.sub(BOXES.load(block.get, 'lower', axis), point[axis].get)
            const above = f32x4.sub(point[axis].get, BOXES.load(block.get, 'upper', axis))
            return value.set(f32x4.pmax(f32x4.pmax(below, above), f32x4.const(0)))
          }),
          square.set(dot(away)),
          mask.set(i32x4.bitmask(f32x4.le(square.get, radius.get))),
          lanes.set(firstLanes(mask)),
          v128.store(list.get, i32x4.add(i32x4.splat(record.get), i32x4.shl(lanes.get, i32.const(Math.log2(bytes))))),
          ...besides,
          increase(list, i32.shl(i32.popcnt(mask.get), i32.const(2))),
          increase(record, 4 * bytes),
          increase(block, BOXES.size),
        ],
        i32.ltU(block.get, blocksEnd.get),
      ),
    ]
    /** Also how far the boxes are, and twice how far their middles. */
    const appendTriangles = appendNear(
      candidatesEnd,
      {
        boxes: PATCH.load(patch.get, 'boxes'),
        boxesEnd: PATCH.load(patch.get, 'boxesEnd'),
        records: PATCH.load(patch.get, 'places'),
        bytes: PLACE.size,
      },
      [
        v128.store(i32.add(candidatesEnd.get, squaresAside.get), pick(square, lanes)),
        ...away.map((value, axis) =>
          value.set(
            f32x4.sub(
              f32x4.add(BOXES.load(block.get, 'lower', axis), BOXES.load(block.get, 'upper', axis)),
              twice[axis].get,
            ),
          ),
        ),
        square.set(dot(away)),
        v128.store(i32.add(candidatesEnd.get, middlesAside.get), pick(square, lanes)),
      ],
    )
    /** As in a scan: of equals the first. */
    const consider = (half: 0 | 1, of: Local<'i32'>): Statement[] => [
      squared.set(f64x2.extract(pair.get, half)),
      when(f64.le(squared.get, best.get), [
        triangle.set(PLACE.load(of.get, 'triangle')),
        when(i32.or(f64.lt(squared.get, best.get), i32.ltU(triangle.get, nearest.get)), [
          best.set(squared.get),
          nearest.set(triangle.get),
        ]),
      ]),
    ]
    const lookAt = (one: Local<'i32'>, two: Local<'i32'>): Statement[] => [
      pair.set(closestPair.call({ px, py, pz, first: one, second: two })),
      // Needles are not told.
      isUntold.set(i32.or(isUntold.get, i32.sub(i32.const(15), i32x4.bitmask(f64x2.eq(pair.get, pair.get))))),
      ...consider(0, one),
      ...consider(1, two),
    ]
    /** Makes the ball within which triangles are of interest as large as the limit. */
    const fitBall: Statement[] = [
      reach.set(f64.add(f64.mul(f64.sqrt(limit.get), f64.const(LONGER)), slack.get)),
      radius.set(f32x4.splat(f32.demote(f64.mul(reach.get, reach.get)))),
    ]
    const shrinkBall = [when(f64.lt(best.get, limit.get), [limit.set(best.get), ...fitBall])]
    /**
     * Works out the distances of the candidates: first of the two whose boxes' middles are nearest, or nearly, then of
     * those that are near in the ball that these leave.
     */
    const settle: Statement[] = [
      ...[squaresAside, middlesAside].map((aside) =>
        v128.store(i32.add(candidatesEnd.get, aside.get), f32x4.const(Infinity)),
      ),
      least.value.set(f32x4.const(Infinity)),
      offsets.set(i32x4.lanes(0, 4, 8, 12)),
      at.set(candidates.get),
      doWhile(
        [
          ...takeLess(least, v128.load(i32.add(at.get, middlesAside.get)), offsets.get),
          offsets.set(i32x4.add(offsets.get, i32x4.splat(i32.const(16)))),
          increase(at, 16),
        ],
        i32.ltU(at.get, candidatesEnd.get),
      ),
      rest.value.set(least.value.get),
      rest.of.set(least.of.get),
      ...leastOfLanes(least),
      first.set(i32.add(candidates.get, i32x4.extract(least.of.get, 0))),
      rest.value.set(
        v128.select(
          f32x4.const(Infinity),
          rest.value.get,
          i32x4.eq(rest.of.get, i32x4.splat(i32x4.extract(least.of.get, 0))),
        ),
      ),
      ...leastOfLanes(rest),
      second.set(i32.add(candidates.get, i32x4.extract(rest.of.get, 0))),
      place.set(i32.load(first.get)),
      other.set(i32.load(second.get)),
      ...lookAt(place, other),
      ...shrinkBall,
      when(i32.ltU(i32.const(8), i32.sub(candidatesEnd.get, candidates.get)), [
        ...[first, second].map((one) => f32.store(i32.add(one.get, squaresAside.get), f32.const(Infinity))),
        at.set(candidates.get),
        kept.set(candidates.get),
        doWhile(
          [
            mask.set(i32x4.bitmask(f32x4.le(v128.load(i32.add(at.get, squaresAside.get)), radius.get))),
            lanes.set(firstLanes(mask)),
            square.set(v128.load(at.get)),
            v128.store(kept.get, pick(square, lanes)),
            increase(kept, i32.shl(i32.popcnt(mask.get), i32.const(2))),
            increase(at, 16),
          ],
          i32.ltU(at.get, candidatesEnd.get),
        ),
        at.set(candidates.get),
        when(i32.ltU(at.get, kept.get), [
          // An odd one is looked at twice.
          i32.store(kept.get, i32.load(at.get)),
          doWhile(
            [place.set(i32.load(at.get)), other.set(i32.load(at.get, 4)), ...lookAt(place, other), increase(at, 8)],
            i32.ltU(at.get, kept.get),
          ),
          ...shrinkBall,
        ]),
      ]),
      candidatesEnd.set(candidates.get),
    ]
    const openPatch = when(i32.sub(PATCH.load(patch.get, 'opened'), update.get), [open.call({ patch })])
    const fitGroup = when(i32.sub(GROUP.load(group.get, 'fitted'), update.get), [fit.call({ group })])
    const searchPatches: Statement[] = [
      nextPatch.set(patches.get),
      whileLoop(i32.ltU(nextPatch.get, patchesEnd.get), [
        patch.set(i32.load(nextPatch.get)),
        openPatch,
        ...appendTriangles,
        when(i32.geU(i32.sub(candidatesEnd.get, candidates.get), i32.const(4 * MANY_CANDIDATES)), settle),
        increase(nextPatch, 4),
      ]),
      patchesEnd.set(patches.get),
    ]
    const search: Statement[] = [
      ...fitBall,
      candidatesEnd.set(candidates.get),
      patchesEnd.set(patches.get),
      nextGroup.set(groups.get),
      groupsEnd.set(groups.get),
      ...appendNear(groupsEnd, {
        boxes: TASK.load(TASK_CODE, 'groupBoxes'),
        boxesEnd: TASK.load(TASK_CODE, 'groupBoxesEnd'),
        records: TASK.load(TASK_CODE, 'groups'),
        bytes: GROUP.size,
      }),
      whileLoop(i32.ltU(nextGroup.get, groupsEnd.get), [
        group.set(i32.load(nextGroup.get)),
        increase(nextGroup, 4),
        fitGroup,
        ...appendNear(patchesEnd, {
          boxes: GROUP.load(group.get, 'boxes'),
          boxesEnd: GROUP.load(group.get, 'boxesEnd'),
          records: GROUP.load(group.get, 'patches'),
          bytes: PATCH.size,
        }),
        when(
          i32.or(
            i32.geU(nextGroup.get, groupsEnd.get),
            i32.geU(i32.sub(patchesEnd.get, patches.get), i32.const(4 * MANY_PATCHES)),
          ),
          searchPatches,
        ),
      ]),
      when(i32.ltU(candidates.get, candidatesEnd.get), settle),
    ]
    const element = (base: I32, bytes: number): I32 => i32.add(base, i32.mul(lane.get, i32.const(bytes)))
    /** With nothing to go by, the triangle whose middle is nearest of the patch and group of which that holds. */
    const seed: Statement[] = [
      lane.set(
        nearestBox.call({
          block: TASK.load(TASK_CODE, 'groupBoxes'),
          end: TASK.load(TASK_CODE, 'groupBoxesEnd'),
          ...{ twiceX, twiceY, twiceZ },
        }),
      ),
      group.set(element(TASK.load(TASK_CODE, 'groups'), GROUP.size)),
      fitGroup,
      lane.set(
        nearestBox.call({
          block: GROUP.load(group.get, 'boxes'),
          end: GROUP.load(group.get, 'boxesEnd'),
          ...{ twiceX, twiceY, twiceZ },
        }),
      ),
      patch.set(element(GROUP.load(group.get, 'patches'), PATCH.size)),
      openPatch,
      lane.set(
        nearestBox.call({
          block: PATCH.load(patch.get, 'boxes'),
          end: PATCH.load(patch.get, 'boxesEnd'),
          ...{ twiceX, twiceY, twiceZ },
        }),
      ),
      place.set(element(PATCH.load(patch.get, 'places'), PLACE.size)),
      ...lookAt(place, place),
    ]
    const placeOfTriangle = i32.add(TASK.load(TASK_CODE, 'placeOfTriangle'), i32.shl(triangle.get, i32.const(2)))
    const answer: Statement[] = [
      ...point.map((value, axis) => value.set(f32x4.splat(f32.demote(offset[axis].get)))),
      ...twice.map((value, axis) => value.set(f32x4.add(point[axis].get, point[axis].get))),
      ...exact.map((value, axis) => value.set(f64x2.splat(QUERY.load(query.get, 'point', axis)))),
      triangle.set(QUERY.load(query.get, 'triangle')),
      when(i32.ltU(triangle.get, TASK.load(TASK_CODE, 'triangleCount')), [
        place.set(i32.load(placeOfTriangle)),
        ...lookAt(place, place),
      ]),
      limit.set(best.get),
      reach.set(QUERY.load(query.get, 'reach')),
      // Not so where it is not a number.
      when(i32.and(f64.lt(f64.mul(reach.get, reach.get), best.get), f64.lt(reach.get, TASK.load(TASK_CODE, 'far'))), [
        limit.set(f64.mul(reach.get, reach.get)),
      ]),
      doWhile(
        [
          when(f64.eq(limit.get, f64.const(Number.MAX_VALUE)), [...seed, limit.set(best.get)]),
          isOver.set(isUntold.get),
          when(i32.eq(isOver.get, i32.const(0)), [
            ...search,
            // If nothing lies in the radius of the hint, it was too small, and the search begins again without.
            isOver.set(i32.or(f64.le(best.get, limit.get), isUntold.get)),
            limit.set(best.get),
          ]),
        ],
        i32.eq(isOver.get, i32.const(0)),
      ),
    ]
    return [
      update.set(TASK.load(TASK_CODE, 'update')),
      order.set(TASK.load(TASK_CODE, 'order')),
      groups.set(TASK.load(TASK_CODE, 'nearGroups')),
      patches.set(TASK.load(TASK_CODE, 'nearPatches')),
      candidates.set(TASK.load(TASK_CODE, 'candidates')),
      squaresAside.set(TASK.load(TASK_CODE, 'squaresAside')),
      middlesAside.set(TASK.load(TASK_CODE, 'middlesAside')),
      doWhile(
        [
          isUntold.set(i32.const(0)),
          best.set(f64.const(Number.MAX_VALUE)),
          nearest.set(i32.const(-1)),
          ...offset.map((value, axis) =>
            value.set(f64.sub(QUERY.load(query.get, 'point', axis), TASK.load(TASK_CODE, 'origin', axis))),
          ),
          slack.set(offset.map(({ get }) => f64.abs(get)).reduce(f64.add)),
          when(
            f64.lt(slack.get, TASK.load(TASK_CODE, 'far')),
            [slack.set(f64.add(f64.mul(slack.get, f64.const(SINGLE)), TASK.load(TASK_CODE, 'slack'))), ...answer],
            [isUntold.set(i32.const(1))],
          ),
          when(isUntold.get, [nearest.set(i32.const(-1))]),
          QUERY.store(query.get, 'squared', best.get),
          QUERY.store(query.get, 'triangle', nearest.get),
          increase(query, QUERY.size),
        ],
        i32.ltU(query.get, queriesEnd.get),
      ),
    ]
  })
}

/** Number of the box whose middle is nearest, among those of the blocks from one address to another. */
function defineNearestBox(module: ModuleBuilder) {
  const params = { block: 'i32', end: 'i32', twiceX: 'v128', twiceY: 'v128', twiceZ: 'v128' } as const
  return module.define('nearestBox', { params, result: 'i32' }, ({ block, end, twiceX, twiceY, twiceZ }, scope) => {
    const numbers = scope.local('v128')
    const least = leastOf(scope)
    const away = scope.some(3, 'v128')
    return [
      least.value.set(f32x4.const(Infinity)),
      numbers.set(i32x4.lanes(0, 1, 2, 3)),
      doWhile(
        [
          ...[twiceX, twiceY, twiceZ].map((value, axis) =>
            away[axis].set(
              f32x4.sub(
                f32x4.add(BOXES.load(block.get, 'lower', axis), BOXES.load(block.get, 'upper', axis)),
                value.get,
              ),
            ),
          ),
          ...takeLess(least, dot(away), numbers.get),
          numbers.set(i32x4.add(numbers.get, i32x4.splat(i32.const(4)))),
          increase(block, BOXES.size),
        ],
        i32.ltU(block.get, end.get),
      ),
      ...leastOfLanes(least),
      i32x4.extract(least.of.get, 0),
    ]
  })
}

/** The least value in each lane so far, and of what it is. */
interface Least {
  value: Local<'v128'>
  of: Local<'v128'>
  other: Local<'v128'>
  isLess: Local<'v128'>
}

function leastOf(scope: Scope): Least {
  const [value, of, other, isLess] = scope.some(4, 'v128')
  return { value, of, other, isLess }
}

function takeLess({ value, of, other, isLess }: Least, otherValue: V128, otherOf: V128): Statement[] {
  return [
    other.set(otherValue),
    isLess.set(f32x4.lt(other.get, value.get)),
    value.set(v128.select(other.get, value.get, isLess.get)),
    of.set(v128.select(otherOf, of.get, isLess.get)),
  ]
}

/** Leaves the least of all lanes in lane 0. */
function leastOfLanes(least: Least): Statement[] {
  const turns = [
    [1, 2, 3, 0],
    [2, 3, 0, 1],
  ] as const
  return turns.flatMap((turn) => {
    const [value, of] = [least.value, least.of].map(({ get }) => v128.shuffle(get, get, turn))
    return takeLess(least, value, of)
  })
}

/** The square of a vector's length. */
function dot(vector: readonly Local<'v128'>[]): V128 {
  return vector.map(({ get }) => f32x4.mul(get, get)).reduce((sum, square) => f32x4.add(sum, square))
}
