/** Mesh files and arrays, as bytes in and bytes out: the same in a browser, a worker and Node. */
export type { FileMesh, FileTriangles } from './checked-mesh.js'
export { FileError } from './file-error.js'
export type { MeshFormat } from './file-kind.js'
export {
  type GltfAnimation,
  type GltfChannel,
  type GltfMesh,
  type GltfMorphTarget,
  type GltfNode,
  type GltfNodeParts,
  type GltfScene,
  type GltfSkin,
  readGltf,
} from './gltf.js'
export { COLLIDER_EXTENSION, embedCollider, extractCollider } from './gltf-collider.js'
export { GLTF_SURFACE_DEFAULTS, type GltfSurfaceOptions, surfaceOfGltf } from './gltf-surface.js'
export { readGmsh } from './gmsh.js'
export { readMedit, writeMedit } from './medit.js'
export { type Npy, type NpyArray, readNpy, writeNpy } from './npy.js'
export { readObj, writeObj } from './obj.js'
export { readOff, writeOff } from './off.js'
export { readPly, writePly } from './ply.js'
export { companionName, type MeshFile, type ReadMeshOptions, readMeshFile } from './read-mesh.js'
export { readStl, writeStl } from './stl.js'
export { readTetgen } from './tetgen.js'
export { trianglesOf } from './triangles-of.js'
