/**
 * Between which points of a body gaps are worth looking at: pairs of points inside it, spread over the pairs of places where
 * it was found to touch itself. Each point lies under such a place, in the middle of the largest ball that touches the
 * surface there from within, at rest: between points of the surface itself the gap would grow again as soon as they pass each
 * other. All points are sums of vertices, so they move as these do, for any mesh.
 */
import type { Crossings } from '../../label/contact-tasks.js'

/** A point of the body as weights of vertices. */
export type Place = readonly (readonly [vertex: number, weight: number])[]

/** The surface at rest. */
export interface RestSurface {
  rest: Float64Array
  triangles: Uint32Array
}

export type Contacts = Pick<Crossings, 'triangles' | 'weights'>

/** Vertices less steep above the surface than this, as a sine, lie on it. */
const LEVEL = 0.05

/** A way through an edge must not pass between its two triangles. */
const EDGE = 1e-9

/**
 * Pairs of places as far from each other as they come, so that every part of the boundary has one near.
 * @returns as many as asked for, or fewer if there are fewer contacts
 */
export function choosePlaces(surface: RestSurface, contacts: Contacts, count: number): (readonly [Place, Place])[] {
  const chosen = spreadContacts(surface, contacts, count)
  const ends = chosen.flatMap((contact) => [0, 1].map((side) => endOf(surface, contacts, contact, side)))
  const usual = median(ends.map(({ ball }) => ball))
  const points = ends.map((end) => inside(end, usual))
  return chosen.map((_, i) => [points[2 * i], points[2 * i + 1]] as const)
}

/** Each next one is the farthest from those before, by both its places at rest. */
function spreadContacts(surface: RestSurface, contacts: Contacts, count: number): number[] {
  const total = contacts.triangles.length / 2
  const at = new Float64Array(6 * total)
  for (let contact = 0; contact < total; contact++) {
    const ends = [0, 1].map((side) => positionOf(surface.rest, surfacePlace(surface, contacts, contact, side)))
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

function surfacePlace({ triangles }: RestSurface, contacts: Contacts, contact: number, side: number): Place {
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

function endOf(surface: RestSurface, contacts: Contacts, contact: number, side: number): End {
  const place = surfacePlace(surface, contacts, contact, side)
  const from = positionOf(surface.rest, place)
  const inward = inwardNormal(surface, contacts.triangles[2 * contact + side])
  const opposite = inward && across(surface, contacts.triangles[2 * contact + side], from, inward)
  if (!inward || !opposite) return { place, opposite: undefined, length: 0, ball: 0 }
  const length = Math.hypot(...minus(positionOf(surface.rest, opposite), from))
  return { place, opposite, length, ball: Math.min(length / 2, largestBall(surface, from, inward)) }
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
function largestBall({ rest }: RestSurface, from: readonly number[], inward: readonly number[]): number {
  let least = Infinity
  for (let i = 0; i < rest.length; i += 3) {
    const to = [rest[i] - from[0], rest[i + 1] - from[1], rest[i + 2] - from[2]]
    const [height, squared] = [dot(to, inward), dot(to, to)]
    if (height > LEVEL * Math.sqrt(squared)) least = Math.min(least, squared / (2 * height))
  }
  return least
}

function inwardNormal({ rest, triangles }: RestSurface, triangle: number): number[] | undefined {
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
  { rest, triangles }: RestSurface,
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
