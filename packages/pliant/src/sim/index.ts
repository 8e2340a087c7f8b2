/** Simulation: entry 'pliant/sim'. Cloth and the garments made of it. */
export * from './cloth/body-motion.js'
export * from './cloth/cloth.js'
export * from './cloth/cloth-grid.js'
export { CLOTH_DEFAULTS, type ClothOptions, type ClothSettings } from './cloth/cloth-options.js'
export * from './cloth/collider.js'
export * from './cloth/energy.js'
