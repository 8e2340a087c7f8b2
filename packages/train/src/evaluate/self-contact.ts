/** Files that tell self-contact, judged as a stranger would: codes never trained on, each tested exactly. */
import type { Progress, SelfContactField, SelfContactQuality } from 'pliant'
import { type OnProgress, progressWithin } from 'pliant/unstable'
import { ContactPool, type ContactSource } from '../label/contact-pool.js'
import { streamOf } from '../streams/random-streams.js'
import { REFERENCE_DEFAULTS, referenceDistances } from './reference-distances.js'
import { type ContactAnswers, contactQuality } from './self-contact-quality.js'

/** On how many codes a file is evaluated. */
export interface EvaluateSelfContactOptions {
  /** How many codes, none of them trained on. */
  codes?: number
  /** Of how many of them the distance to self-contact is looked up exactly; none if 0, as of characters unless it is said. */
  distances?: number
  /** Another seed draws other codes. */
  seed?: number
  /** Worker threads that test codes; by default one per core. */
  threads?: number
  /**
   * Asked for the signs of the codes before they are tested, by whoever keeps them from file to file of one shape.
   * @internal
   */
  signsOf?: (codes: Float32Array, test: () => Promise<Int8Array>) => Promise<Int8Array>
  /**
   * Told what the field answered, beside the truth, by whoever compares fields in other ways, too.
   * @internal
   */
  onAnswers?: (answers: ContactAnswers) => void
  /** Stops the evaluation. */
  signal?: AbortSignal
  /** Told how far it has come. */
  onProgress?: (progress: Progress) => void
}
/** As many codes as in the paper. Seed 2: another than the default seed of training, whose evaluation is in the file. */
export const EVALUATE_SELF_CONTACT_DEFAULTS = { codes: 50_000, seed: 2 } as const

/** Share of the time that goes into signs, if distances are looked up as well. */
const OF_SIGNS = 0.4

/** Of a few codes, points of the boundary that their distances are looked up from, for each. */
const POINTS_PER_CODE = 12

/** Codes that are tested between two reports: a second or two. */
const BLOCK = 2048

/** What is judged: a field over codes, and what tells the truth of codes as they come in use. */
export interface ContactSubject {
  field: SelfContactField
  source: ContactSource
  /** Of how many codes the distance is looked up unless it is said; 0 where exact tests are too dear for it. */
  distances: number
}

/**
 * Measures a field against the exact test, and ends it.
 * @throws RangeError if its surface is broken; the signal's reason when aborted
 */
export async function measureSelfContact(
  { field, source, distances: usual }: ContactSubject,
  options: EvaluateSelfContactOptions,
): Promise<SelfContactQuality> {
  const settings = { ...EVALUATE_SELF_CONTACT_DEFAULTS, distances: usual, ...withoutUndefined(options) }
  const { codes: count, seed } = settings
  const looked = Math.min(settings.distances, count)
  const { codeSize } = field
  const pool = new ContactPool(source, { threads: options.threads, signal: options.signal })
  // In single precision, which network and exact test then see alike.
  const codes = pool.draw(count, streamOf('evaluationContactCodes', seed))
  try {
    const test = (): Promise<Int8Array> =>
      exactSigns(pool, codes, progressWithin(options.onProgress, 0, looked > 0 ? OF_SIGNS : 1))
    const signs = await (options.signsOf ? options.signsOf(codes, test) : test())
    const reference =
      looked > 0
        ? await referenceDistances(pool, codes.subarray(0, looked * codeSize), {
            seed,
            points: Math.min(REFERENCE_DEFAULTS.points, POINTS_PER_CODE * looked),
          })
        : undefined
    const distances = new Float64Array(count)
    const gradients = new Float64Array(count * codeSize)
    field.query(codes, count, distances, gradients)
    options.onProgress?.({ fraction: 1, stage: 'evaluated' })
    const answers = { distances, gradients, signs, reference: reference?.map(Math.abs) }
    options.onAnswers?.(answers)
    return contactQuality(answers)
  } finally {
    field.dispose()
    await pool.dispose()
  }
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
