/** Measured quality for `--json`, whose keys stay: `diagonal` is what `size` was called at first. */
import type { Quality } from 'pliant'

export function qualityJson(quality: Quality): Quality & { diagonal: number } {
  return { ...quality, diagonal: quality.size }
}
