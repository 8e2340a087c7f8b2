/**
 * The kernels of conjugate gradients by Eisenstat's trick on blocks in single precision (block-layout.ts): what
 * `sim/fem/block-solver.ts` does in doubles, with its vector passes fused into the two triangular solves. Of 5,700 unknowns an
 * iteration takes a fifth of the time that plain code takes (docs/notes/fem.md).
 */
import {
  doWhile,
  type F32,
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
  whileLoop,
} from '../../wasm/assembler.js'
import { TABLE, TABLE_ADDRESS, type TableEntry } from './block-layout.js'

/** Addresses in bytes. */
export interface BlockSweeps {
  /** to = A from. */
  multiply(from: number, to: number): void
  /** half = (L + D)^-1 image, `image` being used up; then image = D half. Returns half . image. */
  begin(): number
  /** direction = image + keep direction, way = (D + L^T)^-1 direction, rest = L^T way. */
  backward(keep: number): void
  /** image = way + (L + D)^-1 rest, `rest` being used up. Returns direction . image. */
  forward(): number
  /** solution += step way, half -= step image, image = D half. Returns half . image. */
  advance(step: number): number
}

export function defineBlockSweeps(module: ModuleBuilder): void {
  defineMultiply(module)
  defineBegin(module)
  defineBackward(module)
  defineForward(module)
  defineAdvance(module)
}

/** Locals that hold addresses of the table, and the statements that read them. */
function addresses<K extends TableEntry>(
  scope: Scope,
  names: readonly K[],
  read: Statement[],
): Record<K, Local<'i32'>> {
  const entries = names.map((name: TableEntry) => {
    const variable = scope.local('i32')
    read.push(variable.set(TABLE.load(i32.const(TABLE_ADDRESS), name)))
    return [name, variable]
  })
  return Object.fromEntries(entries) as Record<K, Local<'i32'>>
}

function at(base: Local<'i32'>, offset: Local<'i32'>): I32 {
  return i32.add(base.get, offset.get)
}

/** Symmetric 3 x 3 at an address times a vector. */
function timesRows(address: I32, vector: Local<'v128'>): V128 {
  const part = (row: number): V128 => f32x4.mul(v128.load(address, 16 * row), v128.splatLane(vector, row))
  return f32x4.add(f32x4.add(part(0), part(1)), part(2))
}

function sumOfLanes(value: Local<'v128'>): F32 {
  const lane = (n: number): F32 => f32x4.extract(value.get, n)
  return f32.add(f32.add(lane(0), lane(1)), lane(2))
}

/** The sums of the lanes of three vectors, as lanes of one. */
function sumsOfLanes([a, b, c]: Local<'v128'>[], [u, w]: Local<'v128'>[]): { before: Statement[]; sums: V128 } {
  const zero = f32x4.const(0)
  const halves = (x: V128, y: V128): V128 =>
    f32x4.add(v128.shuffle(x, y, [0, 4, 1, 5]), v128.shuffle(x, y, [2, 6, 3, 7]))
  return {
    before: [u.set(halves(a.get, b.get)), w.set(halves(c.get, zero))],
    sums: f32x4.add(v128.shuffle(u.get, w.get, [0, 1, 4, 5]), v128.shuffle(u.get, w.get, [2, 3, 6, 7])),
  }
}

/** Visits the blocks right of a node's diagonal; `column` is then the byte of the block's column in vectors. */
function forBlocks(
  { block, end, columnAt, column }: Record<'block' | 'end' | 'columnAt' | 'column', Local<'i32'>>,
  body: Statement[],
): Statement {
  return whileLoop(i32.ltU(block.get, end.get), [
    column.set(i32.load(columnAt.get)),
    ...body,
    increase(block, 48),
    increase(columnAt, 4),
  ])
}

function blockLocals(scope: Scope): Record<'block' | 'end' | 'columnAt' | 'column', Local<'i32'>> {
  return {
    block: scope.local('i32'),
    end: scope.local('i32'),
    columnAt: scope.local('i32'),
    column: scope.local('i32'),
  }
}

/** Row r of the block times a number that all lanes of a vector hold, summed over the rows. */
function timesTransposed(block: Local<'i32'>, lanes: Local<'v128'>[]): V128 {
  const part = (row: number): V128 => f32x4.mul(v128.load(block.get, 16 * row), lanes[row].get)
  return f32x4.add(f32x4.add(part(0), part(1)), part(2))
}

