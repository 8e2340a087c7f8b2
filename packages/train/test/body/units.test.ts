/** Bodies and meshes give the same result in whatever unit they were made: drops, modes, parts, labels and judging know no metre. */
// The built package: drops are simulated by files of it.

import { readSpec, train } from '@pliant/train'
import { bodyToTrain, elasticObject, tetrahedralise } from '@pliant/train/unstable'
import { decode, load, type TetMesh, type TriangleMesh } from 'pliant'
import { describe, expect, it } from 'vitest'
import { boxOfTets } from '../modes/box-of-tets.js'
import { sphere } from '../tets/solid-shapes.js'

const POINTS = Float64Array.of(0.1, 0.1, 0.1, 0.21, 0.1, 0.25, 0.43, 0.05, 0.1, -0.03, 0.1, 0.1)

const scaled = (mesh: TetMesh, scale: number): TetMesh => ({
  positions: mesh.positions.map((value) => scale * value),
  tetrahedra: mesh.tetrahedra,
})

async function trainBox(scale: number) {
  const spec = readSpec(
    JSON.stringify({
      model: { body: 'box.msh', modes: 8 },
      seed: 4,
      poses: 8,
      pointsPerPose: 120,
      steps: 12,
      network: { parts: 3, resolution: 5 },
      evaluation: { poses: 3, points: 100 },
    }),
  )
  const object = elasticObject(scaled(boxOfTets([4, 2, 2], [0.4, 0.2, 0.2]), scale), spec, { modes: 8 })
  const { artifact, quality } = await train(spec, { subject: bodyToTrain(spec, object), threads: 1 })
  const field = await load(await decode(artifact, 'elastic-body'), { backend: 'scalar' })
  const distances = new Float64Array(4)
  field.query(
    POINTS.map((value) => scale * value),
    4,
    distances,
  )
  field.dispose()
  return {
    error: quality.bandError.mean / quality.size,
    sign: quality.signAccuracy,
    distances: distances.map((value) => value / scale),
  }
}

describe('an elastic body', () => {
  const inMetres = trainBox(1)

  // A power of four changes no digit, nor does its root, by which times go with lengths.
  it.each([2 ** -10, 2 ** 10])('trains to the same result at %d times the size', async (scale) => {
    const [expected, got] = [await inMetres, await trainBox(scale)]
    expect(got.error / expected.error).toBeCloseTo(1, 3)
    expect(got.sign).toBeCloseTo(expected.sign, 6)
    got.distances.forEach((distance, i) => {
      expect(distance).toBeCloseTo(expected.distances[i], 4)
    })
  })
})

describe('a closed surface', () => {
  const fill = async (scale: number) => {
    const surface: TriangleMesh = sphere(2)
    const positions = Float64Array.from(surface.positions, (value) => scale * value)
    const { mesh } = await tetrahedralise({ positions, triangles: surface.triangles }, { nodes: 120 })
    return { tetrahedra: [...mesh.tetrahedra], positions: Array.from(mesh.positions, (value) => value / scale) }
  }
  it.each([2 ** -10, 2 ** 10])('is filled with the same tetrahedra at %d times the size', async (scale) => {
    const [expected, got] = [await fill(1), await fill(scale)]
    expect(got.tetrahedra).toEqual(expected.tetrahedra)
    got.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(expected.positions[i], 9)
    })
  })
})
