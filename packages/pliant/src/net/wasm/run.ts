/** The driver: takes tiles of points through features, layers and output, and back again for the gradient. */
import {
  doWhile,
  f32,
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
  when,
  whileLoop,
} from '../../math/wasm/assembler.js'
import { defineDenseStep, type LayerKernels } from './dense-step.js'
import type { GridPullBack, GridSample } from './grid.js'
import type { Madd } from './madd.js'
import { DENSE, GRID, PROGRAM, TILE } from './records.js'

export interface Kernels extends LayerKernels {
  sample: GridSample
  pullBack: GridPullBack
}

/** Points of a tile from `first` on. */
const TILE_PARAMS = { program: 'i32', first: 'i32', rows: 'i32', scratch: 'i32' } as const

/** Exports 'run'; `first` is a multiple of the tile, count is positive. */
export function defineRun(module: ModuleBuilder, madd: Madd, kernels: Kernels): void {
  const features = defineFeatures(module, kernels)
  const featureGradient = defineFeatureGradient(module, kernels)
  const lastLayer = defineLastLayer(module, madd)
  const denseStep = defineDenseStep(module, kernels)
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  module.define('run', { params, isExported: true }, ({ program, first, count, scratch }, scope) => {
    const [rows, step, values, seeds] = scope.some(4, 'i32')
    const field = fieldOf(program)
    const steps = (from: 'forward' | 'backward', end: 'forwardEnd' | 'backwardEnd'): Statement[] => [
      step.set(field(from)),
      whileLoop(i32.ltU(step.get, field(end)), [denseStep.call({ step, rows, scratch }), increase(step, DENSE.size)]),
    ]
    const tile = [
      rows.set(i32.const(TILE)),
      when(i32.ltU(count.get, rows.get), [rows.set(count.get)]),
      features.call({ program, first, rows, scratch }),
      ...steps('forward', 'forwardEnd'),
      values.set(i32.add(field('values'), i32.shl(first.get, i32.const(2)))),
      lastLayer.call({ program, values, rows, scratch }),
      seeds.set(i32.add(scratch.get, field('seeds'))),
      when(field('isTanh'), [
        // Whole vectors: the rest of the tile's last one is spare.
        kernels.activation.tanh.call({
          values,
          slopes: seeds,
          end: i32.add(values.get, i32.shl(rows.get, i32.const(2))),
        }),
      ]),
      when(field('wantsGradient'), [
        ...steps('backward', 'backwardEnd'),
        featureGradient.call({ program, first, rows, scratch }),
      ]),
      increase(first, rows.get),
      count.set(i32.sub(count.get, rows.get)),
    ]
    return [doWhile(tile, count.get)]
  })
}

/** Fills h0 = [q, X, w[3..C), s] or [q, s], see network-shape.ts. */
function defineFeatures(module: ModuleBuilder, { sample }: Kernels) {
  return module.define('run.features', { params: TILE_PARAMS }, (p, scope) => {
    const row = declareRow(p, scope)
    const { program } = p
    const { features, grid, position } = row
    const field = fieldOf(program)
    return row.forEach([
      position.set(loadXyz(row.point.get)),
      v128.store(features.get, position.get),
      grid.set(field('grids')),
      when(field('hasWarp'), [
        // Channel c lands at 3 + c; X = q - w then replaces the first three.
        sample.call({ grid, position, out: i32.add(features.get, i32.const(12)) }),
        position.set(f32x4.sub(position.get, loadXyz(features.get, 12))),
        ...storeXyz(features.get, position.get, 12),
        increase(grid, GRID.size),
      ]),
      whileLoop(i32.ltU(grid.get, field('gridsEnd')), [
        sample.call({ grid, position, out: i32.add(features.get, GRID.load(grid.get, 'feature')) }),
        increase(grid, GRID.size),
      ]),
    ])
  })
}

