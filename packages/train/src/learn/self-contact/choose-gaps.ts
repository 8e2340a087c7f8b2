/**
 * Which gaps a network sees: pairs of points inside the body, spread over the pairs of places where it was found to touch
 * itself. Each point lies under such a place, in the middle of the largest ball that touches the surface there from within, at
 * rest: between points of the surface itself the gap would grow again as soon as they pass each other. All points are sums of vertices, so they
 * move linearly with the code, for any mesh.
 */
import { denseOfGaps, type GapShape } from 'pliant/unstable'
import type { LinearShape } from 'pliant/unstable/exact'
import type { Crossings } from '../../label/contact-task.js'
import { initialDenseTensors } from '../initial.js'

/** A point of the body as weights of vertices. */
type Place = readonly (readonly [vertex: number, weight: number])[]

/** Softening of a gap, as a share of its own median length. */
const SOFTENING = 0.1

/** Vertices less steep above the surface than this, as a sine, lie on it. */
const LEVEL = 0.05

/** A way through an edge must not pass between its two triangles. */
const EDGE = 1e-9

/** Codes that gaps are scaled on. */
const SCALED_ON = 2000

/**
 * Pairs of places as far from each other as they come, so that every part of the boundary has one near.
 * @returns tensors `gap.*` of as many gaps as asked for, or fewer if there are fewer contacts
 */
export function chooseGaps(
  shape: LinearShape,
  contacts: Pick<Crossings, 'triangles' | 'weights'>,
  count: number,
  codes: Float32Array,
): { gaps: number; tensors: Map<string, Float32Array> } {
  const chosen = spreadContacts(shape, contacts, count)
  const ends = chosen.flatMap((contact) => [0, 1].map((side) => endOf(shape, contacts, contact, side)))
  const usual = median(ends.map(({ ball }) => ball))
  const points = ends.map((end) => inside(end, usual))
  const pairs = chosen.map((_, i) => [points[2 * i], points[2 * i + 1]] as const)
  return { gaps: pairs.length, tensors: tensorsOf(shape, pairs, codes) }
}

/** First values of a network with these gaps. */
export function initialContactTensors(
  shape: GapShape,
  gaps: ReadonlyMap<string, Float32Array>,
  seed: number,
): Map<string, Float32Array> {
  return new Map([...gaps, ...initialDenseTensors(denseOfGaps(shape), seed)])
}

/** Each next one is the farthest from those before, by both its places at rest. */
function spreadContacts(
  shape: LinearShape,
  contacts: Pick<Crossings, 'triangles' | 'weights'>,
  count: number,
): number[] {
  const total = contacts.triangles.length / 2
  const at = new Float64Array(6 * total)
  for (let contact = 0; contact < total; contact++) {
    const ends = [0, 1].map((side) => positionOf(shape.rest, surfacePlace(shape, contacts, contact, side)))
    // Which of the two comes first means nothing.
    if (ends[0][0] > ends[1][0]) ends.reverse()
    at.set(ends.flat(), 6 * contact)
  }
  const chosen: number[] = []
  const away = new Float64Array(total).fill(Infinity)
  for (let next = 0; chosen.length < count && away[next] > 0; next = indexOfLargest(away)) {
    chosen.push(next)
    for (let contact = 0; contact < total; contact++) {
      let squared = 0
      for (let k = 0; k < 6; k++) squared += (at[6 * contact + k] - at[6 * next + k]) ** 2
      away[contact] = Math.min(away[contact], squared)
    }
  }
  return chosen
}

function indexOfLargest(values: Float64Array): number {
  let largest = 0
  for (let i = 1; i < values.length; i++) if (values[i] > values[largest]) largest = i
  return largest
}

function surfacePlace(
  { triangles }: LinearShape,
  contacts: Pick<Crossings, 'triangles' | 'weights'>,
  contact: number,
  side: number,
): Place {
  const triangle = contacts.triangles[2 * contact + side]
  return [0, 1, 2].map((k) => [triangles[3 * triangle + k], contacts.weights[6 * contact + 3 * side + k]] as const)
}

/** A place of the surface, where its inward normal leaves the body again, how far that is, and the largest ball between. */
interface End {
  place: Place
  opposite: Place | undefined
  length: number
  ball: number
}

function endOf(
  shape: LinearShape,
  contacts: Pick<Crossings, 'triangles' | 'weights'>,
  contact: number,
  side: number,
): End {
  const place = surfacePlace(shape, contacts, contact, side)
  const from = positionOf(shape.rest, place)
  const inward = inwardNormal(shape, contacts.triangles[2 * contact + side])
  const opposite = inward && across(shape, contacts.triangles[2 * contact + side], from, inward)
  if (!inward || !opposite) return { place, opposite: undefined, length: 0, ball: 0 }
  const length = Math.hypot(...minus(positionOf(shape.rest, opposite), from))
  return { place, opposite, length, ball: Math.min(length / 2, largestBall(shape, from, inward)) }
}

/**
 * As deep as the ball's middle, but no less than is usual: next to an edge balls are small, and points of the surface itself
 * would do.
 */
