/** Contact that answers: elastic bodies that touch, and a hand that feels it; codes that touch themselves, repaired. */
export { gatherVertices } from '../mesh/gather-vertices.js'
export type { ContactLaw } from './contact-law.js'
export { ElasticTouch, type TouchPair, type TouchReport } from './elastic-touch.js'
export type { HandSettings } from './hand-coupling.js'
export type { CodeBox } from './repair/code-search.js'
export { REPAIR_DEFAULTS, type RepairOptions, type RepairReport, repairCode } from './repair/repair-code.js'
export { TOUCH_DEFAULTS, type TouchOptions, type TouchSettings } from './touch-options.js'
