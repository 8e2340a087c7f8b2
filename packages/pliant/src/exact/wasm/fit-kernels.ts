/** Moves a surface: the box of all positions, then corners, boxes of leaves and of nodes, and the volume, in one pass. */
import { doWhile, f32x4, f64, f64x2, i32, increase, type ModuleBuilder, v128, when } from '../../math/wasm/assembler.js'
import type { I32, Local, Statement, V128 } from '../../math/wasm/code.js'
import { CORNER_BYTES, LEAF, NODE, TASK, TRIANGLE_BYTES } from './point-records.js'

export function defineFitKernels(module: ModuleBuilder): void {
  defineMeasure(module)
  const fitLeaves = defineFitLeaves(module)
  const joinBoxes = defineJoinBoxes(module)
  module.define('fit', { params: { task: 'i32' }, isExported: true }, ({ task }) => [
    fitLeaves.call({ task }),
    joinBoxes.call({ task }),
  ])
}

/** Two vertices at a time: x y, z x, y z. */
function defineMeasure(module: ModuleBuilder): void {
  module.define('measure', { params: { task: 'i32' }, isExported: true }, ({ task }, scope) => {
    const [at, end] = scope.some(2, 'i32')
    const values = scope.some(3, 'v128')
    const low = scope.some(3, 'v128')
    const high = scope.some(3, 'v128')
    const finite = scope.local('v128')
    /** The axis that lanes of the three vectors are of. */
    const lanes = [
      [0, 0, 1, 1],
      [0, 1, 2, 0],
      [1, 0, 2, 1],
    ] as const
    const ends = (of: Local<'v128'>[], join: typeof f64.min) =>
      lanes.map(([a, laneA, b, laneB]) => join(f64x2.extract(of[a].get, laneA), f64x2.extract(of[b].get, laneB)))
    return [
      at.set(TASK.load(task.get, 'positions')),
      end.set(TASK.load(task.get, 'positionsEnd')),
      ...low.flatMap((value, k) => [value.set(v128.load(at.get, 16 * k)), high[k].set(value.get)]),
      doWhile(
        [
          ...values.flatMap((value, k) => [
            value.set(v128.load(at.get, 16 * k)),
            low[k].set(f64x2.pmin(low[k].get, value.get)),
            high[k].set(f64x2.pmax(high[k].get, value.get)),
            // Zero times what is not finite is NaN.
            finite.set(f64x2.add(finite.get, f64x2.mul(value.get, f64x2.const(0)))),
          ]),
          increase(at, 2 * CORNER_BYTES),
        ],
        i32.ltU(at.get, end.get),
      ),
      TASK.store(task.get, 'finite', f64.add(f64x2.extract(finite.get, 0), f64x2.extract(finite.get, 1))),
      ...ends(low, f64.min).map((value, axis) => TASK.store(task.get, 'measured', value, axis)),
      ...ends(high, f64.max).map((value, axis) => TASK.store(task.get, 'measured', value, axis + 3)),
    ]
  })
}

/**
 * Copies corners to their slots. x and y of a corner are one vector, z is another, in both lanes: three quarters of the
 * lanes are used, and nothing is moved between them.
 */
