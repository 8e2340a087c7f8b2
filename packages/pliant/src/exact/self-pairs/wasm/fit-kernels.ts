/**
 * Moves a packed tree after its surface. Positions are made single once, shifted and scaled: rounding keeps their order, so
 * boxes that overlap in doubles overlap still, with nothing added to them.
 */
import {
  doWhile,
  f32x4,
  f64x2,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
} from '../../../math/wasm/assembler.js'
import { CHILDREN } from '../packed-tree.js'
import { NODE, TRIANGLE, VERTEX } from './pair-records.js'

export interface FitKernels {
  /**
   * @param from   x, y, z of the first vertex, in doubles; those of the last end at `end`
   * @param to     receives its `VERTEX`, and after it the others
   * @param scale  what positions are multiplied by
   * @param x      what is subtracted from them then
   */
  placeVertices(from: number, end: number, to: number, scale: number, x: number, y: number, z: number): void
  /** Bounds leaves, from the first node up to `end`. @param triangle  the first one's first `TRIANGLE` */
  fitLeaves(triangle: number, node: number, end: number): void
  /** Bounds the nodes of a level, from the first one up to `end`. @param child  the first child of the first */
  fitNodes(child: number, node: number, end: number): void
}

type Vector = Local<'v128'>

export function defineFitKernels(module: ModuleBuilder): void {
  const place = { from: 'i32', end: 'i32', to: 'i32', scale: 'f64', x: 'f64', y: 'f64', z: 'f64' } as const
  module.define('placeVertices', { params: place, isExported: true }, ({ from, end, to, scale, x, y, z }, scope) => {
    const [factor, xy, zz] = scope.some(3, 'v128')
    const placed = (value: V128, origin: Vector): V128 =>
      f32x4.demote(f64x2.sub(f64x2.mul(value, factor.get), origin.get))
    return [
      factor.set(f64x2.splat(scale.get)),
      xy.set(f64x2.replace(f64x2.splat(x.get), y.get, 1)),
      zz.set(f64x2.splat(z.get)),
      doWhile(
        [
          VERTEX.store(
            to.get,
            'place',
            v128.shuffle(placed(v128.load(from.get), xy), placed(f64x2.loadSplat(from.get, 16), zz), [0, 1, 4, 6]),
          ),
          increase(from, 24),
          increase(to, VERTEX.size),
        ],
        i32.ltU(from.get, end.get),
      ),
    ]
  })

  const leaves = { triangle: 'i32', node: 'i32', end: 'i32' } as const
  module.define('fitLeaves', { params: leaves, isExported: true }, ({ triangle, node, end }, scope) => {
    const corners = scope.some(3, 'v128')
    const boxes = boxesOf(scope)
    const read = Array.from({ length: CHILDREN }, (_, k) => [
      ...corners.map((corner, c) =>
        corner.set(VERTEX.load(i32.load(triangle.get, k * TRIANGLE.size + TRIANGLE.at.corners + 4 * c), 'place')),
      ),
      boxes.lower[k].set(corners.map(({ get }) => get).reduce(f32x4.pmin)),
      boxes.upper[k].set(corners.map(({ get }) => get).reduce(f32x4.pmax)),
    ])
    return [
      doWhile(
        [
          ...read.flat(),
          ...storeBoxes(scope, node, boxes),
          increase(triangle, CHILDREN * TRIANGLE.size),
          increase(node, NODE.size),
        ],
        i32.ltU(node.get, end.get),
      ),
    ]
  })

  const nodes = { child: 'i32', node: 'i32', end: 'i32' } as const
  module.define('fitNodes', { params: nodes, isExported: true }, ({ child, node, end }, scope) => {
    const boxes = boxesOf(scope)
    const read = Array.from({ length: CHILDREN }, (_, k) => [
      boxes.lower[k].set(v128.load(child.get, k * NODE.size + NODE.at.ownLower)),
      boxes.upper[k].set(v128.load(child.get, k * NODE.size + NODE.at.ownUpper)),
    ])
    return [
      doWhile(
        [
          ...read.flat(),
          ...storeBoxes(scope, node, boxes),
          increase(child, CHILDREN * NODE.size),
          increase(node, NODE.size),
        ],
        i32.ltU(node.get, end.get),
      ),
    ]
  })
}

/** Boxes of four children, each as x, y, z and a number without a meaning. */
interface Boxes {
  lower: Vector[]
  upper: Vector[]
}

function boxesOf(scope: Scope): Boxes {
  return { lower: scope.some(CHILDREN, 'v128'), upper: scope.some(CHILDREN, 'v128') }
}

/** Stores the boxes of four children, and the one around them. */
function storeBoxes(scope: Scope, node: Local<'i32'>, { lower, upper }: Boxes): Statement[] {
  const ends = [
    { corners: lower, field: 'lower', own: 'ownLower', widest: f32x4.pmin },
    { corners: upper, field: 'upper', own: 'ownUpper', widest: f32x4.pmax },
  ] as const
  return ends.flatMap(({ corners, field, own, widest }) => {
    const { code, axes } = transposed(scope, corners)
    return [
      NODE.store(node.get, own, corners.map(({ get }) => get).reduce(widest)),
      ...code,
      ...axes.map((value, axis) => NODE.store(node.get, field, value, axis)),
    ]
  })
}

/** From x, y, z of four points to the four x, the four y and the four z. */
export function transposed(scope: Scope, points: readonly Vector[]): { code: Statement[]; axes: [V128, V128, V128] } {
  const [p, q, r, s] = points.map(({ get }) => get)
  const [first, second] = scope.some(2, 'v128')
  return {
    code: [first.set(v128.shuffle(p, q, [0, 4, 1, 5])), second.set(v128.shuffle(r, s, [0, 4, 1, 5]))],
    axes: [
      v128.shuffle(first.get, second.get, [0, 1, 4, 5]),
      v128.shuffle(first.get, second.get, [2, 3, 6, 7]),
      v128.shuffle(v128.shuffle(p, q, [2, 6, 3, 7]), v128.shuffle(r, s, [2, 6, 3, 7]), [0, 1, 4, 5]),
    ],
  }
}
