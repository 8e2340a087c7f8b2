/**
 * Faces with any number of corners, and how they become triangles. The rule: triangles stay; a face that a fan from
 * its first corner covers without folding over (every convex one) becomes that fan; a quadrilateral that it does not
 * cover is cut along its other diagonal; any other concave face is cut by its ears; a face that has no ear left
 * (self-crossing, or the rest all in one line) becomes a fan from where the ears ran out, so that no corner is lost.
 */
import { FileError } from './file-error.js'
import { IndexList } from './lists.js'

/** Cutting ears is quadratic in the corners; a concave face with more than this is refused rather than waited for. */
const LARGEST_CONCAVE = 1000
/**
 * Corners that may be looked at in cutting all ears of a file: some, and as many for each corner. Only faces made to
 * be slow need more: a star of 1,000 corners takes 63 for each of them, a spiral 550.
 */
const EAR_STEPS = 60_000_000
const EAR_STEPS_PER_CORNER = 64
/** No vertex index of any format is larger; one less than 2^32 so that it fits 32 bits. */
const LARGEST_INDEX = 0xfffffffe

export class PolygonList {
  private readonly corners = new IndexList()
  private readonly ends = new IndexList()

  constructor(readonly format: string) {}

  get count(): number {
    return this.ends.length
  }

  /** @param vertex  counted from 0; `base` is what the file counts from, for the message */
  addCorner(vertex: number, base: 0 | 1): void {
    if (!(vertex >= 0 && vertex <= LARGEST_INDEX && Number.isInteger(vertex))) {
      throw new FileError(this.format, `face ${this.count + 1} refers to vertex ${vertex + base}; ${INCOMPLETE}`)
    }
    this.corners.push(vertex)
  }

  /** Ends the face whose corners were added since the last call. */
  endFace(): void {
    const corners = this.corners.length - (this.ends.length === 0 ? 0 : this.ends.get(this.ends.length - 1))
    if (corners < 3) {
      throw new FileError(
        this.format,
        `face ${this.count + 1} has ${corners} corners and needs 3; remove loose points and edges.`,
      )
    }
    this.ends.push(this.corners.length)
  }

  /** @returns vertex indices, three per triangle, each below positions.length / 3 */
  triangulate(positions: Float64Array, base: 0 | 1): Uint32Array {
    const vertices = positions.length / 3
    const corners = this.corners.toArray()
    const triangles = new Uint32Array(3 * (corners.length - 2 * this.ends.length))
    const steps = { left: EAR_STEPS + EAR_STEPS_PER_CORNER * corners.length }
    let filled = 0
    let start = 0
    for (let face = 0; face < this.ends.length; face++) {
      const end = this.ends.get(face)
      for (let i = start; i < end; i++) {
        if (corners[i] < vertices) continue
        throw new FileError(
          this.format,
          `face ${face + 1} refers to vertex ${corners[i] + base} of ${vertices}; ${INCOMPLETE}`,
        )
      }
      if (end - start === 3) {
        triangles[filled++] = corners[start]
        triangles[filled++] = corners[start + 1]
        triangles[filled++] = corners[start + 2]
      } else {
        const polygon = corners.subarray(start, end)
        const cut = cutPolygon(positions, polygon, steps)
        if (cut === undefined) {
          throw new FileError(
            this.format,
            end - start > LARGEST_CONCAVE
              ? `face ${face + 1} is concave with ${end - start} corners, at most ${LARGEST_CONCAVE} are cut; triangulate it first.`
              : `its concave faces take too long to cut, up to face ${face + 1} of ${this.count}; triangulate them first.`,
          )
        }
        for (const corner of cut) triangles[filled++] = polygon[corner]
      }
      start = end
    }
    return triangles
  }
}

const INCOMPLETE = 'check the file was written completely.'

/** Steps of work that are left; counted down. */
interface Steps {
  left: number
}

/** Corner numbers of the polygon's n - 2 triangles, or undefined when it is concave and too large or takes too long. */
function cutPolygon(positions: Float64Array, polygon: Uint32Array, steps: Steps): number[] | undefined {
  const n = polygon.length
  const plane = projectPolygon(positions, polygon)
  if (fanWorst(plane, 0) > 0) return fan(n, 0)
  if (n === 4) return fanWorst(plane, 1) > fanWorst(plane, 0) ? fan(4, 1) : fan(4, 0)
  if (n > LARGEST_CONCAVE) return undefined
  return clipEars(plane, steps)
}

/**
 * The polygon seen along its (Newell) normal, as xy pairs in counter-clockwise order. Dropping the normal's largest
 * axis instead of rotating keeps the coordinates as they were.
 */
