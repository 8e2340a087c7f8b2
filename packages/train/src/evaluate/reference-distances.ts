/**
 * Distances to self-contact, in the space of codes, to hold learned ones against: exact, but for valleys that no start leads
 * to (label/nearest-contact.ts). The paper has the nearest sample of a cloud instead, which in seven dimensions is far off.
 */
import type { ContactPool } from '../label/contact-pool.js'
import type { Crossings } from '../label/contact-tasks.js'
import { cloudsOf } from '../learn/self-contact/point-cloud.js'
import { streamOf } from '../streams/random-streams.js'

export interface ReferenceOptions {
  /** Points of the boundary that starts are chosen of. */
  points?: number
  /** Starts of each code: the nearest point of as many clouds. By default as many as its size needs. */
  starts?: number
  seed?: number
}
export const REFERENCE_DEFAULTS = { points: 12_000, seed: 1 } as const

/** Up to so many numbers of a code, valleys are few. */
const FEW_VALLEYS = 3

/**
 * Of codes of 3, 5 and 7 numbers, four starts gave distances that were .0001, .004 and .007 too large in the mean, of which
 * sixteen leave nothing, nothing and .001 (docs/notes/self-contact-learning.md).
 */
function startsFor(size: number): number {
  return size <= FEW_VALLEYS ? 4 : 16
}

/** Codes that are drawn at most, in points, to have enough of either sign. */
const MOST_DRAWN = 20

/** @returns signed, one for each code; undefined if the box has no boundary */
export async function referenceDistances(
  pool: ContactPool,
  codes: Float32Array,
  options: ReferenceOptions = {},
): Promise<Float32Array | undefined> {
  const size = pool.codeSize
  const { points, starts, seed } = { ...REFERENCE_DEFAULTS, starts: startsFor(size), ...options }
  const found = await boundaryPoints(pool, points, seed)
  if (!found) return undefined
  const clouds = cloudsOf(found.codes, size, starts)
  const from = new Float32Array(codes.length * starts)
  const normals = new Float32Array(codes.length * starts)
  for (let i = 0; i < codes.length / size; i++) {
    for (const [k, { rows, tree }] of clouds.entries()) {
      const row = rows[tree.nearest(codes, i * size)]
      from.set(found.codes.subarray(row * size, (row + 1) * size), (i * starts + k) * size)
      normals.set(found.normals.subarray(row * size, (row + 1) * size), (i * starts + k) * size)
    }
  }
  return pool.nearest(codes, from, normals)
}

/** Between free and touching codes, drawn evenly. */
async function boundaryPoints(pool: ContactPool, points: number, seed: number): Promise<Crossings | undefined> {
  const size = pool.codeSize
  const random = streamOf('referenceCodes', seed)
  const free: Float32Array[] = []
  const touching: Float32Array[] = []
  for (let drawn = 0; drawn < MOST_DRAWN * points && Math.min(free.length, touching.length) < points / 4; ) {
    const codes = pool.draw(points, random)
    const signs = await pool.signs(codes)
    signs.forEach((sign, i) => {
      ;(sign > 0 ? free : touching).push(codes.subarray(i * size, (i + 1) * size))
    })
    drawn += points
  }
  if (free.length === 0 || touching.length === 0) return undefined
  const pick = (rows: readonly Float32Array[]): Float32Array => {
    const picked = new Float32Array(points * size)
    for (let i = 0; i < points; i++) picked.set(rows[random.below(rows.length)], i * size)
    return picked
  }
  return pool.between(pick(free), pick(touching))
}
