/** Time of one detection, learned and exact, of one repair, and of a guard's frame. */
import { toolOf } from '@pliant/train/unstable'
import { ContactPool } from '@pliant/train/unstable/label'
import { streamOf } from '@pliant/train/unstable/streams'
import { load } from 'pliant'
import { exactSelfContact } from 'pliant/exact'
import { CodeGuard, repairCode } from 'pliant/respond'
import { timeTurns } from '../../timing/turns.js'
import { type ContactArtifact, shapeOf } from './cells/handling.js'

export interface DetectionRow {
  name: string
  vertices: number
  codeSize: number
  /** What the file's training judged it by: codes never learned from, shares of them told right, and of touching ones missed. */
  judged?: { codes: number; right: number; missed: number }
  /** Share of the codes that touch themselves: the exact test ends at the first pair. */
  touchingShare: number
  /** Median time for one code [microseconds]: asked alone, and 1,024 at once, each without and with the gradient. */
  microseconds: { one: number; oneWithGradient: number; many: number; manyWithGradient: number; exact: number }
  /** Exact over learned without the gradient, alone and at once. */
  gain: { one: number; many: number }
  /** Of `pliant repair`: median of touching codes [ms]; null if none of the codes touches. */
  repair: number | null
  /** A frame of `CodeGuard`, which keeps live poses apart [ms]; null where the file tells no clearances of parts. */
  guard: number | null
}

const MANY = 1024
/** Codes that exact tests and repairs are timed on. */
const TIMED = 32

export async function timeDetection(artifact: ContactArtifact, seconds: number): Promise<DetectionRow> {
  const { field: unneeded, source } = await toolOf(artifact, 'contacts')(artifact)
  unneeded.dispose()
  const field = await load(artifact)
  const pool = new ContactPool(source, { threads: 1 })
  try {
    const size = field.codeSize
    const drawn = pool.draw(MANY, streamOf('benchCodes', 1))
    const signs = await pool.signs(drawn)
    const codes = Float64Array.from(drawn)
    const rows = Array.from({ length: TIMED }, (_, i) => codes.subarray(i * size, (i + 1) * size))
    const shape = shapeOf(artifact)
    const exact = exactSelfContact(shape)
    const [distances, gradients] = [new Float64Array(MANY), new Float64Array(MANY * size)]
    const ask: Record<keyof DetectionRow['microseconds'], (code: Float64Array) => void> = {
      one: (code) => field.query(code, 1, distances),
      oneWithGradient: (code) => field.query(code, 1, distances, gradients),
      many: () => field.query(codes, MANY, distances),
      manyWithGradient: () => field.query(codes, MANY, distances, gradients),
      exact: (code) => exact.touches(code),
    }
    const { medians } = timeTurns(ask, rows, seconds, (rival, code) => rival(code))
    const microseconds = { ...medians, many: medians.many / MANY, manyWithGradient: medians.manyWithGradient / MANY }
    const milliseconds = (frames: readonly Float64Array[], run: (code: Float64Array) => void): number | null =>
      frames.length === 0 ? null : timeTurns({ run }, frames, seconds, (rival, code) => rival(code)).medians.run / 1000
    const out = new Float64Array(size)
    const touching = [...signs.keys()].filter((i) => signs[i] < 0).slice(0, TIMED)
    const guard = field.pairs.length > 0 ? new CodeGuard(field) : undefined
    const { quality } = artifact.manifest
    return {
      name: artifact.manifest.name,
      vertices: shape.vertexCount,
      codeSize: size,
      ...(quality && { judged: { codes: quality.codes, right: quality.signAccuracy, missed: quality.falseNegatives } }),
      touchingShare: signs.filter((sign) => sign < 0).length / MANY,
      microseconds,
      gain: { one: medians.exact / medians.one, many: medians.exact / microseconds.many },
      repair: milliseconds(
        touching.map((i) => codes.subarray(i * size, (i + 1) * size)),
        (code) => repairCode(field, exact, code, {}, out),
      ),
      guard: guard ? milliseconds(rows, (code) => guard.keep(code, out)) : null,
    }
  } finally {
    field.dispose()
    await pool.dispose()
  }
}
