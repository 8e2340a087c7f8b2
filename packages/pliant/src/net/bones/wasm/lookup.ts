/**
 * Trilinear lookup that keeps its slopes: the way back then is a few products, instead of a second visit to the eight
 * corners. Slopes of a lookup: the scale per axis (zero beyond the grid), then x, y, z of each four channels.
 */
import { doWhile, f32x4, i32, increase, type ModuleBuilder, v128, type WasmFunction } from '../../wasm/assembler.js'
import { cornerLocals, declareCell, loadCorners, locate, mixWith, sumLanes } from '../../wasm/grid.js'
import type { Madd } from '../../wasm/madd.js'
import { GRID } from '../../wasm/records.js'
import { locals } from './lanes.js'

const { sub, mul } = f32x4

/** Bytes of the slopes of a lookup of so many channels. */
export function slopeBytes(channels: number): number {
  return 16 + 48 * Math.ceil(channels / 4)
}

/** (grid, position, out, slopes): writes all channels, in fours, and their slopes. */
export function defineLookup(module: ModuleBuilder, madd: Madd): WasmFunction {
  return module.define((scope) => {
    const [grid, position] = [scope.param('i32'), scope.param('v128')]
    const [out, slopes] = [scope.param('i32'), scope.param('i32')]
    const cell = declareCell(scope)
    const v = cornerLocals(scope)
    const dx = locals(scope, 'v128', 4)
    const [dy0, dy1] = locals(scope, 'v128', 2)
    const [fx, fy, fz] = cell.fraction.map((f) => f.get)
    const mix = mixWith(madd)
    return [
      ...locate(cell, grid, position.get),
      v128.store(slopes.get, v128.and(v128.load(grid.get, GRID.at.scale), cell.isInside.get)),
      doWhile(
        [
          ...loadCorners(cell, v),
          // Edges along x; then v[0], v[2], v[4], v[6] become the values on them.
          ...dx.map((d, i) => d.set(sub(v[2 * i + 1].get, v[2 * i].get))),
          ...dx.map((d, i) => v[2 * i].set(madd(fx, d.get, v[2 * i].get))),
          dy0.set(sub(v[2].get, v[0].get)),
          dy1.set(sub(v[6].get, v[4].get)),
          v[0].set(madd(fy, dy0.get, v[0].get)),
          v[4].set(sub(madd(fy, dy1.get, v[4].get), v[0].get)),
          v128.store(slopes.get, mix(mix(dx[0].get, dx[1].get, fy), mix(dx[2].get, dx[3].get, fy), fz), 16),
          v128.store(slopes.get, mix(dy0.get, dy1.get, fz), 32),
          v128.store(slopes.get, v[4].get, 48),
          v128.store(out.get, madd(fz, v[4].get, v[0].get)),
          increase(out, 16),
          increase(slopes, 48),
          increase(cell.corner, 16),
        ],
        i32.ltU(cell.corner.get, cell.end.get),
      ),
    ]
  })
}

/** (slopes, end of slopes, upstream): the transposed Jacobian times `upstream`, x y z in the lower lanes. */
export function defineLookupBack(module: ModuleBuilder, madd: Madd): WasmFunction {
  return module.define(
    (scope) => {
      const [slopes, end, upstream] = [scope.param('i32'), scope.param('i32'), scope.param('i32')]
      const [g, gx, gy, gz, scale] = locals(scope, 'v128', 5)
      return [
        scale.set(v128.load(slopes.get)),
        increase(slopes, 16),
        doWhile(
          [
            g.set(v128.load(upstream.get)),
            ...[gx, gy, gz].map((sum, axis) => sum.set(madd(g.get, v128.load(slopes.get, 16 * axis), sum.get))),
            increase(slopes, 48),
            increase(upstream, 16),
          ],
          i32.ltU(slopes.get, end.get),
        ),
        mul(sumLanes(gx.get, gy.get, gz.get), scale.get),
      ]
    },
    undefined,
    'v128',
  )
}
