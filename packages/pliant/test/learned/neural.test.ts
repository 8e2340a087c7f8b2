import { expect, it } from 'vitest'
import { load } from '../../src/index.js'
import { SurfaceProbes } from '../../src/learned/surface-probes.js'
import { gatherVertices } from '../../src/mesh/gather-vertices.js'
import { exampleArtifact } from '../artifact/example.js'
import { conformField } from '../field/conformance.js'

const { truncation, networks } = exampleArtifact().manifest
const { domain } = networks.distance

for (const backend of ['scalar', 'auto'] as const) {
  conformField({
    name: `a neural field (${backend}), inside and around its domain`,
    async make() {
      const field = await load(exampleArtifact(), { backend, bounds: 'all' })
      field.update({ code: [0.5, -1] })
      return field
    },
    box: { lower: [-2.5, -2.5, -2.5], upper: [2.5, 2.5, 2.5] },
    inside: [],
    outside: [
      [3, 0, 0],
      [0, -4, 5],
    ],
    step: 1e-2,
    gradientTolerance: 0.02,
    // Cell faces of the grids and the edge of the domain.
    kinks: 0.12,
    bounded: true,
  })
}

it('answers with the truncation plus the distance to the domain outside of it', async () => {
  const field = await load(exampleArtifact(), { backend: 'scalar' })
  const out = new Float64Array(2)
  const gradients = new Float64Array(6)
  field.query(
    Float64Array.of(domain.upper[0] + 3, 0, domain.upper[2] + 4, 0, domain.lower[1] - 1, 0),
    2,
    out,
    gradients,
  )
  expect(out[0]).toBeCloseTo(truncation + 5, 10)
  expect(out[1]).toBeCloseTo(truncation + 1, 10)
  expect([...gradients].map((g) => Number(g.toFixed(6)))).toEqual([0.6, 0, 0.8, 0, -1, 0])
})

it('lets a bad point show in its answer instead of hiding it', async () => {
  const field = await load(exampleArtifact(), { backend: 'scalar' })
  const out = new Float64Array(1)
  field.query(Float64Array.of(Number.NaN, 0, 0), 1, out)
  expect(out[0]).toBeNaN()
})

it('tells its error on the surface as its code bends it, wherever the code lies', async () => {
  const artifact = exampleArtifact()
  const field = await load(artifact, { backend: 'scalar' })
  const { rest, triangles } = artifact.model
  const positions = new Float64Array(rest.length)
  for (const code of [
    [1, -2],
    [1.5, 0],
  ]) {
    field.update({ code })
    artifact.model.positions(code, positions)
    const probes = new SurfaceProbes({ positions: rest, triangles })
    gatherVertices(positions, probes.corners, probes.places)
    expect(field.probeError).toBeCloseTo(probes.meanError(field), 12)
  }
  // It was never judged.
  expect(field.trusted).toBe(false)
})

it('refuses a code of another length or with a NaN, and names the remedy', async () => {
  const field = await load(exampleArtifact(), { backend: 'scalar' })
  expect(() => field.update({ code: [1] })).toThrow(
    "code has 1 values, example needs 2; pass the code that 'pliant inspect' describes",
  )
  expect(() => field.update({ code: [1, Number.NaN] })).toThrow('code[1] is NaN')
})