function defineMultiply(module: ModuleBuilder): void {
  const params = { from: 'i32', to: 'i32' } as const
  module.define('multiply', { params, isExported: true }, ({ from, to }, scope) => {
    const [offset, diagonalAt, startAt] = scope.some(3, 'i32')
    const read: Statement[] = []
    const table = addresses(scope, ['vectorBytes', 'columns', 'diagonal', 'starts'], read)
    const loop = blockLocals(scope)
    const [x, other, u, w] = scope.some(4, 'v128')
    const lanes = scope.some(3, 'v128')
    const rows = scope.some(3, 'v128')
    const { before, sums } = sumsOfLanes(rows, [u, w])
    const zero = f32x4.const(0)
    return [
      ...read,
      diagonalAt.set(table.diagonal.get),
      doWhile(
        [
          x.set(v128.load(at(from, offset))),
          v128.store(at(to, offset), timesRows(diagonalAt.get, x)),
          increase(diagonalAt, 48),
          increase(offset, 16),
        ],
        i32.ltU(offset.get, table.vectorBytes.get),
      ),
      offset.set(i32.const(0)),
      startAt.set(table.starts.get),
      loop.columnAt.set(table.columns.get),
      loop.block.set(i32.load(startAt.get)),
      doWhile(
        [
          x.set(v128.load(at(from, offset))),
          ...lanes.map((lane, n) => lane.set(v128.splatLane(x, n))),
          ...rows.map((row) => row.set(zero)),
          loop.end.set(i32.load(startAt.get, 4)),
          forBlocks(loop, [
            other.set(v128.load(at(from, loop.column))),
            ...rows.map((row, n) =>
              row.set(f32x4.add(row.get, f32x4.mul(v128.load(loop.block.get, 16 * n), other.get))),
            ),
            v128.store(
              at(to, loop.column),
              f32x4.add(v128.load(at(to, loop.column)), timesTransposed(loop.block, lanes)),
            ),
          ]),
          ...before,
          v128.store(at(to, offset), f32x4.add(v128.load(at(to, offset)), sums)),
          increase(startAt, 4),
          increase(offset, 16),
        ],
        i32.ltU(offset.get, table.vectorBytes.get),
      ),
    ]
  })
}

/** out = (L + D)^-1 vector, node by node; `found` is what to do with a node's part `x` at `offset`. */
function forwardSolve(
  scope: Scope,
  vector: TableEntry,
  read: Statement[],
  found: (x: Local<'v128'>, offset: Local<'i32'>) => Statement[],
): { vectorBytes: Local<'i32'>; loop: Statement[] } {
  const table = addresses(scope, ['vectorBytes', 'columns', 'inverse', 'starts', vector], read)
  const [offset, startAt, inverseAt] = scope.some(3, 'i32')
  const blocks = blockLocals(scope)
  const [right, x] = scope.some(2, 'v128')
  const lanes = scope.some(3, 'v128')
  const target = at(table[vector], blocks.column)
  const loop = [
    offset.set(i32.const(0)),
    startAt.set(table.starts.get),
    inverseAt.set(table.inverse.get),
    blocks.columnAt.set(table.columns.get),
    blocks.block.set(i32.load(startAt.get)),
    doWhile(
      [
        right.set(v128.load(at(table[vector], offset))),
        x.set(timesRows(inverseAt.get, right)),
        ...lanes.map((lane, n) => lane.set(v128.splatLane(x, n))),
        blocks.end.set(i32.load(startAt.get, 4)),
        forBlocks(blocks, [v128.store(target, f32x4.sub(v128.load(target), timesTransposed(blocks.block, lanes)))]),
        ...found(x, offset),
        increase(startAt, 4),
        increase(inverseAt, 48),
        increase(offset, 16),
      ],
      i32.ltU(offset.get, table.vectorBytes.get),
    ),
  ]
  return { vectorBytes: table.vectorBytes, loop }
}

function defineBegin(module: ModuleBuilder): void {
  module.define('begin', { params: {}, result: 'f32', isExported: true }, (_, scope) => {
    const read: Statement[] = []
    const { half, image, diagonal } = addresses(scope, ['half', 'image', 'diagonal'], read)
    const [offset, diagonalAt] = scope.some(2, 'i32')
    const [part, weighed, sum] = scope.some(3, 'v128')
    const { vectorBytes, loop } = forwardSolve(scope, 'image', read, (x, node) => [v128.store(at(half, node), x.get)])
    return [
      ...read,
      ...loop,
      diagonalAt.set(diagonal.get),
      doWhile(
        [
          part.set(v128.load(at(half, offset))),
          weighed.set(timesRows(diagonalAt.get, part)),
          v128.store(at(image, offset), weighed.get),
          sum.set(f32x4.add(sum.get, f32x4.mul(part.get, weighed.get))),
          increase(diagonalAt, 48),
          increase(offset, 16),
        ],
        i32.ltU(offset.get, vectorBytes.get),
      ),
      sumOfLanes(sum),
    ]
  })
}

