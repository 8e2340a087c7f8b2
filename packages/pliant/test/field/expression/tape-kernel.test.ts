import { describe, expect, it } from 'vitest'
import { add, type Expression, mul, POINT } from '../../../src/field/expression/expression.js'
import { ExpressionField } from '../../../src/field/expression/expression-field.js'
import { OPERATIONS, type OperationName } from '../../../src/field/expression/operations.js'
import { tapeOf } from '../../../src/field/expression/tape.js'
import { tapeKernel } from '../../../src/field/expression/tape-kernel.js'
import { TapeValues } from '../../../src/field/expression/tape-values.js'
import { randomStream } from '../../../src/math/random.js'
import { ALL_SHAPES } from '../shapes/all-shapes.js'

const [x, y, z] = POINT
const random = randomStream(5, 1)
const drawn = Array.from({ length: 3 * 700 }, () => random.between(-2, 2))
/** Zeros of either sign, whole numbers, halves, and what rounds to them. */
const special = [0, -0, 0.5, -0.5, 1.5, -1.5, 1, -2, 0.49999999999999994, -1e-20, 3, 1e9]
const grid = special.flatMap((a) => special.flatMap((b) => special.flatMap((c) => [a, b, c])))

/** Answers of a compiled tape and of one that is not, values then gradients. */
function bothAnswers(expression: Expression, points: Float64Array | Float32Array): [number[], number[]] {
  const tape = tapeOf(expression)
  const count = points.length / 3
  const plain = new TapeValues(tape)
  const queries = [tapeKernel(tape)!, plain.query.bind(plain)]
  const answers = queries.map((query) => {
    const [values, withGradients, gradients] = [count, count, 3 * count].map((length) => new Float64Array(length))
    query(points, count, values)
    query(points, count, withGradients, gradients)
    expect(values).toEqual(withGradients)
    // Zeros of either sign are one number.
    return [...values, ...gradients].map((value) => value + 0)
  })
  return answers as [number[], number[]]
}

describe('a compiled tape answers as one that is not, to the last digit,', () => {
  it.each(Object.keys(OPERATIONS) as OperationName[])('of the operation %s', (name) => {
    const inputs = [x, y, z].slice(0, OPERATIONS[name].arity)
    const [compiled, plain] = bothAnswers({ name, inputs }, Float64Array.from([...drawn, ...grid]))
    expect(compiled).toEqual(plain)
  })

  it.each(ALL_SHAPES)('of the shape $name', ({ shape }) => {
    const [compiled, plain] = bothAnswers(shape.at(POINT), Float64Array.from(drawn))
    expect(compiled).toEqual(plain)
  })

  it('of a coordinate, a constant, what is used twice, and single floats, one point or an odd number of them', () => {
    const twice = mul(add(x, y), add(x, y))
    for (const expression of [y, { value: 2 }, twice, add(twice, z)]) {
      for (const count of [1, 7, 513]) {
        const [compiled, plain] = bothAnswers(expression, Float32Array.from(drawn.slice(0, 3 * count)))
        expect(compiled).toEqual(plain)
      }
    }
  })
})

it('leaves tapes alone that are too long', () => {
  let long: Expression = x
  for (let i = 0; i < 2001; i++) long = { name: 'negate', inputs: [long] }
  expect(tapeKernel(tapeOf(long))).toBeUndefined()
})

it('takes the place of the operations once a field was asked often, and nobody sees it', () => {
  const { shape } = ALL_SHAPES[0]
  const field = new ExpressionField(shape.at(POINT), shape.slope)
  const points = Float64Array.from(drawn)
  const count = points.length / 3
  const [first, later] = [new Float64Array(count), new Float64Array(count)]
  field.query(points, count, first)
  for (let asked = 0; asked < 60_000; asked += count) field.query(points, count, later)
  expect(later).toEqual(first)
})
