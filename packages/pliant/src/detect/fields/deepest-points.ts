/**
 * Where the surface of one solid is deepest in the field of another, or nearest to it: p_a of Liu et al., section 4.4, the
 * point of A that minimises phi_B. From points of A's surface that are less deep than none of their neighbours, along the
 * surface: a step against grad phi_B, then the projection of Eq. 8 back onto A, from either side of it (x - phi g / |g|^2, as
 * fields that are learned or sampled have no unit gradient). Steps along the face alone would stop at its first edge.
 *
 * Steps are not tuned by hand, as the paper's are: their length is that of Barzilai and Borwein, halved wherever a step
 * would not go deeper. Groups of points are ruled out by one question each, as distances change by no more than the way.
 */
import type { SignedField } from '../../field/signed-field.js'
import { carryPoints, turnInto } from './frames.js'
import type { Solid } from './solid.js'

/** What is found of one solid in another: arrays hold `count` entries, and are used again by the next search. */
export interface DeepestPoints {
  count: number
  /** The first so many are points of the solid; the others are what these were followed to. */
  sampled: number
  /** On the surface of the one that is searched [m], in its frame, xyz triples. */
  points: Float64Array
  /** Distance of the other there [m]; negative inside. */
  distances: Float64Array
  /** Unit gradients of the other's distance, in the frame of the one that is searched. */
  normals: Float64Array
  /** Area that each stands for [m^2], as far as it faces the other; 0 of what was followed. */
  areas: Float64Array
  /** Which point of the solid each began at. */
  features: Uint32Array
}

/** Starts that are followed at most: the deepest first. */
const MOST_STARTS = 32
const STEPS = 32
/** The longest step, as a share of the size: projections from far beside a surface are worth little. */
const LONGEST = 0.25
/** How much faster than distances a field may change that does not say by how much: twisted and bent ones do by 2, about. */
const STEEPEST = 4
/** How much ways must differ to be those of two sides. */
const KINK = 0.3
/** Steps shorter than this share of the solid's reach end the search: 1e-7 of it is 1e-8 of the size. */
const SETTLED = 1e-7

export class DeepestPointSearch {
  readonly found: DeepestPoints = emptyPoints(0)
  readonly #solid: Solid
  readonly #asked: Uint8Array
  readonly #distances: Float64Array
  #room = 0
  #scratch = scratchFor(0)

  constructor(solid: Solid) {
    this.#solid = solid
    this.#asked = new Uint8Array(solid.points.length / 3)
    this.#distances = new Float64Array(solid.points.length / 3)
  }

  /**
   * Points whose distance is at most `within`: all that were asked, then those that they were followed to.
   * @param other   field of the other body, in its own frame
   * @param toOther column-major 4x4 from the solid's frame to the other's, rigid
   * @param within  distance up to which points are wanted [m]
   */
  search(other: SignedField, toOther: Float64Array, within: number): DeepestPoints {
    this.found.count = 0
    const near = this.#askGroups(other, toOther, within + this.#solid.reach)
    const asked = this.#askPoints(other, toOther, near, within)
    const starts = this.#starts(asked, within + this.#solid.reach)
    this.#follow(other, toOther, starts, within)
    return this.found
  }

