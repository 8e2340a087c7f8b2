/** Skinned characters: load a trained one, read a rig and its clips out of a glTF scene, pose a skeleton. */

export type { CharacterArtifact } from './artifact/kinds/character.js'
export type {
  CharacterContactArtifact,
  CharacterContactManifest,
  CharacterContactModel,
  CharacterContactNetwork,
} from './artifact/kinds/character-contact.js'
export type {
  CharacterManifest,
  CharacterModel,
  CharacterNetwork,
  KnownClips,
  SeenError,
} from './artifact/kinds/character-model.js'
export type { StoredCharacter } from './artifact/kinds/stored-character.js'
export type { CollisionStateNetwork } from './artifact/networks/collision-state.js'
export type { PosedGapsNetwork } from './artifact/networks/posed-gaps.js'
export type { CharacterContactField } from './learned/character-contact.js'
export type { CharacterField, JointState } from './learned/character-field.js'
export type { DomainDepths } from './learned/collision-state.js'
export { type CharacterShape, characterShape } from './model/character-shape.js'
export { type Clip, type ClipTrack, type Interpolation, sampleClip } from './model/clip.js'
export { type DroppedFreedom, JointCode } from './model/joint-code.js'
export { nodesMeshField, rigidNodesField, skinnedMeshField } from './model/mesh-fields.js'
export { type Rig, type RigOptions, rigFromScene } from './model/rig.js'
export type { RigAnimation, RigMesh, RigNode, RigSkin, RigSource } from './model/rig-source.js'
export { Skeleton, type SkeletonPose } from './model/skeleton.js'
export { SkinnedCharacter } from './model/skinned-character.js'
export type { Bones, MorphTarget, SkinnedSurface } from './model/skinned-surface.js'
export type { SkinningMethod } from './model/skinning.js'
export type { SurfaceBones } from './model/surface-bones.js'
export type { CollisionStateShape } from './net/collision-state/collision-state-shape.js'
export type { PosedGapShape } from './net/gaps/posed-gap-shape.js'
