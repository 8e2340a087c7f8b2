/** Small bodies that touch, for tests: a slab that is fixed below, and tools made in code. */
import { ExactMeshField } from '../../src/exact/index.js'
import type { MovingField, NodeState, TetMesh } from '../../src/index.js'
import { nodesMeshField } from '../../src/model/mesh-fields.js'
import { ElasticTouch, type TouchOptions } from '../../src/respond/index.js'
import { FemBody, type FemOptions } from '../../src/sim/index.js'
import { bar, nodesAt } from '../sim/fem/bars.js'

export const SLAB_TOP = 0.06

/** A slab [0, 0.2] x [0, 0.06] x [0, 0.2] whose bottom is pinned. */
export function slab(options: FemOptions = {}): FemBody {
  const mesh = bar([0.2, SLAB_TOP, 0.2], [6, 2, 6])
  const body = new FemBody(mesh, options)
  body.pin(nodesAt(mesh, 1, 0))
  return body
}

/** A cube of cells made round. */
export function ballMesh(radius: number, cells: number, centre: readonly number[]): TetMesh {
  const mesh = bar([2, 2, 2], [cells, cells, cells])
  for (let i = 0; i < mesh.positions.length; i += 3) {
    const p = [0, 1, 2].map((axis) => mesh.positions[i + axis] - 1)
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [p[(axis + 1) % 3] ** 2, p[(axis + 2) % 3] ** 2]
      mesh.positions[i + axis] = centre[axis] + radius * p[axis] * Math.sqrt(1 - a / 2 - b / 2 + (a * b) / 3)
    }
  }
  return mesh
}

export function boxMesh(size: readonly number[], cells: readonly number[], corner: readonly number[]): TetMesh {
  const mesh = bar(size, cells)
  for (let i = 0; i < mesh.positions.length; i++) mesh.positions[i] += corner[i % 3]
  return mesh
}

export function exactOf(body: FemBody): MovingField<NodeState> {
  return nodesMeshField(body.surface, body.nodeCount, new ExactMeshField(body.surface))
}

/** Both bodies by their exact fields. */
export function touchExactly(
  body: FemBody,
  tool: FemBody,
  options: TouchOptions & { wrist?: number[] } = {},
): ElasticTouch {
  const { wrist, ...rest } = options
  return new ElasticTouch({ body, tool, bodyField: exactOf(body), toolField: exactOf(tool), wrist }, rest)
}

/** Nodes in the upper part of a mesh. */
export function upperNodes(mesh: TetMesh, above: number): number[] {
  return Array.from({ length: mesh.positions.length / 3 }, (_, node) => node).filter(
    (node) => mesh.positions[3 * node + 1] > above,
  )
}

export function meanPosition({ positions, masses, totalMass }: FemBody): number[] {
  const mean = [0, 0, 0]
  for (let i = 0; i < positions.length; i++) mean[i % 3] += (masses[Math.trunc(i / 3)] / totalMass) * positions[i]
  return mean
}
