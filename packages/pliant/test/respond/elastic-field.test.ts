import { describe, expect, it } from 'vitest'
import { fieldBox, fieldSphere, ModalBody, type PosedField, randomStream } from '../../src/index.js'
import { ElasticField, rigidTouchField, type TouchField } from '../../src/respond/index.js'
import { FemBody } from '../../src/sim/index.js'
import { bar } from '../sim/fem/bars.js'
import { exactOf } from './scenes.js'

const mesh = bar([0.2, 0.1, 0.1], [3, 2, 2])
const body = new FemBody(mesh)
/** One mode that swells the body about its centre, of unit mass norm. */
const model = (() => {
  const modes = mesh.positions.map((x, i) => x - [0.1, 0.05, 0.05][i % 3])
  const norm = modes.reduce((sum, u, i) => sum + body.masses[Math.trunc(i / 3)] * u * u, 0)
  return new ModalBody({ rest: mesh.positions, masses: body.masses, modes: modes.map((u) => u / Math.sqrt(norm)) })
})()
const norm = (0.1 - 0.2) / model.modes[0]

/** The box at every code of that mode. */
function swellingBox(): PosedField {
  const of = (code: number) => {
    const size = 1 + code / Math.abs(norm)
    return fieldBox([0.1, 0.05, 0.05], [0.1 * size, 0.05 * size, 0.05 * size])
  }
  let box = of(0)
  return {
    codeSize: 1,
    pose: (code) => {
      box = of(code[0])
    },
    evaluate: (points, count, out) => box.evaluate(points, count, out),
    gradient: (points, count, distances, gradients) => box.gradient(points, count, distances, gradients),
    bounds: () => undefined,
  }
}

/** The body swollen by a factor, turned about a slanted axis and moved. */
function moved(swell: number): Float64Array {
  const [c, s] = [Math.cos(0.8), Math.sin(0.8)]
  return mesh.positions.map((_, i) => {
    const [x, y, z] = [0, 1, 2].map((axis) => swell * (mesh.positions[i - (i % 3) + axis] - [0.1, 0.05, 0.05][axis]))
    return [
      0.4 + c * x - s * (0.6 * y + 0.8 * z),
      1 + 0.6 * s * x + 0.6 * c * (0.6 * y + 0.8 * z) - 0.8 * (0.6 * z - 0.8 * y),
      -2 + 0.8 * s * x + 0.8 * c * (0.6 * y + 0.8 * z) + 0.6 * (0.6 * z - 0.8 * y),
    ][i % 3]
  })
}

function compare(field: TouchField, reference: TouchField, positions: Float64Array, seed: number): void {
  const random = randomStream(seed)
  const count = 40
  const points = Float64Array.from({ length: 3 * count }, (_, i) => [0.4, 1, -2][i % 3] + random.between(-0.15, 0.15))
  const [a, b] = [field, reference].map((one) => {
    const [distances, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
    one.follow(positions)
    one.gradient(points, count, distances, gradients)
    return { distances, gradients }
  })
  for (let i = 0; i < count; i++) expect(a.distances[i]).toBeCloseTo(b.distances[i], 9)
  for (let i = 0; i < count; i++) {
    // Deep inside, several faces are nearest and the direction is either's.
    if (b.distances[i] < 0) continue
    for (let k = 3 * i; k < 3 * i + 3; k++) expect(a.gradients[k]).toBeCloseTo(b.gradients[k], 7)
  }
}

describe('fields that follow a body', () => {
  it('answer in the world as the exact surface does: the learned one by frame and code (seed 1)', () => {
    const field = new ElasticField(model, swellingBox())
    compare(field, exactOf(body), moved(1.2), 1)
    expect(field.code[0]).toBeCloseTo(0.2 * Math.abs(norm), 9)
  })

  it('answer so as a shape that is carried rigidly (seed 2)', () => {
    const box = fieldBox([0.1, 0.05, 0.05], [0.1, 0.05, 0.05])
    compare(rigidTouchField(box, mesh.positions, body.masses), exactOf(body), moved(1), 2)
  })

  it('refuse codes of another length and positions that are not finite', () => {
    const sphere = { ...swellingBox(), ...fieldSphere([0, 0, 0], 1), codeSize: 2 }
    expect(() => new ElasticField(model, sphere)).toThrow(/codes of 2, the body has 1/)
    const broken = mesh.positions.slice()
    broken[5] = Number.NaN
    expect(() => new ElasticField(model, swellingBox()).follow(broken)).toThrow(/finite/)
  })
})
