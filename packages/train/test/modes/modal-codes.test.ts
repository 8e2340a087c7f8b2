/** Modes as they are used: made from a mesh, then codes of its shapes. */
import { existsSync, readFileSync } from 'node:fs'
import { ModalBody, randomStream, type TetMesh } from 'pliant'
import { readMeshFile } from 'pliant/files'
import { lumpedMasses, restStiffness } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { vibrationModes } from '../../src/modes/vibration-modes.js'
import { boxOfTets } from './box-of-tets.js'

const bunny = new URL('../../../../../shared/data/tet-bunny.msh', import.meta.url)

function modalBody(mesh: TetMesh, count: number): ModalBody {
  const masses = lumpedMasses(mesh, 1000)
  const { modes } = vibrationModes(restStiffness(mesh, { poisson: 0.45 }), masses, { count })
  return new ModalBody({ rest: mesh.positions, masses, modes })
}

/** Turned about x by 0.7 rad and moved. */
function moved(points: Float64Array): Float64Array {
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)]
  return points.map((value, i) => {
    if (i % 3 === 0) return value + 0.3
    return i % 3 === 1 ? c * value - s * points[i + 1] - 2 : s * points[i - 1] + c * value + 5
  })
}

/** A code whose shape moves a tenth of the body's size at most. */
function expectCodesBack(body: ModalBody, size: number): void {
  const random = randomStream(1)
  const given = Float64Array.from({ length: body.codeSize }, () => random.normal())
  const largest = body.modes.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (let k = 0; k < given.length; k++) given[k] *= (0.1 * size) / (largest * given.length)
  const shape = new Float64Array(body.rest.length)
  body.positions(given, shape)
  const code = new Float64Array(body.codeSize)
  const frame = new Float64Array(16)
  body.encode(moved(shape), code, frame)
  const scale = Math.max(...given.map(Math.abs))
  for (let k = 0; k < code.length; k++) expect(Math.abs(code[k] - given[k])).toBeLessThan(1e-9 * scale)
  body.encode(moved(body.rest), code, frame)
  for (const value of code) expect(Math.abs(value)).toBeLessThan(1e-9 * scale)
}

it('gives codes of a box back (seed 1)', () => {
  expectCodesBack(modalBody(boxOfTets([5, 4, 3], [0.3, 0.2, 0.15]), 24), 0.3)
})

it.skipIf(!existsSync(bunny))('gives codes of a bunny of 4,670 nodes back (seed 1)', async () => {
  const file = await readMeshFile('tet-bunny.msh', new Uint8Array(readFileSync(bunny)))
  if (file.kind !== 'tetrahedra') throw new Error(file.kind)
  const { positions } = file.mesh
  const heights = positions.filter((_, i) => i % 3 === 1)
  const height = heights.reduce((a, b) => Math.max(a, b)) - heights.reduce((a, b) => Math.min(a, b))
  expectCodesBack(modalBody(file.mesh, 12), height)
})
