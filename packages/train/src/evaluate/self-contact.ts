/** Files that tell self-contact, judged as a stranger would: codes drawn evenly from the box, each tested exactly. */
import { load, type Progress, type SelfContactArtifact, type SelfContactQuality } from 'pliant'
import { ContactPool } from '../label/contact-pool.js'
import { streamOf } from '../streams/random-streams.js'
import { contactQuality } from './self-contact-quality.js'

/** On how many codes a file is evaluated. */
export interface EvaluateSelfContactOptions {
  /** How many codes, none of them trained on. */
  codes?: number
  /** Another seed draws other codes. */
  seed?: number
  /** Worker threads that test codes; by default one per core. */
  threads?: number
  /** Stops the evaluation. */
  signal?: AbortSignal
  /** Told how far it has come. */
  onProgress?: (progress: Progress) => void
  /**
   * Unsigned distances of codes to the boundary, in the unit of the code, as near to the truth as there is a way to tell:
   * of all that it is given or of the first so many. Without it there is no `distanceError`.
   */
  reference?: (codes: Float32Array, signs: Int8Array) => Promise<ArrayLike<number>>
}
/** As many codes as in the paper. Seed 2: another than the default seed of training, whose evaluation is in the file. */
export const EVALUATE_SELF_CONTACT_DEFAULTS = { codes: 50_000, seed: 2 } as const

/** Codes that are tested between two reports: a second or two. */
const BLOCK = 2048

/**
 * Measures a file against the exact test.
 * @throws RangeError if its surface is broken; the signal's reason when aborted
 */
export async function evaluateSelfContact(
  artifact: SelfContactArtifact,
  options: EvaluateSelfContactOptions = {},
): Promise<SelfContactQuality> {
  const { codes: count, seed } = { ...EVALUATE_SELF_CONTACT_DEFAULTS, ...withoutUndefined(options) }
  const { codeSize } = artifact.model
  const codes = drawCodes(artifact, count, seed)
  const signs = await exactSigns(artifact, codes, options)
  const distances = new Float64Array(count)
  const gradients = new Float64Array(count * codeSize)
  const field = await load(artifact)
  field.query(codes, count, distances, gradients)
  field.dispose()
  const reference = await options.reference?.(codes, signs)
  return contactQuality({ distances, gradients, signs, reference })
}

/** In single precision, which network and exact test then see alike. */
function drawCodes({ model }: SelfContactArtifact, count: number, seed: number): Float32Array {
  const random = streamOf('evaluationContactCodes', seed)
  const { lower, upper } = model.bounds
  const size = model.codeSize
  return Float32Array.from({ length: count * size }, (_, i) => random.between(lower[i % size], upper[i % size]))
}

async function exactSigns(
  { model }: SelfContactArtifact,
  codes: Float32Array,
  { threads, signal, onProgress }: EvaluateSelfContactOptions,
): Promise<Int8Array> {
  const count = codes.length / model.codeSize
  const signs = new Int8Array(count)
  const pool = new ContactPool(model, { threads, signal })
  try {
    for (let from = 0; from < count; from += BLOCK) {
      const to = Math.min(count, from + BLOCK)
      signs.set(await pool.signs(codes.subarray(from * model.codeSize, to * model.codeSize)), from)
      onProgress?.({ fraction: to / count, stage: 'testing codes exactly', detail: `${to} of ${count}` })
    }
  } finally {
    await pool.dispose()
  }
  return signs
}

function withoutUndefined({ codes, seed }: EvaluateSelfContactOptions): { codes?: number; seed?: number } {
  return { ...(codes !== undefined && { codes }), ...(seed !== undefined && { seed }) }
}
