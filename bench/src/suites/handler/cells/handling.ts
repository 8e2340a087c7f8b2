/**
 * What a detector is worth to a handler (Tan et al., section 5, "Collision handling"): touching codes that were never learned
 * from, moved out by it, and how deep their shapes are in themselves before and after, by exact geometry.
 */
import { toolOf } from '@pliant/train/unstable'
import { ContactPool } from '@pliant/train/unstable/label'
import { streamOf } from '@pliant/train/unstable/streams'
import { type Artifact, load } from 'pliant'
import { characterShape } from 'pliant/character'
import { type BendingShape, exactSelfContact } from 'pliant/exact'
import { handleCode, repairCode } from 'pliant/respond'
import { exactShapeSpace, type OnProgress, progressWithin, spaceShape } from 'pliant/unstable'

export interface HandlingFigures {
  /** Shares of the codes: less deep than before, which is the paper's success; and free by the exact test. */
  decreased: number
  freed: number
  /** (PD before - PD after) / PD before, mean over all codes; negative where one became deeper. */
  reduction: number
  /** Mean way of the codes that are less deep than before [unit of the code]. */
  moved: number
  /** Processor time of one [ms], and exact tests, means. */
  milliseconds: number
  tests: number
  /** Of the first codes [way, reduction], for Fig. 7. */
  points: [moved: number, reduction: number][]
}

export interface Handling {
  /** Codes that were handled, all touching. */
  codes: number
  /** The paper's handler: an augmented Lagrangian that believes the network, and no exact test. */
  believed: HandlingFigures
  /** As `pliant repair`: the exact test is asked, and the search goes on until it agrees. */
  checked: HandlingFigures
}

export interface HandlingOptions {
  codes: number
  seed: number
  threads?: number
  signal?: AbortSignal
  onProgress?: OnProgress
}

/** Codes that are drawn at a time, and how many times: where next to none touches, there are fewer. */
const DRAWN = 2048
const MOST_DRAWS = 40
/** Codes that Fig. 7 shows. */
const SHOWN = 200
/** Codes between two looks at the signal. */
const PIECE = 8

/** Files that tell self-contact of shapes with domains. */
export type ContactArtifact = Artifact<'character-contact' | 'shape-contact'>

/** @throws the signal's reason when aborted */
export async function measureHandling(artifact: ContactArtifact, options: HandlingOptions): Promise<Handling> {
  const { threads, signal, onProgress } = options
  const { field: unneeded, source } = await toolOf(artifact, 'contacts')(artifact)
  unneeded.dispose()
  const pool = new ContactPool(source, { threads, signal })
  const field = await load(artifact)
  try {
    const codes = await touchingCodes(pool, options)
    const before = await wholeDepths(pool, codes)
    const exact = exactSelfContact(shapeOf(artifact))
    const by = (handle: Handle, from: number) =>
      handled(pool, codes, before, handle, signal, progressWithin(onProgress, from, from + 0.5))
    return {
      codes: before.length,
      believed: await by((code) => handleCode(field, undefined, code, {}, code), 0),
      checked: await by((code) => repairCode(field, exact, code, {}, code), 0.5),
    }
  } finally {
    field.dispose()
    await pool.dispose()
  }
}

export function shapeOf(artifact: ContactArtifact): BendingShape {
  if (artifact.kind === 'character-contact') {
    return characterShape(artifact.character, artifact.manifest.model.neighbours)
  }
  const { space, patches, manifest } = artifact
  return spaceShape(exactShapeSpace(space), patches, manifest.model.neighbours)
}

/** Of another stream than those of training and evaluation, the same for all methods. */
async function touchingCodes(pool: ContactPool, { codes: count, seed }: HandlingOptions): Promise<Float32Array> {
  const random = streamOf('benchCodes', seed)
  const size = pool.codeSize
  const found = new Float32Array(count * size)
  let rows = 0
  for (let draw = 0; draw < MOST_DRAWS && rows < count; draw++) {
    const codes = pool.draw(Math.min(DRAWN, 8 * count), random)
    const signs = await pool.signs(codes)
    for (let i = 0; i < signs.length && rows < count; i++) {
      if (signs[i] < 0) found.set(codes.subarray(i * size, (i + 1) * size), size * rows++)
    }
  }
  return found.subarray(0, rows * size)
}

/** PD of each code [m]. */
async function wholeDepths(pool: ContactPool, codes: Float32Array): Promise<Float64Array> {
  const width = pool.domains.length
  const depths = await pool.depths(codes)
  return Float64Array.from({ length: codes.length / pool.codeSize }, (_, i) =>
    depths.subarray(i * width, (i + 1) * width).reduce((sum, depth) => sum + depth, 0),
  )
}

type Handle = (code: Float32Array) => { moved: number; tests: number }

async function handled(
  pool: ContactPool,
  codes: Float32Array,
  before: Float64Array,
  handle: Handle,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<HandlingFigures> {
  const count = before.length
  const size = pool.codeSize
  const results = codes.slice()
  const reports: { moved: number; tests: number }[] = []
  let microseconds = 0
  for (let from = 0; from < count; from += PIECE) {
    const began = process.cpuUsage()
    for (let i = from; i < Math.min(count, from + PIECE); i++) {
      reports.push(handle(results.subarray(i * size, (i + 1) * size)))
    }
    const { user, system } = process.cpuUsage(began)
    microseconds += user + system
    onProgress?.({ fraction: reports.length / count, stage: 'handle', detail: `${reports.length} of ${count} codes` })
    await new Promise<void>((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
  }
  const [after, signs] = [await wholeDepths(pool, results), await pool.signs(results)]
  return figuresOf(
    reports.map(({ moved, tests }, i) => ({ moved, tests, before: before[i], after: after[i], isFree: signs[i] > 0 })),
    microseconds / 1000,
  )
}

/** One code that was handled. */
export interface Handled {
  moved: number
  tests: number
  /** PD [m]. */
  before: number
  after: number
  isFree: boolean
}

/** @param milliseconds  of all */
export function figuresOf(all: readonly Handled[], milliseconds: number): HandlingFigures {
  const count = Math.max(1, all.length)
  const reductions = all.map(reductionOf)
  const better = all.filter((_, i) => reductions[i] > 0)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return {
    decreased: better.length / count,
    freed: all.filter(({ isFree }) => isFree).length / count,
    reduction: sum(reductions) / count,
    moved: sum(better.map(({ moved }) => moved)) / Math.max(1, better.length),
    milliseconds: milliseconds / count,
    tests: sum(all.map(({ tests }) => tests)) / count,
    points: all.slice(0, SHOWN).map(({ moved }, i) => [rounded(moved), rounded(reductions[i])]),
  }
}

/** Of surfaces that only touch, without depth, all or nothing. */
function reductionOf({ before, after, isFree }: Handled): number {
  if (before > 0) return (before - after) / before
  return isFree ? 1 : after > 0 ? -1 : 0
}

const rounded = (value: number): number => Number(value.toPrecision(4))
