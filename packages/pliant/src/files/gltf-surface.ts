/** All meshes of a glTF scene as one surface, for those who want the shape and not the rig. */
import { weldMesh } from '../mesh/weld.js'
import type { FileTriangles } from './checked-mesh.js'
import type { GltfMesh, GltfScene } from './gltf.js'
import { multiplyMatrices } from './gltf-matrix.js'

/** In which pose a glTF scene is turned into one surface. */
export interface GltfSurfaceOptions {
  /**
   * Where skinned meshes stand: as their nodes hold them when nothing is animated (`rest`, what a viewer shows), or as
   * they were bound to their joints (`bind`, the positions in the file).
   */
  pose?: 'rest' | 'bind'
  /** Join vertices at exactly the same place, which closes texture seams; false keeps the file's vertices. */
  weld?: boolean
}
/** What `surfaceOfGltf` takes where nothing else is said. */
export const GLTF_SURFACE_DEFAULTS = { pose: 'rest', weld: true } as const

/**
 * All meshes of a glTF scene as one surface.
 * @returns the meshes one after the other, in world space; morph targets at their rest weights
 */
export function surfaceOfGltf(scene: GltfScene, options: GltfSurfaceOptions = {}): FileTriangles {
  const { pose, weld } = { ...GLTF_SURFACE_DEFAULTS, ...options }
  const positions = new Float64Array(scene.meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0))
  const triangles = new Uint32Array(scene.meshes.reduce((sum, mesh) => sum + mesh.triangles.length, 0))
  let vertices = 0
  let corners = 0
  for (const mesh of scene.meshes) {
    const morphed = applyMorphs(mesh)
    positions.set(mesh.skin >= 0 && pose === 'rest' ? skinAtRest(scene, mesh, morphed) : morphed, 3 * vertices)
    for (let i = 0; i < mesh.triangles.length; i++) triangles[corners++] = mesh.triangles[i] + vertices
    vertices += mesh.positions.length / 3
  }
  if (!weld) return { positions, triangles }
  const welded = weldMesh({ positions, triangles }).mesh
  return { positions: welded.positions as Float64Array, triangles: welded.triangles }
}

function applyMorphs(mesh: GltfMesh): Float64Array {
  if (mesh.morphWeights.every((weight) => weight === 0)) return mesh.positions
  const positions = mesh.positions.slice()
  mesh.morphTargets.forEach(({ offsets }, target) => {
    const weight = mesh.morphWeights[target]
    if (weight !== 0) for (let i = 0; i < positions.length; i++) positions[i] += weight * offsets[i]
  })
  return positions
}

/** Linear blend skinning with the joints where the file's nodes put them. */
function skinAtRest(scene: GltfScene, mesh: GltfMesh, bound: Float64Array): Float64Array {
  const skin = scene.skins[mesh.skin]
  const matrices = skin.joints.map((node, joint) =>
    multiplyMatrices(scene.nodes[node].worldMatrix, skin.inverseBindMatrices.subarray(16 * joint, 16 * joint + 16)),
  )
  const posed = new Float64Array(bound.length)
  for (let vertex = 0; vertex < bound.length / 3; vertex++) {
    const x = bound[3 * vertex]
    const y = bound[3 * vertex + 1]
    const z = bound[3 * vertex + 2]
    for (let k = mesh.influences * vertex; k < mesh.influences * (vertex + 1); k++) {
      const weight = mesh.weights[k]
      if (weight === 0) continue
      const m = matrices[mesh.joints[k]]
      for (let row = 0; row < 3; row++) {
        posed[3 * vertex + row] += weight * (m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row])
      }
    }
  }
  return posed
}
