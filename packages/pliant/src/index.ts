/** Pliant's runtime: meshes, reduced models, fields and trained artifacts, with no dependencies. */
export * from './artifact/artifact.js'
export * from './artifact/kind.js'
export * from './artifact/load.js'
export { type BodyMaterial, FORMAT_VERSION, type Manifest, type ModelSizes, type Quality } from './artifact/manifest.js'
export { isInParts, type ObjectNetworkShape, objectMultiplications } from './artifact/object-network.js'
export {
  type Container,
  decodeSafetensors,
  encodeSafetensors,
  looksLikeSafetensors,
  type StoredTensor,
} from './artifact/safetensors.js'
export { type BodyOfModes, bodyAsStored } from './artifact/stored-body.js'
export { weightsAsStored } from './artifact/stored-parts.js'
export * from './field/analytic.js'
export * from './field/signed-field.js'
export * from './field/voxel.js'
export * from './learned/neural.js'
export * from './learned/trained-field.js'
export * from './math/box.js'
export * from './math/floats.js'
export * from './math/random.js'
export { connectedPieces, type EdgeTable, edgeTable, isClosed } from './mesh/adjacency.js'
export * from './mesh/surface-sampling.js'
export * from './mesh/tet-mesh.js'
export * from './mesh/triangle-mesh.js'
export * from './mesh/validate.js'
export * from './mesh/validate-tets.js'
export { firstAtSamePlace } from './mesh/weld.js'
export * from './model/linear-modes.js'
export * from './model/modal-body.js'
export * from './model/reduced-model.js'
export * from './model/rigid-alignment.js'
export * from './net/create-network.js'
export * from './net/network.js'
export * from './net/network-shape.js'
