/** Rows, each a point seen by one bone: into the bone's box and through both grids to the head's features, and back. */
import {
  doWhile,
  f32x4,
  i32,
  increase,
  type ModuleBuilder,
  type V128,
  v128,
  type WasmFunction,
} from '../../wasm/assembler.js'
import type { Madd } from '../../wasm/madd.js'
import { GRID } from '../../wasm/records.js'
import { loadXyz, storeXyz } from '../../wasm/run.js'
import { BONE_TILE, BOX } from './bone-records.js'
import { locals, params, programFields } from './lanes.js'

const { add, sub, mul, div, pmin, pmax, sqrt, eq } = f32x4
const TINY = f32x4.const(1e-30)

/**
 * (program, points, rows per level, scratch): fills features and outside; with `keeps`, also what the way back needs.
 * @param lookup  (grid, position, out), with `keeps` (grid, position, out, slopes)
 */
export function defineRowsForward(
  module: ModuleBuilder,
  madd: Madd,
  lookup: WasmFunction,
  keeps: boolean,
): WasmFunction {
  return module.define((scope) => {
    const [program, points, count, scratch] = params(scope, 4)
    const { word, float, inScratch } = programFields(program, scratch)
    const [level, left, point, index, features, outside, boxSlopes, slopes, bone, box] = locals(scope, 'i32', 10)
    const [seen, held, beyond, length] = locals(scope, 'v128', 4)
    const column = (c: number): V128 => v128.load(box.get, BOX.at.columns + 16 * c)
    const half = v128.load(box.get, BOX.at.half)
    const swap = (lanes: readonly [number, number, number, number]) =>
      length.set(add(length.get, v128.shuffle(length.get, length.get, lanes)))
    const grid = (name: 'warps' | 'grids') => i32.add(word(name), i32.mul(bone.get, i32.const(GRID.size)))
    const slopesArguments = (of: 'warp' | 'grid') =>
      !keeps ? [] : [of === 'warp' ? slopes.get : i32.add(slopes.get, word('warpSlopes'))]
    const row = [
      bone.set(i32.load(index.get)),
      box.set(i32.add(word('boxes'), i32.shl(bone.get, i32.const(BOX.shift)))),
      seen.set(
        [0, 1, 2].reduce((sum, axis) => madd(v128.loadSplat(point.get, 4 * axis), column(axis), sum), column(3)),
      ),
      held.set(pmin(pmax(seen.get, f32x4.const(-1)), f32x4.const(1))),
      beyond.set(mul(sub(seen.get, held.get), half)),
      length.set(mul(beyond.get, beyond.get)),
      swap([2, 3, 0, 1]),
      swap([1, 0, 3, 2]),
      length.set(sqrt(length.get)),
      v128.storeLane(outside.get, mul(length.get, float('scaleInverse')), 0),
      ...(keeps
        ? [
            v128.store(boxSlopes.get, eq(seen.get, held.get)),
            v128.store(
              boxSlopes.get,
              div(mul(mul(beyond.get, half), float('scaleInverse')), pmax(length.get, TINY)),
              16,
            ),
          ]
        : []),
      lookup.call(grid('warps'), held.get, features.get, ...slopesArguments('warp')),
      // X = x - w replaces the first three channels.
      held.set(sub(held.get, loadXyz(features.get))),
      ...storeXyz(features.get, held.get),
      lookup.call(grid('grids'), held.get, i32.add(features.get, word('gridFeature')), ...slopesArguments('grid')),
      increase(point, 12),
      increase(index, 4),
      increase(outside, 4),
      increase(features, word('featureStride')),
      increase(boxSlopes, 32),
      increase(slopes, i32.add(word('warpSlopes'), word('gridSlopes'))),
      left.set(i32.sub(left.get, i32.const(1))),
    ]
    const firstRow = i32.mul(level.get, i32.const(BONE_TILE))
    return [
      doWhile(
        [
          point.set(points.get),
          index.set(i32.add(inScratch('indices'), i32.shl(firstRow, i32.const(2)))),
          outside.set(i32.add(inScratch('outside'), i32.shl(firstRow, i32.const(2)))),
          features.set(i32.add(inScratch('features'), i32.mul(firstRow, word('featureStride')))),
          boxSlopes.set(i32.add(inScratch('boxSlopes'), i32.shl(firstRow, i32.const(5)))),
          slopes.set(
            i32.add(inScratch('rowSlopes'), i32.mul(firstRow, i32.add(word('warpSlopes'), word('gridSlopes')))),
          ),
          left.set(count.get),
          doWhile(row, left.get),
          increase(level, 1),
        ],
        i32.ltU(level.get, word('answering')),
      ),
    ]
  })
}

