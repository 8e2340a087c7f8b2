/**
 * Load a trained file and ask it for signed distances; fields of other kinds to put beside it; meshes. No dependencies.
 *
 * A field takes its new shape by `update(state)` once per frame, and is then asked for as many points as you like.
 */
export { type Artifact, decode, kindOf, type ObjectArtifact } from './artifact/artifact.js'
export type { BodyMaterial, TetBodyModel } from './artifact/kinds/body-model.js'
export type { BodyArtifact, BodyModel } from './artifact/kinds/elastic-body.js'
export type { KindName, Kinds, PointKindName } from './artifact/kinds/index.js'
export type { ModesArtifact, ModesModel } from './artifact/kinds/linear-modes.js'
export type {
  LearningRounds,
  ModalTets,
  SelfContactArtifact,
  SelfContactManifest,
  SelfContactModel,
} from './artifact/kinds/self-contact.js'
export type {
  ShapeContactArtifact,
  ShapeContactManifest,
  ShapeContactModel,
  ShapeContactNetwork,
} from './artifact/kinds/shape-contact.js'
export type { BodyOfModes } from './artifact/kinds/stored-body.js'
export { type FieldOf, type LoadOptions, load } from './artifact/load.js'
export type { Envelope, Manifest, ModelManifest, TrainingManifest } from './artifact/manifest.js'
export type { BonesNetwork } from './artifact/networks/bones.js'
export type { FramedGapsNetwork } from './artifact/networks/framed-gaps.js'
export type { GapsNetwork } from './artifact/networks/gaps.js'
export type { NetworkManifest } from './artifact/networks/network-kind.js'
export type { PartsNetwork } from './artifact/networks/parts.js'
export type { WholeNetwork } from './artifact/networks/whole.js'
export type { Quality } from './artifact/quality.js'
export type { HybridRow, SelfContactQuality } from './artifact/self-contact-quality.js'
export type { FileSource } from './artifact/source.js'
export { fieldBox, fieldCapsule, fieldHalfSpace, fieldSphere, fieldTorus } from './field/analytic.js'
export { BoxedField, type BoxedFieldOptions } from './field/boxed.js'
export { fieldDifference, fieldIntersection, fieldUnion } from './field/combined.js'
export type { ConfigurationField, ExactTest } from './field/configuration-field.js'
export { CONTACT_LIMITS, type Contact, type ContactLimit, ContactList, NO_FEATURE } from './field/contact.js'
export { followingField } from './field/following.js'
export type {
  CodeState,
  FrameState,
  MatrixState,
  MovingField,
  NodeState,
  SignedField,
  VertexState,
} from './field/signed-field.js'
export { TransformedField } from './field/transformed.js'
export { VOXEL_DEFAULTS, VoxelField, type VoxelOptions } from './field/voxel.js'
export type { ShapeSpaceData, StoredNetwork, StoredPart } from './learned/create-shape-space.js'
export { GuardedField } from './learned/guarded.js'
export type { NeuralFrame } from './learned/neural.js'
export type { PartsContactField } from './learned/parts-contact.js'
export type { SelfContactField } from './learned/self-contact.js'
export type { ElasticField, SelfAware, TrainedField } from './learned/trained-field.js'
export { type Box, boxExpand, boxOfPoints, type EdgeBox, type Vec3 } from './math/box.js'
export type { Floats } from './math/floats.js'
export type { Progress } from './math/progress.js'
export { type Random, randomStream } from './math/random.js'
export { surfaceOfTets, type TetMesh, type TetSurface } from './mesh/tet-mesh.js'
export { createTriangleMesh, type TriangleMesh } from './mesh/triangle-mesh.js'
export { type MeshIssue, type MeshIssueKind, validateMesh } from './mesh/validate.js'
export { TET_VALIDATE_DEFAULTS, type TetIssue, type TetValidateOptions, validateTets } from './mesh/validate-tets.js'
export { LinearModes } from './model/linear-modes.js'
export { type CodeWeighting, ModalBody } from './model/modal-body.js'
export type { DifferentiableModel, MovedPoints, ReducedModel } from './model/reduced-model.js'
export type { PartSight } from './model/shape-space/shape-part.js'
export type { ShapeFrame } from './model/shape-space/shape-space.js'
export type { BoneFrame, BoneNetworkShape } from './net/bones/bone-shape.js'
export type { Symbols } from './net/bounds/dense-bounds.js'
export type { NetworkOptions } from './net/create-network.js'
export type { Activation, DenseShape } from './net/dense/dense-shape.js'
export type { GapShape } from './net/gaps/gap-shape.js'
export type { Backend, Tensors as NetworkTensors } from './net/network.js'
export type { Conditioning, GridShape, NetworkShape } from './net/network-shape.js'
export { simdSupport } from './net/simd-support.js'
