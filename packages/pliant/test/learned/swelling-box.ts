/** A box of tetrahedra that swells about its centre by its one mode, and the field that knows it at every code. */
import type { TrainedField } from '../../src/index.js'
import { fieldBox, ModalBody } from '../../src/index.js'
import { FemBody } from '../../src/sim/index.js'
import { bar } from '../sim/fem/bars.js'

export const mesh = bar([0.2, 0.1, 0.1], [3, 2, 2])
export const body = new FemBody(mesh)
/** One mode that swells the body about its centre, of unit mass norm. */
export const model = (() => {
  const modes = mesh.positions.map((x, i) => x - [0.1, 0.05, 0.05][i % 3])
  const norm = modes.reduce((sum, u, i) => sum + body.masses[Math.trunc(i / 3)] * u * u, 0)
  return new ModalBody({ rest: mesh.positions, masses: body.masses, modes: modes.map((u) => u / Math.sqrt(norm)) })
})()
/** The code at which the body is twice as large. */
export const DOUBLE = Math.abs((0.1 - 0.2) / model.modes[0])

/** The box at every code of that mode; it trusts itself where it is less than half larger. */
export function swellingBox(): TrainedField {
  const of = (code: number) => {
    const size = 1 + code / DOUBLE
    return fieldBox([0.1, 0.05, 0.05], [0.1 * size, 0.05 * size, 0.05 * size])
  }
  let [box, swell] = [of(0), 0]
  return {
    codeSize: 1,
    network: { backend: 'scalar' },
    update: ({ code }) => {
      swell = code[0] / DOUBLE
      box = of(code[0])
    },
    query: (points, count, distances, gradients) => box.query(points, count, distances, gradients),
    bounds: () => undefined,
    dispose: () => {},
    get probeError() {
      return this.trusted ? 0.01 : 0.2
    },
    get expectedError() {
      return this.trusted ? 0.02 : 0.3
    },
    get trusted() {
      return swell < 0.5
    },
  }
}

/** The body swollen by a factor, turned about a slanted axis and moved. */
export function moved(swell: number): Float64Array {
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
