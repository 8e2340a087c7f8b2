/**
 * The search of `../scalar-candidates.ts` as WebAssembly kernels, for four codes at once: every value is a vector with one lane per
 * code. A box lies within that of its parent in every lane, so the lanes in which two nodes overlap need not be remembered
 * on the way down.
 */
import {
  doWhile,
  f32x4,
  type I32,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  when,
  whileLoop,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import { SLABS, TINY_GAP } from '../candidate-search.js'

export interface CandidateKernels {
  /**
   * Moves the vertices whose rows of rest and modes are from `row` to `end`.
   * @param codes  a vector for each mode, up to `codesEnd`
   * @param to     receives x, y, z of each vertex, a vector each
   */
  moveVertices(row: number, end: number, codes: number, codesEnd: number, to: number): void
  /**
   * Bounds the nodes from `node` backward to `first`.
   * @param aside  from a node to its slabs along diagonals
   */
  fitNodes(node: number, first: number, aside: number, slack: number): void
  /** Goes on with a search. */
  search(task: number): void
}

const AXES = 3

/** A node of the tree of triangles. */
export const NODE = record({
  /** Address of the right child, 0 for a leaf; the left one is the next node. */
  right: 'u32',
  /** Triangles below. */
  size: 'u32',
  /** Of a leaf: its triangle's number, and where the positions of its corners are. */
  triangle: 'u32',
  corners: ['u32', 3],
  spare: ['u32', 2],
  /** Lower and upper end along each axis. */
  slabs: ['f32x4', 2 * AXES],
})

/**
 * A node's lower and upper ends along the diagonals. They lie aside: most nodes that are apart are so along an axis, and
 * what is read at every test then fits into the nearer cache.
 */
export const ASIDE = record({ slabs: ['f32x4', 2 * (SLABS - AXES)] }, NODE.size)

/** An entry of the tree of pairs. */
export const ENTRY = record({
  /** Addresses of two nodes. */
  a: 'u32',
  b: 'u32',
  /** Address of the entry to go on with where they are apart. */
  next: 'u32',
  isLast: 'u32',
})

/** Two triangles that may meet. */
export const FOUND = record({ a: 'u32', b: 'u32', lanes: 'u32' })

/** What `search` is told, and where it has come to. */
export const TASK = record({
  /** All bits of the lanes of interest. */
  alive: 'u32x4',
  /** Slack of gaps, in all lanes. */
  gapSlack: 'f32x4',
  /** Addresses of the entry to go on with, and of the end of entries. */
  entry: 'u32',
  end: 'u32',
  /** Addresses at which the next candidate goes, and from which on the search pauses. */
  found: 'u32',
  pause: 'u32',
  /** Where pairs of nodes wait. */
  stack: 'u32',
  /** From a node to its slabs along diagonals. */
  aside: 'u32',
})

/** Bytes of a vertex: three vectors. */
export const VERTEX_BYTES = 48

type Vector = Local<'v128'>[]

export function defineCandidateKernels(module: ModuleBuilder): void {
  defineMoveVertices(module)
  defineFitNodes(module)
  const settle = defineSettle(module)

  module.define('search', { params: { task: 'i32' }, isExported: true }, ({ task }, scope) => {
    const [entry, end, found, pause, bottom, aside, top, a, b, s, t] = scope.some(11, 'i32')
    const [alive, lanes] = scope.some(2, 'v128')
    const slack = TASK.load(task.get, 'gapSlack')
    const areNotLeaves = (u: Local<'i32'>, v: Local<'i32'>): I32 =>
      i32.or(NODE.load(u.get, 'right'), NODE.load(v.get, 'right'))
    const descend = [
      top.set(bottom.get),
      ...push(top, a, b),
      doWhile(
        [
          increase(top, -8),
          s.set(i32.load(top.get)),
          t.set(i32.load(top.get, 4)),
          ...findOverlap(lanes, alive, s, t, aside),
          when(v128.anyTrue(lanes.get), [
            when(
              areNotLeaves(s, t),
              [
                // The node with more triangles is opened.
                when(
                  i32.geU(NODE.load(s.get, 'size'), NODE.load(t.get, 'size')),
                  [b.set(t.get)],
                  [b.set(s.get), s.set(t.get)],
                ),
                t.set(NODE.load(s.get, 'right')),
                ...push(top, t, b),
                increase(s, NODE.size),
                ...push(top, s, b),
              ],
              [found.set(settle.call({ a: s, b: t, lanes, found, slack }))],
            ),
          ]),
        ],
        i32.ltU(bottom.get, top.get),
      ),
    ]
    return [
      entry.set(TASK.load(task.get, 'entry')),
      end.set(TASK.load(task.get, 'end')),
      found.set(TASK.load(task.get, 'found')),
      pause.set(TASK.load(task.get, 'pause')),
      bottom.set(TASK.load(task.get, 'stack')),
      aside.set(TASK.load(task.get, 'aside')),
      alive.set(TASK.load(task.get, 'alive')),
      whileLoop(i32.and(i32.ltU(entry.get, end.get), i32.ltU(found.get, pause.get)), [
        a.set(ENTRY.load(entry.get, 'a')),
        b.set(ENTRY.load(entry.get, 'b')),
        ...findOverlap(lanes, alive, a, b, aside),
        when(
          v128.anyTrue(lanes.get),
          [
            when(ENTRY.load(entry.get, 'isLast'), [
              when(areNotLeaves(a, b), descend, [found.set(settle.call({ a, b, lanes, found, slack }))]),
            ]),
            increase(entry, ENTRY.size),
          ],
          [entry.set(ENTRY.load(entry.get, 'next'))],
        ),
      ]),
      TASK.store(task.get, 'entry', entry.get),
      TASK.store(task.get, 'found', found.get),
    ]
  })
}

function push(top: Local<'i32'>, a: Local<'i32'>, b: Local<'i32'>): Statement[] {
  return [i32.store(top.get, a.get), i32.store(top.get, b.get, 4), increase(top, 8)]
}

/** Lanes of interest in which the slabs of two nodes overlap along every direction. */
function findOverlap(
  lanes: Local<'v128'>,
  alive: Local<'v128'>,
  a: Local<'i32'>,
  b: Local<'i32'>,
  aside: Local<'i32'>,
): Statement[] {
  const along = (k: number): V128 =>
    v128.and(
      f32x4.le(slabOf(a, aside, 2 * k), slabOf(b, aside, 2 * k + 1)),
      f32x4.le(slabOf(b, aside, 2 * k), slabOf(a, aside, 2 * k + 1)),
    )
  const both = (from: number, to: number, first: V128): V128 =>
    Array.from({ length: to - from }, (_, k) => along(from + k)).reduce((all, one) => v128.and(all, one), first)
  return [lanes.set(both(0, AXES, alive.get)), when(v128.anyTrue(lanes.get), [lanes.set(both(AXES, SLABS, lanes.get))])]
}

/** An end of a node's slabs: lower and upper ones in turns, those along axes first. */
function slabOf(node: Local<'i32'>, aside: Local<'i32'>, index: number): V128 {
  if (index < 2 * AXES) return NODE.load(node.get, 'slabs', index)
  return ASIDE.load(i32.add(node.get, aside.get), 'slabs', index - 2 * AXES)
}

function storeSlab(node: Local<'i32'>, aside: Local<'i32'>, index: number, value: V128): Statement {
  if (index < 2 * AXES) return NODE.store(node.get, 'slabs', value, index)
  return ASIDE.store(i32.add(node.get, aside.get), 'slabs', value, index - 2 * AXES)
}

function defineMoveVertices(module: ModuleBuilder): void {
  const params = { row: 'i32', end: 'i32', codes: 'i32', codesEnd: 'i32', to: 'i32' } as const
  module.define('moveVertices', { params, isExported: true }, ({ row, end, codes, codesEnd, to }, scope) => {
    const code = scope.local('i32')
    const weight = scope.local('v128')
    const point = scope.some(3, 'v128')
    return [
      doWhile(
        [
          ...point.map((value, axis) => value.set(v128.loadSplat(row.get, 4 * axis))),
          increase(row, 12),
          code.set(codes.get),
          whileLoop(i32.ltU(code.get, codesEnd.get), [
            weight.set(v128.load(code.get)),
            ...point.map((value, axis) =>
              value.set(f32x4.add(value.get, f32x4.mul(weight.get, v128.loadSplat(row.get, 4 * axis)))),
            ),
            increase(row, 12),
            increase(code, 16),
          ]),
          ...point.map((value, axis) => v128.store(to.get, value.get, 16 * axis)),
          increase(to, VERTEX_BYTES),
        ],
        i32.ltU(row.get, end.get),
      ),
    ]
  })
}

function defineFitNodes(module: ModuleBuilder): void {
  const params = { node: 'i32', first: 'i32', aside: 'i32', slack: 'f32' } as const
  module.define('fitNodes', { params, isExported: true }, ({ node, first, aside, slack }, scope) => {
    const corner = scope.local('i32')
    const [left, right] = scope.some(2, 'i32')
    const [wide, x, y, z, sum, difference] = scope.some(6, 'v128')
    const lower = scope.some(SLABS, 'v128')
    const upper = scope.some(SLABS, 'v128')
    const values = [
      x.get,
      y.get,
      z.get,
      f32x4.add(sum.get, z.get),
      f32x4.sub(sum.get, z.get),
      f32x4.add(difference.get, z.get),
      f32x4.sub(z.get, difference.get),
    ]
    const value = scope.local('v128')
    const leaf = [0, 1, 2].flatMap((index) => [
      corner.set(NODE.load(node.get, 'corners', index)),
      ...[x, y, z].map((coordinate, axis) => coordinate.set(v128.load(corner.get, 16 * axis))),
      sum.set(f32x4.add(x.get, y.get)),
      difference.set(f32x4.sub(x.get, y.get)),
      ...values.flatMap((along, k) =>
        index === 0
          ? [lower[k].set(along), upper[k].set(lower[k].get)]
          : [
              value.set(along),
              lower[k].set(f32x4.pmin(lower[k].get, value.get)),
              upper[k].set(f32x4.pmax(upper[k].get, value.get)),
            ],
      ),
    ])
    const widened = lower.flatMap((low, k) => [
      storeSlab(node, aside, 2 * k, f32x4.sub(low.get, wide.get)),
      storeSlab(node, aside, 2 * k + 1, f32x4.add(upper[k].get, wide.get)),
    ])
    const inner = [
      left.set(i32.add(node.get, i32.const(NODE.size))),
      ...lower.flatMap((_, k) => {
        const ends = (index: number): [V128, V128] => [slabOf(left, aside, index), slabOf(right, aside, index)]
        return [
          storeSlab(node, aside, 2 * k, f32x4.pmin(...ends(2 * k))),
          storeSlab(node, aside, 2 * k + 1, f32x4.pmax(...ends(2 * k + 1))),
        ]
      }),
    ]
    return [
      wide.set(f32x4.splat(slack.get)),
      doWhile(
        [
          right.set(NODE.load(node.get, 'right')),
          when(right.get, inner, [...leaf, ...widened]),
          increase(node, -NODE.size),
        ],
        i32.geU(node.get, first.get),
      ),
    ]
  })
}

/** Writes two triangles, unless planes tell them apart in all lanes. Returns where the next candidate goes. */
function defineSettle(module: ModuleBuilder) {
  const overlap = defineOverlapAlong(module)
  const params = { a: 'i32', b: 'i32', lanes: 'v128', found: 'i32', slack: 'v128' } as const
  return module.define('settle', { params, result: 'i32' }, ({ a, b, lanes, found, slack }, scope) => {
    const direction = scope.some(3, 'v128')
    const narrow = (vector: V128[]): Statement =>
      when(v128.anyTrue(lanes.get), [
        ...direction.map((value, axis) => value.set(vector[axis])),
        lanes.set(
          v128.and(lanes.get, overlap.call({ a, b, x: direction[0], y: direction[1], z: direction[2], slack })),
        ),
      ])
    const frames = [a, b].map((node) => readFrame(scope, node))
    return [
      ...frames[0].code,
      narrow(frames[0].normal.map(({ get }) => get)),
      when(v128.anyTrue(lanes.get), frames[1].code),
      narrow(frames[1].normal.map(({ get }) => get)),
      ...frames.flatMap(({ normal, sides }) => sides.map((side) => narrow(cross(normal, side)))),
      when(v128.anyTrue(lanes.get), [
        FOUND.store(found.get, 'a', NODE.load(a.get, 'triangle')),
        FOUND.store(found.get, 'b', NODE.load(b.get, 'triangle')),
        FOUND.store(found.get, 'lanes', i32x4.bitmask(lanes.get)),
        increase(found, FOUND.size),
      ]),
      found.get,
    ]
  })
}

interface Frame {
  code: Statement[]
  /** From the first corner to the others, from the second to the third. */
  sides: Vector[]
  normal: Vector
}

function readFrame(scope: Scope, node: Local<'i32'>): Frame {
  const [p, q, r] = scope.some(3, 'i32')
  const sides = [0, 1, 2].map(() => scope.some(3, 'v128'))
  const normal = scope.some(3, 'v128')
  const between = (from: Local<'i32'>, to: Local<'i32'>, axis: number): V128 =>
    f32x4.sub(v128.load(to.get, 16 * axis), v128.load(from.get, 16 * axis))
  const ends = [
    [p, q],
    [p, r],
    [q, r],
  ]
  const code = [
    ...[p, q, r].map((corner, index) => corner.set(NODE.load(node.get, 'corners', index))),
    ...sides.flatMap((side, n) => side.map((value, axis) => value.set(between(ends[n][0], ends[n][1], axis)))),
    ...cross(sides[0], sides[1]).map((value, axis) => normal[axis].set(value)),
  ]
  return { code, sides, normal }
}

function cross(u: Vector, v: Vector): V128[] {
  return [0, 1, 2].map((axis) => {
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
    return f32x4.sub(f32x4.mul(u[i].get, v[j].get), f32x4.mul(u[j].get, v[i].get))
  })
}

/** Lanes in which two triangles are not apart along a direction, which need not have unit length. */
function defineOverlapAlong(module: ModuleBuilder) {
  const params = { a: 'i32', b: 'i32', x: 'v128', y: 'v128', z: 'v128', slack: 'v128' } as const
  return module.define('overlapAlong', { params, result: 'v128' }, ({ a, b, x, y, z, slack }, scope) => {
    const corner = scope.local('i32')
    const value = scope.local('v128')
    const [lowA, highA, lowB, highB, room] = scope.some(5, 'v128')
    const along = (at: I32): V128 => {
      const [px, py, pz] = [0, 16, 32].map((offset) => v128.load(at, offset))
      return f32x4.add(f32x4.add(f32x4.mul(x.get, px), f32x4.mul(y.get, py)), f32x4.mul(z.get, pz))
    }
    const bound = (node: Local<'i32'>, low: Local<'v128'>, high: Local<'v128'>): Statement[] =>
      [0, 1, 2].flatMap((index) => [
        corner.set(NODE.load(node.get, 'corners', index)),
        value.set(along(corner.get)),
        low.set(index === 0 ? value.get : f32x4.pmin(low.get, value.get)),
        high.set(index === 0 ? value.get : f32x4.pmax(high.get, value.get)),
      ])
    const size = f32x4.add(f32x4.add(f32x4.abs(x.get), f32x4.abs(y.get)), f32x4.abs(z.get))
    return [
      ...bound(a, lowA, highA),
      ...bound(b, lowB, highB),
      room.set(f32x4.add(f32x4.mul(size, slack.get), f32x4.const(TINY_GAP))),
      v128.and(f32x4.le(f32x4.sub(lowA.get, highB.get), room.get), f32x4.le(f32x4.sub(lowB.get, highA.get), room.get)),
    ]
  })
}
