/**
 * Rows, each a point seen by one bone: into the bone's box and through both grids to the head's features, and back.
 *
 * The static grids of all bones are larger than the second-level cache, and points of one batch lie all over them. So
 * all rows of a tile first find their cells, then fetch them, then look up: a hundred cells on their way at once,
 * instead of one row waiting for its cell after the other (notes/bone-kernels.md).
 */
import {
  doWhile,
  f32x4,
  type I32,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  type WasmFunction,
} from '../../../math/wasm/assembler.js'
import type { Madd } from '../../wasm/madd.js'
import { BONE_TILE, BOX } from './bone-records.js'
import { CUBE, declareCube, declareLookupBack } from './cube.js'
import { programFields, type WordField } from './lanes.js'

const { add, sub, mul, div, pmin, pmax, sqrt, eq } = f32x4
const TINY = f32x4.const(1e-30)

/** `count` is rows per level. */
const PARAMS = { program: 'i32', points: 'i32', count: 'i32', scratch: 'i32' } as const

export type RowsFunction = WasmFunction<typeof PARAMS>

type Arguments = Record<keyof typeof PARAMS, Local<'i32'>>

/** The steps of the way there: fill features and outside; with `keeps`, also what the way back needs. */
export function defineRowsForward(module: ModuleBuilder, madd: Madd, keeps: boolean): RowsFunction[] {
  const steps = { enterBoxes, warpPoints, fetchCells, lookupCells }
  return Object.entries(steps).map(([name, step]) =>
    module.define(`bones.${name}${keeps ? 'Keeping' : ''}`, { params: PARAMS }, (p, scope) =>
      step(p, scope, madd, keeps),
    ),
  )
}

/** Into the bone's box, and to the point's cell of the warp grid. */
function enterBoxes(p: Arguments, scope: Scope, madd: Madd, keeps: boolean): Statement[] {
  const rows = declareRows(p, scope)
  const { word, float } = rows
  const [point, index, features, outside, boxSlopes, cells, box, warps] = scope.some(8, 'i32')
  const [seen, held, beyond, length] = scope.some(4, 'v128')
  const warp = declareCube(scope, madd, warps, keeps)
  const column = (c: number): V128 => BOX.load(box.get, 'columns', c)
  const half = BOX.load(box.get, 'half')
  const swap = (lanes: readonly [number, number, number, number]) =>
    length.set(add(length.get, v128.shuffle(length.get, length.get, lanes)))
  return [
    ...rows.forEach(
      [
        { at: point, first: rows.points.get, stride: i32.const(12), isOfPoint: true },
        rows.stream(index, 'indices', i32.const(4)),
        rows.stream(outside, 'outside', i32.const(4)),
        rows.stream(features, 'features', word('featureStride')),
        rows.stream(cells, 'cells', i32.const(16)),
        ...(keeps ? [rows.stream(boxSlopes, 'boxSlopes', i32.const(32))] : []),
      ],
      [
        box.set(i32.add(word('boxes'), i32.shl(i32.load(index.get), i32.const(BOX.shift)))),
        seen.set(
          [0, 1, 2].reduce((sum, axis) => madd(v128.loadSplat(point.get, 4 * axis), column(axis), sum), column(3)),
        ),
        held.set(pmin(pmax(seen.get, f32x4.const(-1)), f32x4.const(1))),
        v128.store(features.get, held.get),
        warps.set(rows.cubeOf('warps', index)),
        ...warp.locate(held.get),
        v128.store(cells.get, warp.fraction.get),
        i32.store(cells.get, warp.cell.get, 12),
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
      ],
    ),
  ]
}

/** Through the warp grid to X, and to its cell of the static grid. */
function warpPoints(p: Arguments, scope: Scope, madd: Madd, keeps: boolean): Statement[] {
  const rows = declareRows(p, scope)
  const { word } = rows
  const [index, features, slopes, cells, warps, grids] = scope.some(6, 'i32')
  const [held, warped] = scope.some(2, 'v128')
  const warp = declareCube(scope, madd, warps, keeps)
  const grid = declareCube(scope, madd, grids, keeps)
  const scale = CUBE.load(grids.get, 'scale')
  return [
    ...rows.forEach(
      [
        rows.stream(index, 'indices', i32.const(4)),
        rows.stream(features, 'features', word('featureStride')),
        rows.stream(cells, 'cells', i32.const(16)),
        ...(keeps ? [rows.stream(slopes, 'rowSlopes', word('slopeStride'))] : []),
      ],
      [
        warps.set(rows.cubeOf('warps', index)),
        grids.set(rows.cubeOf('grids', index)),
        held.set(v128.load(features.get)),
        warp.fraction.set(v128.load(cells.get)),
        warp.cell.set(i32.load(cells.get, 12)),
        ...warp.lookup(features.get, slopes.get),
        // X = x - w replaces the first three channels.
        warped.set(v128.load(features.get)),
        held.set(sub(held.get, warped.get)),
        v128.store(features.get, v128.shuffle(held.get, warped.get, [0, 1, 2, 7])),
        ...grid.locate(held.get),
        v128.store(cells.get, grid.fraction.get),
        i32.store(cells.get, grid.cell.get, 12),
        ...(keeps ? [v128.store(i32.add(slopes.get, word('gridSlopes')), v128.and(scale, grid.isInside.get))] : []),
      ],
    ),
  ]
}