function projectPolygon(positions: Float64Array, polygon: Uint32Array): Float64Array {
  const normal = [0, 0, 0]
  for (let i = 0; i < polygon.length; i++) {
    const p = 3 * polygon[i]
    const q = 3 * polygon[(i + 1) % polygon.length]
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3
      const v = (axis + 2) % 3
      normal[axis] += (positions[p + u] - positions[q + u]) * (positions[p + v] + positions[q + v])
    }
  }
  let axis = 0
  for (let other = 1; other < 3; other++) if (Math.abs(normal[other]) > Math.abs(normal[axis])) axis = other
  const flip = normal[axis] < 0
  const u = (axis + (flip ? 2 : 1)) % 3
  const v = (axis + (flip ? 1 : 2)) % 3
  const plane = new Float64Array(2 * polygon.length)
  for (let i = 0; i < polygon.length; i++) {
    plane[2 * i] = positions[3 * polygon[i] + u]
    plane[2 * i + 1] = positions[3 * polygon[i] + v]
  }
  return plane
}

/** Twice the signed area of the triangle of corners a, b, c; positive when counter-clockwise. */
function area(plane: Float64Array, a: number, b: number, c: number): number {
  const ax = plane[2 * a]
  const ay = plane[2 * a + 1]
  return (plane[2 * b] - ax) * (plane[2 * c + 1] - ay) - (plane[2 * b + 1] - ay) * (plane[2 * c] - ax)
}

/** The smallest signed area of the fan's triangles. */
function fanWorst(plane: Float64Array, from: number): number {
  const n = plane.length / 2
  let worst = Infinity
  for (let i = 1; i < n - 1; i++) worst = Math.min(worst, area(plane, from, (from + i) % n, (from + i + 1) % n))
  return worst
}

function fan(n: number, from: number): number[] {
  const triangles: number[] = []
  for (let i = 1; i < n - 1; i++) triangles.push(from, (from + i) % n, (from + i + 1) % n)
  return triangles
}

/**
 * Once an ear is cut, only its two neighbours can have become ears or ceased to be, not the rest of the polygon; and only corners that turn the other way can lie in one: so each ear cut costs one look at those.
 */
function clipEars(plane: Float64Array, steps: Steps): number[] | undefined {
  const n = plane.length / 2
  const before = Int32Array.from({ length: n }, (_, corner) => (corner + n - 1) % n)
  const after = Int32Array.from({ length: n }, (_, corner) => (corner + 1) % n)
  const turnsLeft = (corner: number) => area(plane, before[corner], corner, after[corner]) > 0
  /** Corners that may lie in an ear. */
  const blockers = Array.from({ length: n }, (_, corner) => corner).filter((corner) => !turnsLeft(corner))
  const cut = new Uint8Array(n)
  /** 1 for corners known not to be ears while nothing beside them changes. */
  const refused = new Uint8Array(n)
  const triangles: number[] = []
  let left = n
  let tried = 0
  let cutSinceLook = false
  // Going on behind the last ear, rather than from the start, keeps the triangles from all meeting in one corner.
  let at = 0
  while (left > 3) {
    if (tried === left) {
      // Of faces that cross themselves others may have become ears all the same.
      if (!cutSinceLook) break
      refused.fill(0)
      cutSinceLook = false
      tried = 0
    }
    const [a, b] = [before[at], after[at]]
    steps.left -= 1
    if (refused[at] === 0 && turnsLeft(at)) {
      steps.left -= blockers.length
      if (steps.left < 0) return undefined
      if (isEar(plane, blockers, a, at, b)) {
        triangles.push(a, at, b)
        cut[at] = 1
        after[a] = b
        before[b] = a
        for (const corner of [a, b]) {
          refused[corner] = 0
          const listed = blockers.indexOf(corner)
          if (listed >= 0) blockers.splice(listed, 1)
          if (!turnsLeft(corner)) blockers.push(corner)
        }
        left--
        tried = 0
        cutSinceLook = true
        at = after[b]
        continue
      }
      refused[at] = 1
    }
    tried++
    at = b
  }
  const first = cut.indexOf(0)
  for (let corner = after[first]; left > 2; left--, corner = after[corner]) {
    triangles.push(first, corner, after[corner])
  }
  return triangles
}

function isEar(plane: Float64Array, blockers: number[], a: number, b: number, c: number): boolean {
  for (const p of blockers) {
    if (p === a || p === b || p === c) continue
    if (area(plane, a, b, p) >= 0 && area(plane, b, c, p) >= 0 && area(plane, c, a, p) >= 0) {
      // A corner listed twice (a slit to a hole) touches without being inside.
      if (samePlace(plane, p, a) || samePlace(plane, p, b) || samePlace(plane, p, c)) continue
      return false
    }
  }
  return true
}

function samePlace(plane: Float64Array, a: number, b: number): boolean {
  return plane[2 * a] === plane[2 * b] && plane[2 * a + 1] === plane[2 * b + 1]
}
