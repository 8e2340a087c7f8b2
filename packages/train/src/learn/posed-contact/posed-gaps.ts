/**
 * What a posed gap network begins with (formula and tensors: pliant's posed-gap-shape.ts): places of pairs of parts as their
 * frames carry them, radii of the balls around them, and how what is seen of a part from the other is scaled. All of it from
 * codes in which the two were near each other, as nothing is to be told of others.
 */
import { PLACE_SIZE, type PosedGapShape } from 'pliant/unstable'
import type { Place } from '../self-contact/choose-places.js'
import type { FramedShape } from './framed-shape.js'
import type { PlacesOfPair } from './part-places.js'

/** Codes and how far pairs are apart at each, in units of the reach: from -1, so deep or deeper, to 1. */
export type ClearanceRows = {
  codes: Float32Array
  clearances: Float32Array
}

/** Codes that are looked at, and at most of a pair. */
const LOOKED_AT = 8000
const OF_A_PAIR = 2000

/** With fewer codes in which a pair is near, all count. */
const ENOUGH = 20

/** Clearances within this are told in full. */
const WITHIN = 0.9

/** Of what a gap exceeds clearances by, what the two balls take: about the least, as they must not be larger than the parts. */
const LEAST_SHARE = 0.05

/** Of numbers that hardly change, as a share of the reach: what is less is no news, and would be noise if it were made more. */
const LEAST_SPREAD = 0.05

/** @returns tensors pair.places, pair.middles, gap.radius, seen.scale and seen.shift */
export function posedGaps(
  framed: FramedShape,
  places: readonly PlacesOfPair[],
  rows: ClearanceRows,
  { seen, perMetre }: Pick<PosedGapShape, 'seen' | 'perMetre'>,
): Map<string, Float32Array> {
  const rowsOf = (of: readonly Place[]): number[][] => of.map((place) => framed.endOf(place))
  const all = places.map(
    ([first, second]) => [withBends(framed, first, seen), withBends(framed, second, seen)] as const,
  )
  const spaces = spacesAt(framed, rows.codes)
  const begun = all.map((pair, i) => {
    const clearances = spaces.map((_, row) => rows.clearances[row * places.length + i])
    const near = [...spaces.keys()].filter((row) => clearances[row] < 1).slice(0, OF_A_PAIR)
    const asked = near.length < ENOUGH ? [...spaces.keys()].slice(0, OF_A_PAIR) : near
    return {
      radii: radiiOf(pair, spaces, near, clearances, perMetre),
      scales: scalesOf(
        asked.map((row) => seenFrom(pair, spaces[row], seen)),
        LEAST_SPREAD / perMetre,
      ),
    }
  })
  const floats = (of: readonly (readonly number[])[]): Float32Array => Float32Array.from(of.flat())
  return new Map([
    ['pair.places', floats(all.flatMap(([first, second]) => [...first, ...second]))],
    ['pair.middles', floats(places.flatMap((sides) => rowsOf(sides.map(middleOf))))],
    ['gap.radius', floats(begun.map(({ radii }) => radii))],
    ['seen.scale', floats(begun.map(({ scales }) => scales.scale))],
    ['seen.shift', floats(begun.map(({ scales }) => scales.shift))],
  ])
}

/** Of the places that are seen of a part, the share that tells how it bends. */
const BENDS = 1 / 3

/**
 * Rows of a part's places: each as its own frame carries it, but that the last of those that are seen are the first ones again,
 * as other frames carry them that move the surface there. Skin of the throat follows the neck and, a little, the head: with two
 * of six so, 94.8% of a body's poses were told right at 2% of contacts missed, 88.6% without.
 */
function withBends(framed: FramedShape, places: readonly Place[], seen: number): number[][] {
  const rows = places.map((place) => framed.endOf(place))
  const taken = new Set([rows[0][0]])
  const bends: number[][] = []
  for (const end of places.slice(0, seen).flatMap((place) => framed.otherEndsOf(place))) {
    if (taken.has(end[0]) || bends.length === Math.floor(BENDS * seen)) continue
    taken.add(end[0])
    bends.push(end)
  }
  rows.splice(seen - bends.length, bends.length, ...bends)
  return rows
}

