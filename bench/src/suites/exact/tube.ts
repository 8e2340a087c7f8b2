/** What the suite measures on: a bent tube of 5,880 triangles, or as many as are asked for, and points about it. */
import { streamOf } from '@pliant/train/unstable/streams'
import type { Floats, TriangleMesh } from 'pliant'
import { meshBox, sampleSurface } from 'pliant/unstable'
import { BufferAttribute, BufferGeometry } from 'three'

const ROWS = 84
const COLUMNS = 35

/** A closed ring of bumpy tube; pinched by more than 0.35 at its waist, opposite walls pass through each other. */
export function tube(pinch: number, rows = ROWS, columns = COLUMNS): TriangleMesh {
  const positions = new Float64Array(3 * rows * columns)
  const triangles = new Uint32Array(6 * rows * columns)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const [u, v] = [(2 * Math.PI * i) / rows, (2 * Math.PI * j) / columns]
      const r = 1 + 0.35 * Math.cos(v) + 0.05 * Math.sin(7 * u + 3 * v)
      const a = i * columns + j
      const b = ((i + 1) % rows) * columns + j
      const c = ((i + 1) % rows) * columns + ((j + 1) % columns)
      const d = i * columns + ((j + 1) % columns)
      const [x, y] = [r * Math.cos(u), r * Math.sin(u)]
      const waist = 2 * pinch * Math.exp(-4 * x * x)
      positions.set([x, y - waist * Math.tanh(4 * y), 0.35 * Math.sin(v)], 3 * a)
      triangles.set([a, b, c, a, c, d], 6 * a)
    }
  }
  return { positions, triangles }
}

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
