/** Contact that answers: elastic bodies that touch, and a hand that feels it; codes that touch themselves, repaired. */
export { gatherVertices } from '../mesh/gather-vertices.js'
export type { ContactLaw } from './contact-law.js'
export { ElasticTouch, type TouchPair, type TouchReport } from './elastic-touch.js'
export type { HandSettings } from './hand-coupling.js'
export type { DomainField } from './repair/asked-field.js'
export type { LagrangianSettings } from './repair/augmented-lagrangian.js'
export {
  type BonesInContact,
  type CharacterMotion,
  type CharacterMotionOptions,
  characterMotion,
} from './repair/character-motion.js'
export { type CartesianGoal, CODE_WEIGHT, type CodeGoal } from './repair/code-goals.js'
export { CodeGuard, GUARD_DEFAULTS, type GuardOptions } from './repair/code-guard.js'
export type { CodeBox } from './repair/code-search.js'
export { HANDLE_DEFAULTS, type HandleOptions, type HandleReport, handleCode } from './repair/handle-code.js'
export type { ClearanceField, KeptPlaces, RecordedMotion } from './repair/recorded-motion.js'
export { REPAIR_DEFAULTS, type RepairOptions, type RepairReport, repairCode } from './repair/repair-code.js'
export {
  MotionRepair,
  REPAIR_MOTION_DEFAULTS,
  type RepairedMotion,
  type RepairMotionOptions,
  repairMotion,
} from './repair/repair-motion.js'
export type { FrameSpan } from './repair/spline-offsets.js'
export { TOUCH_DEFAULTS, type TouchOptions, type TouchSettings } from './touch-options.js'
