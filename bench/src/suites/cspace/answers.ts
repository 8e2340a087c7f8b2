/**
 * Time of one answer whether a code touches itself, on finer and finer meshes: learned, with the gradient; our best exact
 * test, which rules out beforehand what cannot meet in the box of codes; and the ordinary one, a tree that is refitted
 * and searched until a pair meets.
 */
import { findContactPreset, makeBracelet, makeContactBody } from '@pliant/train/unstable'
import { streamOf } from '@pliant/train/unstable/streams'
import type { SelfContactField } from 'pliant'
import { SelfIntersection } from 'pliant/exact'
import { LinearSelfContact } from 'pliant/unstable/exact'
import { timeTurns } from '../../timing/turns.js'

export interface AnswerRow {
  triangles: number
  /** Codes asked at once. */
  codes: number
  /** Median time for one code [microseconds]. */
  microseconds: { learned: number; exact: number; refit: number }
  /** Exact over learned. */
  gain: number
  /** The same of the ordinary exact test. */
  gainOverRefit: number
  rounds: number
}

/** Cells along and across the swept ring: 2,000, 6,000 and 17,000 triangles, about. */
export const MESHES = [
  { along: 124, across: 2 },
  { along: 184, across: 4 },
  { along: 350, across: 6 },
]
const COUNTS = [1, 1024]
/** Codes of a batch that the ordinary test is timed with, which takes them one by one. */
const REFITTED = 16

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
    const positions = new Float64Array(3 * model.vertexCount)
    const tree = new SelfIntersection({ positions: model.rest, triangles: model.triangles })
    return COUNTS.map((count) => {
      const frames = Array.from({ length: 8 }, () =>
        Float32Array.from({ length: count * size }, () => random.between(-1, 1)),
      )
      const [distances, gradients] = [new Float64Array(count), new Float64Array(count * size)]
      const signs = new Int8Array(count)
      const refitted = Math.min(count, REFITTED)
      const ask: Record<'learned' | 'exact' | 'refit', (codes: Float32Array) => void> = {
        learned: (codes) => learned.query(codes, count, distances, gradients),
        exact: (codes) => {
          if (count === 1) exact.touches(codes)
          else exact.touchesAll(codes, count, signs)
        },
        refit: (codes) => {
          for (let i = 0; i < refitted; i++) {
            model.positions(codes.subarray(i * size, (i + 1) * size), positions)
            tree.update(positions)
            tree.any()
          }
        },
      }
      const { medians, rounds } = timeTurns(ask, frames, seconds, (rival, codes) => rival(codes))
      const [best, one] = [medians.exact / count, medians.learned / count]
      const microseconds = { learned: one, exact: best, refit: medians.refit / refitted }
      const gains = { gain: best / one, gainOverRefit: microseconds.refit / one }
      return { triangles: model.triangles.length / 3, codes: count, microseconds, ...gains, rounds }
    })
  })
}
