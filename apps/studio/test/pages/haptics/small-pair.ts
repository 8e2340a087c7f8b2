/** A block on the ground and a bar to push it with, made in code; the block's "network" is the box that it is at rest. */
import { type ElasticField, fieldBox, ModalBody, type TetMesh } from 'pliant'
import { rigidNodesField } from 'pliant/character'
import { lumpedMasses } from 'pliant/unstable'
import type { HapticPair } from '../../../src/pages/haptics/haptic-pair.js'

const CORNERS = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
]

/** A box of cells, six tetrahedra each. @param from lowest corner [m] @param size of a cell [m] */
export function blockMesh(from: readonly number[], size: readonly number[], cells: readonly number[]): TetMesh {
  const [nx, ny, nz] = cells.map((count) => count + 1)
  const positions: number[] = []
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) positions.push(...[x, y, z].map((i, axis) => from[axis] + i * size[axis]))
    }
  }
  const tetrahedra: number[] = []
  const node = (x: number, y: number, z: number): number => x + nx * (y + ny * z)
  for (let z = 0; z + 1 < nz; z++) {
    for (let y = 0; y + 1 < ny; y++) {
      for (let x = 0; x + 1 < nx; x++) {
        for (const corners of CORNERS) {
          tetrahedra.push(...corners.map((c) => node(x + (c & 1), y + ((c >> 1) & 1), z + (c >> 2))))
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) }
}

export const BLOCK = { lower: [-0.1, 0, -0.1], upper: [0.1, 0.1, 0.1] } as const

export function smallPair(): HapticPair {
  const mesh = blockMesh(BLOCK.lower, [0.04, 0.034, 0.04], [5, 3, 5])
  const modal = new ModalBody({
    rest: mesh.positions,
    masses: lumpedMasses(mesh, 1000),
    modes: new Float64Array(0),
  })
  const box = fieldBox([0, 0.051, 0], [0.1, 0.051, 0.1])
  // Stiff: it goes with the body's rigid motion.
  const carried = rigidNodesField(box, modal.rest, modal.masses)
  const field: ElasticField = {
    codeSize: 0,
    network: { backend: 'scalar' },
    probeError: 0,
    expectedError: 0,
    trusted: true,
    ...carried,
    update: (state) => carried.update('nodes' in state ? state : { nodes: modal.rest }),
    dispose: () => {},
  }
  return {
    name: 'block',
    body: { mesh, modal },
    field,
    material: { density: 1000, young: 2e5, poisson: 0.49, massDamping: 0, stiffnessDamping: 0.02 },
    tool: blockMesh([-0.02, -0.015, -0.15], [0.02, 0.015, 0.034], [2, 2, 6]),
    toolLearned: undefined,
    dispose: () => {},
  }
}