  /** @returns groups of which a point may be nearer than `limit` */
  #askGroups(other: SignedField, toOther: Float64Array, limit: number): number[] {
    const { centres, radii } = this.#solid.groups
    const count = radii.length
    const { places, values } = this.#reserve(count)
    carryPoints(toOther, centres, count, places)
    other.query(places, count, values)
    const near: number[] = []
    const steepness = Math.min(Math.max((other as { slope?: number }).slope ?? 1, 1), STEEPEST)
    // What is no number is not ruled out: the points themselves are asked, and left out where they have none either.
    for (let group = 0; group < count; group++)
      if (!(values[group] > steepness * (radii[group] + limit))) near.push(group)
    return near
  }

  /** Asks all points of these groups; those within go to what is found. @returns which were asked */
  #askPoints(other: SignedField, toOther: Float64Array, groups: readonly number[], within: number): number[] {
    const { points, facings, groups: all } = this.#solid
    const asked = groups.flatMap((group) =>
      Array.from({ length: all.starts[group + 1] - all.starts[group] }, (_, i) => all.starts[group] + i),
    )
    const { own, places, values, gradients } = this.#reserve(asked.length)
    asked.forEach((point, i) => {
      for (let k = 0; k < 3; k++) own[3 * i + k] = points[3 * point + k]
    })
    carryPoints(toOther, own, asked.length, places)
    other.query(places, asked.length, values, gradients)
    turnInto(toOther, gradients, asked.length, gradients)
    this.#asked.fill(0)
    asked.forEach((point, i) => {
      if (Number.isNaN(values[i])) return
      this.#asked[point] = 1
      this.#distances[point] = values[i]
      if (values[i] > within) return
      let facing = 0
      for (let k = 0; k < 3; k++) facing -= facings[3 * point + k] * gradients[3 * i + k]
      this.#add(own, i, values[i], gradients, Math.max(0, facing), point)
    })
    this.found.sampled = this.found.count
    return asked
  }

  /** Points that none of their neighbours is nearer than, the nearest first. */
  #starts(asked: readonly number[], limit: number): number[] {
    const { starts, points } = this.#solid.neighbours
    const isLeast = (point: number): boolean => {
      for (let n = starts[point]; n < starts[point + 1]; n++) {
        const other = points[n]
        if (this.#asked[other] === 1 && this.#distances[other] < this.#distances[point]) return false
      }
      return true
    }
    return asked
      .filter((point) => this.#asked[point] === 1 && this.#distances[point] <= limit && isLeast(point))
      .sort((a, b) => this.#distances[a] - this.#distances[b] || a - b)
      .slice(0, MOST_STARTS)
  }

  #follow(other: SignedField, toOther: Float64Array, starts: readonly number[], within: number): void {
    const { field, points, reach, size } = this.#solid
    const count = starts.length
    if (count === 0) return
    const room = this.#reserve(count)
    const { own, places, values, gradients, tried, surface, surfaceGradients, ways, lengths, best, raw, beyond } = room
    const inValley = new Uint8Array(count)
    starts.forEach((start, i) => {
      for (let k = 0; k < 3; k++) own[3 * i + k] = points[3 * start + k]
      lengths[i] = reach / 2
    })
    const ask = (at: Float64Array): void => {
      carryPoints(toOther, at, count, places)
      other.query(places, count, values, gradients)
      turnInto(toOther, gradients, count, gradients)
    }
    ask(own)
    best.set(values.subarray(0, count))
    raw.set(gradients.subarray(0, 3 * count))
    ways.set(raw)
    for (let step = 0; step < STEPS; step++) {
      for (let i = 0; i < count; i++) {
        const length = Math.min(lengths[i], LONGEST * size)
        for (let k = 0; k < 3; k++) tried[3 * i + k] = own[3 * i + k] - length * ways[3 * i + k]
      }
      ontoSurface(field, tried, count, surface, surfaceGradients, SETTLED * reach)
      ask(tried)
      let longest = 0
      for (let i = 0; i < count; i++) {
        const at = 3 * i
        const moved = distanceOf(tried, own, at)
        const turned = distanceOf(gradients, raw, at)
        longest = Math.max(longest, moved)
        // What did not come onto the surface, as beside the rim of a bowl, is no point of the solid.
        if (values[i] < best[i] && Math.abs(surface[i]) <= SETTLED * reach) {
          let along = 0
          for (let k = at; k < at + 3; k++) {
            along += (tried[k] - own[k]) * (gradients[k] - raw[k])
            own[k] = tried[k]
            raw[k] = gradients[k]
          }
          best[i] = values[i]
          lengths[i] = inValley[i] === 0 && along > 0 ? moved ** 2 / along : 2 * lengths[i]
        } else {
          // Ways that differ much a little apart are those of the two sides of a valley, as a box has inside.
          if (inValley[i] === 0 && moved < reach / 4 && turned > KINK) {
            inValley[i] = 1
            lengths[i] = reach / 2
          } else lengths[i] = Math.min(lengths[i], reach) / 4
          for (let k = at; k < at + 3; k++) beyond[k] = gradients[k]
        }
        // The least mixture of both sides leads along it.
        for (let k = at; k < at + 3; k++) ways[k] = raw[k]
        if (inValley[i] === 1) mixLeast(beyond, ways, at)
      }
      if (longest < SETTLED * reach) break
    }
    for (let i = 0; i < count; i++) {
      if (best[i] <= within) this.#add(own, i, best[i], raw, 0, starts[i])
    }
  }

  #add(points: Float64Array, i: number, distance: number, normals: Float64Array, area: number, feature: number): void {
    const { found } = this
    if (found.count === found.areas.length) grow(found)
    const to = found.count++
    const size = Math.hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2])
    for (let k = 0; k < 3; k++) {
      found.points[3 * to + k] = points[3 * i + k]
      found.normals[3 * to + k] = size > 0 ? normals[3 * i + k] / size : 0
    }
    found.distances[to] = distance
    found.areas[to] = area
    found.features[to] = feature
  }

  #reserve(count: number) {
    if (count > this.#room) {
      this.#room = 2 * count
      this.#scratch = scratchFor(this.#room)
    }
    return this.#scratch
  }
}

