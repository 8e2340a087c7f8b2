/**
 * Places of two parts of a shape that tell how far they are apart: under where the two were seen near each other
 * (self-contact/choose-places.ts), and where that is in fewer places than are asked for, spread over the parts around these.
 * Places that come twice would tell nothing.
 */
import { boxOfPoints } from 'pliant'
import { boxDiagonal } from 'pliant/unstable'
import { type Contacts, choosePlaces, type Place } from '../self-contact/choose-places.js'
import type { FramedShape } from './framed-shape.js'

/** Places of the one part and as many of the other. */
export type PlacesOfPair = readonly [Place[], Place[]]

/** Weight that every corner of a triangle has at least: from a corner, the way into the body would end in the triangle next to it. */
const INTO = 0.1

/** How far from a contact places are looked for, as a share of the diagonal at rest. */
const AROUND = 0.08

/** Nearer than this, as a share of the diagonal, two places are one. */
const SAME = 1e-5

/**
 * @param pairs     parts of each pair, two numbers
 * @param contacts  where parts were seen near each other
 * @param count     of each part
 */
export function partPlaces(framed: FramedShape, pairs: Uint16Array, contacts: Contacts, count: number): PlacesOfPair[] {
  const ofPair = contactsOfPairs(framed, contacts)
  const diagonal = boxDiagonal(boxOfPoints(framed.rest))
  const vertices = verticesOfParts(framed)
  return Array.from({ length: pairs.length / 2 }, (_, pair): PlacesOfPair => {
    const [a, b] = pairs.subarray(2 * pair, 2 * pair + 2)
    const chosen = choosePlaces(framed, contactsOf(contacts, ofPair.get(`${a} ${b}`) ?? []), count)
    const filled = (side: 0 | 1, part: number): Place[] =>
      spreadPlaces(
        framed.rest,
        chosen.map((both) => both[side]),
        vertices.get(part) ?? [],
        count,
        diagonal,
      )
    return [filled(0, a), filled(1, b)]
  })
}

/** Contacts of each two parts, by `FIRST SECOND`. */
function contactsOfPairs({ partOf }: FramedShape, { triangles }: Contacts): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (let contact = 0; contact < triangles.length / 2; contact++) {
    const [a, b] = [partOf[triangles[2 * contact]], partOf[triangles[2 * contact + 1]]]
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`
    const own = found.get(key)
    if (own) own.push(contact)
    else found.set(key, [contact])
  }
  return found
}

function contactsOf({ triangles, weights }: Contacts, own: readonly number[]): Contacts {
  return {
    triangles: Uint32Array.from(own.flatMap((i) => [...triangles.subarray(2 * i, 2 * i + 2)])),
    weights: Float32Array.from(
      own.flatMap((i) => [...weights.subarray(6 * i, 6 * i + 6)]),
      (weight) => (1 - 3 * INTO) * weight + INTO,
    ),
  }
}

function verticesOfParts({ triangles, partOf }: FramedShape): Map<number, number[]> {
  const found = new Map<number, Set<number>>()
  partOf.forEach((part, triangle) => {
    const own = found.get(part) ?? new Set()
    found.set(part, own)
    for (let k = 0; k < 3; k++) own.add(triangles[3 * triangle + k])
  })
  return new Map([...found].map(([part, own]) => [part, [...own]]))
}

/** Those that are given, each once, then vertices of the part, each next one the farthest from those before. */
function spreadPlaces(
  rest: Float64Array,
  given: readonly Place[],
  vertices: readonly number[],
  count: number,
  diagonal: number,
): Place[] {
  const places: Place[] = []
  const positions: number[][] = []
  const away = (from: readonly number[]): number =>
    Math.min(...positions.map((to) => Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2])))
  const take = (place: Place): void => {
    places.push(place)
    positions.push(positionOf(rest, place))
  }
  for (const place of given) if (!(away(positionOf(rest, place)) < SAME * diagonal)) take(place)
  const others = vertices.map((vertex): Place => [[vertex, 1]])
  const around = others.filter((place) => away(positionOf(rest, place)) < AROUND * diagonal)
  const candidates = around.length >= count ? around : others
  while (places.length < count) {
    const distances = candidates.map((place) => away(positionOf(rest, place)))
    take(candidates[distances.indexOf(Math.max(...distances))])
  }
  return places.slice(0, count)
}

function positionOf(rest: Float64Array, place: Place): number[] {
  return [0, 1, 2].map((axis) => place.reduce((sum, [vertex, weight]) => sum + weight * rest[3 * vertex + axis], 0))
}
