/** A small open ring of tetrahedra that closes, tilts and swells by three modes, with a network that tells self-contact. */
import { encode } from '../../src/artifact/artifact.js'
import type { SelfContactArtifact } from '../../src/artifact/kinds/self-contact.js'
import { modalTetsAsStored } from '../../src/artifact/kinds/self-contact.js'
import { FORMAT_VERSION } from '../../src/artifact/manifest.js'
import type { SelfContactQuality } from '../../src/artifact/self-contact-quality.js'
import { randomStream } from '../../src/math/random.js'
import { orientTets, surfaceOfTets, type TetMesh } from '../../src/mesh/tet-mesh.js'
import { surfaceModes } from '../../src/model/surface-modes.js'
import { type GapShape, gapTensors } from '../../src/net/gaps/gap-shape.js'
import { lumpedMasses } from '../../src/sim/fem/tet-elements.js'

const OPENING = 0.8
const ALONG = 14
/** The six tetrahedra of a cube around its diagonal; corner bits: 1, 2 across, 4 along. */
const CUBE_TETS = [0, 1, 3, 7, 0, 3, 2, 7, 0, 2, 6, 7, 0, 6, 4, 7, 0, 4, 5, 7, 0, 5, 1, 7]

const MATERIAL = { density: 1000, young: 1e5, poisson: 0.3, massDamping: 0, stiffnessDamping: 0.01 }

/** Where the code of the first mode begins to touch, the others at zero: what the field 'plane' says for all. */
export const CLOSES_AT = 0.5

/** @returns the mesh, and for each node its place along the ring, -1 to 1, and its angle */
function ring(): { mesh: TetMesh; along: number[]; angles: number[] } {
  const positions: number[] = []
  const along: number[] = []
  const angles: number[] = []
  for (let section = 0; section <= ALONG; section++) {
    const angle = OPENING / 2 + (section / ALONG) * (2 * Math.PI - OPENING)
    for (let corner = 0; corner < 4; corner++) {
      const radius = 1 + 0.1 * (2 * (corner & 1) - 1)
      positions.push(radius * Math.cos(angle), 0.1 * ((corner & 2) - 1), radius * Math.sin(angle))
      along.push((2 * section) / ALONG - 1)
      angles.push(angle)
    }
  }
  const tetrahedra: number[] = []
  for (let section = 0; section < ALONG; section++) {
    tetrahedra.push(...CUBE_TETS.map((corner) => 4 * (section + (corner >> 2)) + (corner & 3)))
  }
  const mesh = { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) }
  return { mesh: orientTets(mesh), along, angles }
}

/** Each mode without the part that would move the centre of mass. */
function modesOf({ mesh, along, angles }: ReturnType<typeof ring>): Float64Array {
  const masses = lumpedMasses(mesh, MATERIAL.density)
  const mass = masses.reduce((sum, one) => sum + one, 0)
  const fields = [
    along.flatMap((s, node) => [-0.75 * s * Math.sin(angles[node]), 0, 0.75 * s * Math.cos(angles[node])]),
    along.flatMap((s) => [0, 0.15 * s, 0]),
    along.flatMap((s, node) => [0.2 * s * s * Math.cos(angles[node]), 0, 0.2 * s * s * Math.sin(angles[node])]),
  ]
  for (const field of fields) {
    const shift = [0, 0, 0]
    for (let i = 0; i < field.length; i++) shift[i % 3] += (masses[Math.floor(i / 3)] * field[i]) / mass
    for (let i = 0; i < field.length; i++) field[i] -= shift[i % 3]
  }
  return Float64Array.from(fields.flat())
}

const NETWORKS: Record<'random' | 'plane', GapShape> = {
  random: { codeSize: 3, gaps: 4, hidden: [8], activation: 'silu' },
  plane: { codeSize: 3, gaps: 0, hidden: [], activation: 'relu' },
}

function tensorsOf(network: keyof typeof NETWORKS): Map<string, Float32Array> {
  if (network === 'plane') {
    return new Map([
      ['dense.0.weight', Float32Array.of(-1, 0, 0)],
      ['dense.0.bias', Float32Array.of(CLOSES_AT)],
    ])
  }
  const random = randomStream(17)
  return new Map(
    [...gapTensors(NETWORKS[network])].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => 0.3 + 0.3 * random.normal())]
    }),
  )
}

export const EXAMPLE_QUALITY: SelfContactQuality = {
  codes: 1000,
  touchingShare: 0.3,
  signAccuracy: 0.97,
  balancedAccuracy: 0.96,
  nearAccuracy: 0.9,
  falseNegatives: 0.04,
  falsePositives: 0.02,
  distanceError: { mean: 0.02, p95: 0.05, max: 0.2 },
  gradientError: 0.1,
  gradientSpread: 0.2,
  hybrid: [
    { tau: 0, exactShare: 0, accuracy: 0.97, falseNegatives: 0.04 },
    { tau: 0.1, exactShare: 0.1, accuracy: 0.99, falseNegatives: 0.01 },
    { tau: 0.3, exactShare: 0.3, accuracy: 1, falseNegatives: 0 },
  ],
}

/** @param network  'random' weights, or 'plane': the distance to where the first mode begins to close the ring */
export function selfContactExample(network: keyof typeof NETWORKS = 'random'): SelfContactArtifact {
  const made = ring()
  const body = modalTetsAsStored({ mesh: made.mesh, modes: modesOf(made) })
  const surface = surfaceOfTets(body.mesh)
  const bounds = { lower: new Float64Array(3).fill(-1), upper: new Float64Array(3).fill(1) }
  const random = randomStream(3)
  return {
    kind: 'self-contact',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'self-distance',
      name: 'ring',
      code: {
        size: 3,
        names: ['close', 'tilt', 'swell'],
        lower: [...bounds.lower],
        upper: [...bounds.upper],
        how: 'weights of three modes',
      },
      model: {
        kind: 'self-contact',
        vertices: surface.nodeOfVertex.length,
        triangles: surface.triangles.length / 3,
        nodes: body.mesh.positions.length / 3,
        tetrahedra: body.mesh.tetrahedra.length / 4,
        material: MATERIAL,
        eigenvalues: [100, 250, 400],
        rounds: [4, 2],
        moved: { mean: 0.001, max: 0.002 },
      },
      networks: { distance: { kind: 'gaps', shape: NETWORKS[network] } },
      training: { method: 'pliant', seed: 1, specHash: 'abc', steps: 10, poses: 6, labels: 6 },
      quality: structuredClone(EXAMPLE_QUALITY),
    },
    networks: { distance: tensorsOf(network) },
    model: surfaceModes({ rest: body.mesh.positions, modes: body.modes }, surface, bounds),
    body,
    rounds: {
      codes: Float32Array.from({ length: 18 }, () => random.between(-1, 1)),
      signs: Int8Array.of(1, -1, 1, 1, -1, 1),
    },
  }
}

/** The same as its file, for tests of other packages. */
export function selfContactFile(
  network: keyof typeof NETWORKS,
  changed: (made: SelfContactArtifact) => void = () => {},
) {
  const artifact = selfContactExample(network)
  changed(artifact)
  return encode(artifact)
}