function defineBackward(module: ModuleBuilder): void {
  module.define('backward', { params: { keep: 'f32' }, isExported: true }, ({ keep }, scope) => {
    const read: Statement[] = []
    const table = addresses(
      scope,
      ['vectorBytes', 'blocksEnd', 'columnsEnd', 'startsEnd', 'inverseEnd', 'direction', 'image', 'way', 'rest'],
      read,
    )
    const [offset, startAt, inverseAt] = scope.some(3, 'i32')
    const loop = blockLocals(scope)
    const [keeps, right, other, u, w] = scope.some(5, 'v128')
    const rows = scope.some(3, 'v128')
    const { before, sums } = sumsOfLanes(rows, [u, w])
    const zero = f32x4.const(0)
    const back = (variable: Local<'i32'>, bytes: number): Statement => increase(variable, -bytes)
    return [
      ...read,
      keeps.set(f32x4.splat(keep.get)),
      offset.set(table.vectorBytes.get),
      // Nodes and their blocks from the last to the first.
      startAt.set(table.startsEnd.get),
      inverseAt.set(table.inverseEnd.get),
      loop.block.set(table.blocksEnd.get),
      loop.columnAt.set(table.columnsEnd.get),
      doWhile(
        [
          back(offset, 16),
          back(startAt, 4),
          back(inverseAt, 48),
          right.set(
            f32x4.add(v128.load(at(table.image, offset)), f32x4.mul(keeps.get, v128.load(at(table.direction, offset)))),
          ),
          v128.store(at(table.direction, offset), right.get),
          ...rows.map((row) => row.set(zero)),
          loop.end.set(i32.load(startAt.get)),
          whileLoop(i32.ltU(loop.end.get, loop.block.get), [
            back(loop.block, 48),
            back(loop.columnAt, 4),
            other.set(v128.load(i32.add(table.way.get, i32.load(loop.columnAt.get)))),
            ...rows.map((row, n) =>
              row.set(f32x4.add(row.get, f32x4.mul(v128.load(loop.block.get, 16 * n), other.get))),
            ),
          ]),
          ...before,
          u.set(sums),
          v128.store(at(table.rest, offset), u.get),
          right.set(f32x4.sub(right.get, u.get)),
          v128.store(at(table.way, offset), timesRows(inverseAt.get, right)),
        ],
        i32.ltU(i32.const(0), offset.get),
      ),
    ]
  })
}

function defineForward(module: ModuleBuilder): void {
  module.define('forward', { params: {}, result: 'f32', isExported: true }, (_, scope) => {
    const read: Statement[] = []
    const { direction, image, way } = addresses(scope, ['direction', 'image', 'way'], read)
    const [sum, whole] = scope.some(2, 'v128')
    const { loop } = forwardSolve(scope, 'rest', read, (x, node) => [
      whole.set(f32x4.add(x.get, v128.load(at(way, node)))),
      v128.store(at(image, node), whole.get),
      sum.set(f32x4.add(sum.get, f32x4.mul(whole.get, v128.load(at(direction, node))))),
    ])
    return [...read, ...loop, sumOfLanes(sum)]
  })
}

function defineAdvance(module: ModuleBuilder): void {
  module.define('advance', { params: { step: 'f32' }, result: 'f32', isExported: true }, ({ step }, scope) => {
    const read: Statement[] = []
    const table = addresses(scope, ['vectorBytes', 'solution', 'half', 'way', 'image', 'diagonal'], read)
    const [offset, diagonalAt] = scope.some(2, 'i32')
    const [steps, part, weighed, sum] = scope.some(4, 'v128')
    const load = (vector: Local<'i32'>): V128 => v128.load(at(vector, offset))
    return [
      ...read,
      steps.set(f32x4.splat(step.get)),
      diagonalAt.set(table.diagonal.get),
      doWhile(
        [
          v128.store(
            at(table.solution, offset),
            f32x4.add(load(table.solution), f32x4.mul(steps.get, load(table.way))),
          ),
          part.set(f32x4.sub(load(table.half), f32x4.mul(steps.get, load(table.image)))),
          v128.store(at(table.half, offset), part.get),
          weighed.set(timesRows(diagonalAt.get, part)),
          v128.store(at(table.image, offset), weighed.get),
          sum.set(f32x4.add(sum.get, f32x4.mul(part.get, weighed.get))),
          increase(diagonalAt, 48),
          increase(offset, 16),
        ],
        i32.ltU(offset.get, table.vectorBytes.get),
      ),
      sumOfLanes(sum),
    ]
  })
}
