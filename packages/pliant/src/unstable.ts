/**
 * What Pliant's own packages share beside the public entries: NOT STABLE, may change in any release, patches included.
 * Needs no other package.
 */
export { encode, expectKind, multiplicationsOf } from './artifact/artifact.js'
export { modalTetsAsStored } from './artifact/kinds/self-contact.js'
export { describeSpace } from './artifact/kinds/shape-contact.js'
export { bodyAsStored } from './artifact/kinds/stored-body.js'
export { characterAsStored, describeCharacter, describeJointCode } from './artifact/kinds/stored-character.js'
export { wasTrainedOn } from './artifact/kinds/trained-clips.js'
export { FORMAT_VERSION } from './artifact/manifest.js'
export { pieceShape } from './artifact/networks/framed-gaps.js'
export { weightsAsStored } from './artifact/networks/parts.js'
export { frameOfManifest } from './artifact/networks/whole.js'
export {
  type Container,
  decodeSafetensors,
  encodeSafetensors,
  looksLikeSafetensors,
  type StoredTensor,
} from './artifact/safetensors.js'
export { scanNearestTriangle } from './detect/scan-nearest-triangle.js'
export { BoneCapsulesField } from './field/bone-capsules.js'
export {
  BONE_GRIDS_DEFAULTS,
  type BoneBox,
  BoneGridsField,
  type BoneGridsOptions,
  type SampleBoneGridsOptions,
} from './field/bone-grids.js'
export type { BoneSegment } from './field/bone-segments.js'
export { type FieldClock, timedField } from './field/timed.js'
export { readAnime, type VertexSequence } from './files/anime.js'
export { type BvhJoint, type BvhMotion, looksLikeBvh, readBvhMotion } from './files/bvh-motion.js'
export { writeBvh } from './files/bvh-write.js'
export { clipIntoGlb, type GltfClip } from './files/gltf-clip.js'
export { glbExtensions, glbNodeNames } from './files/gltf-collider.js'
export { type GltfSource, type WriteGltfOptions, writeGltf } from './files/gltf-write.js'
export type { GltfSourceAnimation, GltfSourceChannel } from './files/gltf-write-animation.js'
export { looksLikeNpy } from './files/npy.js'
export { printable, printableJson, printableLines } from './files/printable.js'
export {
  createShapeSpace,
  exactShapeSpace,
  type ShapeSpaceData,
  type StoredNetwork,
  type StoredPart,
} from './learned/create-shape-space.js'
export { ModalField } from './learned/modal.js'
export { NeuralField } from './learned/neural.js'
export { SelfContactField } from './learned/self-contact.js'
export { SkinnedField } from './learned/skinned.js'
export { knowsItsError } from './learned/trained-field.js'
export { WholeBodyField } from './learned/whole-body.js'
export { boxCentre, boxDiagonal, boxUnion } from './math/box.js'
export { invertPositive } from './math/dense-inverse.js'
export { joinedArrays } from './math/joined-arrays.js'
export { LeastFirst } from './math/least-first.js'
export {
  composeMat4,
  decomposeMat4,
  invertAffine,
  linearDeterminant,
  multiplyAffine,
  multiplyLinear,
  uniformScale,
} from './math/mat4.js'
export { type OnProgress, progressWithin } from './math/progress.js'
export {
  conjugateQuaternion,
  multiplyQuaternions,
  normaliseQuaternion,
  quaternionOfVector,
  rotateVector,
  rotationVector,
  slerpQuaternions,
  swingBetween,
} from './math/quaternion.js'
export { shown } from './math/require.js'
export {
  BELOW_ONE,
  COUNT,
  COUNT_OR_ZERO,
  NOT_NEGATIVE,
  oneOf,
  POSITIVE,
  type Rules,
  settingsOf,
} from './math/settings.js'
export {
  NotPositiveDefinite,
  SPARSE_CHOLESKY_DEFAULTS,
  SparseCholesky,
  type SparseCholeskyOptions,
} from './math/sparse/sparse-cholesky.js'
export { multiplySparse, type SparseMatrix, sparseFromTriplets, sparseIndex } from './math/sparse/sparse-matrix.js'
export { connectedPieces, type EdgeTable, edgeTable, isClosed } from './mesh/adjacency.js'
export { type SurfaceSamples, sampleSurface, spreadTriangles } from './mesh/surface-sampling.js'
export { countFaces, dropUnusedNodes, orientTets, tetVolume } from './mesh/tet-mesh.js'
export { meshBox, meshVolume, triangleCount, vertexCount } from './mesh/triangle-mesh.js'
export { requireValidMesh } from './mesh/validate.js'
export { bodiesOfTets, type TetBodies } from './mesh/validate-tets.js'
export { firstAtSamePlace } from './mesh/weld.js'
export { AcapFeatures } from './model/acap/acap-features.js'
export { ACAP_INVERSE_DEFAULTS, AcapInverse, type AcapInverseOptions } from './model/acap/acap-inverse.js'
export { ACAP_CHANNELS, ACAP_ROTATION_CHANNELS } from './model/acap/channels.js'
export {
  FEATURE_RANGES_DEFAULTS,
  type FeatureRanges,
  type FeatureRangesOptions,
  featureRanges,
  normaliseFeatures,
  restoreFeatures,
} from './model/acap/feature-ranges.js'
export { type BodyMap, bodyMap, fingerOf } from './model/body-map.js'
export { type BodyPart, bodyParts } from './model/body-parts.js'
export { type CodeDomains, characterDomains } from './model/character-domains.js'
export {
  chooseJointCode,
  JOINT_CODE_DEFAULTS,
  type JointCodeOptions,
  type JointCodeSubject,
} from './model/choose-joint-code.js'
export { frameTimes } from './model/clip.js'
export { animationOfClip, type ClipAnimationOptions } from './model/clip-animation.js'
export { bvhMotionOfClip, CLIP_BVH_DEFAULTS, type ClipBvhOptions, clipToBvh } from './model/clip-bvh.js'
export { type ClipFingerprint, clipFingerprint, FINGERPRINT_LENGTH, isSameClip } from './model/clip-fingerprint.js'
export { clipOfPoses } from './model/clip-frames.js'
export { fitPose } from './model/fit-pose.js'
export { type DroppedFreedom, type JointCodeData, jointVector } from './model/joint-code.js'
export { type JointName, readJointNames, type Side } from './model/joint-names.js'
export { JointSpaces } from './model/joint-spaces.js'
export type { LinearModesData } from './model/linear-modes.js'
export { type JointAliases, matchJoints } from './model/match-joints.js'
export { type CodeWeighting, MODAL_BODY_DEFAULTS, type ModalBodyData } from './model/modal-body.js'
export { motionFromScene } from './model/motion-from-scene.js'
export { movedPoints } from './model/moved-points.js'
export { type MotionSource, PosedMotion } from './model/posed-motion.js'
export { type Retargeted, type RetargetOptions, retargetMotion } from './model/retarget.js'
export { type RigGlbOptions, rigToGlb } from './model/rig-glb.js'
export type { RigAnimation, RigMesh, RigNode, RigSkin, RigSource } from './model/rig-source.js'
export { RigidAlignment } from './model/rigid-alignment.js'
export type { PartSight, RowNetwork, ShapePart } from './model/shape-space/shape-part.js'
export { type ShapeFrame, ShapeSpace } from './model/shape-space/shape-space.js'
export { spaceDomains } from './model/shape-space/space-domains.js'
export { type SpaceShape, spaceShape } from './model/shape-space/space-shape.js'
export type { SkeletonData } from './model/skeleton.js'
export { type CharacterOptions, createCharacter, type SkinnedCharacterData } from './model/skinned-character.js'
export {
  applyMorphTargets,
  areaOfJoints,
  type Bones,
  type MorphTarget,
  pickVertices,
  skinMatrices,
  weightOfJoints,
} from './model/skinned-surface.js'
export { SKINNING, type SkinningMethod, type SkinVertices, skinLinear } from './model/skinning.js'
export { findReference, type Landmarks, type ReferencePose, uprightAxes } from './model/standing.js'
export { type SurfaceBones, surfaceBones } from './model/surface-bones.js'
export { surfaceModes } from './model/surface-modes.js'
export { type BoneChoice, chooseBones, makePosedBones, type PosedBones, poseBones } from './net/bones/bone-choice.js'
export { BoneDrivers } from './net/bones/bone-drivers.js'
export { type BoneNetwork, createBoneNetwork } from './net/bones/bone-network.js'
export {
  type BoneFrame,
  type BoneNetworkShape,
  boneHeadInputs,
  boneMultiplications,
  boneTensors,
  gridStarts,
  LEAST_SQUARE,
  MAX_DRIVERS,
} from './net/bones/bone-shape.js'
export { PartFrames } from './net/bones/part-frames.js'
export { AFFINE, PartMotions } from './net/bones/part-motions.js'
export { type PartFramesData, partTensors, takeParts, tensorsOfParts } from './net/bones/part-shape.js'
export { MAX_NEIGHBOURS, type PartsBody } from './net/bones/parts-at-rest.js'
export { CollisionDetector } from './net/collision-state/collision-detector.js'
export {
  type CollisionStateShape,
  type CollisionStateSizes,
  classifierOf,
  collisionStateMultiplications,
  collisionStateTensors,
  encoderOf,
  mostEntries,
} from './net/collision-state/collision-state-shape.js'
export { createNetwork } from './net/create-network.js'
export type { Activation } from './net/dense/dense-shape.js'
export type { CodeFrames } from './net/gaps/code-frames.js'
export { GapNetwork } from './net/gaps/gap-network.js'
export { denseOfGaps, type GapShape, gapMultiplications, gapTensors } from './net/gaps/gap-shape.js'
export { PieceFrames } from './net/gaps/piece-frames.js'
export { FRAME_SIZE, PIECE_SIZE, type PieceShape, pieceTensors } from './net/gaps/piece-shape.js'
export { PosedGapNetwork } from './net/gaps/posed-gap-network.js'
export {
  PLACE_SIZE,
  type PosedGapShape,
  pairWidths,
  posedGapMultiplications,
  posedGapTensors,
} from './net/gaps/posed-gap-shape.js'
export { LEAST_GAP } from './net/gaps/scalar-pairs.js'
export { writeTurned } from './net/gaps/scalar-pieces.js'
export type { Network, Tensors } from './net/network.js'
export {
  type Conditioning,
  denseOf,
  featureSize,
  type GridShape,
  multiplicationsPerQuery,
  type NetworkShape,
  networkTensors,
} from './net/network-shape.js'
export { createOrtDenseNetwork, type OrtDenseNetwork } from './net/ort/dense.js'
export { type ForceJerk, forceJerk } from './respond/force-jerk.js'
export { PRESS_PATH_DEFAULTS, type PressPathOptions, pressPath } from './respond/press-path.js'
export { weightsOfCode } from './respond/repair/character-motion.js'
export { ToolPath, type ToolPathData } from './respond/tool-path.js'
export type { TouchSettings } from './respond/touch-options.js'
export { BoneMotion, type BoneSegments } from './sim/cloth/bone-motion.js'
export { gridTriangles } from './sim/cloth/cloth-grid.js'
export type { ClothSettings } from './sim/cloth/cloth-options.js'
export { type ClothEnergy, clothEnergy, clothMomentum } from './sim/cloth/energy.js'
export { PUSH_DEFAULTS, type PushOptions, pushOutside } from './sim/cloth/push-outside.js'
export { isUpright } from './sim/dress/body-landmarks.js'
export { CharacterObstacle } from './sim/dress/character-obstacle.js'
export { type FemEnergy, femEnergy, femMomentum, invertedTets } from './sim/fem/fem-energy.js'
export { type FemMaterialSettings, femMaterial, lameConstants, materialWarnings } from './sim/fem/fem-material.js'
export type { FemSettings } from './sim/fem/fem-options.js'
export { NEWTON_DEFAULTS, type NewtonOptions, type NewtonReport, NewtonStepper } from './sim/fem/newton-stepper.js'
export { restStiffness } from './sim/fem/rest-stiffness.js'
export { runTimeMaterial } from './sim/fem/run-time-material.js'
export { lumpedMasses } from './sim/fem/tet-elements.js'
