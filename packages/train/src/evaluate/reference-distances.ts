/**
 * Distances to self-contact, in the space of codes, to hold learned ones against: exact, but for valleys that no start leads
 * to (label/nearest-contact.ts). The paper has the nearest sample of a cloud instead, which in seven dimensions is far off.
 */
import type { ContactPool } from '../label/contact-pool.js'
import type { Crossings } from '../label/contact-tasks.js'
import { PointCloud } from '../learn/self-contact/point-cloud.js'
import { streamOf } from '../streams/random-streams.js'

export interface ReferenceOptions {
  /** Points of the boundary that starts are chosen of. */
  points?: number
  /** Starts of each code: the nearest point of as many clouds. */
  starts?: number
  seed?: number
}
export const REFERENCE_DEFAULTS = { points: 12_000, starts: 4, seed: 1 } as const

/** Codes that are drawn at most, in points, to have enough of either sign. */
const MOST_DRAWN = 20

/** @returns signed, one for each code; undefined if the box has no boundary */
export async function referenceDistances(
  pool: ContactPool,
  codes: Float32Array,
  options: ReferenceOptions = {},
): Promise<Float32Array | undefined> {
  const { points, starts, seed } = { ...REFERENCE_DEFAULTS, ...options }
  const size = pool.codeSize
  const found = await boundaryPoints(pool, points, seed)
  if (!found) return undefined
  const count = found.triangles.length / 2
  const clouds = Array.from({ length: starts }, (_, cloud) => {
    const rows = Array.from({ length: Math.ceil((count - cloud) / starts) }, (_, i) => cloud + i * starts)
    const own = new Float32Array(rows.length * size)
    for (const [i, row] of rows.entries()) own.set(found.codes.subarray(row * size, (row + 1) * size), i * size)
    return { rows, tree: new PointCloud(own, size) }
  })
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
