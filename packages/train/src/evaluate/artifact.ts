/** Judges a trained file as a stranger would: decode it, draw unseen codes, compare with exact geometry. */
import { type Artifact, decodeArtifact, loadField, type Quality } from 'pliant'
import { judgeShapes } from '../body/elastic-object.js'
import { drawShapes } from '../poses/drawn-shapes.js'
import type { PosedShapes } from '../sample/dataset.js'
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

/** Of an elastic body they are dropped anew, in the material of run time; of others drawn from the code's range. */
async function unseenShapes(
  { manifest, model, body }: Artifact,
  poses: number,
  seed: number,
  signal: AbortSignal | undefined,
): Promise<PosedShapes> {
  if (!body || manifest.model.kind !== 'elastic-body') return drawShapes(model, poses, seed, 'evaluate')
  return judgeShapes(body, manifest.model.material, poses, seed, { signal })
}

/** @throws Error in one line if the bytes are not an artifact */
export async function evaluateArtifact(bytes: Uint8Array, options: EvaluateOptions = {}): Promise<Quality> {
  const artifact = decodeArtifact(bytes)
  const field = await loadField(artifact)
  const { domain, truncation } = artifact.manifest
  const { poses, points, seed } = { ...EVALUATE_DEFAULTS, ...options }
  try {
    const shapes = await unseenShapes(artifact, poses, seed, options.signal)
    return await measureQuality(field, shapes, { ...options, points, seed, domain, truncation })
  } finally {
    field.dispose()
  }
}
