/** The methods that run in this process: each follows a body to a frame and answers points of it. */
import { NearestTriangles, NO_TRIANGLE } from 'pliant/detect'
import { ExactMeshField, type ExactMeshFieldOptions } from 'pliant/exact'
import { BufferAttribute, BufferGeometry } from 'three'
import { MeshBVH, SAH } from 'three-mesh-bvh'
import { askTree, NO_FACE, trianglesOfFaces } from '../../queries/tree-answers.js'
import type { LearnedBody, LearnedRacedBody, RacedBody } from './bodies.js'
import type { InProcessMethod } from './rivals.js'

export interface RaceAnswers {
  /** [m], negative inside. */
  distances: Float32Array
  /** xyz triples. */
  normals: Float32Array
  triangleIds: Uint32Array
}

export type RaceMethod = (frame: number, points: Float32Array, count: number, out: RaceAnswers) => void

export function createRaceAnswers(count: number): RaceAnswers {
  return {
    distances: new Float32Array(count),
    normals: new Float32Array(3 * count),
    triangleIds: new Uint32Array(count),
  }
}

export function inProcessMethods(body: LearnedRacedBody): Record<InProcessMethod, RaceMethod> {
  const { truncation } = body.learned
  return {
    learned: byNetwork(body.learned),
    learnedTriangles: byNetworkWithTriangles(body),
    learnedTrianglesStop: byNetworkWithNearTriangles(body),
    exact: byExact(body),
    exactPseudonormal: byExact(body, { sign: 'pseudonormal' }),
    exactStop: byExact(body, { maxDistance: truncation }),
    threeMeshBvh: byTree(body),
    threeMeshBvhStop: byTree(body, truncation),
  }
}

function byNetwork(learned: LearnedBody): RaceMethod {
  return (frame, points, count, { distances, normals }) => {
    learned.pose(frame)
    learned.query(points, count, distances, normals)
  }
}

/** Beyond this share of the truncation a learned distance only says "far". */
const TRUSTED = 0.8

/** The triangle nearest to each point, however far, with the learned distance as a hint where it is one. */
function byNetworkWithTriangles({ surface, learned, surfaceAt }: LearnedRacedBody): RaceMethod {
  const nearest = new NearestTriangles(surface)
  const vertices = new Float64Array(surface.positions.length)
  const { truncation, margin } = learned
  let hints = new Float32Array(0)
  return (frame, points, count, out) => {
    learned.pose(frame)
    learned.query(points, count, out.distances, out.normals)
    if (hints.length < count) hints = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      hints[i] = Math.abs(out.distances[i]) < TRUSTED * truncation ? out.distances[i] : Number.NaN
    }
    surfaceAt(frame, vertices)
    nearest.update(vertices)
    // Ids alone: the signed distances stay the network's.
    nearest.find(points, count, { triangleIds: out.triangleIds }, { distances: hints, margin })
  }
}

/** The same of points that the network sees within the truncation alone. */
function byNetworkWithNearTriangles({ surface, learned, surfaceAt }: LearnedRacedBody): RaceMethod {
  const nearest = new NearestTriangles(surface)
  const vertices = new Float64Array(surface.positions.length)
  const { truncation, margin } = learned
  let asked = { places: new Uint32Array(0), points: new Float32Array(0), distances: new Float32Array(0) }
  let triangleIds = new Uint32Array(0)
  return (frame, points, count, out) => {
    learned.pose(frame)
    learned.query(points, count, out.distances, out.normals)
    if (triangleIds.length < count) {
      triangleIds = new Uint32Array(count)
      asked = {
        places: new Uint32Array(count),
        points: new Float32Array(3 * count),
        distances: new Float32Array(count),
      }
    }
    let within = 0
    for (let i = 0; i < count; i++) {
      const distance = Math.abs(out.distances[i])
      out.triangleIds[i] = NO_TRIANGLE
      if (!(distance < truncation + margin)) continue
      asked.places[within] = i
      asked.distances[within] = distance < TRUSTED * truncation ? distance : Number.NaN
      for (let axis = 0; axis < 3; axis++) asked.points[3 * within + axis] = points[3 * i + axis]
      within++
    }
    surfaceAt(frame, vertices)
    nearest.update(vertices)
    nearest.find(asked.points, within, { triangleIds }, { distances: asked.distances, margin })
    for (let i = 0; i < within; i++) out.triangleIds[asked.places[i]] = triangleIds[i]
  }
}

function byExact({ surface, surfaceAt }: RacedBody, options?: ExactMeshFieldOptions): RaceMethod {
  const field = new ExactMeshField(surface, options)
  const vertices = new Float64Array(surface.positions.length)
  return (frame, points, count, out) => {
    surfaceAt(frame, vertices)
    field.update({ vertices })
    field.closest(points, count, out)
  }
}

/**
 * three-mesh-bvh at its best: typed arrays into the tree's own positions, refitted, split by SAH (notes/haptics-bench.md).
 * @param reach  where the search stops [m]
 */
function byTree({ surface, surfaceAt }: RacedBody, reach?: number): RaceMethod {
  const vertices = Float32Array.from(surface.positions)
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(vertices, 3))
  const index = surface.triangles.slice()
  geometry.setIndex(new BufferAttribute(index, 1))
  const bvh = new MeshBVH(geometry, { strategy: SAH })
  const triangleOfFace = trianglesOfFaces(surface.triangles, index)
  return (frame, points, count, { distances, normals, triangleIds }) => {
    surfaceAt(frame, vertices)
    bvh.refit()
    askTree(bvh, points, { distances, normals, faces: triangleIds }, reach)
    for (let i = 0; i < count; i++) {
      if (triangleIds[i] !== NO_FACE) triangleIds[i] = triangleOfFace[triangleIds[i]]
    }
  }
}
