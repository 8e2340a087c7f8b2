/** A trained soft body: simulated, asked and drawn. */
import { boxOfPoints, decode, fieldHalfSpace, load } from 'pliant'
import { gatherVertices } from 'pliant/respond'
import { FemBody } from 'pliant/sim'
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, MeshStandardMaterial } from 'three'

// #region load
/** @param material Young's modulus [Pa], Poisson's ratio, density [kg/m^3] */
export async function loadSoftBody(address, material, options = {}) {
  const artifact = await decode(new Uint8Array(await (await fetch(address)).arrayBuffer()), 'elastic-body')
  const { mesh } = artifact.body // the tetrahedra that were trained
  const floor = { field: fieldHalfSpace([0, 1, 0], boxOfPoints(mesh.positions).lower[1]) }
  return {
    fem: new FemBody(mesh, { material, obstacles: [floor], ...options }),
    field: await load(artifact), // follows the nodes: field.update({ nodes: fem.positions })
  }
}
// #endregion

// #region draw
/** The surface of a FemBody as a three.js mesh; call `draw` after each step. */
export function surfaceMesh({ surface, positions: nodes }, colour) {
  const positions = new BufferAttribute(new Float32Array(surface.positions.length), 3).setUsage(DynamicDrawUsage)
  const geometry = new BufferGeometry().setAttribute('position', positions)
  geometry.setIndex(new BufferAttribute(surface.triangles, 1))
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ color: colour, roughness: 0.6 }))
  mesh.frustumCulled = false
  const draw = () => {
    gatherVertices(nodes, surface.nodeOfVertex, positions.array) // nodes of the surface, in its order
    positions.needsUpdate = true
    geometry.computeVertexNormals()
  }
  draw()
  return { mesh, draw, positions: positions.array }
}
// #endregion

/** Pins the lowest part of a body, so that it stands. */
export function pinBase(fem, share = 0.06) {
  const { lower, upper } = boxOfPoints(fem.positions)
  const base = lower[1] + share * (upper[1] - lower[1])
  fem.pin(Array.from({ length: fem.nodeCount }, (_, node) => node).filter((node) => fem.positions[3 * node + 1] < base))
}
