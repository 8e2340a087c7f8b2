import { describe, expect, it } from 'vitest'
import { createPartsField } from '../../src/learned/create-parts.js'
import { SurfaceProbes } from '../../src/learned/surface-probes.js'
import { randomStream } from '../../src/math/random.js'
import { gatherVertices } from '../../src/mesh/gather-vertices.js'
import { surfaceOfTets } from '../../src/mesh/tet-mesh.js'
import { ModalBody } from '../../src/model/modal-body.js'
import { type BoneNetworkShape, boneTensors } from '../../src/net/bones/bone-shape.js'
import { tensorsOfParts } from '../../src/net/bones/part-shape.js'
import { twoCubes, UPRIGHT } from '../net/bones/two-parts.js'

const body = twoCubes(3)
/** Modes that count masses must be orthonormal; these are one number's worth of stretch each. */
const modes = new Float64Array(3 * body.rest.length)
for (let axis = 0; axis < 3; axis++) {
  const along = body.rest.map((place, i) => (i % 3 === axis ? place - (axis === 0 ? 1 : 0) : 0))
  const norm = Math.sqrt(0.5 * along.reduce((sum, value) => sum + value * value, 0))
  modes.set(
    along.map((value) => value / norm),
    axis * body.rest.length,
  )
}
const modal = new ModalBody({ rest: body.rest, masses: body.masses, modes })
/** Each cube as six tetrahedra around its long diagonal. */
const mesh = {
  positions: body.rest,
  tetrahedra: Uint32Array.from(
    [0, 8].flatMap((cube) =>
      [
        [4, 6],
        [6, 2],
        [2, 3],
        [3, 1],
        [1, 5],
        [5, 4],
      ].flatMap(([a, b]) => [cube, cube + a, cube + b, cube + 7]),
    ),
  ),
}
const frame = {
  name: 'cubes',
  code: { size: 3, lower: [-1, -1, -1], upper: [1, 1, 1] },
  normalisation: { centre: [0, 0, 0] as const, scale: 1, codeOffset: [0, 0, 0], codeScale: [1, 1, 1] },
  domain: { lower: [-2, -2, -2] as const, upper: [4, 2, 2] as const },
  truncation: 0.2,
}

async function randomField() {
  const random = randomStream(6, 1)
  const box = {
    start: [0, 0, 0],
    end: [0.1, 0, 0],
    centre: [0, 0, 0],
    half: [0.9, 0.9, 0.9],
    radius: 0.5,
    nodes: [4, 4, 4],
  }
  const shape = {
    bones: [0, 1].map((joint) => ({ ...box, name: `part ${joint}`, joint, drivers: [1 - joint] })),
    nearest: 2,
    fade: 0.2,
    sharpness: 10,
    scale: 2,
    coefficients: 3,
    codeHidden: 4,
    warp: { resolution: 3, features: 1 },
    grid: { features: 1 },
    hidden: 6,
  } as unknown as BoneNetworkShape
  const weights = Float32Array.from({ length: 32 }, (_, i) => (Math.floor(i / 16) === Math.floor((i % 16) / 8) ? 1 : 0))
  const tensors = new Map([
    ...[...boneTensors(shape)].map(([name, dims]): [string, Float32Array] => {
      const length = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length }, () => 0.2 * random.normal())]
    }),
    ...tensorsOfParts({ weights, axes: Float32Array.from([...UPRIGHT, ...UPRIGHT]) }),
  ])
  const judged = { shape: mesh, measured: { distances: 1, probes: 1 } }
  return createPartsField(frame, shape, tensors, modal, { backend: 'scalar' }, judged)
}

describe('PartsField', () => {
  const random = randomStream(3, 1)
  const points = Float64Array.from({ length: 60 }, (_, i) => random.between(-1, i % 3 === 0 ? 3 : 1))

  it('answers the same for a code and for the nodes of the shape that it describes', async () => {
    const field = await randomField()
    const nodes = new Float64Array(body.rest.length)
    const code = [0.5, -0.3, 0.8]
    modal.positions(code, nodes)
    const [byCode, byNodes] = [new Float64Array(20), new Float64Array(20)]
    field.update({ code })
    field.query(points, 20, byCode)
    field.update({ nodes })
    field.query(points, 20, byNodes)
    byCode.forEach((value, i) => {
      expect(byNodes[i]).toBeCloseTo(value, 5)
    })
  })

  it('answers a moved body as the body where it was made', async () => {
    const field = await randomField()
    const [distances, gradients] = [new Float64Array(20), new Float64Array(60)]
    field.update({ nodes: body.rest })
    field.query(points, 20, distances, gradients)
    // A quarter turn about z, far away.
    const carry = (from: ArrayLike<number>, shift: number[]): Float64Array =>
      Float64Array.from(from, (_, i) => {
        const at = i - (i % 3)
        return [-from[at + 1], from[at], from[at + 2]][i % 3] + shift[i % 3]
      })
    const away = [4000, -300, 20]
    field.update({ nodes: carry(body.rest, away) })
    const [moved, turned] = [new Float64Array(20), new Float64Array(60)]
    field.query(carry(points, away), 20, moved, turned)
    moved.forEach((value, i) => {
      expect(value).toBeCloseTo(distances[i], 5)
    })
    carry(gradients, [0, 0, 0]).forEach((value, i) => {
      expect(turned[i]).toBeCloseTo(value, 4)
    })
  })

  it('tells its error on the surface of the shape that it has, told by code or by nodes, wherever these are', async () => {
    const field = await randomField()
    const nodes = new Float64Array(body.rest.length)
    const { triangles, nodeOfVertex } = surfaceOfTets(mesh)
    const surface = { positions: mesh.positions, triangles: triangles.map((vertex) => nodeOfVertex[vertex]) }
    const seen: number[] = []
    for (const code of [
      [0.5, 0, 0],
      [0, 1.5, 0],
    ]) {
      field.update({ code })
      const byCode = field.probeError
      modal.positions(code, nodes)
      const probes = new SurfaceProbes(surface)
      gatherVertices(nodes, probes.corners, probes.places)
      expect(byCode).toBeCloseTo(probes.meanError(field), 10)
      const far = nodes.map((value, i) => value + [300, -20, 5][i % 3])
      field.update({ nodes: far })
      // The caller's nodes go on.
      far.fill(0)
      expect(field.probeError).toBeCloseTo(byCode, 5)
      seen.push(byCode)
    }
    expect(seen[0]).not.toBeCloseTo(seen[1], 3)
    expect(field.trusted).toBe(true)
  })

  it('refuses codes of another length or that are not finite', async () => {
    const field = await randomField()
    expect(() => field.update({ code: [1] })).toThrow(/cubes needs 3/)
    expect(() => field.update({ code: [1, Number.NaN, 0] })).toThrow(/code\[1\] is NaN/)
  })
})