function defineFitLeaves(module: ModuleBuilder) {
  return module.define('fitLeaves', { params: { task: 'i32' } }, ({ task }, scope) => {
    const [source, corner, leaf, leavesEnd, end, lane, from] = scope.some(7, 'i32')
    const xy = scope.some(3, 'v128')
    const z = scope.some(3, 'v128')
    const [lowXy, lowZ, highXy, highZ, originXy, originZ, middle, volume, side] = scope.some(9, 'v128')
    const read = (k: number): Statement[] => [
      from.set(i32.load(source.get, 4 * k)),
      xy[k].set(v128.load(from.get)),
      z[k].set(f64x2.loadSplat(from.get, 16)),
      v128.store(corner.get, xy[k].get, k * CORNER_BYTES),
      f64x2.storeLane(corner.get, z[k].get, 0, k * CORNER_BYTES + 16),
    ]
    /** The corner's own bounds first, then those so far: there are two chains that wait for nothing but the last step. */
    const widen = (bound: Local<'v128'>, of: Local<'v128'>[], join: typeof f64x2.pmin): Statement =>
      bound.set(join(bound.get, join(join(of[0].get, of[1].get), of[2].get)))
    const sideOf = (k: number): V128 => f64x2.sub(xy[k].get, xy[0].get)
    const storeEnds = (bound: Local<'v128'>, origin: Local<'v128'>, offset: number, axes: number[]): Statement[] => [
      bound.set(f32x4.demote(f64x2.sub(bound.get, origin.get))),
      ...axes.map((axis, k) => v128.storeLane(lane.get, bound.get, k, offset + 16 * axis)),
    ]
    return [
      source.set(TASK.load(task.get, 'sources')),
      corner.set(TASK.load(task.get, 'corners')),
      leaf.set(TASK.load(task.get, 'leaves')),
      leavesEnd.set(TASK.load(task.get, 'leavesEnd')),
      originXy.set(v128.load(task.get, TASK.at.origin)),
      originZ.set(f64x2.splat(TASK.load(task.get, 'origin', 2))),
      middle.set(f64x2.mul(originZ.get, f64x2.const(3))),
      doWhile(
        [
          lane.set(LEAF.load(leaf.get, 'lane')),
          end.set(LEAF.load(leaf.get, 'end')),
          from.set(i32.load(source.get)),
          lowXy.set(v128.load(from.get)),
          highXy.set(lowXy.get),
          lowZ.set(f64x2.loadSplat(from.get, 16)),
          highZ.set(lowZ.get),
          doWhile(
            [
              ...[0, 1, 2].flatMap(read),
              widen(lowXy, xy, f64x2.pmin),
              widen(highXy, xy, f64x2.pmax),
              widen(lowZ, z, f64x2.pmin),
              widen(highZ, z, f64x2.pmax),
              // Below a triangle: its area seen along z, as the difference of two lanes, by the mean of its heights.
              side.set(sideOf(2)),
              volume.set(
                f64x2.add(
                  volume.get,
                  f64x2.mul(
                    f64x2.sub(f64x2.add(f64x2.add(z[0].get, z[1].get), z[2].get), middle.get),
                    f64x2.mul(sideOf(1), v128.shuffle(side.get, side.get, [2, 3, 0, 1])),
                  ),
                ),
              ),
              increase(corner, TRIANGLE_BYTES),
              increase(source, 12),
            ],
            i32.ltU(corner.get, end.get),
          ),
          ...storeEnds(lowXy, originXy, 0, [0, 1]),
          ...storeEnds(lowZ, originZ, 0, [2]),
          ...storeEnds(highXy, originXy, NODE.at.upper - NODE.at.lower, [0, 1]),
          ...storeEnds(highZ, originZ, NODE.at.upper - NODE.at.lower, [2]),
          increase(leaf, LEAF.size),
        ],
        i32.ltU(leaf.get, leavesEnd.get),
      ),
      TASK.store(task.get, 'volume', f64.sub(f64x2.extract(volume.get, 0), f64x2.extract(volume.get, 1))),
    ]
  })
}

/** From the last node to the first, each one's box into its parent's lane. */
function defineJoinBoxes(module: ModuleBuilder) {
  return module.define('joinBoxes', { params: { task: 'i32' } }, ({ task }, scope) => {
    const [node, first, parent, lane] = scope.some(4, 'i32')
    const value = scope.local('v128')
    const joined = (join: typeof f32x4.pmin, from: (axis: number) => V128, offset: number): Statement[] =>
      [0, 1, 2].flatMap((axis) => [
        value.set(from(axis)),
        value.set(join(value.get, v128.shuffle(value.get, value.get, [2, 3, 0, 1]))),
        value.set(join(value.get, v128.shuffle(value.get, value.get, [1, 0, 3, 2]))),
        v128.storeLane(lane.get, value.get, 0, offset + 16 * axis),
      ])
    const atNode: I32 = node.get
    return [
      node.set(TASK.load(task.get, 'lastNode')),
      first.set(TASK.load(task.get, 'nodes')),
      parent.set(
        i32.add(TASK.load(task.get, 'parents'), i32.shrU(i32.sub(atNode, first.get), i32.const(NODE.shift - 2))),
      ),
      // The root has no parent.
      when(i32.ltU(first.get, atNode), [
        doWhile(
          [
            lane.set(i32.load(parent.get)),
            ...joined(f32x4.pmin, (axis) => NODE.load(atNode, 'lower', axis), 0),
            ...joined(f32x4.pmax, (axis) => NODE.load(atNode, 'upper', axis), NODE.at.upper - NODE.at.lower),
            increase(node, -NODE.size),
            increase(parent, -4),
          ],
          i32.ltU(first.get, atNode),
        ),
      ]),
    ]
  })
}
