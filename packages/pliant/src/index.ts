/**
 * Load a trained file and ask it for signed distances; fields of other kinds to put beside it; meshes. No dependencies.
 *
 * A field takes its new shape by `update(state)` once per frame, and is then asked for as many points as you like.
 */
export * from './artifact/artifact.js'
export type { BodyArtifact, BodyMaterial, BodyModel } from './artifact/kinds/elastic-body.js'
export type { KindName, Kinds } from './artifact/kinds/index.js'
export type { ModesArtifact, ModesModel } from './artifact/kinds/linear-modes.js'
export type { BodyOfModes } from './artifact/kinds/stored-body.js'
export * from './artifact/load.js'
export { FORMAT_VERSION, type Manifest } from './artifact/manifest.js'
export type { BonesNetwork } from './artifact/networks/bones.js'
export type { PartsNetwork } from './artifact/networks/parts.js'
export { frameOfManifest, type WholeNetwork } from './artifact/networks/whole.js'
export type { Quality } from './artifact/quality.js'
export {
  type Container,
  decodeSafetensors,
  encodeSafetensors,
  looksLikeSafetensors,
  type StoredTensor,
} from './artifact/safetensors.js'
export type { FileSource } from './artifact/source.js'
export * from './field/analytic.js'
export * from './field/boxed.js'
export * from './field/combined.js'
export * from './field/configuration-field.js'
export * from './field/contact.js'
export * from './field/following.js'
export * from './field/signed-field.js'
export * from './field/timed.js'
export * from './field/transformed.js'
export * from './field/voxel.js'
export * from './learned/guarded.js'
export * from './learned/modal.js'
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
