/** Repairs a pose by the button: to the nearest free one, checked by the exact test. */
import { handleCode } from 'pliant/respond'
import type { PoseRepair } from './pose-protocol.js'
import type { PoseSubject } from './subjects/pose-subject.js'

/** @param out  receives the free pose, or where none was found the pose as it was, in its box */
export function repairPose(
  { field, exact, weights }: Pick<PoseSubject, 'field' | 'exact' | 'weights'>,
  code: Float64Array,
  out: Float64Array,
): Omit<PoseRepair, 'milliseconds'> {
  const { free, wasFree, tests } = handleCode(field, exact, code, { goal: { weights } }, out)
  return { free, wasFree, tests }
}