/** (program, rows per level, scratch): from the gradient over the features to that over the points, added up. */
export function defineRowsBackward(module: ModuleBuilder, madd: Madd, lookupBack: WasmFunction): WasmFunction {
  return module.define((scope) => {
    const [program, count, scratch] = params(scope, 3)
    const { word, inScratch } = programFields(program, scratch)
    const [level, left, out, index, features, seeds, boxSlopes, slopes, gridSlopes, box] = locals(scope, 'i32', 10)
    const [carried, local] = locals(scope, 'v128', 2)
    const splat = (axis: number): V128 => v128.shuffle(local.get, local.get, [axis, axis, axis, axis])
    const row = [
      box.set(i32.add(word('boxes'), i32.shl(i32.load(index.get), i32.const(BOX.shift)))),
      gridSlopes.set(i32.add(slopes.get, word('warpSlopes'))),
      carried.set(
        add(
          loadXyz(features.get),
          lookupBack.call<'v128'>(
            gridSlopes.get,
            i32.add(gridSlopes.get, word('gridSlopes')),
            i32.add(features.get, word('gridFeature')),
          ),
        ),
      ),
      // X = x - w: the gradient goes to x as it is, and to the first three channels with a minus.
      ...storeXyz(features.get, sub(f32x4.const(0), carried.get)),
      local.set(add(carried.get, lookupBack.call<'v128'>(slopes.get, gridSlopes.get, features.get))),
      // Beyond the box the clamped point stays, and the distance from it grows.
      local.set(
        madd(v128.loadSplat(seeds.get), v128.load(boxSlopes.get, 16), v128.and(local.get, v128.load(boxSlopes.get))),
      ),
      v128.store(
        out.get,
        [0, 1, 2].reduce(
          (sum, axis) => madd(splat(axis), v128.load(box.get, BOX.at.rows + 16 * axis), sum),
          v128.load(out.get),
        ),
      ),
      increase(out, 16),
      increase(index, 4),
      increase(seeds, 4),
      increase(features, word('featureStride')),
      increase(boxSlopes, 32),
      increase(slopes, i32.add(word('warpSlopes'), word('gridSlopes'))),
      left.set(i32.sub(left.get, i32.const(1))),
    ]
    const firstRow = i32.mul(level.get, i32.const(BONE_TILE))
    return [
      doWhile(
        [
          out.set(inScratch('pointGradients')),
          index.set(i32.add(inScratch('indices'), i32.shl(firstRow, i32.const(2)))),
          seeds.set(i32.add(inScratch('distanceSeeds'), i32.shl(firstRow, i32.const(2)))),
          features.set(i32.add(inScratch('features'), i32.mul(firstRow, word('featureStride')))),
          boxSlopes.set(i32.add(inScratch('boxSlopes'), i32.shl(firstRow, i32.const(5)))),
          slopes.set(
            i32.add(inScratch('rowSlopes'), i32.mul(firstRow, i32.add(word('warpSlopes'), word('gridSlopes')))),
          ),
          left.set(count.get),
          doWhile(row, left.get),
          increase(level, 1),
        ],
        i32.ltU(level.get, word('answering')),
      ),
    ]
  })
}
