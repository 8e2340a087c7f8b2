/** Contact that answers: elastic bodies that touch, and a hand that feels it. */
export { gatherVertices } from '../mesh/gather-vertices.js'
export type { ContactLaw } from './contact-law.js'
export * from './elastic-touch.js'
export * from './force-jerk.js'
export type { HandSettings } from './hand-coupling.js'
export * from './press-path.js'
export * from './tool-path.js'
export { TOUCH_DEFAULTS, type TouchOptions, type TouchSettings } from './touch-options.js'
