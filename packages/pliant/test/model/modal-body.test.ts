import { expect, it } from 'vitest'
import { rotateVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { ModalBody } from '../../src/model/modal-body.js'

const NODES = 60
const LENGTH = 3 * NODES

/** Random modes that are what modes of a free body are: unit and orthogonal by mass, to rigid motion too. */
function randomBody(seed: number, codeSize: number): ModalBody {
  const random = randomStream(seed)
  const rest = Float64Array.from({ length: LENGTH }, (_, i) => [0.3, 0.2, 0.1][i % 3] * random.normal() + 1)
  const masses = Float64Array.from({ length: NODES }, () => random.between(0.01, 0.1))
  const product = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, value, i) => sum + masses[Math.floor(i / 3)] * value * b[i], 0)
  const fields = [0, 1, 2].flatMap((axis) => [
    rest.map((_, i) => (i % 3 === axis ? 1 : 0)),
    rest.map((_, i) => {
      const at = i - (i % 3)
      if (i % 3 === (axis + 1) % 3) return -rest[at + ((axis + 2) % 3)]
      return i % 3 === (axis + 2) % 3 ? rest[at + ((axis + 1) % 3)] : 0
    }),
  ])
  for (let mode = 0; mode < codeSize; mode++) fields.push(rest.map(() => random.normal()))
  fields.forEach((field, k) => {
    for (let pass = 0; pass < 2; pass++) {
      for (const other of fields.slice(0, k)) {
        const share = product(field, other)
        for (let i = 0; i < LENGTH; i++) field[i] -= share * other[i]
      }
    }
    const norm = Math.sqrt(product(field, field))
    for (let i = 0; i < LENGTH; i++) field[i] /= norm
  })
  return new ModalBody({ rest, masses, modes: Float64Array.from(fields.slice(6).flatMap((field) => [...field])) })
}

function moved(points: Float64Array, rotation: readonly number[], offset: readonly number[]): Float64Array {
  const length = Math.hypot(...rotation)
  const out = new Float64Array(points.length)
  const unit = rotation.map((value) => value / length)
  for (let at = 0; at < points.length; at += 3) rotateVector(unit, 0, points, at, out, at)
  return out.map((value, i) => value + offset[i % 3])
}

it.each([4, 7, 10])('has code 0 wherever the rest shape is moved, and says where (seed and modes %i)', (count) => {
  const body = randomBody(count, count)
  const random = randomStream(count, 1)
  const code = new Float64Array(count)
  const frame = new Float64Array(16)
  for (let round = 0; round < 10; round++) {
    const rotation = Array.from({ length: 4 }, () => random.normal())
    const positions = moved(body.rest, rotation, [random.normal(), 10, random.normal()])
    body.encode(positions, code, frame)
    for (const value of code) expect(Math.abs(value)).toBeLessThan(1e-13)
    for (let i = 0; i < LENGTH; i++) {
      const [row, at] = [i % 3, i - (i % 3)]
      const [x, y, z] = body.rest.subarray(at, at + 3)
      const there = frame[row] * x + frame[4 + row] * y + frame[8 + row] * z + frame[12 + row]
      expect(there).toBeCloseTo(positions[i], 11)
    }
  }
})

it.each([1, 5, 8])('gives the code of a shape back, wherever it is moved (seed and modes %i)', (count) => {
  const body = randomBody(count, count)
  const random = randomStream(count, 1)
  const shape = new Float64Array(LENGTH)
  const frame = new Float64Array(16)
  for (let round = 0; round < 10; round++) {
    const given = Float64Array.from({ length: count }, () => 0.05 * random.normal())
    body.positions(given, shape)
    const code = new Float64Array(count)
    const rotation = Array.from({ length: 4 }, () => random.normal())
    body.encode(moved(shape, rotation, [3, random.normal(), -1]), code, frame)
    for (let k = 0; k < count; k++) expect(code[k]).toBeCloseTo(given[k], 11)
  }
})

it('gives U^T (x - X) of the aligned shape as Eq. 1 is printed, if asked for (seed 2)', () => {
  const body = randomBody(2, 6)
  const plain = new ModalBody({ rest: body.rest, masses: body.masses, modes: body.modes, weighting: 'plain' })
  const given = Float64Array.of(0.02, -0.03, 0.01, 0, 0.05, -0.01)
  const shape = new Float64Array(LENGTH)
  body.positions(given, shape)
  const code = new Float64Array(6)
  plain.encode(moved(shape, [1, 2, 3, 4], [5, 6, 7]), code, new Float64Array(16))
  for (let k = 0; k < 6; k++) {
    let sum = 0
    for (let i = 0; i < LENGTH; i++) sum += body.modes[k * LENGTH + i] * (shape[i] - body.rest[i])
    expect(code[k]).toBeCloseTo(sum, 10)
  }
})

it('encodes any shape to the nearest by mass: what remains is orthogonal to all modes (seed 3)', () => {
  const body = randomBody(3, 9)
  const random = randomStream(3, 1)
  const positions = body.rest.map((value) => value + 0.01 * random.normal())
  const code = new Float64Array(9)
  const again = new Float64Array(9)
  const frame = new Float64Array(16)
  body.encode(positions, code, frame)
  const nearest = new Float64Array(LENGTH)
  body.positions(code, nearest)
  // The shape at the code, put where the body is, has the same code and the same place.
  const there = nearest.map((_, i) => {
    const [row, at] = [i % 3, i - (i % 3)]
    const [x, y, z] = nearest.subarray(at, at + 3)
    return frame[row] * x + frame[4 + row] * y + frame[8 + row] * z + frame[12 + row]
  })
  body.encode(there, again, new Float64Array(16))
  for (let k = 0; k < 9; k++) {
    expect(again[k]).toBeCloseTo(code[k], 11)
    let sum = 0
    for (let i = 0; i < LENGTH; i++) {
      const column = i % 3
      const at = i - column
      const [x, y, z] = [
        positions[at] - there[at],
        positions[at + 1] - there[at + 1],
        positions[at + 2] - there[at + 2],
      ]
      const local = frame[4 * column] * x + frame[4 * column + 1] * y + frame[4 * column + 2] * z
      sum += body.masses[Math.floor(i / 3)] * body.modes[k * LENGTH + i] * local
    }
    expect(Math.abs(sum)).toBeLessThan(1e-12)
  }
})

it('makes a reduced model of its surface that has the same places', () => {
  const body = randomBody(4, 5)
  const surface = { nodeOfVertex: Uint32Array.of(3, 10, 44, 59), triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) }
  const bounds = { lower: new Float64Array(5).fill(-1), upper: new Float64Array(5).fill(1) }
  const model = body.surfaceModel(surface, bounds)
  const code = [0.1, -0.2, 0.3, 0.05, -0.4]
  const [all, some] = [new Float64Array(LENGTH), new Float64Array(12)]
  body.positions(code, all)
  model.positions(code, some)
  for (let i = 0; i < 12; i++) {
    expect(some[i]).toBeCloseTo(all[3 * surface.nodeOfVertex[Math.floor(i / 3)] + (i % 3)], 14)
  }
})

it('refuses arrays of other lengths', () => {
  const body = randomBody(5, 3)
  const { rest, masses, modes } = body
  expect(() => new ModalBody({ rest, masses, modes: modes.subarray(1) })).toThrow('whole modes of 180')
  expect(() => body.encode(rest.subarray(3), new Float64Array(3), new Float64Array(16))).toThrow(
    '177 values for 60 nodes',
  )
  expect(() => body.encode(rest, new Float64Array(4), new Float64Array(16))).toThrow('a code of 4')
})
