/** Poses that were never trained on, one after the other, as a motion: what a character without clips can show. */
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import type { CodeMotion } from './pose-subject.js'

/** From one pose to the next [s]. */
const EACH = 1.2
/** Share of that in which it moves; then it stands. */
const MOVES = 0.6

export function heldOutMotion(
  character: Pick<SkinnedCharacter, 'codeSize' | 'encodePose'>,
  poses: readonly SkeletonPose[],
): CodeMotion {
  const codes = poses.map((pose) => {
    const code = new Float64Array(character.codeSize)
    character.encodePose(pose, code)
    return code
  })
  return {
    name: 'Poses never trained on',
    seconds: EACH * codes.length,
    codeAt(time, out) {
      const place = Math.max(0, time / EACH) % codes.length
      const from = codes[Math.floor(place)]
      const to = codes[(Math.floor(place) + 1) % codes.length]
      const share = Math.min(1, (place % 1) / MOVES)
      // Slow at either end.
      const ease = share * share * (3 - 2 * share)
      for (let k = 0; k < out.length; k++) out[k] = from[k] + ease * (to[k] - from[k])
    },
  }
}
