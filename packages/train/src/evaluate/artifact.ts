/** Judges a trained file as a stranger would: decode it, draw unseen codes, compare with exact geometry. */
import { decodeArtifact, loadField, type Quality } from 'pliant'
import { measureQuality } from './quality.js'

export interface EvaluateOptions {
  poses?: number
  points?: number
  /** Another seed draws other codes and points. */
  seed?: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}
/** Seed 2: another than the default seed of training, whose evaluation is stored in the file. */
export const EVALUATE_DEFAULTS = { poses: 100, points: 2000, seed: 2 } as const

/** @throws Error in one line if the bytes are not an artifact */
export async function evaluateArtifact(bytes: Uint8Array, options: EvaluateOptions = {}): Promise<Quality> {
  const artifact = decodeArtifact(bytes)
  const field = await loadField(artifact)
  const { domain, truncation } = artifact.manifest
  try {
    return await measureQuality(field, artifact.model, {
      ...options,
      poses: options.poses ?? EVALUATE_DEFAULTS.poses,
      points: options.points ?? EVALUATE_DEFAULTS.points,
      seed: options.seed ?? EVALUATE_DEFAULTS.seed,
      domain,
      truncation,
    })
  } finally {
    field.dispose()
  }
}