/** The shortest vector between two, written over the second: (1 - t) a + t b with t from 0 to 1. */
function mixLeast(a: Float64Array, b: Float64Array, at: number): void {
  let [along, squared] = [0, 0]
  for (let k = at; k < at + 3; k++) {
    along += a[k] * (a[k] - b[k])
    squared += (a[k] - b[k]) ** 2
  }
  const t = squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0
  for (let k = at; k < at + 3; k++) b[k] = a[k] + t * (b[k] - a[k])
}

function distanceOf(a: Float64Array, b: Float64Array, at: number): number {
  return Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2])
}

/** Rounds of Eq. 8: one ends beside a surface that is bent, and beside an edge on what is one side's and not the body's. */
const PROJECTIONS = 4

/** Eq. 8, until all are on the surface. @param distances  receives how far each was from it when last asked */
function ontoSurface(
  field: SignedField,
  points: Float64Array,
  count: number,
  distances: Float64Array,
  gradients: Float64Array,
  settled: number,
): void {
  for (let round = 0; ; round++) {
    field.query(points, count, distances, gradients)
    let furthest = 0
    for (let i = 0; i < count; i++) furthest = Math.max(furthest, Math.abs(distances[i]))
    if (furthest <= settled || round === PROJECTIONS) return
    for (let i = 0; i < count; i++) {
      const at = 3 * i
      const squared = gradients[at] ** 2 + gradients[at + 1] ** 2 + gradients[at + 2] ** 2
      if (!(squared > 0)) continue
      for (let k = at; k < at + 3; k++) points[k] -= (distances[i] * gradients[k]) / squared
    }
  }
}

function scratchFor(count: number) {
  const triples = (): Float64Array => new Float64Array(3 * count)
  const singles = (): Float64Array => new Float64Array(count)
  return {
    ...{ own: triples(), places: triples(), gradients: triples(), tried: triples(), surfaceGradients: triples() },
    ...{ ways: triples(), raw: triples(), beyond: triples() },
    ...{ values: singles(), surface: singles(), lengths: singles(), best: singles() },
  }
}

function emptyPoints(room: number): DeepestPoints {
  return {
    count: 0,
    sampled: 0,
    points: new Float64Array(3 * room),
    distances: new Float64Array(room),
    normals: new Float64Array(3 * room),
    areas: new Float64Array(room),
    features: new Uint32Array(room),
  }
}

function grow(found: DeepestPoints): void {
  const { count, sampled, ...old } = found
  Object.assign(found, emptyPoints(Math.max(64, 2 * count)))
  found.count = count
  found.sampled = sampled
  found.points.set(old.points)
  found.distances.set(old.distances)
  found.normals.set(old.normals)
  found.areas.set(old.areas)
  found.features.set(old.features)
}
