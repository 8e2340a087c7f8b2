/**
 * The trainer's parts, for Pliant's own command line and bench: NOT STABLE, may change in any release, patches included.
 * It has all public names as well, so that one import serves.
 */

export { measureCharacter } from './evaluate/character.js'
export { type BodyEvaluation, type BodyJudgement, evaluateBodies } from './evaluate/elastic-body.js'
export { FIT_GRIDS_DEFAULTS, type FitGridsOptions, fitGrids } from './evaluate/fitted-grids.js'
export { FAR_OFF, type OwnErrorReport, ownErrorReport } from './evaluate/own-error.js'
export { measureQuality } from './evaluate/quality.js'
export { type ReferenceOptions, referenceDistances } from './evaluate/reference-distances.js'
export { type RigidRivals, rigidGrids, rigidRivals } from './evaluate/rigid-rivals.js'
export {
  EVALUATE_SELF_CONTACT_DEFAULTS,
  type EvaluateSelfContactOptions,
} from './evaluate/self-contact.js'
export { type ContactAnswers, contactQuality } from './evaluate/self-contact-quality.js'
export { evaluateShapeSpace, type ReconstructionError, type ShapeSpaceQuality } from './evaluate/shape-space.js'
export type { PoseError } from './evaluate/tally.js'
export type { ViolentReport } from './evaluate/violent.js'
export { exportCodeField } from './export/code-field.js'
export { exportDenseOnnx } from './export/dense-onnx.js'
export * from './index.js'
export { NamedFiles, type Naming } from './input/named-files.js'
export { evaluateArtifacts, evaluateSelfContact, evaluateViolent, type ObjectJudgement } from './kinds/evaluate.js'
export { toolOf } from './kinds/index.js'
export {
  COLLISION_STATE_LEARNING,
  type CollisionLearningMode,
  type CollisionStateLearning,
} from './learn/collision-state/collision-state-options.js'
export { type LearnedCollisionState, learnCollisionState } from './learn/collision-state/learn-collision-state.js'
export { activate, denseGraph, pullBackGraph } from './learn/dense-graph.js'
export { FIT_BONES_DEFAULTS, type FitBonesOptions, fitBones } from './learn/frames/fit-bones.js'
export { initialDenseTensors } from './learn/initial.js'
export type { LearnedNetwork } from './learn/learned-network.js'
export { type NetworkBatch, networkGraph } from './learn/network-graph.js'
export { CLEARANCE_LEARNING } from './learn/posed-contact/learn-clearances.js'
export { ContactNetwork } from './learn/self-contact/contact-network.js'
export { CONTACT_DEFAULTS, type ContactOptions } from './learn/self-contact/contact-options.js'
export { GapSight, graphOfGaps } from './learn/self-contact/gap-sight.js'
export { learnContact } from './learn/self-contact/learn-contact.js'
export type { ContactRun, LearnedContact } from './learn/self-contact/learned-contact.js'
export { learnByPaper } from './learn/self-contact/paper/learn-by-paper.js'
export { iterationsOf, PAPER_DEFAULTS, type PaperOptions } from './learn/self-contact/paper/paper-options.js'
export { learnShapeSpace, type ShapeSpaceRun, shapeSpaceCheckpoints } from './learn/shape-space/learn-shape-space.js'
export {
  PAPER_SHAPE_SPACE,
  SHAPE_SPACE_DEFAULTS,
  type ShapeSpaceOptions,
} from './learn/shape-space/shape-space-options.js'
export { type EncodeShapesOptions, encodeShapes } from './modes/acap-pool.js'
export { type Decimated, decimateShapes, takeVertices } from './modes/decimate-shapes.js'
export {
  VIBRATION_MODES_DEFAULTS,
  type VibrationModes,
  type VibrationModesOptions,
  vibrationModes,
} from './modes/vibration-modes.js'
export { type ClipChoice, type ClipWishes, chooseClips } from './poses/choose-clips.js'
export {
  addJointNoise,
  CLIP_POSE_DEFAULTS,
  type ClipPose,
  type ClipPoseOptions,
  type ClipSplit,
  clipFrames,
  drawClipPoses,
  splitClips,
} from './poses/clip-poses.js'
export { drawCodes } from './poses/codes.js'
export { codesOfPoses } from './poses/codes-of-poses.js'
export { drawShapes } from './poses/drawn-shapes.js'
export { dropLogPath } from './poses/drop-log.js'
export {
  DROP_POSE_DEFAULTS,
  type DropPoseOptions,
  type DropPoses,
  dropReport,
  makeDropPoses,
} from './poses/drop-poses.js'
export type { DropRun } from './poses/drop-run.js'
export { spreadPoses, withJointNoise } from './poses/joint-noise.js'
export {
  type JointRange,
  jointRanges,
  type Range,
  type RangedJoint,
  type RangeFile,
  UNKNOWN_CONE,
} from './poses/joint-ranges.js'
export { RANGE_CLIP_DEFAULTS, type RangeClipOptions, rangeClips } from './poses/range-clips.js'
export { type MotionSettings, type ReadMotion, readAliases, readMotions, USUAL_MOTIONS } from './poses/read-motions.js'
export { type RangeMotion, readRanges } from './poses/read-ranges.js'
export {
  BODY_PRESETS,
  type BodyPreset,
  CHARACTER_PRESETS,
  type CharacterPreset,
  CONTACT_PRESETS,
  findBodyPreset,
  findCharacterPreset,
  findContactPreset,
  findPreset,
  PRESETS,
  type Preset,
} from './presets/index.js'
export { makeBracelet, makeSnake, makeSpring } from './presets/swept/index.js'
export { sweepTets } from './presets/swept/sweep.js'
export { mixCounts, type PointMix, samplePoints } from './sample/points.js'
export { hashSpec } from './spec/train-spec.js'
export { shapesOfPoses } from './subjects/body-shapes.js'
export type { BareRig, ReadCharacter, TrainingCharacter } from './subjects/character.js'
export { neighboursOf } from './subjects/character-contact.js'
export { type ContactBody, type ContactBodyOptions, makeContactBody } from './subjects/contact-body.js'
export { elasticObject, type FilledBody, judgePoses, judgeShapes, runTimeMaterial } from './subjects/elastic-object.js'
export { hashCharacter } from './subjects/hash-character.js'
export { SHAPE_DEFAULTS, SHAPE_NEIGHBOURS } from './subjects/shape-contact.js'
export type { LoadOptions, PreparedObject, PrepareOptions, TrainingObject } from './subjects/training-object.js'
export {
  COLLISION_SURFACE_DEFAULTS,
  type CollisionSurfaceOptions,
  type CollisionSurfaceReport,
  makeCollisionSurface,
  restPositions,
} from './surface/collision-surface.js'
export { type SurfacePatches, surfacePatches } from './surface/surface-patches.js'
export type { BodyReport } from './tets/body-report.js'
export { bunnySurface } from './tets/bunny-surface.js'
export { cleanTetBody, type TetBody } from './tets/clean-body.js'
export { type FillableSurface, requireFillable } from './tets/fillable.js'
export {
  TETRAHEDRALISE_DEFAULTS,
  type TetrahedraliseOptions,
  type TetrahedraliseReport,
  tetrahedralise,
} from './tets/tetrahedralise.js'
export { bodyToTrain } from './train/body.js'
export { characterToTrain, type LoadedCharacter } from './train/character.js'
export {
  artifactOf as characterContactArtifact,
  contactCharacter,
  LEARNERS as CHARACTER_CONTACT_LEARNERS,
  type LoadedCharacterContact,
} from './train/character-contact.js'
export { clearanceLearning, collisionLearning, learnByCollisionState, type Told } from './train/contact-learning.js'
export { leftoversOf } from './train/leftovers.js'
export type { LoadedObject } from './train/object.js'
export { contactToTrain, type LoadedContact } from './train/self-contact.js'
export {
  artifactOf as shapeContactArtifact,
  LEARNERS as SHAPE_CONTACT_LEARNERS,
  type LoadedShapeContact,
  patchCount,
} from './train/shape-contact.js'
export { modelOfSource } from './train/subjects.js'
export { TRAIN_THREADS } from './train/train.js'