function middleOf(places: readonly Place[]): Place {
  return places.flatMap((place) => place.map(([vertex, weight]) => [vertex, weight / places.length] as const))
}

/** Frames at each of some codes. */
function spacesAt(framed: FramedShape, codes: Float32Array): Float64Array[] {
  const size = framed.codeSize
  const frames = framed.frames()
  return Array.from({ length: Math.min(LOOKED_AT, codes.length / size) }, (_, row) => {
    frames.moveTo(codes.subarray(row * size, (row + 1) * size))
    return frames.spaces.slice()
  })
}

/** Places of either part, rows of frame, x, y, z. */
type PairRows = readonly [number[][], number[][]]

/** Of each gap, from all places of the one part to all of the other. */
function radiiOf(
  [first, second]: PairRows,
  spaces: readonly Float64Array[],
  near: readonly number[],
  clearances: readonly number[],
  perMetre: number,
): number[] {
  const told = near.filter((row) => Math.abs(clearances[row]) < WITHIN)
  return first.flatMap((a) =>
    second.map((b) => {
      const beyond = told.map((row) => perMetre * Math.sqrt(squaredGap(spaces[row], a, b)) - clearances[row])
      return beyond.sort((x, y) => x - y)[Math.floor(LEAST_SHARE * beyond.length)] ?? 0
    }),
  )
}

/** Places of the second part from the frame of the first one's first, then the other way round: xyz of each. */
function seenFrom([first, second]: PairRows, spaces: Float64Array, seen: number): number[] {
  const from = (frame: number, places: readonly number[][]): number[] =>
    places.slice(0, seen).flatMap((place) => {
      const way = [0, 1, 2].map((row) => along(spaces, place, row) - spaces[16 * frame + 12 + row])
      return [0, 1, 2].map((axis) => way.reduce((sum, x, row) => sum + spaces[16 * frame + 4 * axis + row] * x, 0))
    })
  return [...from(first[0][0], second), ...from(second[0][0], first)]
}

/** What brings numbers to mean 0 and spread 1, or less if they hardly change. */
function scalesOf(rows: readonly number[][], least: number): { scale: number[]; shift: number[] } {
  const width = rows[0].length
  const mean = (of: (row: number[]) => number): number => rows.reduce((sum, row) => sum + of(row), 0) / rows.length
  const columns = Array.from({ length: width }, (_, k) => {
    const middle = mean((row) => row[k])
    const spread = Math.sqrt(mean((row) => (row[k] - middle) ** 2))
    const scale = 1 / Math.max(spread, least)
    return { scale, shift: -middle * scale }
  })
  return { scale: columns.map(({ scale }) => scale), shift: columns.map(({ shift }) => shift) }
}

/** Squared length of the gap between two places [m^2]. @param spaces  of all frames */
export function squaredGap(spaces: Float64Array, a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let axis = 0; axis < 3; axis++) sum += (along(spaces, a, axis) - along(spaces, b, axis)) ** 2
  return sum
}

/** @param place  frame, x, y, z */
function along(m: Float64Array, place: ArrayLike<number>, axis: number): number {
  const o = 16 * place[0] + axis
  return m[o] * place[1] + m[o + 4] * place[2] + m[o + 8] * place[3] + m[o + 12]
}

/** Squared length between the middles of a pair [m^2]. @param middles  pair.middles */
export function squaredBetween(spaces: Float64Array, middles: Float32Array, pair: number): number {
  const at = (side: number): Float32Array =>
    middles.subarray(PLACE_SIZE * (2 * pair + side), PLACE_SIZE * (2 * pair + side + 1))
  return squaredGap(spaces, at(0), at(1))
}
