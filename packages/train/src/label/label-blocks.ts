/**
 * Poses labelled some at a time, so that labelling can end early: a budget may leave no time for all of them. Labels are
 * the same however poses are put together.
 */
import { type OnProgress, progressWithin } from 'pliant/unstable'

/** A few for each worker of a large machine; waiting for the last of a block costs some percent on a small one. */
const BLOCK = 32

export interface BlockOptions {
  /** Asked after every block; what is labelled then must do. */
  isOver?: () => boolean
  /** Told which part of the poses is labelled. */
  onProgress?: OnProgress
}

/**
 * @param label  labels `count` poses beginning with one, telling which part of them is done
 * @returns how many poses are labelled, the first ones
 */
export async function labelInBlocks(
  poses: number,
  label: (from: number, count: number, onProgress: OnProgress) => Promise<void>,
  { isOver, onProgress }: BlockOptions,
): Promise<number> {
  for (let from = 0; from < poses; from += BLOCK) {
    const count = Math.min(BLOCK, poses - from)
    await label(from, count, progressWithin(onProgress, from / poses, (from + count) / poses))
    if (from + count < poses && isOver?.()) return from + count
  }
  return poses
}
