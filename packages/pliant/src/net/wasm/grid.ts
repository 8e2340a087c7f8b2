/**
 * Trilinear grids: channels at a point, and the pull-back of a gradient over the channels to the point. Channels go
 * four at a time; a padded lane holds zeros and so adds nothing.
 */
import {
  doWhile,
  f32x4,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  type WasmFunction,
} from '../../math/wasm/assembler.js'
import type { Madd } from './madd.js'
import { GRID } from './records.js'

const { sub, mul, pmin, pmax } = f32x4

const SAMPLE = { grid: 'i32', position: 'v128', out: 'i32' } as const

export type GridSample = WasmFunction<typeof SAMPLE>

/** Writes all channels at a position, in fours, to `out`. */
export function defineGridSample(module: ModuleBuilder, madd: Madd): GridSample {
  return module.define('grid.sample', { params: SAMPLE }, ({ grid, position, out }, scope) => {
    const cell = declareCell(scope)
    const v = scope.some(8, 'v128')
    const mix = mixWith(madd)
    const row = (a: number): V128 => mix(v[a].get, v[a + 1].get, cell.fraction[0].get)
    const plane = (a: number): V128 => mix(row(a), row(a + 2), cell.fraction[1].get)
    return [
      ...locate(cell, grid, position.get),
      doWhile(
        [
          ...loadCorners(cell, v),
          v128.store(out.get, mix(plane(0), plane(4), cell.fraction[2].get)),
          increase(out, 16),
          increase(cell.corner, 16),
        ],
        i32.ltU(cell.corner.get, cell.end.get),
      ),
    ]
  })
}

const PULL_BACK = { grid: 'i32', position: 'v128', upstream: 'i32' } as const

export type GridPullBack = WasmFunction<typeof PULL_BACK, 'v128'>

/** The transposed Jacobian times `upstream`, x y z in the lower lanes. */
export function defineGridPullBack(module: ModuleBuilder, madd: Madd): GridPullBack {
  return module.define(
    'grid.pullBack',
    { params: PULL_BACK, result: 'v128' },
    ({ grid, position, upstream }, scope) => {
      const cell = declareCell(scope)
      const v = scope.some(8, 'v128')
      const dx = scope.some(4, 'v128')
      const [dy0, dy1, g, gx, gy, gz] = scope.some(6, 'v128')
      const [fx, fy, fz] = cell.fraction.map((f) => f.get)
      const mix = mixWith(madd)
      return [
        ...locate(cell, grid, position.get),
        doWhile(
          [
            ...loadCorners(cell, v),
            g.set(v128.load(upstream.get)),
            // Edges along x; then v[0], v[2], v[4], v[6] become the values on them.
            ...dx.map((d, i) => d.set(sub(v[2 * i + 1].get, v[2 * i].get))),
            ...dx.map((d, i) => v[2 * i].set(madd(fx, d.get, v[2 * i].get))),
            dy0.set(sub(v[2].get, v[0].get)),
            dy1.set(sub(v[6].get, v[4].get)),
            v[0].set(madd(fy, dy0.get, v[0].get)),
            v[4].set(madd(fy, dy1.get, v[4].get)),
            gx.set(madd(g.get, mix(mix(dx[0].get, dx[1].get, fy), mix(dx[2].get, dx[3].get, fy), fz), gx.get)),
            gy.set(madd(g.get, mix(dy0.get, dy1.get, fz), gy.get)),
            gz.set(madd(g.get, sub(v[4].get, v[0].get), gz.get)),
            increase(upstream, 16),
            increase(cell.corner, 16),
          ],
          i32.ltU(cell.corner.get, cell.end.get),
        ),
        mul(sumLanes(gx.get, gy.get, gz.get), v128.and(GRID.load(grid.get, 'scale'), cell.isInside.get)),
      ]
    },
  )
}

interface Cell {
  /** Address of the cell's first corner, moving on with the channels. */
  corner: Local<'i32'>
  end: Local<'i32'>
  /** Bytes to the next node along x, y, z. */
  strides: Local<'i32'>[]
  /** x, y, z fraction within the cell, each in all lanes. */
  fraction: Local<'v128'>[]
  /** Per axis: all bits set where the point is within the grid, so that the clamped value follows it. */
  isInside: Local<'v128'>
  scratch: Local<'v128'>[]
}

function declareCell(scope: Scope): Cell {
  return {
    corner: scope.local('i32'),
    end: scope.local('i32'),
    strides: scope.some(3, 'i32'),
    fraction: scope.some(3, 'v128'),
    isInside: scope.local('v128'),
    scratch: scope.some(3, 'v128'),
  }
}

function locate(cell: Cell, grid: Local<'i32'>, position: V128): Statement[] {
  const [t, clamped, index] = cell.scratch
  const field = (name: 'lower' | 'scale' | 'last' | 'lastCell' | 'strides'): V128 => GRID.load(grid.get, name)
  const zero = f32x4.const(0)
  return [
    t.set(mul(sub(position, field('lower')), field('scale'))),
    cell.isInside.set(v128.and(f32x4.ge(t.get, zero), f32x4.le(t.get, field('last')))),
    clamped.set(pmin(pmax(t.get, zero), field('last'))),
    index.set(i32x4.minS(i32x4.truncate(clamped.get), field('lastCell'))),
    t.set(sub(clamped.get, f32x4.fromI32x4(index.get))),
    ...cell.fraction.map((f, axis) => f.set(v128.splatLane(t, axis))),
    ...cell.strides.map((stride, axis) => stride.set(i32.load(grid.get, GRID.at.strides + 4 * axis))),
    index.set(i32x4.mul(index.get, field('strides'))),
    cell.corner.set(
      [0, 1, 2].reduce((sum, axis) => i32.add(sum, i32x4.extract(index.get, axis)), GRID.load(grid.get, 'data')),
    ),
    cell.end.set(i32.add(cell.corner.get, i32.shl(GRID.load(grid.get, 'chunks'), i32.const(4)))),
  ]
}

/** Corner bit 0 is +x, bit 1 +y, bit 2 +z. */
function loadCorners(cell: Cell, v: Local<'v128'>[]): Statement[] {
  return v.map((value, corner) => {
    const address = cell.strides.reduce(
      (sum, stride, axis) => (corner & (1 << axis) ? i32.add(sum, stride.get) : sum),
      cell.corner.get,
    )
    return value.set(v128.load(address))
  })
}

/** Sums of the lanes of three vectors, as lanes x, y, z of one. */
export function sumLanes(x: V128, y: V128, z: V128): V128 {
  const zero = f32x4.const(0)
  const low = (a: V128, b: V128): V128 => v128.shuffle(a, b, [0, 4, 1, 5])
  const high = (a: V128, b: V128): V128 => v128.shuffle(a, b, [2, 6, 3, 7])
  const xy = f32x4.add(low(x, y), high(x, y))
  const z0 = f32x4.add(low(z, zero), high(z, zero))
  return f32x4.add(v128.shuffle(xy, z0, [0, 1, 4, 5]), v128.shuffle(xy, z0, [2, 3, 6, 7]))
}

/** a + t (b - a); `a` is emitted twice, which the host's compiler folds. */
export function mixWith(madd: Madd): (a: V128, b: V128, t: V128) => V128 {
  return (a, b, t) => madd(t, sub(b, a), a)
}
