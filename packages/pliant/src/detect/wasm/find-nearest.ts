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
  type Statement,
  type V128,
  v128,
  when,
  whileLoop,
} from '../../math/wasm/assembler.js'
import { defineClosestPair } from './closest-pair.js'
import { defineFit, defineFollow, defineOpen } from './follow-surface.js'
import {
  BOXES,
  GROUP,
  MOST_WAITING,
  PATCH,
  PLACE,
  QUERY,
  SCRATCH_BYTES,
  SINGLE,
  TASK,
  TASK_ADDRESS,
  WAITING,
} from './nearest-layout.js'

export interface NearestKernels {
  /** Takes over the positions. Returns the greatest extent of the surface [m], not finite if a vertex is not. */
  follow(): number
  /** Answers the questions from one address to another. */
  find(query: number, queriesEnd: number): void
}

/** What rounding of single precision takes away from a length at most, as a part of it. */
const LONGER = 1 + 1e-6
/** Bits of a key that number candidates. */
const NUMBERS = MOST_WAITING - 1

const TASK_CODE = i32.const(TASK_ADDRESS)

export function defineNearestKernels(module: ModuleBuilder): void {
  defineFollow(module)
  const fit = defineFit(module)
  const open = defineOpen(module)
  const closestPair = defineClosestPair(module)
  const nearestBox = defineNearestBox(module)
  const params = { query: 'i32', queriesEnd: 'i32' } as const
  module.define('find', { params, isExported: true }, ({ query, queriesEnd }, scope) => {
    const [update, groups, waitingStart, scratch, nearest, isUntold, isOver] = scope.some(7, 'i32')
    const [group, ofGroups, groupBoxes, groupBoxesEnd, groupMask] = scope.some(5, 'i32')
    const [patch, patches, patchBoxes, patchBoxesEnd, patchMask] = scope.some(5, 'i32')
    const [place, places, placeBoxes, placeBoxesEnd, placeMask] = scope.some(5, 'i32')
    const [roundEnd, shift, waiting, entry, kept, other, triangle, lane] = scope.some(8, 'i32')
    const [key, first, second] = scope.some(3, 'i32')
    const [best, squared, limit, slack, reach] = scope.some(5, 'f64')
    const offset = scope.some(3, 'f64')
    /** In single precision, seen from the surface's middle, and twice that; in doubles. */
    const point = scope.some(3, 'v128')
    const twice = scope.some(3, 'v128')
    const exact = scope.some(3, 'v128')
    const [radius, pair, square] = scope.some(3, 'v128')
    const away = scope.some(3, 'v128')
    const [px, py, pz] = exact
    const [twiceX, twiceY, twiceZ] = twice

    const ends = (block: Local<'i32'>, axis: number): [V128, V128] => [
      BOXES.load(block.get, 'lower', axis),
      BOXES.load(block.get, 'upper', axis),
    ]
    /** Lanes of a block whose boxes the ball meets. */
    const nearBoxes = (block: Local<'i32'>): [Statement[], V128] => [
      away.map((value, axis) => {
        const [lower, upper] = ends(block, axis)
        const [below, above] = [f32x4.sub(lower, point[axis].get), f32x4.sub(point[axis].get, upper)]
        return value.set(f32x4.pmax(f32x4.pmax(below, above), f32x4.const(0)))
      }),
      f32x4.le(dot(away), radius.get),
    ]
    /** The same of triangles; how far their boxes are, and twice how far the middles of these, goes to the scratch. */
    const nearTriangles = (block: Local<'i32'>): [Statement[], V128] => {
      const [statements] = nearBoxes(block)
      const row = i32.add(scratch.get, i32.shl(shift.get, i32.const(2)))
      return [
        [
          ...statements,
          square.set(dot(away)),
          v128.store(row, square.get),
          ...away.map((value, axis) => value.set(f32x4.sub(f32x4.add(...ends(block, axis)), twice[axis].get))),
          v128.store(row, dot(away), SCRATCH_BYTES),
        ],
        f32x4.le(square.get, radius.get),
      ]
    }
    /** Goes along blocks, eight at a time, and does the body for each element that is near. */
    const forNear = (
      near: (block: Local<'i32'>) => [Statement[], V128],
      { block, end, mask, base, element }: Record<'block' | 'end' | 'mask' | 'base' | 'element', Local<'i32'>>,
      sizes: { block: number; element: number },
      body: Statement[],
    ): Statement => {
      const [statements, lanes] = near(block)
      return doWhile(
        [
          roundEnd.set(i32.add(block.get, i32.const(8 * sizes.block))),
          when(i32.ltU(end.get, roundEnd.get), [roundEnd.set(end.get)]),
          mask.set(i32.const(0)),
          shift.set(i32.const(0)),
          doWhile(
            [
              ...statements,
              mask.set(i32.or(mask.get, i32.shl(i32x4.bitmask(lanes), shift.get))),
              increase(shift, 4),
              increase(block, sizes.block),
            ],
            i32.ltU(block.get, roundEnd.get),
          ),
          whileLoop(mask.get, [
            lane.set(i32.ctz(mask.get)),
            mask.set(i32.and(mask.get, i32.sub(mask.get, i32.const(1)))),
            element.set(i32.add(base.get, i32.shl(lane.get, i32.const(Math.log2(sizes.element))))),
            ...body,
          ]),
          increase(base, 32 * sizes.element),
        ],
        i32.ltU(block.get, end.get),
      )
    }
    const element = (base: Local<'i32'>, by: number): I32 => i32.add(base.get, i32.shl(lane.get, i32.const(by)))

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
    const least = (one: I32, two: I32): I32 => i32.select(one, two, i32.ltU(one, two))
    const greatest = (one: I32, two: I32): I32 => i32.select(two, one, i32.ltU(one, two))
    const entryOf = (of: Local<'i32'>): I32 =>
      i32.add(waitingStart.get, i32.shl(i32.and(of.get, i32.const(NUMBERS)), i32.const(WAITING.shift)))
    /**
     * Works out the distances of the candidates: first of the two whose boxes' middles are nearest, then of those
     * that are near in the ball that these leave.
     */
    const settleWaiting: Statement[] = [
      first.set(i32.const(-1)),
      second.set(i32.const(-1)),
      entry.set(waitingStart.get),
      shift.set(i32.const(0)),
      doWhile(
        [
          // Floats that are not negative have the order of their bits.
          key.set(i32.or(i32.and(WAITING.load(entry.get, 'middle'), i32.const(~NUMBERS)), shift.get)),
          second.set(least(second.get, greatest(first.get, key.get))),
          first.set(least(first.get, key.get)),
          increase(shift, 1),
          increase(entry, WAITING.size),
        ],
        i32.ltU(entry.get, waiting.get),
      ),
      first.set(entryOf(first)),
      place.set(WAITING.load(first.get, 'place')),
      other.set(place.get),
      when(i32.ltU(i32.const(1), shift.get), [
        second.set(entryOf(second)),
        other.set(WAITING.load(second.get, 'place')),
      ]),
      ...lookAt(place, other),
      when(f64.lt(best.get, limit.get), [limit.set(best.get), ...fitBall]),
      when(i32.ltU(i32.const(2), shift.get), [
        WAITING.store(first.get, 'box', f32.const(Infinity)),
        WAITING.store(second.get, 'box', f32.const(Infinity)),
        entry.set(waitingStart.get),
        kept.set(waitingStart.get),
        doWhile(
          [
            key.set(f32.le(WAITING.load(entry.get, 'box'), f32x4.extract(radius.get, 0))),
            i32.store(kept.get, WAITING.load(entry.get, 'place')),
            increase(kept, i32.shl(key.get, i32.const(2))),
            increase(entry, WAITING.size),
          ],
          i32.ltU(entry.get, waiting.get),
        ),
        entry.set(waitingStart.get),
        when(i32.ltU(entry.get, kept.get), [
          // An odd one is looked at twice.
          i32.store(kept.get, i32.load(entry.get)),
          doWhile(
            [
              place.set(i32.load(entry.get)),
              other.set(i32.load(entry.get, 4)),
              ...lookAt(place, other),
              increase(entry, 8),
            ],
            i32.ltU(entry.get, kept.get),
          ),
          when(f64.lt(best.get, limit.get), [limit.set(best.get), ...fitBall]),
        ]),
      ]),
      waiting.set(waitingStart.get),
    ]
    const searchPatch: Statement[] = [
      when(i32.sub(PATCH.load(patch.get, 'opened'), update.get), [open.call({ patch })]),
      places.set(PATCH.load(patch.get, 'places')),
      placeBoxes.set(PATCH.load(patch.get, 'boxes')),
      placeBoxesEnd.set(PATCH.load(patch.get, 'boxesEnd')),
      forNear(
        nearTriangles,
        { block: placeBoxes, end: placeBoxesEnd, mask: placeMask, base: places, element: place },
        { block: BOXES.size, element: PLACE.size },
        [
          lane.set(i32.add(scratch.get, i32.shl(lane.get, i32.const(2)))),
          WAITING.store(waiting.get, 'place', place.get),
          WAITING.store(waiting.get, 'box', f32.load(lane.get)),
          WAITING.store(waiting.get, 'middle', i32.load(lane.get, SCRATCH_BYTES)),
          increase(waiting, WAITING.size),
          when(i32.geU(i32.sub(waiting.get, waitingStart.get), i32.const(WAITING.size * MOST_WAITING)), settleWaiting),
        ],
      ),
    ]
    const searchGroup: Statement[] = [
      when(i32.sub(GROUP.load(group.get, 'fitted'), update.get), [fit.call({ group })]),
      patches.set(GROUP.load(group.get, 'patches')),
      patchBoxes.set(GROUP.load(group.get, 'boxes')),
      patchBoxesEnd.set(GROUP.load(group.get, 'boxesEnd')),
      forNear(
        nearBoxes,
        { block: patchBoxes, end: patchBoxesEnd, mask: patchMask, base: patches, element: patch },
        { block: BOXES.size, element: PATCH.size },
        searchPatch,
      ),
    ]
    const search: Statement[] = [
      ...fitBall,
      waiting.set(waitingStart.get),
      ofGroups.set(groups.get),
      groupBoxes.set(TASK.load(TASK_CODE, 'groupBoxes')),
      groupBoxesEnd.set(TASK.load(TASK_CODE, 'groupBoxesEnd')),
      forNear(
        nearBoxes,
        { block: groupBoxes, end: groupBoxesEnd, mask: groupMask, base: ofGroups, element: group },
        { block: BOXES.size, element: GROUP.size },
        searchGroup,
      ),
      when(i32.ltU(waitingStart.get, waiting.get), settleWaiting),
    ]
    /** With nothing to go by, the triangle whose middle is nearest of the patch and group of which that holds. */
    const seed: Statement[] = [
      lane.set(
        nearestBox.call({
          block: TASK.load(TASK_CODE, 'groupBoxes'),
          end: TASK.load(TASK_CODE, 'groupBoxesEnd'),
          ...{ twiceX, twiceY, twiceZ },
        }),
      ),
      group.set(element(groups, GROUP.shift)),
      when(i32.sub(GROUP.load(group.get, 'fitted'), update.get), [fit.call({ group })]),
      lane.set(
        nearestBox.call({
          block: GROUP.load(group.get, 'boxes'),
          end: GROUP.load(group.get, 'boxesEnd'),
          ...{ twiceX, twiceY, twiceZ },
        }),
      ),
      patches.set(GROUP.load(group.get, 'patches')),
      patch.set(element(patches, PATCH.shift)),
      when(i32.sub(PATCH.load(patch.get, 'opened'), update.get), [open.call({ patch })]),
      lane.set(
        nearestBox.call({
          block: PATCH.load(patch.get, 'boxes'),
          end: PATCH.load(patch.get, 'boxesEnd'),
          ...{ twiceX, twiceY, twiceZ },
        }),
      ),
      places.set(PATCH.load(patch.get, 'places')),
      place.set(element(places, PLACE.shift)),
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
      groups.set(TASK.load(TASK_CODE, 'groups')),
      waitingStart.set(TASK.load(TASK_CODE, 'waiting')),
      scratch.set(TASK.load(TASK_CODE, 'scratch')),
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
    const [least, numbers, nearest, square, nearer] = scope.some(5, 'v128')
    const away = scope.some(3, 'v128')
    const merge = (other: V128, otherNumbers: V128): Statement[] => [
      square.set(other),
      nearer.set(f32x4.lt(square.get, least.get)),
      least.set(v128.select(square.get, least.get, nearer.get)),
      nearest.set(v128.select(otherNumbers, nearest.get, nearer.get)),
    ]
    const turned = ({ get }: Local<'v128'>, by: 1 | 2): V128 =>
      v128.shuffle(get, get, by === 1 ? [1, 2, 3, 0] : [2, 3, 0, 1])
    return [
      least.set(f32x4.const(Infinity)),
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
          ...merge(dot(away), numbers.get),
          numbers.set(i32x4.add(numbers.get, i32x4.splat(i32.const(4)))),
          increase(block, BOXES.size),
        ],
        i32.ltU(block.get, end.get),
      ),
      ...([1, 2] as const).flatMap((by) => merge(turned(least, by), turned(nearest, by))),
      i32x4.extract(nearest.get, 0),
    ]
  })
}

/** The square of a vector's length. */
function dot(vector: readonly Local<'v128'>[]): V128 {
  return vector.map(({ get }) => f32x4.mul(get, get)).reduce((sum, square) => f32x4.add(sum, square))
}
