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
import { type DeepestPoints, emptyPoints, grow } from './found-points.js'
import { carryPoints, turnInto } from './frames.js'
import { leastMixture } from './least-mixture.js'
import type { Solid } from './solid.js'

/** Starts that are followed at most: the deepest first. */
const MOST_STARTS = 32
const STEPS = 32
/** The longest step, as a share of the size: projections from far beside a surface are worth little. */
const LONGEST = 0.25
/** How much ways must differ to be those of two sides. */
const KINK = 0.3
/** Steps shorter than this share of the solid's reach end the search: 1e-7 of it is 1e-8 of the size. */
const SETTLED = 1e-7

/** What is on the surface, in the same measure: a deepest place in a crease is known to the square root of it. */
const ON_SURFACE = 1e-10

export class DeepestPointSearch {
  readonly found: DeepestPoints = emptyPoints(0)
  readonly #solid: Solid
  /** Points that are asked, and of them those within. */
  readonly #points: Uint32Array
  readonly #inside: Uint32Array
  readonly #asked: Uint8Array
  readonly #distances: Float64Array
  #room = 0
  #scratch = scratchFor(0)

  constructor(solid: Solid) {
    this.#solid = solid
    const count = solid.points.length / 3
    this.#points = new Uint32Array(count)
    this.#inside = new Uint32Array(count)
    this.#asked = new Uint8Array(count)
    this.#distances = new Float64Array(count)
  }

  /**
   * Points whose distance is at most `within`: all that were asked, then those that they were followed to.
   * @param other   field of the other body, in its own frame
   * @param toOther column-major 4x4 from the solid's frame to the other's, rigid
   * @param within  distance up to which points are wanted [m]
   * @param slope   most that the other changes by per metre of way
   */
  search(other: SignedField, toOther: Float64Array, within: number, slope = 1): DeepestPoints {
    Object.assign(this.found, { count: 0, sampled: 0, inside: 0, unanswered: 0 })
    const near = this.#askGroups(other, toOther, within + this.#solid.reach, slope)
    const asked = this.#askPoints(other, toOther, near, within)
    const starts = this.#starts(asked, within + this.#solid.reach)
    this.#follow(other, toOther, starts, within)
    return this.found
  }

