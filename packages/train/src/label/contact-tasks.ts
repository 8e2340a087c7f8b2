/**
 * What any worker of a contact pool does: it tells codes that touch themselves from free ones, and finds points of the
 * boundary between them. All answers are exact, so they depend on the input alone.
 */
import { BOUNDARY_STEPS, type ContactTest, findBoundaryPoint, makeBoundaryPoint } from 'pliant/unstable/exact'
import { moved } from '../pool/index.js'
import { acrossBoundary, type Ends } from './across-boundary.js'
import { nearestContact } from './nearest-contact.js'

export interface Crossings {
  /** Points of the boundary, free by a rounding; only those that were found. */
  codes: Float32Array
  /** Unit normals there, towards free codes. */
  normals: Float32Array
  /** The two triangles that meet just beyond, and the weights of their corners at the nearest points. */
  triangles: Uint32Array
  weights: Float32Array
  /** Exact tests that it took. */
  tests: number
}

/** Steps that are labelled between two codes that lie near each other, one of either side. */
const NEAR_STEPS = 4

export function contactTasks(contact: ContactTest) {
  const { codeSize } = contact
  const isFree = (code: ArrayLike<number>): boolean => !contact.touches(code)
  const rowsOf = (codes: Float32Array): Float32Array[] =>
    Array.from({ length: codes.length / codeSize }, (_, i) => codes.subarray(i * codeSize, (i + 1) * codeSize))

  return {
    /** 1 for a free code, -1 for one that touches itself. */
    signs({ codes }: { codes: Float32Array }) {
      const signs = new Int8Array(codes.length / codeSize)
      contact.touchesAll(codes, signs.length, signs)
      for (let i = 0; i < signs.length; i++) signs[i] = signs[i] === 1 ? -1 : 1
      return moved(signs, signs)
    },
    /** Distances to the boundary, from so many of its points each. */
    nearest({ codes, starts, normals }: { codes: Float32Array; starts: Float32Array; normals: Float32Array }) {
      const each = starts.length / codes.length
      const [points, directions] = [rowsOf(starts), rowsOf(normals)].map((rows) =>
        rows.map((row) => Float64Array.from(row)),
      )
      const distances = Float32Array.from(rowsOf(codes), (code, i) =>
        nearestContact(
          contact,
          code,
          Array.from({ length: each }, (_, k) => ({ code: points[i * each + k], normal: directions[i * each + k] })),
        ),
      )
      return moved(distances, distances)
    },
    /** On the way from free codes to touching ones. */
    between({ free, touching }: { free: Float32Array; touching: Float32Array }) {
      const ends = rowsOf(touching)
      return gather(
        contact,
        rowsOf(free).map((code, i) => [code, ends[i]] as const),
        BOUNDARY_STEPS,
      )
    },
    /** From codes along directions that lead towards free ones, or against them, to the nearest change of sign. */
    along({ codes, directions }: { codes: Float32Array; directions: Float32Array }) {
      const ways = rowsOf(directions)
      const before = contact.tests
      const pairs = rowsOf(codes).flatMap((code, i) => {
        const ends = acrossBoundary(isFree, contact.bounds, code, ways[i])
        return ends ? [ends] : []
      })
      return gather(contact, pairs, NEAR_STEPS, before)
    },
  }
}

function gather(contact: ContactTest, ends: readonly Ends[], steps: number, before = contact.tests) {
  const { codeSize } = contact
  const point = makeBoundaryPoint(codeSize)
  const codes = new Float32Array(ends.length * codeSize)
  const normals = new Float32Array(ends.length * codeSize)
  const weights = new Float32Array(ends.length * 6)
  const triangles = new Uint32Array(2 * ends.length)
  let found = 0
  for (const [free, touching] of ends) {
    // A pair whose gap has no direction tells nothing of the boundary's.
    if (!findBoundaryPoint(contact, free, touching, point, steps) || point.normal.every((value) => value === 0))
      continue
    codes.set(point.code, found * codeSize)
    normals.set(point.normal, found * codeSize)
    triangles.set(point.triangles, 2 * found)
    weights.set(point.weights, 6 * found)
    found++
  }
  const crossings: Crossings = {
    codes: codes.slice(0, found * codeSize),
    normals: normals.slice(0, found * codeSize),
    triangles: triangles.slice(0, 2 * found),
    weights: weights.slice(0, 6 * found),
    tests: contact.tests - before,
  }
  return moved(crossings, crossings.codes, crossings.normals, crossings.triangles, crossings.weights)
}
