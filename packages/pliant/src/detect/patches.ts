/**
 * A surface divided once, at rest, into small patches of neighbouring triangles, and these into groups: what
 * `NearestTriangles` puts spheres around, new ones every frame.
 */
import type { Floats } from '../math/floats.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'

export interface Patches {
  /** Triangles in the order of patches: places are numbered in it. */
  triangleOfPlace: Uint32Array
  /** First place of each patch; one entry more than there are patches. */
  firstPlace: Uint32Array
  /** First patch of each group; one entry more than there are groups. */
  firstPatch: Uint32Array
  ofPatches: VertexSets
  ofGroups: VertexSets
}

/** What a sphere is found of, for each patch or group. */
export interface VertexSets {
  /** Vertices of each set, each once, from `first[set]` to `first[set + 1]`. */
  vertices: Uint32Array
  first: Uint32Array
  /** Two vertices of each set whose middle is the centre of its sphere. */
  anchors: Uint32Array
}

/** Halves sets of triangles at the middle one along the longest side of their centres' box until they are small enough. */
export function dividePatches(mesh: TriangleMesh, patchSize: number, patchesPerGroup: number): Patches {
  const { triangles } = mesh
  const centres = centresOf(mesh)
  const order = Uint32Array.from({ length: triangles.length / 3 }, (_, t) => t)
  const [firstPlace, firstPatch] = [[0], [0]]
  const divide = (from: number, to: number): number => {
    let patches = 1
    if (to - from <= patchSize) firstPlace.push(to)
    else {
      sortAlongLongest(order.subarray(from, to), centres)
      const middle = (from + to) >> 1
      patches = divide(from, middle) + divide(middle, to)
    }
    // The largest sets that have few enough patches are the groups; smaller ones have been taken back by theirs.
    if (patches <= patchesPerGroup) {
      while (firstPatch.length > 1 && firstPatch[firstPatch.length - 1] > firstPlace.length - 1 - patches)
        firstPatch.pop()
      firstPatch.push(firstPlace.length - 1)
    }
    return patches
  }
  divide(0, order.length)
  return {
    triangleOfPlace: order,
    firstPlace: Uint32Array.from(firstPlace),
    firstPatch: Uint32Array.from(firstPatch),
    ofPatches: vertexSets(mesh, order, firstPlace),
    ofGroups: vertexSets(
      mesh,
      order,
      firstPatch.map((patch) => firstPlace[patch]),
    ),
  }
}

/** @param bounds places at which sets begin, and where the last one ends */
function vertexSets({ positions, triangles }: TriangleMesh, order: Uint32Array, bounds: number[]): VertexSets {
  const vertices: number[] = []
  const anchors: number[] = []
  const first = [0]
  for (let set = 0; set + 1 < bounds.length; set++) {
    const own = new Set<number>()
    for (let i = 3 * bounds[set]; i < 3 * bounds[set + 1]; i++) {
      own.add(triangles[3 * order[Math.floor(i / 3)] + (i % 3)])
    }
    const sorted = [...own].sort((a, b) => a - b)
    for (const vertex of sorted) vertices.push(vertex)
    first.push(vertices.length)
    anchors.push(...middlePair(positions, sorted))
  }
  return {
    vertices: Uint32Array.from(vertices),
    first: Uint32Array.from(first),
    anchors: Uint32Array.from(anchors),
  }
}

function centresOf({ positions, triangles }: TriangleMesh): Float64Array {
  const centres = new Float64Array(triangles.length)
  for (let i = 0; i < triangles.length; i++) {
    for (let axis = 0; axis < 3; axis++) {
      centres[3 * Math.floor(i / 3) + axis] += positions[3 * triangles[i] + axis] / 3
    }
  }
  return centres
}

function sortAlongLongest(order: Uint32Array, centres: Float64Array): void {
  const extent = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity]
    for (const t of order) {
      low = Math.min(low, centres[3 * t + axis])
      high = Math.max(high, centres[3 * t + axis])
    }
    return high - low
  })
  const axis = extent.indexOf(Math.max(...extent))
  order.sort((a, b) => centres[3 * a + axis] - centres[3 * b + axis] || a - b)
}

/** Vertices that pairs are made of at most: large patches would else take long. */
const MOST_CANDIDATES = 24

/** Of pairs of vertices the one from whose middle the furthest of them all is nearest. */
function middlePair(p: Floats, vertices: readonly number[]): [number, number] {
  const stride = Math.ceil(vertices.length / MOST_CANDIDATES)
  const candidates = vertices.filter((_, i) => i % stride === 0)
  let best: [number, number] = [vertices[0], vertices[0]]
  let least = Infinity
  for (const a of candidates) {
    for (const b of candidates) {
      if (b < a) continue
      let furthest = 0
      for (const v of vertices) {
        const x = p[3 * v] - (p[3 * a] + p[3 * b]) / 2
        const y = p[3 * v + 1] - (p[3 * a + 1] + p[3 * b + 1]) / 2
        const z = p[3 * v + 2] - (p[3 * a + 2] + p[3 * b + 2]) / 2
        furthest = Math.max(furthest, x * x + y * y + z * z)
      }
      if (furthest < least) {
        least = furthest
        best = [a, b]
      }
    }
  }
  return best
}