function fetchCells(p: Arguments, scope: Scope, madd: Madd): Statement[] {
  const rows = declareRows(p, scope)
  const [index, cells, grids] = scope.some(3, 'i32')
  const grid = declareCube(scope, madd, grids, false)
  return [
    ...rows.forEach(
      [rows.stream(index, 'indices', i32.const(4)), rows.stream(cells, 'cells', i32.const(16))],
      [grids.set(rows.cubeOf('grids', index)), grid.cell.set(i32.load(cells.get, 12)), ...grid.fetch()],
    ),
  ]
}

function lookupCells(p: Arguments, scope: Scope, madd: Madd, keeps: boolean): Statement[] {
  const rows = declareRows(p, scope)
  const { word } = rows
  const [index, features, slopes, cells, grids] = scope.some(5, 'i32')
  const grid = declareCube(scope, madd, grids, keeps)
  return [
    ...rows.forEach(
      [
        rows.stream(index, 'indices', i32.const(4)),
        rows.stream(features, 'features', word('featureStride')),
        rows.stream(slopes, 'rowSlopes', word('slopeStride')),
        rows.stream(cells, 'cells', i32.const(16)),
      ],
      [
        grids.set(rows.cubeOf('grids', index)),
        grid.fraction.set(v128.load(cells.get)),
        grid.cell.set(i32.load(cells.get, 12)),
        ...grid.lookup(
          i32.add(features.get, word('gridFeature')),
          i32.add(i32.add(slopes.get, word('gridSlopes')), i32.const(16)),
        ),
      ],
    ),
  ]
}

/** From the gradient over the features to that over the points, added up. */
export function defineRowsBackward(module: ModuleBuilder, madd: Madd): RowsFunction {
  return module.define('bones.rowsBackward', { params: PARAMS }, (p, scope) => {
    const rows = declareRows(p, scope)
    const { word } = rows
    const [out, index, features, seeds, boxSlopes, slopes, gridSlopes, box, warps] = scope.some(9, 'i32')
    const [carried, local, first] = scope.some(3, 'v128')
    const lookupBack = declareLookupBack(scope, madd)
    const splat = (axis: number): V128 => v128.splatLane(local, axis)
    return [
      ...rows.forEach(
        [
          { ...rows.stream(out, 'pointGradients', i32.const(16)), isOfPoint: true },
          rows.stream(index, 'indices', i32.const(4)),
          rows.stream(seeds, 'distanceSeeds', i32.const(4)),
          rows.stream(features, 'features', word('featureStride')),
          rows.stream(boxSlopes, 'boxSlopes', i32.const(32)),
          rows.stream(slopes, 'rowSlopes', word('slopeStride')),
        ],
        [
          box.set(i32.add(word('boxes'), i32.shl(i32.load(index.get), i32.const(BOX.shift)))),
          warps.set(rows.cubeOf('warps', index)),
          gridSlopes.set(i32.add(slopes.get, word('gridSlopes'))),
          ...lookupBack(
            i32.add(gridSlopes.get, i32.const(16)),
            i32.add(slopes.get, word('slopeStride')),
            i32.add(features.get, word('gridFeature')),
            carried,
          ),
          // X = x - w: the gradient goes to x as it is, and to the first three channels with a minus.
          first.set(v128.load(features.get)),
          carried.set(madd(carried.get, v128.load(gridSlopes.get), first.get)),
          first.set(v128.shuffle(sub(f32x4.const(0), carried.get), first.get, [0, 1, 2, 7])),
          ...lookupBack(slopes.get, gridSlopes.get, features.get, local, first.get),
          local.set(madd(local.get, CUBE.load(warps.get, 'scale'), carried.get)),
          // Beyond the box the clamped point stays, and the distance from it grows.
          local.set(
            madd(
              v128.loadSplat(seeds.get),
              v128.load(boxSlopes.get, 16),
              v128.and(local.get, v128.load(boxSlopes.get)),
            ),
          ),
          v128.store(
            out.get,
            [0, 1, 2].reduce(
              (sum, axis) => madd(splat(axis), BOX.load(box.get, 'rows', axis), sum),
              v128.load(out.get),
            ),
          ),
        ],
      ),
    ]
  })
}

/** Something in memory that a loop over rows follows. */
interface Stream {
  at: Local<'i32'>
  first: I32
  /** Bytes from row to row. */
  stride: I32
  /** The same for all bones of a point. */
  isOfPoint?: boolean
}

/** A loop over all rows of the tile. */
function declareRows(p: Arguments, scope: Scope) {
  const { points, count } = p
  const fields = programFields(p)
  const [level, left] = scope.some(2, 'i32')
  return {
    ...fields,
    points,
    /** Address of the CUBE of a row's bone. */
    cubeOf: (grids: 'warps' | 'grids', index: Local<'i32'>): I32 =>
      i32.add(fields.word(grids), i32.shl(i32.load(index.get), i32.const(CUBE.shift))),
    stream: (at: Local<'i32'>, name: WordField, stride: I32): Stream => ({
      at,
      first: fields.inScratch(name),
      stride,
    }),
    forEach: (streams: Stream[], body: Statement[]): Statement[] => [
      doWhile(
        [
          ...streams.map(({ at, first, stride, isOfPoint }) => {
            const before = i32.mul(i32.mul(level.get, i32.const(BONE_TILE)), stride)
            return at.set(isOfPoint ? first : i32.add(first, before))
          }),
          left.set(count.get),
          doWhile(
            [
              ...body,
              ...streams.map(({ at, stride }) => increase(at, stride)),
              left.set(i32.sub(left.get, i32.const(1))),
            ],
            left.get,
          ),
          increase(level, 1),
        ],
        i32.ltU(level.get, fields.word('answering')),
      ),
    ],
  }
}
