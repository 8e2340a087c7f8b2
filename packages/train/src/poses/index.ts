/** How a character moves (entry `@pliant/train/poses`): motions from files, joint ranges, and the choice among clips. */
export { type ClipChoice, type ClipWishes, chooseClips } from './choose-clips.js'
export { UNKNOWN_CONE } from './joint-ranges.js'
export {
  LEAST_MATCHED,
  type MotionSettings,
  type ReadMotion,
  readAliases,
  readMotions,
  someOf,
  USUAL_MOTIONS,
} from './read-motions.js'
export { type RangeMotion, readRanges } from './read-ranges.js'
