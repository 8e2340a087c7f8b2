/**
 * How deep a cloth is inside the exact body, frame by frame. Depth is the exact distance below the surface, in percent of
 * the body's height; a vertex is deep beyond one percent, and a run is the number of frames in a row that it stays so.
 */
import type { SignedField } from 'pliant'

export interface DrapePenetration {
  /** Deepest of all vertices and frames [% of the height]. */
  deepest: number
  /** Vertices times frames deeper than one percent, */
  deepVertexFrames: number
  /** as a share of all [%], */
  deepShare: number
  /** and the longest that any vertex stayed so [frames]. */
  longestRun: number
  /** Vertices times frames inside the body at all [%]. */
  insideShare: number
  /** The same at face centres: deepest [% of the height]. */
  deepestFace: number
}

/** [% of the height] */
const DEEP = 1

export class DrapeJudge {
  private readonly height: number
  private readonly triangles: Uint32Array
  private readonly distances: Float64Array
  private readonly centres: Float64Array
  private readonly runs: Uint32Array
  private readonly found: DrapePenetration = {
    deepest: 0,
    deepVertexFrames: 0,
    deepShare: 0,
    longestRun: 0,
    insideShare: 0,
    deepestFace: 0,
  }
  private inside = 0
  private frames = 0

  constructor(vertexCount: number, triangles: Uint32Array, height: number) {
    this.height = height
    this.triangles = triangles
    this.distances = new Float64Array(Math.max(vertexCount, triangles.length / 3))
    this.centres = new Float64Array(triangles.length)
    this.runs = new Uint32Array(vertexCount)
  }

  /** @param points  the cloth's vertices in the field's frame [m] */
  look(points: Float64Array, truth: SignedField): void {
    const { distances, found, runs } = this
    truth.query(points, runs.length, distances)
    this.frames++
    for (let v = 0; v < runs.length; v++) {
      const depth = (-100 * distances[v]) / this.height
      if (depth > 0) this.inside++
      found.deepest = Math.max(found.deepest, depth)
      runs[v] = depth > DEEP ? runs[v] + 1 : 0
      if (runs[v] > 0) found.deepVertexFrames++
      found.longestRun = Math.max(found.longestRun, runs[v])
    }
    this.lookAtFaces(points, truth)
  }

  result(): DrapePenetration {
    const all = Math.max(1, this.frames * this.runs.length)
    const { found } = this
    return { ...found, deepShare: (100 * found.deepVertexFrames) / all, insideShare: (100 * this.inside) / all }
  }

  private lookAtFaces(points: Float64Array, truth: SignedField): void {
    const { triangles, centres, distances, found } = this
    const count = triangles.length / 3
    for (let i = 0; i < centres.length; i++) {
      const [f, axis] = [3 * Math.trunc(i / 3), i % 3]
      centres[i] =
        (points[3 * triangles[f] + axis] + points[3 * triangles[f + 1] + axis] + points[3 * triangles[f + 2] + axis]) /
        3
    }
    truth.query(centres, count, distances)
    for (let f = 0; f < count; f++) found.deepestFace = Math.max(found.deepestFace, (-100 * distances[f]) / this.height)
  }
}
