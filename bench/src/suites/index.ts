/** The suites: a line for each is all that the rest of the house knows of it. */
export { bar } from './bar/index.js'
export { cloth } from './cloth/index.js'
export { cspace } from './cspace/index.js'
export { exact } from './exact/index.js'
export { haptics } from './haptics/index.js'
export { kernels } from './kernels/index.js'
export { train } from './train/index.js'
export { wind } from './wind/index.js'
