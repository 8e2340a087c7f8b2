/** Reduced bodies for tests: a box with modes made by hand, and a bar of tetrahedra with its own vibrations. */
import type { TetMesh } from '../../../src/index.js'
import { restStiffness } from '../../../src/sim/fem/rest-stiffness.js'
import { lumpedMasses } from '../../../src/sim/fem/tet-elements.js'
import {
  ReducedBody,
  type ReducedBodyOptions,
  type ReducedTetsOptions,
  reducedBodyOfTets,
} from '../../../src/sim/index.js'
import { bar } from '../fem/bars.js'

/** Half sides of the box [m] and its mass [kg]. */
export const HALF = [0.1, 0.05, 0.08] as const
export const MASS = 2

const SIGNS = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1].map((bit) => 2 * bit - 1))

/** Faces of the box, outward. */
const TRIANGLES = Uint32Array.of(
  ...[0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6],
)

/**
 * The eight corners of a box. Mode 0 makes it higher, mode 1 longer, mode 2 tilts opposite faces (x, z) apart: no mode
 * moves the centre.
 * @param frequencies  [1/s], cycles of each mode; as many modes as there are
 * @param scale        of its sides
 */
export function box(frequencies: readonly number[] = [], options: ReducedBodyOptions = {}, scale = 1): ReducedBody {
  const rest = Float64Array.from(SIGNS.flatMap((s) => s.map((sign, axis) => scale * sign * HALF[axis])))
  const fields = [
    SIGNS.flatMap((s) => [0, 0.02 * s[1], 0]),
    SIGNS.flatMap((s) => [0.03 * s[0], 0, 0]),
    SIGNS.flatMap((s) => [0, 0.02 * s[0] * s[2], 0]),
  ].slice(0, frequencies.length)
  const modalMasses = fields.map((field) => (MASS / 8) * field.reduce((sum, u) => sum + u * u, 0))
  const [x, y, z] = HALF.map((half) => (scale * half) ** 2)
  return new ReducedBody(
    {
      rest,
      modes: Float64Array.from(fields.flat()),
      modalMasses,
      modalStiffness: modalMasses.map((m, k) => m * (2 * Math.PI * frequencies[k]) ** 2),
      mass: MASS,
      inertia: [y + z, 0, 0, 0, x + z, 0, 0, 0, x + y].map((value) => MASS * value),
      triangles: TRIANGLES,
    },
    options,
  )
}

/** A soft bar, and what its modes were computed with. */
export const BAR = { young: 2e5, poisson: 0.3, density: 1000 }
export const barMesh = (): TetMesh => bar([0.4, 0.1, 0.1], [4, 1, 1])

/** Vibrations of a mesh's tetrahedra without the six rigid motions, mass-normalised, by a dense solver. */
export function vibrations(mesh: TetMesh, count: number): { modes: Float64Array; eigenvalues: Float64Array } {
  const masses = lumpedMasses(mesh, BAR.density)
  const { size, starts, columns, values } = restStiffness(mesh, BAR)
  const scale = (i: number): number => 1 / Math.sqrt(masses[Math.floor(i / 3)])
  const a = new Float64Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let at = starts[row]; at < starts[row + 1]; at++) {
      a[row * size + columns[at]] = scale(row) * scale(columns[at]) * values[at]
    }
  }
  const vectors = jacobi(a, size)
  const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => a[i * size + i] - a[j * size + j])
  const taken = order.slice(6, 6 + count)
  return {
    modes: Float64Array.from(
      taken.flatMap((k) => Array.from({ length: size }, (_, i) => scale(i) * vectors[i * size + k])),
    ),
    eigenvalues: Float64Array.from(taken, (k) => a[k * size + k]),
  }
}

/** The bar with its first modes; one unit of the code moves its fastest node by about 2 cm. */
export function softBar(count: number, options: ReducedTetsOptions = {}): ReducedBody {
  const mesh = barMesh()
  const { modes, eigenvalues } = vibrations(mesh, count)
  const scales = Array.from({ length: count }, (_, k) => {
    const mode = modes.subarray(k * mesh.positions.length, (k + 1) * mesh.positions.length)
    return 0.02 / mode.reduce((most, u) => Math.max(most, Math.abs(u)), 0)
  })
  return reducedBodyOfTets({ mesh, modes, eigenvalues, scales, material: BAR }, options)
}

/** Kinetic, elastic and gravity's energy [J]. */
export function energyOf(body: ReducedBody, gravity: readonly [number, number, number] = [0, 0, 0]): number {
  return body.kineticEnergy + body.elasticEnergy + body.gravityEnergy(gravity)
}

/** Makes `a` diagonal. @returns the eigenvectors in columns */
function jacobi(a: Float64Array, n: number): Float64Array {
  const v = new Float64Array(n * n)
  for (let i = 0; i < n; i++) v[i * (n + 1)] = 1
  for (let sweep = 0; sweep < 20; sweep++) {
    let off = 0
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const apq = a[p * n + q]
        off = Math.max(off, Math.abs(apq))
        if (Math.abs(apq) < 1e-300) continue
        const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq)
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < n; k++) rotate(a, k * n + p, k * n + q, c, s)
        for (let k = 0; k < n; k++) rotate(a, p * n + k, q * n + k, c, s)
        for (let k = 0; k < n; k++) rotate(v, k * n + p, k * n + q, c, s)
      }
    }
    if (off < 1e-9) break
  }
  return v
}

function rotate(m: Float64Array, i: number, j: number, c: number, s: number): void {
  const [x, y] = [m[i], m[j]]
  m[i] = c * x - s * y
  m[j] = s * x + c * y
}
