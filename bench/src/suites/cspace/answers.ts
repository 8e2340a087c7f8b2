/** Time of one answer whether a code touches itself: learned, with the gradient, against the exact test, on finer and finer meshes. */
import { findContactPreset, makeBracelet, makeContactBody } from '@pliant/train/unstable'
import { streamOf } from '@pliant/train/unstable/streams'
import type { SelfContactField } from 'pliant'
import { LinearSelfContact } from 'pliant/unstable/exact'
import { timeTurns } from '../../timing/turns.js'

export interface AnswerRow {
  triangles: number
  /** Codes asked at once. */
  codes: number
  /** Median time for one code [microseconds]. */
  microseconds: { learned: number; exact: number }
  /** Exact over learned. */
  gain: number
  rounds: number
}

/** Cells along and across the swept ring: 1,296, 6,000 and 17,000 triangles, about. */
export const MESHES = [
  { along: 124, across: 2 },
  { along: 184, across: 4 },
  { along: 350, across: 6 },
]
const COUNTS = [1, 1024]

/**
 * @param learned  of the ring: its cost does not depend on the mesh
 * @param meshes   how many, the coarsest first
 */
export function timeAnswers(
  learned: SelfContactField,
  meshes: number,
  seconds: number,
  onMesh: (done: number) => void,
): AnswerRow[] {
  const { reach } = findContactPreset('bracelet')!
  const size = learned.codeSize
  const random = streamOf('benchCodes', 1)
  return MESHES.slice(0, meshes).flatMap((cells, mesh) => {
    onMesh(mesh / meshes)
    const { model } = makeContactBody(makeBracelet(cells), { modes: size, reach })
    const exact = new LinearSelfContact(model)
    return COUNTS.map((count) => {
      const frames = Array.from({ length: 8 }, () =>
        Float32Array.from({ length: count * size }, () => random.between(-1, 1)),
      )
      const [distances, gradients] = [new Float64Array(count), new Float64Array(count * size)]
      const signs = new Int8Array(count)
      const ask: Record<'learned' | 'exact', (codes: Float32Array) => void> = {
        learned: (codes) => learned.query(codes, count, distances, gradients),
        exact: (codes) => {
          if (count === 1) exact.touches(codes)
          else exact.touchesAll(codes, count, signs)
        },
      }
      const { medians, rounds } = timeTurns(ask, frames, seconds, (rival, codes) => rival(codes))
      const microseconds = { learned: medians.learned / count, exact: medians.exact / count }
      const gain = microseconds.exact / microseconds.learned
      return { triangles: model.triangles.length / 3, codes: count, microseconds, gain, rounds }
    })
  })
}
