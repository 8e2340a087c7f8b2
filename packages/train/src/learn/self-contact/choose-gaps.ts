/**
 * Which gaps a network sees: pairs of points inside the body, spread over the pairs of places where it was found to touch
 * itself. Each point lies under such a place, halfway through the body along the inward normal at rest: between points of
 * the surface itself the gap would grow again as soon as they pass each other. All points are sums of vertices, so they
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
  const pairs = chosen.map((contact) => [0, 1].map((side) => inside(shape, contacts, contact, side)) as [Place, Place])
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
  let next = 0
  while (chosen.length < count && away[next] > 0) {
    chosen.push(next)
    let farthest = next
    for (let contact = 0; contact < total; contact++) {
      let squared = 0
      for (let k = 0; k < 6; k++) squared += (at[6 * contact + k] - at[6 * next + k]) ** 2
      away[contact] = Math.min(away[contact], squared)
      if (away[contact] > away[farthest]) farthest = contact
    }
    next = farthest
  }
  return chosen
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

/** Halfway from a place of the surface to where its inward normal leaves the body; the place itself if it does not. */
function inside(
  shape: LinearShape,
  contacts: Pick<Crossings, 'triangles' | 'weights'>,
  contact: number,
  side: number,
): Place {
  const place = surfacePlace(shape, contacts, contact, side)
  const triangle = contacts.triangles[2 * contact + side]
  const opposite = across(shape, triangle, positionOf(shape.rest, place))
  if (!opposite) return place
  return [...place, ...opposite].map(([vertex, weight]) => [vertex, weight / 2] as const)
}

/** Where the inward normal of a triangle, from a point of it, first meets another triangle at rest. */
function across({ rest, triangles }: LinearShape, triangle: number, from: readonly number[]): Place | undefined {
  const corner = (t: number, k: number): number[] => {
    const o = 3 * triangles[3 * t + k]
    return [rest[o], rest[o + 1], rest[o + 2]]
  }
  const normal = cross(minus(corner(triangle, 1), corner(triangle, 0)), minus(corner(triangle, 2), corner(triangle, 0)))
  const length = Math.hypot(...normal)
  if (!(length > 0)) return undefined
  const direction = normal.map((value) => -value / length)
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
    if (!(b >= 0 && c >= 0 && b + c <= 1 && away > 0 && away < nearest)) continue
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
