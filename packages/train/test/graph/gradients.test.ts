/** Every operation's gradient and second gradient; if one fails, training with that operation goes the wrong way. */
import { describe, it } from 'vitest'
import type { Tensor } from '../../src/graph/index.js'
import * as g from '../../src/graph/index.js'
import { expectGradients, type Operand, randomOperand } from './finite-differences.js'

const SEED = 20261
let salt = 0
const values = (shape: number[], range?: [number, number], kinks?: number[]): Operand =>
  randomOperand(SEED + salt++, shape, range, kinks)

interface Case {
  name: string
  build: (operands: Tensor[]) => Tensor
  operands: Operand[]
}

const one = (name: string, f: (t: Tensor) => Tensor, range?: [number, number], kinks?: number[]): Case => ({
  name,
  build: ([a]) => f(a),
  operands: [values([3, 4], range, kinks)],
})
const two = (
  name: string,
  f: (a: Tensor, b: Tensor) => Tensor,
  shapes: [number[], number[]],
  range?: [number, number],
): Case => ({
  name,
  build: ([a, b]) => f(a, b),
  operands: [values(shapes[0], range), values(shapes[1], range)],
})
/** Values 0.1 apart in shuffled order, so that no two are near a tie. */
const spaced = (shape: number[]): Operand => {
  const size = shape.reduce((a, b) => a * b, 1)
  const all = Float32Array.from({ length: size }, (_, i) => 0.15 * (((i * 7) % size) - size / 2))
  return { shape, values: all }
}

const arithmetic: Case[] = [
  two('add', g.add, [
    [3, 4],
    [3, 4],
  ]),
  two('add, row', g.add, [[3, 4], [4]]),
  two('add, column', g.add, [
    [3, 1],
    [3, 4],
  ]),
  two('add, both repeat', g.add, [
    [3, 1],
    [1, 4],
  ]),
  two('add, scalar', g.add, [[], [2, 3]]),
  two('sub, leading axis', g.sub, [
    [2, 3, 2],
    [3, 1],
  ]),
  two('mul', g.mul, [
    [3, 4],
    [3, 4],
  ]),
  two('mul, both repeat', g.mul, [
    [2, 1, 3],
    [4, 1],
  ]),
  two(
    'div, column',
    g.div,
    [
      [3, 4],
      [3, 1],
    ],
    [0.7, 1.6],
  ),
  one('neg', g.neg),
  one('mul by itself', (a) => g.mul(a, a)),
]

const pointwise: Case[] = [
  one('exp', g.exp),
  one('log', g.log, [0.6, 2]),
  one('sqrt', g.sqrt, [0.6, 2]),
  one('square', g.square),
  one('pow 3', (a) => g.pow(a, 3)),
  one('pow -1.5', (a) => g.pow(a, -1.5), [0.8, 2]),
  one('sin', g.sin),
  one('cos', g.cos),
]

const activations: Case[] = [
  one('relu', (a) => g.square(g.relu(a)), [-1, 1], [0]),
  one('elu', g.elu, [-1, 1], [0]),
  one('elu, alpha 0.5', (a) => g.elu(a, 0.5), [-1, 1], [0]),
  one('celu', g.celu, [-1, 1], [0]),
  one('celu, alpha 0.5', (a) => g.celu(a, 0.5), [-1, 1], [0]),
  one('softplus', g.softplus, [-3, 3]),
  one('silu', g.silu, [-3, 3]),
  one('tanh', g.tanh, [-2, 2]),
  one('sigmoid', g.sigmoid, [-3, 3]),
  one('softmax, axis 1', (a) => g.softmax(a, 1)),
  one('softmax, axis 0', (a) => g.softmax(a, 0)),
]

const selections: Case[] = [
  one('abs', (a) => g.square(g.abs(a)), [-1, 1], [0]),
  one('clamp', (a) => g.square(g.clamp(a, -0.3, 0.4)), [-1, 1], [-0.3, 0.4]),
  one('maximum with a number', (a) => g.square(g.maximum(a, 0.2)), [-1, 1], [0.2]),
  one('minimum with a number', (a) => g.square(g.minimum(a, 0.2)), [-1, 1], [0.2]),
  {
    name: 'maximum of two, row',
    build: ([a, b]) => g.mul(g.maximum(a, b), g.minimum(a, b)),
    operands: [values([3, 4], [-1, -0.1]), values([4], [0.1, 1])],
  },
  {
    name: 'where',
    build: ([a, b]) => g.square(g.where(g.greater(a, 0), g.mul(a, b), g.sub(b, a))),
    operands: [values([3, 4], [-1, 1], [0]), values([4])],
  },
  {
    name: 'where with less and a repeated mask',
    build: ([a, b]) => g.square(g.where(g.less(a, 0), b, g.mul(a, 2))),
    operands: [values([3, 1], [-1, 1], [0]), values([3, 4])],
  },
  one('stopGradient of half', (a) => g.square(g.sub(g.mul(a, 3), g.stopGradient(g.floor(a)))), [-1, 1], [0]),
]

const reductions: Case[] = [
  one('sum', (a) => g.square(g.sum(a))),
  one('sum, axis 0', (a) => g.square(g.sum(a, 0))),
  one('sum, axis -1 kept', (a) => g.square(g.sum(a, -1, true))),
  one('mean', (a) => g.square(g.mean(a))),
  one('mean, axis 1', (a) => g.square(g.mean(a, 1))),
  { name: 'max, axis 1', build: ([a]) => g.square(g.max(a, 1)), operands: [spaced([3, 4])] },
  { name: 'max, all', build: ([a]) => g.square(g.max(a)), operands: [spaced([3, 4])] },
  { name: 'min, axis 0 kept', build: ([a]) => g.square(g.min(a, 0, true)), operands: [spaced([3, 4])] },
  one('norm, axis 1', (a) => g.norm(a, 1), [0.3, 1]),
  one('norm, all', (a) => g.norm(a), [0.3, 1]),
]

