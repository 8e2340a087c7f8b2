/** Bones where their joints' matrices put them: what poseBones (bone-choice.ts) computes, two bones at a time. */
import {
  doWhile,
  f32x4,
  f64x2,
  i32,
  increase,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import { LEAST_SQUARE } from '../bone-shape.js'
import { BOX, SEGMENT } from './bone-records.js'

const { add, sub, mul, div, neg, eq } = f64x2

/** Two bones, of the numbers of each a double; the last of an odd number is there twice. */
export const BONE_PAIR = record({
  // Addresses: the joint's matrix, column-major 4x4 of doubles; the bone's SEGMENT and BOX.
  matrices: ['u32', 2],
  segments: ['u32', 2],
  boxes: ['u32', 2],
  // x, y, z in the joint's frame [m]: the segment's start, and its end from there; the box.
  start: ['f64', 6],
  extent: ['f64', 6],
  centre: ['f64', 6],
  half: ['f64', 6],
})

/** Exports 'placeBones': segments and boxes of the BONE_PAIRs from `pair` up to `end`. */
export function definePlaceBones(module: ModuleBuilder): void {
  const params = { pair: 'i32', end: 'i32' } as const
  module.define('placeBones', { params, isExported: true }, ({ pair, end }, scope) => {
    const [matrices, segments, boxes] = [scope.some(2, 'i32'), scope.some(2, 'i32'), scope.some(2, 'i32')]
    const joint = scope.some(12, 'v128')
    const inverse = scope.some(9, 'v128')
    const [scale, isRegular, value] = scope.some(3, 'v128')
    const direction = scope.some(3, 'v128')
    const of = (name: 'start' | 'extent' | 'centre' | 'half', axis: number): V128 =>
      v128.load(pair.get, BONE_PAIR.at[name] + 16 * axis)
    const dot = (a: V128[], b: V128[]): V128 => add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
    const axes = [0, 1, 2]
    const [a, b, c, d, e, f, g, h, i, x, y, z] = joint.map(({ get }) => get)
    /** A row of the joint's matrix. */
    const row = (axis: number): V128[] => [0, 3, 6].map((column) => joint[column + axis].get)
    const minor = (p: V128, q: V128, r: V128, s: V128): V128 => sub(mul(p, q), mul(r, s))
    const minors = [
      ...[minor(e, i, f, h), minor(c, h, b, i), minor(b, f, c, e)],
      ...[minor(f, g, d, i), minor(a, i, c, g), minor(c, d, a, f)],
      ...[minor(d, h, e, g), minor(b, g, a, h), minor(a, e, b, d)],
    ]
    /** As a float, to each of the two. */
    const store = (to: typeof segments, number: V128, offset: number): Statement[] => [
      value.set(f32x4.demote(number)),
      ...to.map((at, lane) => v128.storeLane(at.get, value.get, lane, offset)),
    ]
    const storeBox = (axis: number, column: number, number: V128): Statement[] => [
      ...store(boxes, number, BOX.at.columns + 16 * column + 4 * axis),
      ...(column === 3
        ? []
        : boxes.map((at, lane) => v128.storeLane(at.get, value.get, lane, BOX.at.rows + 16 * axis + 4 * column))),
    ]
    const perPair = [
      ...[matrices, segments, boxes].flatMap((addresses, n) =>
        addresses.map((at, lane) =>
          at.set(BONE_PAIR.load(pair.get, (['matrices', 'segments', 'boxes'] as const)[n], lane)),
        ),
      ),
      ...joint.map((entry, n) => {
        const at = 8 * (4 * Math.floor(n / 3) + (n % 3))
        return entry.set(f64x2.loadUpper(matrices[1].get, f64x2.loadSplat(matrices[0].get, at), at))
      }),

      ...axes.flatMap((axis) => [
        ...store(
          segments,
          add(
            dot(
              row(axis),
              axes.map((k) => of('start', k)),
            ),
            joint[9 + axis].get,
          ),
          SEGMENT.at.start + 4 * axis,
        ),
        direction[axis].set(
          dot(
            row(axis),
            axes.map((k) => of('extent', k)),
          ),
        ),
        ...store(segments, neg(direction[axis].get), SEGMENT.at.minusDirection + 4 * axis),
      ]),
      ...store(
        segments,
        div(
          f64x2.const(-1),
          direction.reduce((sum, { get }) => add(sum, mul(get, get)), f64x2.const(LEAST_SQUARE)),
        ),
        SEGMENT.at.minusInverse,
      ),

      ...inverse.map((entry, n) => entry.set(minors[n])),
      scale.set(
        div(
          f64x2.const(1),
          dot(
            [a, d, g],
            [0, 1, 2].map((n) => inverse[n].get),
          ),
        ),
      ),
      // A joint scaled to nothing: its part has no place, and every point of its box is equally far.
      isRegular.set(eq(mul(scale.get, f64x2.const(0)), f64x2.const(0))),
      ...inverse.map((entry) => entry.set(v128.and(mul(entry.get, scale.get), isRegular.get))),
      ...axes.flatMap((axis) => [
        ...axes.flatMap((column) => storeBox(axis, column, div(inverse[3 * column + axis].get, of('half', axis)))),
        ...storeBox(
          axis,
          3,
          div(
            sub(
              v128.and(
                neg(
                  dot(
                    [0, 3, 6].map((column) => inverse[column + axis].get),
                    [x, y, z],
                  ),
                ),
                isRegular.get,
              ),
              of('centre', axis),
            ),
            of('half', axis),
          ),
        ),
      ]),
      increase(pair, BONE_PAIR.size),
    ]
    return [doWhile(perPair, i32.ltU(pair.get, end.get))]
  })
}
