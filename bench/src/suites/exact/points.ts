/** Points about a mesh, and the mesh as three.js has it. */
import { streamOf } from '@pliant/train/unstable/streams'
import type { Floats, TriangleMesh } from 'pliant'
import { meshBox, sampleSurface } from 'pliant/unstable'
import { BufferAttribute, BufferGeometry } from 'three'

export function geometryOf(mesh: TriangleMesh): BufferGeometry {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(mesh.positions.slice(), 3))
  geometry.setIndex(new BufferAttribute(mesh.triangles.slice(), 1))
  return geometry
}

/** Uniform in the box grown by a fifth, or within 3% of the box's height of the surface. */
export function drawPoints(
  mesh: TriangleMesh,
  kind: 'uniform' | 'near',
  count: number,
  seed: number,
  out?: Float64Array,
): Floats {
  const random = streamOf('benchPoints', seed)
  const points = out ?? new Float64Array(3 * count)
  const { lower, upper } = meshBox(mesh)
  if (kind === 'near') sampleSurface(mesh, count, random, { points })
  for (let i = 0; i < 3 * count; i++) {
    const size = upper[i % 3] - lower[i % 3]
    if (kind === 'near') points[i] += 0.03 * (upper[1] - lower[1]) * random.between(-1, 1)
    else points[i] = random.between(lower[i % 3] - 0.1 * size, upper[i % 3] + 0.1 * size)
  }
  return points
}
