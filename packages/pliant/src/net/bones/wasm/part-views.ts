/** Matrices and drivers of parts that were turned (part-frames.ts), two parts at a time. */
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
import { MAX_DRIVERS } from '../bone-shape.js'
import { MAX_NEIGHBOURS, STRETCH } from '../parts-at-rest.js'
import { CENTRE, MOTION, NEIGHBOUR, PAIR_MATRIX, PARTS } from './part-records.js'
import { loadPair } from './part-turns.js'

const { add, sub, mul } = f64x2
const one = f64x2.const(1)
/** Bytes of a part. */
const MATRIX = 16 * 8
const DRIVERS = 3 * MAX_DRIVERS * 4

/** Exports 'viewParts'. */
export function defineViewParts(module: ModuleBuilder): void {
  const params = { parts: 'i32' } as const
  module.define('viewParts', { params, isExported: true }, ({ parts }, scope) => {
    type Word = 'motions' | 'motionsEnd' | 'rotations' | 'axes' | 'neighbours' | 'matrices' | 'drivers'
    const word = (name: Word) => PARTS.load(parts.get, name)
    const [motion, end, rotation, axes, neighbour, matrix, driver, left, first, second] = scope.some(10, 'i32')
    const frame = scope.some(9, 'v128')
    const [x, y, z, value] = scope.some(4, 'v128')
    const moved = [x, y, z]
    const axis = (i: number): V128 => v128.load(axes.get, 16 * i)
    const turn = (i: number): V128 => v128.load(rotation.get, 16 * i)
    const dot = (a: V128[], b: V128[]): V128 => add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
    /** A column of the frame times what was moved. */
    const seen = (column: number): V128 =>
      dot(
        [0, 3, 6].map((row) => frame[row + column].get),
        moved.map(({ get }) => get),
      )
    const storeMatrix = (entry: number): Statement[] =>
      [0, 1].map((lane) => f64x2.storeLane(matrix.get, value.get, lane as 0 | 1, MATRIX * lane + 8 * entry))
    const storeDriver = (entry: number): Statement[] =>
      [0, 1].map((lane) => v128.storeLane(driver.get, value.get, lane, DRIVERS * lane + 4 * entry))
    const frames = frame.flatMap((entry, i) => {
      const [row, column] = [Math.floor(i / 3), i % 3]
      const turned = [0, 1, 2].map((k) => turn(3 * row + k))
      return [
        entry.set(
          dot(
            turned,
            [0, 1, 2].map((k) => axis(3 * k + column)),
          ),
        ),
        value.set(entry.get),
        ...storeMatrix(4 * column + row),
      ]
    })
    const centres = [0, 1, 2].flatMap((row) => [
      value.set(loadPair(motion, CENTRE + 8 * row)),
      ...storeMatrix(12 + row),
    ])
    /** (R E)^T F E - I: xx, yy, zz, xy, xz, yz. */
    const stretch = [0, 1, 2].flatMap((column) => [
      ...moved.map((to, row) =>
        to.set(
          dot(
            [0, 1, 2].map((k) => loadPair(motion, 24 * row + 8 * k)),
            [0, 1, 2].map((k) => axis(3 * k + column)),
          ),
        ),
      ),
      ...Array.from({ length: column + 1 }, (_, row) => [
        value.set(f32x4.demote(row === column ? sub(seen(row), one) : seen(row))),
        ...storeDriver(row === column ? row : row + column + 2),
      ]).flat(),
    ])
    const resting = (k: number): V128 => v128.load(neighbour.get, NEIGHBOUR.at.resting + 16 * k)
    const perNeighbour = [
      first.set(NEIGHBOUR.load(neighbour.get, 'motions', 0)),
      second.set(NEIGHBOUR.load(neighbour.get, 'motions', 1)),
      ...moved.map((to, row) => {
        const other = f64x2.loadUpper(second.get, f64x2.loadSplat(first.get, CENTRE + 8 * row), CENTRE + 8 * row)
        return to.set(sub(other, loadPair(motion, CENTRE + 8 * row)))
      }),
      ...moved.flatMap((_, column) => [
        value.set(f32x4.demote(mul(sub(seen(column), resting(column)), resting(3)))),
        ...storeDriver(STRETCH + column),
      ]),
      increase(neighbour, NEIGHBOUR.size),
      increase(driver, 12),
      left.set(i32.sub(left.get, i32.const(1))),
    ]
    return [
      motion.set(word('motions')),
      end.set(word('motionsEnd')),
      rotation.set(word('rotations')),
      axes.set(word('axes')),
      neighbour.set(word('neighbours')),
      matrix.set(word('matrices')),
      driver.set(word('drivers')),
      doWhile(
        [
          ...frames,
          ...centres,
          ...stretch,
          left.set(i32.const(MAX_NEIGHBOURS)),
          doWhile(perNeighbour, left.get),
          increase(driver, 2 * DRIVERS - 12 * MAX_NEIGHBOURS),
          increase(motion, 2 * MOTION),
          increase(rotation, PAIR_MATRIX),
          increase(axes, PAIR_MATRIX),
          increase(matrix, 2 * MATRIX),
        ],
        i32.ltU(motion.get, end.get),
      ),
    ]
  })
}