/** From the gradient over h0 to the gradient with respect to the point. */
function defineFeatureGradient(module: ModuleBuilder, { pullBack }: Kernels) {
  return module.define('run.featureGradient', { params: TILE_PARAMS }, (p, scope) => {
    const row = declareRow(p, scope)
    const { program, first, scratch } = p
    const { features, grid, position } = row
    const [upstream, out] = scope.some(2, 'i32')
    const gradient = scope.local('v128')
    const field = fieldOf(program)
    const pulled = (g: I32): V128 => pullBack.call({ grid, position, upstream: g })
    return [
      upstream.set(i32.add(scratch.get, field('featureGradient'))),
      out.set(i32.add(field('gradients'), i32.mul(first.get, i32.const(12)))),
      ...row.forEach([
        grid.set(field('grids')),
        when(
          field('hasWarp'),
          [position.set(loadXyz(features.get, 12)), gradient.set(loadXyz(upstream.get, 12)), increase(grid, GRID.size)],
          [position.set(loadXyz(features.get)), gradient.set(loadXyz(upstream.get))],
        ),
        whileLoop(i32.ltU(grid.get, field('gridsEnd')), [
          gradient.set(f32x4.add(gradient.get, pulled(i32.add(upstream.get, GRID.load(grid.get, 'feature'))))),
          increase(grid, GRID.size),
        ]),
        when(field('hasWarp'), [
          // X = q - w: the gradient goes to q as it is, and to the first three channels with a minus.
          ...storeXyz(upstream.get, f32x4.sub(f32x4.const(0), gradient.get), 12),
          gradient.set(f32x4.add(gradient.get, loadXyz(upstream.get))),
          position.set(loadXyz(features.get)),
          grid.set(field('grids')),
          gradient.set(f32x4.add(gradient.get, pulled(i32.add(upstream.get, i32.const(12))))),
        ]),
        ...storeXyz(out.get, gradient.get),
        increase(out, 12),
        increase(upstream, field('featureStride')),
      ]),
    ]
  })
}

/** The layer with one output, a dot product per point. */
function defineLastLayer(module: ModuleBuilder, madd: Madd) {
  const params = { program: 'i32', values: 'i32', rows: 'i32', scratch: 'i32' } as const
  return module.define('run.lastLayer', { params }, ({ program, values, rows, scratch }, scope) => {
    const [from, end, weight] = scope.some(3, 'i32')
    const sums = scope.some(4, 'v128')
    const field = fieldOf(program)
    const { add } = f32x4
    const swapped = (lanes: readonly [number, number, number, number]): V128 =>
      add(sums[0].get, v128.shuffle(sums[0].get, sums[0].get, lanes))
    return [
      from.set(i32.add(scratch.get, field('lastInput'))),
      doWhile(
        [
          end.set(i32.add(from.get, field('lastStride'))),
          weight.set(field('lastWeight')),
          ...sums.map((sum) => sum.set(f32x4.const(0))),
          doWhile(
            [
              ...sums.map((sum, c) =>
                sum.set(madd(v128.load(from.get, 16 * c), v128.load(weight.get, 16 * c), sum.get)),
              ),
              increase(from, 64),
              increase(weight, 64),
            ],
            i32.ltU(from.get, end.get),
          ),
          sums[0].set(add(add(sums[0].get, sums[1].get), add(sums[2].get, sums[3].get))),
          sums[0].set(swapped([2, 3, 0, 1])),
          sums[0].set(swapped([1, 0, 3, 2])),
          f32.store(values.get, f32.add(f32x4.extract(sums[0].get, 0), f32.load(field('lastBias')))),
          increase(values, 4),
          rows.set(i32.sub(rows.get, i32.const(1))),
        ],
        rows.get,
      ),
    ]
  })
}

/** A loop over the points of a tile with their feature rows. */
function declareRow({ program, first, rows, scratch }: Record<keyof typeof TILE_PARAMS, Local<'i32'>>, scope: Scope) {
  const [point, features, grid] = scope.some(3, 'i32')
  const position = scope.local('v128')
  const field = fieldOf(program)
  const forEach = (body: Statement[]): Statement[] => [
    point.set(i32.add(field('points'), i32.mul(first.get, i32.const(12)))),
    features.set(i32.add(scratch.get, field('features'))),
    doWhile(
      [
        ...body,
        increase(point, 12),
        increase(features, field('featureStride')),
        rows.set(i32.sub(rows.get, i32.const(1))),
      ],
      rows.get,
    ),
  ]
  return { point, features, grid, position, forEach }
}

function fieldOf(program: Local<'i32'>): (name: keyof typeof PROGRAM.at) => I32 {
  return (name) => PROGRAM.load(program.get, name)
}

/** Three floats; the fourth lane is zero, so that nothing past a triple is read or can leak. */
function loadXyz(address: I32, offset = 0): V128 {
  return v128.loadLane(address, v128.loadPair(address, offset), 2, offset + 8)
}

export function storeXyz(address: I32, value: V128, offset = 0): Statement[] {
  return [v128.storePair(address, value, offset), v128.storeLane(address, value, 2, offset + 8)]
}