const layouts: Case[] = [
  one('reshape', (a) => g.square(g.reshape(a, [2, -1]))),
  one('transpose', (a) => g.square(g.transpose(a))),
  { name: 'transpose, three axes', build: ([a]) => g.square(g.transpose(a, [2, 0, 1])), operands: [values([2, 3, 2])] },
  one('slice', (a) => g.square(g.slice(a, 1, 1, 3))),
  one('pad', (a) => g.square(g.pad(a, 0, 1, 2))),
  { name: 'expand', build: ([a]) => g.square(g.expand(a, [2, 3, 4])), operands: [values([3, 1])] },
  two('concat', (a, b) => g.square(g.concat([a, b, a], 1)), [
    [2, 3],
    [2, 1],
  ]),
]

const products: Case[] = [
  two('matmul', g.matmul, [
    [3, 4],
    [4, 2],
  ]),
  two('matmul of rank 3 by a matrix', g.matmul, [
    [2, 2, 3],
    [3, 2],
  ]),
  two('matmul, transposed', (a, b) => g.matmul(g.transpose(a), g.transpose(b)), [
    [4, 3],
    [2, 4],
  ]),
  two('matmul, squared', (a, b) => g.square(g.matmul(a, b)), [
    [3, 2],
    [2, 17],
  ]),
  two('batchMatmul', g.batchMatmul, [
    [2, 3, 2],
    [2, 2, 3],
  ]),
  two('groupedMatmul, shared group', g.groupedMatmul, [
    [1, 3, 2],
    [2, 2, 2],
  ]),
  {
    name: 'dense layer',
    build: ([x, w, b]) => g.tanh(g.add(g.matmul(x, w), b)),
    operands: [values([3, 2]), values([2, 4]), values([4])],
  },
]

const box = { lower: [-1, -2, 0], upper: [1, 2, 3] } as const
/** Points (u, v, w) in cell units of the 3 x 4 x 5 (x, y, z) grid, none within 0.15 of a cell face. */
const cellPoints = (cells: number[][]): Operand => ({
  shape: [cells.length, 3],
  values: Float32Array.from(cells.flatMap(([u, v, w]) => [-1 + (u * 2) / 2, -2 + (v * 4) / 3, (w * 3) / 4])),
})
/** Nodes along x, y, z. */
const SIZES = [
  [2, 3, 2],
  [3, 4, 5],
] as const
const lookups: Case[] = [
  {
    name: 'gather with duplicates',
    build: ([t]) => g.square(g.gather(t, g.intConstant([2, 0, 2, 2, 1, 0], [3, 2]))),
    operands: [values([4, 3])],
  },
  {
    name: 'scatterAdd with duplicates',
    build: ([u]) => g.square(g.scatterAdd(3, g.intConstant([2, 0, 2, 2]), u)),
    operands: [values([4, 2])],
  },
  {
    name: 'trilinear, inside and clamped',
    build: ([t, p]) => g.trilinear(t, p, box),
    operands: [
      values([5, 4, 3, 2]),
      cellPoints([
        [0.4, 1.5, 3.3],
        [1.6, 2.4, 0.5],
        [0.5, 0.5, 0.4],
        [2.5, 1.4, 2.6],
        [1.3, -0.6, 4.7],
      ]),
    ],
  },
  {
    name: 'trilinearBatch',
    build: ([t, p]) => g.trilinearBatch(t, p, box),
    operands: [
      values([2, 5, 4, 3, 1]),
      cellPoints([
        [0.4, 1.5, 3.3],
        [1.6, 2.4, 0.5],
        [0.5, 0.5, 0.4],
        [1.5, 1.4, 2.6],
      ]),
    ],
  },
  {
    name: 'trilinearIndexed, a grid named twice and one not at all',
    build: ([t, p]) => g.trilinearIndexed(t, p, g.intConstant([2, 0, 2, 2]), box),
    operands: [
      values([3, 5, 4, 3, 1]),
      cellPoints([
        [0.4, 1.5, 3.3],
        [1.6, 2.4, 0.5],
        [0.5, 0.5, 0.4],
        [1.5, 1.4, 2.6],
      ]),
    ],
  },
  {
    name: 'trilinearSized, grids of two sizes',
    build: ([t, p]) => g.trilinearSized(t, SIZES, p, g.intConstant([1, 0, 1, 1]), box),
    operands: [
      values([2 * 3 * 2 + 3 * 4 * 5, 2]),
      cellPoints([
        [0.4, 1.5, 3.3],
        [1.6, 2.4, 0.5],
        [0.5, 0.5, 0.4],
        [1.5, 1.4, 2.6],
      ]),
    ],
  },
]

const families = { arithmetic, pointwise, activations, selections, reductions, layouts, products, lookups }
for (const [family, cases] of Object.entries(families)) {
  describe(`${family}, seed ${SEED}`, () => {
    for (const { name, build, operands } of cases) {
      it(`${name}: gradient and second gradient equal finite differences`, async () => {
        await expectGradients(build, operands, { seed: SEED })
      })
    }
  })
}
