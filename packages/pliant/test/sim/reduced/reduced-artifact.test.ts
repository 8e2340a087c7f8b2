/** A body from its file must vibrate and look as what was trained: its modes are scaled, and must not be scaled again. */
import { describe, expect, it } from 'vitest'
import type { SelfContactArtifact } from '../../../src/artifact/kinds/self-contact.js'
import { LinearSelfContact } from '../../../src/exact/self-contact/linear-self-contact.js'
import { load } from '../../../src/index.js'
import { surfaceOfTets } from '../../../src/mesh/tet-mesh.js'
import { surfaceModes } from '../../../src/model/surface-modes.js'
import { ReducedWorld, reducedBodyOfArtifact } from '../../../src/sim/index.js'
import { CLOSES_AT, selfContactExample } from '../../artifact/self-contact-example.js'
import { BAR, barMesh, vibrations } from './scenes.js'

/** The bar's first vibrations, each scaled by its own factor, as a file holds them. */
function barFile(scales: readonly number[]): Pick<SelfContactArtifact, 'manifest' | 'model' | 'body'> {
  const mesh = barMesh()
  const { modes, eigenvalues } = vibrations(mesh, scales.length)
  const scaled = modes.map((value, i) => scales[Math.floor(i / mesh.positions.length)] * value)
  const { manifest } = selfContactExample()
  manifest.model.eigenvalues = [...eigenvalues]
  manifest.model.material = { ...BAR, massDamping: 0, stiffnessDamping: 0.01 }
  const ends = (value: number) => new Float64Array(scales.length).fill(value)
  const surface = surfaceOfTets(mesh)
  const model = surfaceModes({ rest: mesh.positions, modes: scaled }, surface, { lower: ends(-1), upper: ends(1) })
  return { manifest, model, body: { mesh, modes: scaled } }
}

describe('a reduced body from its file', () => {
  const scales = [0.02, 0.05, 0.001]

  it.each(['linear', 'stvk'] as const)('has the masses and stiffnesses of scaled modes, %s', (elasticity) => {
    const file = barFile(scales)
    const body = reducedBodyOfArtifact(file, { elasticity })
    scales.forEach((scale, k) => {
      expect(body.modalMasses[k] / scale ** 2).toBeCloseTo(1, 6)
      expect(body.modalStiffness[k] / (scale ** 2 * file.manifest.model.eigenvalues[k])).toBeCloseTo(1, 6)
    })
  })

  it('bends as the surface of the file does, where the mesh is', () => {
    const file = selfContactExample()
    const body = reducedBodyOfArtifact(file)
    const code = [0.4, -0.7, 0.2]
    body.code.set(code)
    const [positions, due] = [new Float64Array(file.model.rest.length), new Float64Array(file.model.rest.length)]
    body.positions(positions)
    file.model.positions(code, due)
    expect(Math.max(...positions.map((value, i) => Math.abs(value - due[i])))).toBeLessThan(1e-12)
  })

  it('vibrates with the frequencies that the file says', () => {
    const file = selfContactExample()
    const body = reducedBodyOfArtifact(file)
    body.code[0] = 0.1
    const world = new ReducedWorld([body], { gravity: [0, 0, 0], substep: 1e-3 })
    const period = (2 * Math.PI) / Math.sqrt(file.manifest.model.eigenvalues[0])
    for (let t = 0; t < period / 2 - 5e-4; t += 1e-3) world.step(1e-3)
    expect(body.code[0]).toBeCloseTo(-0.1, 2)
  })

  it('is kept from running into itself by the field, in the box of the file, and by the exact test', async () => {
    const file = selfContactExample('plane')
    const field = await load(file)
    const exact = new LinearSelfContact(file.model)
    const body = reducedBodyOfArtifact(file, { field, exact })
    expect(body.selfContact).toEqual({ field, box: file.model.bounds, exact })
    body.codeForces[0] = 1000 * body.modalStiffness[0]
    body.codeForces[1] = -1000 * body.modalStiffness[1]
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    for (let frame = 0; frame < 60; frame++) world.step(1 / 60)
    expect(body.code[0]).toBeLessThan(CLOSES_AT)
    expect(body.code[0]).toBeGreaterThan(CLOSES_AT - 0.2)
    expect(body.code[1]).toBeCloseTo(-1, 2)
    expect(exact.touches(body.code)).toBe(false)
    // Left to itself it would go through.
    const bare = reducedBodyOfArtifact(file)
    expect(bare.selfContact.field).toBeUndefined()
    expect(bare.selfContact.box).toBe(file.model.bounds)
  })
})
