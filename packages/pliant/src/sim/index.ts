/** Simulation: cloth, garments and characters that wear them; elastic bodies; bodies of a few modes; rigid bodies. Whatever they meet is an `Obstacle`. */
export { motionFromPoses, type RigidMotion, rigidMotion } from './cloth/body-motion.js'
export { Cloth } from './cloth/cloth.js'
export { type ClothFromMesh, clothFromMesh } from './cloth/cloth-from-mesh.js'
export { type ClothGridOptions, clothGrid } from './cloth/cloth-grid.js'
export { CLOTH_DEFAULTS, type ClothKernel, type ClothOptions, type ClothSettings } from './cloth/cloth-options.js'
export { type ClothTubeOptions, clothTube } from './cloth/cloth-tube.js'
export { type Garment, joinGarments } from './cloth/garment.js'
export { GARMENT_FROM_MESH_DEFAULTS, type GarmentFromMeshOptions, garmentFromMesh } from './cloth/garment-from-mesh.js'
export { garmentSkirt, SKIRT_DEFAULTS, type SkirtOptions } from './cloth/garment-skirt.js'
export { garmentSleeve, SLEEVE_DEFAULTS, type SleeveOptions } from './cloth/garment-sleeve.js'
export { type BodyLandmarks, bodyLandmarks, type Limb, type LimbEnds } from './dress/body-landmarks.js'
export { type BodyBone, type BodyField, CharacterObstacle } from './dress/character-obstacle.js'
export { ClipPlayer, PLAY_DEFAULTS, type PlayOptions } from './dress/clip-player.js'
export { DRESS_DEFAULTS, DressedCharacter, type DressOptions } from './dress/dressed-character.js'
export { FIT_DEFAULTS, type FitOptions, fitGarment, type GarmentKind, garmentKinds } from './dress/fit-garment.js'
export { FemBody } from './fem/fem-body.js'
export { FEM_MATERIAL_DEFAULTS, type FemLaw, type FemMaterial, type FemMaterialSettings } from './fem/fem-material.js'
export { FEM_DEFAULTS, type FemKernel, type FemOptions, type FemSettings } from './fem/fem-options.js'
export type { Obstacle, SurfaceMotion } from './obstacle.js'
export { PULL_DEFAULTS, type Pull, type PullOptions } from './reduced/pull.js'
export { type ReducedArtifactOptions, reducedBodyOfArtifact } from './reduced/reduced-artifact.js'
export {
  ReducedBody,
  type ReducedBodyData,
  type ReducedBodyOptions,
  type ReducedShape,
} from './reduced/reduced-body.js'
export type { ReducedElasticity, StiffnessKind } from './reduced/reduced-elasticity.js'
export {
  REDUCED_WORLD_DEFAULTS,
  type ReducedWorldOptions,
  type ReducedWorldSettings,
  type SelfResponse,
} from './reduced/reduced-options.js'
export { type ReducedTets, type ReducedTetsOptions, reducedBodyOfTets } from './reduced/reduced-tets.js'
export { type ReducedReport, ReducedWorld } from './reduced/reduced-world.js'
export type { SelfContact } from './reduced/self-contact.js'
export { StvkModes } from './reduced/stvk-modes.js'
export type { BodyPair, PairContacts, PairFactory } from './rigid/body-pair.js'
export type { SolvedContact } from './rigid/contact-point.js'
export { MASS_DEFAULTS, type MassOptions, type MassProperties, massProperties } from './rigid/mass-properties.js'
export { RIGID_BODY_DEFAULTS, type RigidBody, type RigidBodyOptions } from './rigid/rigid-body.js'
export { RIGID_WORLD_DEFAULTS, type RigidWorldOptions, type RigidWorldSettings } from './rigid/rigid-options.js'
export { RIGID_PULL_DEFAULTS, type RigidPull, type RigidPullOptions } from './rigid/rigid-pull.js'
export { type RigidEnergy, RigidWorld, type RigidWorldParts } from './rigid/rigid-world.js'
