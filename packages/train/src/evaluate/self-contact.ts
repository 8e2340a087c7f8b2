/** Files that tell self-contact, judged as a stranger would: codes drawn evenly from the box, each tested exactly. */
import { load, type Progress, type SelfContactArtifact, type SelfContactQuality } from 'pliant'
import { type OnProgress, progressWithin } from 'pliant/unstable'
import { ContactPool } from '../label/contact-pool.js'
import { linearContacts } from '../label/linear-contacts.js'
import { streamOf } from '../streams/random-streams.js'
import { REFERENCE_DEFAULTS, referenceDistances } from './reference-distances.js'
import { contactQuality } from './self-contact-quality.js'

/** On how many codes a file is evaluated. */
export interface EvaluateSelfContactOptions {
  /** How many codes, none of them trained on. */
  codes?: number
  /** Of how many of them the distance to self-contact is looked up exactly; none if 0. */
  distances?: number
  /** Another seed draws other codes. */
  seed?: number
  /** Worker threads that test codes; by default one per core. */
  threads?: number
  /** Stops the evaluation. */
  signal?: AbortSignal
  /** Told how far it has come. */
  onProgress?: (progress: Progress) => void
}
/** As many codes as in the paper. Seed 2: another than the default seed of training, whose evaluation is in the file. */
export const EVALUATE_SELF_CONTACT_DEFAULTS = { codes: 50_000, distances: 2000, seed: 2 } as const

/** Share of the time that goes into signs, if distances are looked up as well. */
const OF_SIGNS = 0.4

/** Of a few codes, points of the boundary that their distances are looked up from, for each. */
const POINTS_PER_CODE = 12

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
  const settings = { ...EVALUATE_SELF_CONTACT_DEFAULTS, ...withoutUndefined(options) }
  const { codes: count, seed } = settings
  const looked = Math.min(settings.distances, count)
  const { codeSize } = artifact.model
  const codes = drawCodes(artifact, count, seed)
  const pool = new ContactPool(linearContacts(artifact.model), { threads: options.threads, signal: options.signal })
  try {
    const signs = await exactSigns(pool, codes, progressWithin(options.onProgress, 0, looked > 0 ? OF_SIGNS : 1))
    const reference =
      looked > 0
        ? await referenceDistances(pool, codes.subarray(0, looked * codeSize), {
            seed,
            points: Math.min(REFERENCE_DEFAULTS.points, POINTS_PER_CODE * looked),
          })
        : undefined
    const distances = new Float64Array(count)
    const gradients = new Float64Array(count * codeSize)
    const field = await load(artifact)
    field.query(codes, count, distances, gradients)
    field.dispose()
    options.onProgress?.({ fraction: 1, stage: 'evaluated' })
    return contactQuality({ distances, gradients, signs, reference: reference?.map(Math.abs) })
  } finally {
    await pool.dispose()
  }
}

/** In single precision, which network and exact test then see alike. */
function drawCodes({ model }: SelfContactArtifact, count: number, seed: number): Float32Array {
  const random = streamOf('evaluationContactCodes', seed)
  const { lower, upper } = model.bounds
  const size = model.codeSize
  return Float32Array.from({ length: count * size }, (_, i) => random.between(lower[i % size], upper[i % size]))
}

async function exactSigns(
  pool: ContactPool,
  codes: Float32Array,
  onProgress: OnProgress | undefined,
): Promise<Int8Array> {
  const size = pool.codeSize
  const count = codes.length / size
  const signs = new Int8Array(count)
  for (let from = 0; from < count; from += BLOCK) {
    const to = Math.min(count, from + BLOCK)
    signs.set(await pool.signs(codes.subarray(from * size, to * size)), from)
    onProgress?.({ fraction: to / count, stage: 'testing codes exactly', detail: `${to} of ${count}` })
  }
  return signs
}

function withoutUndefined({ codes, distances, seed }: EvaluateSelfContactOptions): EvaluateSelfContactOptions {
  const given = Object.entries({ codes, distances, seed }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}
