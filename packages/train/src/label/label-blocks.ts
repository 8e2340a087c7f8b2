/**
 * Poses labelled some at a time, so that labelling can end early: a budget may leave no time for all of them. Labels are
 * the same however poses are put together.
 */

/** A few for each worker of a large machine; waiting for the last of a block costs some percent on a small one. */
const BLOCK = 32

export interface BlockOptions {
  /** Asked after every block; what is labelled then must do. */
  isOver?: () => boolean
  /** @param fraction of the poses that are labelled */
  onProgress?: (fraction: number) => void
}

/**
 * @param label  labels `count` poses beginning with one, telling which part of them is done
 * @returns how many poses are labelled, the first ones
 */
export async function labelInBlocks(
  poses: number,
  label: (from: number, count: number, onProgress: (fraction: number) => void) => Promise<void>,
  { isOver, onProgress }: BlockOptions,
): Promise<number> {
  for (let from = 0; from < poses; from += BLOCK) {
    const count = Math.min(BLOCK, poses - from)
    await label(from, count, (fraction) => onProgress?.((from + fraction * count) / poses))
    if (from + count < poses && isOver?.()) return from + count
  }
  return poses
}
