/**
 * Which vertices of a cloth are squeezed: those with a second surface of the body so near beyond the first that there is no room for
 * cloth outside either, as between an arm and the trunk. Such are let go when they are overstretched (stretch.ts), and
 * only while that lasts. Let go by strain alone, a skirt that wind pressed against the legs went through them, 5% of the
 * height deep, and stayed there. Letting go edges that run through the body as well kept what was inside there: 5%, too.
 */

import type { Obstacle } from '../obstacle.js'
import type { BodyContacts } from './body-contacts.js'
import type { Stretch } from './stretch.js'

/** Strains from this share of the release strain on are looked at: a frame is long. */
const EARLY = 0.5
/** How far beyond its place outside the body the second surface is looked for, in thicknesses. */
const ROOM = 2

export class Squeezed {
  /** 1 for vertices that may be let go in this frame. */
  readonly isSqueezed: Uint8Array
  private readonly isAsked: Uint8Array
  /** Vertex of each point asked. */
  private readonly vertices: Int32Array
  private readonly points: Float64Array
  private readonly distances: Float64Array
  private readonly normals: Float64Array

  constructor(
    vertexCount: number,
    private readonly stretch: Stretch,
    private readonly thickness: number,
    private readonly strain: number,
  ) {
    this.isSqueezed = new Uint8Array(vertexCount)
    this.isAsked = new Uint8Array(vertexCount)
    this.vertices = new Int32Array(vertexCount)
    this.points = new Float64Array(3 * vertexCount)
    this.distances = new Float64Array(vertexCount)
    this.normals = new Float64Array(3 * vertexCount)
  }

  forget(): void {
    this.isSqueezed.fill(0)
  }

  /** Once a frame, when the contacts have been gathered. @param x positions as the frame begins [m] */
  look({ field }: Obstacle, x: Float64Array, contacts: BodyContacts): void {
    const { vertices, distances, thickness, isSqueezed } = this
    this.forget()
    const count = this.collect(x, contacts)
    if (count === 0) return
    field.query(this.points, count, distances, this.normals)
    contacts.queries += count
    for (let k = 0; k < count; k++) {
      // Alone with the nearest surface it would be (1 + ROOM) thicknesses away from it there.
      if (distances[k] < (1 + ROOM / 2) * thickness) isSqueezed[vertices[k]] = 1
    }
  }

  /** Places beyond the contacts of stretched edges' ends. @returns how many */
  private collect(x: Float64Array, { vertexPoints: p, vertexDistances: d, vertexNormals: n }: BodyContacts): number {
    const { stretch, isAsked, vertices, points, thickness } = this
    const { ends, lengths } = stretch
    const longest = (1 + EARLY * this.strain) ** 2
    isAsked.fill(0)
    let count = 0
    for (let k = 0; k < ends.length; k++) {
      const edge = k >> 1
      const i = ends[k]
      const j = ends[k ^ 1]
      const vertex = i / 3
      const squared = (x[j] - x[i]) ** 2 + (x[j + 1] - x[i + 1]) ** 2 + (x[j + 2] - x[i + 2]) ** 2
      if (isAsked[vertex] === 1 || !(squared > longest * lengths[edge] ** 2)) continue
      const way = (1 + ROOM) * thickness - d[vertex]
      const length = Math.sqrt(n[i] ** 2 + n[i + 1] ** 2 + n[i + 2] ** 2)
      if (!(way > 0 && way < Infinity && length > 0)) continue
      isAsked[vertex] = 1
      vertices[count] = vertex
      for (let axis = 0; axis < 3; axis++) points[3 * count + axis] = p[i + axis] + (way / length) * n[i + axis]
      count++
    }
    return count
  }
}