function inside({ place, opposite, length, ball }: End, usual: number): Place {
  if (!opposite) return place
  // On the way to the other side, so that it is a sum of vertices as well.
  const share = Math.min(0.5, Math.max(ball, usual) / length)
  return [
    ...place.map(([vertex, weight]) => [vertex, (1 - share) * weight] as const),
    ...opposite.map(([vertex, weight]) => [vertex, share * weight] as const),
  ]
}

function median(values: readonly number[]): number {
  return values.slice().sort((a, b) => a - b)[values.length >> 1] ?? 0
}

/** Radius of the largest ball that touches the surface at a point, and has no vertex in it: |d|^2 / 2 n . d, the least. */
function largestBall({ rest }: LinearShape, from: readonly number[], inward: readonly number[]): number {
  let least = Infinity
  for (let i = 0; i < rest.length; i += 3) {
    const to = [rest[i] - from[0], rest[i + 1] - from[1], rest[i + 2] - from[2]]
    const [height, squared] = [dot(to, inward), dot(to, to)]
    if (height > LEVEL * Math.sqrt(squared)) least = Math.min(least, squared / (2 * height))
  }
  return least
}

function inwardNormal({ rest, triangles }: LinearShape, triangle: number): number[] | undefined {
  const [a, b, c] = [0, 1, 2].map((k) => {
    const o = 3 * triangles[3 * triangle + k]
    return [rest[o], rest[o + 1], rest[o + 2]]
  })
  const normal = cross(minus(b, a), minus(c, a))
  const length = Math.hypot(...normal)
  return length > 0 ? normal.map((value) => -value / length) : undefined
}

/** Where the inward normal of a triangle, from a point of it, first meets another triangle at rest. */
function across(
  { rest, triangles }: LinearShape,
  triangle: number,
  from: readonly number[],
  direction: readonly number[],
): Place | undefined {
  const corner = (t: number, k: number): number[] => {
    const o = 3 * triangles[3 * t + k]
    return [rest[o], rest[o + 1], rest[o + 2]]
  }
  let nearest = Infinity
  let found: Place | undefined
  for (let t = 0; t < triangles.length / 3; t++) {
    if (t === triangle) continue
    // Moller and Trumbore 1997.
    const origin = corner(t, 0)
    const [u, v] = [minus(corner(t, 1), origin), minus(corner(t, 2), origin)]
    const p = cross(direction, v)
    const determinant = dot(u, p)
    if (determinant === 0) continue
    const to = minus(from, origin)
    const b = dot(to, p) / determinant
    const q = cross(to, u)
    const c = dot(direction, q) / determinant
    const away = dot(v, q) / determinant
    const isWithin = b >= -EDGE && c >= -EDGE && b + c <= 1 + EDGE
    if (!(isWithin && away > 0 && away < nearest)) continue
    nearest = away
    found = [1 - b - c, b, c].map((weight, k) => [triangles[3 * t + k], weight] as const)
  }
  return found
}

function tensorsOf(
  { rest, modes, bounds }: LinearShape,
  pairs: readonly (readonly [Place, Place])[],
  codes: Float32Array,
): Map<string, Float32Array> {
  const codeSize = bounds.lower.length
  const width = 3 * pairs.length
  const vector = new Float32Array((codeSize + 1) * width)
  pairs.forEach(([a, b], gap) => {
    for (const [place, sign] of [
      [a, 1],
      [b, -1],
    ] as const) {
      for (const [vertex, weight] of place) {
        for (let axis = 0; axis < 3; axis++) {
          const o = 3 * gap + axis
          vector[codeSize * width + o] += sign * weight * rest[3 * vertex + axis]
          for (let k = 0; k < codeSize; k++) {
            vector[k * width + o] += sign * weight * modes[k * rest.length + 3 * vertex + axis]
          }
        }
      }
    }
  })
  const columns = ['softening', 'scale', 'shift'].map(
    (name) => [`gap.${name}`, new Float32Array(pairs.length)] as const,
  )
  for (let gap = 0; gap < pairs.length; gap++) {
    const squares = squaresOf(vector, width, gap, codeSize, codes)
    const softening = SOFTENING * Math.sqrt(squares.slice().sort()[squares.length >> 1])
    const logs = squares.map((square) => Math.log(square + softening ** 2))
    const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
    const spread = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length) || 1
    for (const [i, value] of [softening, 1 / spread, -mean / spread].entries()) columns[i][1][gap] = value
  }
  return new Map([['gap.vector', vector], ...columns])
}

/** Squared lengths of a gap at some codes. */
function squaresOf(
  vector: Float32Array,
  width: number,
  gap: number,
  codeSize: number,
  codes: Float32Array,
): Float64Array {
  return Float64Array.from({ length: Math.min(SCALED_ON, codes.length / codeSize) }, (_, i) => {
    let squared = 0
    for (let o = 3 * gap; o < 3 * gap + 3; o++) {
      let value = vector[codeSize * width + o]
      for (let k = 0; k < codeSize; k++) value += codes[i * codeSize + k] * vector[k * width + o]
      squared += value * value
    }
    return squared
  })
}

function positionOf(rest: Float64Array, place: Place): number[] {
  return [0, 1, 2].map((axis) => place.reduce((sum, [vertex, weight]) => sum + weight * rest[3 * vertex + axis], 0))
}

function minus(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