  /** @returns groups of which a point may be nearer than `limit` */
  #askGroups(other: SignedField, toOther: Float64Array, limit: number, slope: number): number[] {
    const { centres, radii } = this.#solid.groups
    const count = radii.length
    const { places, values } = this.#reserve(count)
    carryPoints(toOther, centres, count, places)
    other.query(places, count, values)
    const near: number[] = []
    // What is no number is not ruled out: the points themselves are asked, and left out where they have none either.
    for (let group = 0; group < count; group++) if (!(values[group] > slope * (radii[group] + limit))) near.push(group)
    return near
  }

  /** Asks all points of these groups; those within go to what is found. @returns how many were asked, into `#points` */
  #askPoints(other: SignedField, toOther: Float64Array, groups: readonly number[], within: number): number {
    const { points, facings, groups: all } = this.#solid
    const asked = this.#points
    let count = 0
    for (const group of groups) for (let i = all.starts[group]; i < all.starts[group + 1]; i++) asked[count++] = i
    const { own, places, values, gradients } = this.#reserve(count)
    const gather = (many: number): void => {
      for (let i = 0; i < many; i++) for (let k = 0; k < 3; k++) own[3 * i + k] = points[3 * this.#inside[i] + k]
      carryPoints(toOther, own, many, places)
    }
    this.#inside.set(asked.subarray(0, count))
    gather(count)
    other.query(places, count, values)
    this.#asked.fill(0)
    let inside = 0
    for (let i = 0; i < count; i++) {
      // Endlessly deep is no answer either.
      if (!(values[i] > -Infinity)) {
        this.found.unanswered++
        continue
      }
      this.#asked[asked[i]] = 1
      this.#distances[asked[i]] = values[i]
      if (values[i] < 0) this.found.inside++
      if (values[i] <= within) this.#inside[inside++] = asked[i]
    }
    // Gradients cost several times a distance, and few points are within.
    gather(inside)
    other.query(places, inside, values, gradients)
    turnInto(toOther, gradients, inside, gradients)
    for (let i = 0; i < inside; i++) {
      const point = this.#inside[i]
      let facing = 0
      for (let k = 0; k < 3; k++) facing -= facings[3 * point + k] * gradients[3 * i + k]
      // What is no number faces nothing.
      this.#add(own, i, values[i], gradients, Math.max(0, facing || 0), point)
    }
    this.found.sampled = this.found.count
    return count
  }

  /** Points that none of their neighbours is nearer than, the nearest first. */
  #starts(asked: number, limit: number): number[] {
    const { starts, points } = this.#solid.neighbours
    const isLeast = (point: number): boolean => {
      for (let n = starts[point]; n < starts[point + 1]; n++) {
        const other = points[n]
        if (this.#asked[other] === 1 && this.#distances[other] < this.#distances[point]) return false
      }
      return true
    }
    const least: number[] = []
    for (let i = 0; i < asked; i++) {
      const point = this.#points[i]
      if (this.#asked[point] === 1 && this.#distances[point] <= limit && isLeast(point)) least.push(point)
    }
    return least.sort((a, b) => this.#distances[a] - this.#distances[b] || a - b).slice(0, MOST_STARTS)
  }

  /** All starts at once; what has come to its deepest place makes way for the others. */
  #follow(other: SignedField, toOther: Float64Array, starts: readonly number[], within: number): void {
    const { field, points, facings, reach, size } = this.#solid
    const room = this.#reserve(starts.length)
    const { own, places, values, gradients, tried, surface, surfaceGradients, ways, lengths, best, raw, outwards } =
      room
    const from = [...starts]
    const creases: (Crease | undefined)[] = new Array(from.length).fill(undefined)
    let count = from.length
    const ask = (at: Float64Array): void => {
      carryPoints(toOther, at, count, places)
      other.query(places, count, values, gradients)
      turnInto(toOther, gradients, count, gradients)
    }
    const end = (i: number): void => {
      if (best[i] <= within) this.#add(own, i, best[i], raw, 0, from[i])
    }
    starts.forEach((start, i) => {
      for (let k = 0; k < 3; k++) {
        own[3 * i + k] = points[3 * start + k]
        outwards[3 * i + k] = facings[3 * start + k]
      }
      lengths[i] = reach / 2
    })
    ask(own)
    best.set(values.subarray(0, count))
    raw.set(gradients.subarray(0, 3 * count))
    ways.set(gradients.subarray(0, 3 * count))
    for (let step = 0; step < STEPS && count > 0; step++) {
      for (let i = 0; i < count; i++) {
        const length = Math.min(lengths[i], LONGEST * size)
        for (let k = 3 * i; k < 3 * i + 3; k++) tried[k] = own[k] - length * ways[k]
      }
      ontoSurface(field, tried, count, surface, surfaceGradients, ON_SURFACE * reach)
      ask(tried)
      let left = 0
      for (let i = 0; i < count; i++) {
        const at = 3 * i
        const crease = creases[i]
        const moved = distanceOf(tried, own, at)
        // What did not come onto the surface, as beside the rim of a bowl, is no point of the solid.
        const isOn = Math.abs(surface[i]) <= ON_SURFACE * reach
        const turned = distanceOf(gradients, raw, at)
        const isKnown = isOn && crease?.learn(tried, values[i], gradients, at)
        if (isOn && values[i] < best[i]) {
          let along = 0
          for (let k = at; k < at + 3; k++) {
            along += (tried[k] - own[k]) * (gradients[k] - raw[k])
            own[k] = tried[k]
            raw[k] = gradients[k]
            outwards[k] = surfaceGradients[k]
          }
          best[i] = values[i]
          lengths[i] = !crease && along > 0 ? moved ** 2 / along : 2 * lengths[i]
        } else if (!crease && isOn && moved < reach / 4 && turned > KINK) {
          creases[i] = new Crease()
          creases[i]?.learn(own, best[i], raw, at)
          creases[i]?.learn(tried, values[i], gradients, at)
          lengths[i] = reach / 2
        } else if (!crease || (isKnown && !crease.turn())) lengths[i] = Math.min(lengths[i], reach) / 4
        if (moved < SETTLED * reach && creases[i] === crease) {
          end(i)
          continue
        }
        if (!creases[i]) for (let k = at; k < at + 3; k++) ways[k] = raw[k]
        creases[i]?.wayDown(own, best[i], outwards, at, Math.min(lengths[i], LONGEST * size), ways)
        if (left < i) {
          for (const triples of [own, raw, ways, outwards]) triples.copyWithin(3 * left, at, at + 3)
          best[left] = best[i]
          lengths[left] = lengths[i]
          creases[left] = creases[i]
          from[left] = from[i]
        }
        left++
      }
      count = left
    }
    for (let i = 0; i < count; i++) end(i)
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
    found.slopes[to] = size
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

/** Sides of a crease that are kept: three planes meet in a box's corner. */
const MOST_SIDES = 6
/** Gradients that differ by less are of one side. */
const SAME_SIDE = 0.05

/**
 * Where a field has a crease (a box inside, where two of its planes are as near) its gradient leads from side to side. Each
 * side is kept as a plane through what was last told of it, and the step goes down all of them at once: of what of them lies
 * along the surface that is followed; and of all of them, as an edge of that surface has no one normal, in turn.
 */
class Crease {
  /** How many sides are known. */
  sides = 0
  readonly #gradients = new Float64Array(3 * MOST_SIDES)
  /** Of each plane at the origin. */
  readonly #values = new Float64Array(MOST_SIDES)
  readonly #mixed = new Float64Array(3 * MOST_SIDES)
  readonly #heights = new Float64Array(MOST_SIDES)
  #isAlong = true
  #oldest = 0

  /** Takes what is told of a point. @returns whether its side was known */
  learn(points: Float64Array, value: number, gradients: Float64Array, at: number): boolean {
    let side = 0
    for (; side < this.sides; side++) {
      let squared = 0
      for (let k = 0; k < 3; k++) squared += (gradients[at + k] - this.#gradients[3 * side + k]) ** 2
      if (squared < SAME_SIDE ** 2) break
    }
    const isKnown = side < this.sides
    if (!isKnown && side === MOST_SIDES) {
      side = this.#oldest
      this.#oldest = (this.#oldest + 1) % MOST_SIDES
    } else if (!isKnown) this.sides++
    let atOrigin = value
    for (let k = 0; k < 3; k++) {
      this.#gradients[3 * side + k] = gradients[at + k]
      atOrigin -= gradients[at + k] * points[at + k]
    }
    this.#values[side] = atOrigin
    return isKnown
  }

  /** The other of both ways. @returns false if both were tried */
  turn(): boolean {
    this.#isAlong = !this.#isAlong
    return !this.#isAlong
  }

  /** @param ways  receives what a step of this length goes against */
  wayDown(
    own: Float64Array,
    value: number,
    outwards: Float64Array,
    at: number,
    length: number,
    ways: Float64Array,
  ): void {
    const [nx, ny, nz] = this.#isAlong ? outwards.subarray(at, at + 3) : NOWHERE
    const squared = nx * nx + ny * ny + nz * nz
    for (let side = 0; side < this.sides; side++) {
      const [x, y, z] = this.#gradients.subarray(3 * side, 3 * side + 3)
      const through = squared > 0 ? (x * nx + y * ny + z * nz) / squared : 0
      this.#mixed[3 * side] = x - through * nx
      this.#mixed[3 * side + 1] = y - through * ny
      this.#mixed[3 * side + 2] = z - through * nz
      // A plane over the point itself is of a field that is bent the other way there.
      this.#heights[side] = Math.min(0, this.#values[side] + x * own[at] + y * own[at + 1] + z * own[at + 2] - value)
    }
    leastMixture(this.#mixed, this.#heights, this.sides, length, ways, at)
  }
}

const NOWHERE = new Float64Array(3)

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
    ...{ ways: triples(), raw: triples(), outwards: triples() },
    ...{ values: singles(), surface: singles(), lengths: singles(), best: singles() },
  }
}
