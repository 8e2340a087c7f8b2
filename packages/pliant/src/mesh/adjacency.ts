/** Which triangles meet at which edges, and which pieces a surface falls into. Numeric hashing, no strings: 100,000
 * triangles take some tens of milliseconds. */

export interface EdgeTable {
  readonly edgeCount: number
  /** Edge of each corner: entry 3t + k is the edge from corner k of triangle t to the next corner. */
  readonly edgeOfCorner: Uint32Array
  /** Vertices of each edge, two per edge, the lower number first. */
  readonly vertices: Uint32Array
  /** How many triangles run along the edge from its lower vertex to its higher one. */
  readonly forward: Uint32Array
  /** How many triangles run the other way. */
  readonly backward: Uint32Array
}

/**
 * @param triangles  vertex numbers, three per triangle, all below `vertexCount`
 * @param vertexMap  if given, edges join `vertexMap[v]` instead of v (for example `firstAtSamePlace`)
 */
export function edgeTable(triangles: Uint32Array, vertexCount: number, vertexMap?: Uint32Array): EdgeTable {
  const corners = triangles.length
  const edgeOfCorner = new Uint32Array(corners)
  const vertices = new Uint32Array(2 * corners)
  const forward = new Uint32Array(corners)
  const backward = new Uint32Array(corners)
  const size = 2 ** Math.ceil(Math.log2(Math.max(2 * corners, 2)))
  const slots = new Int32Array(size).fill(-1)
  let edgeCount = 0
  for (let corner = 0; corner < corners; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1
    const from = vertexMap ? vertexMap[triangles[corner]] : triangles[corner]
    const to = vertexMap ? vertexMap[triangles[next]] : triangles[next]
    if (from >= vertexCount || to >= vertexCount) {
      throw new RangeError(`edges: triangle ${Math.trunc(corner / 3)} names a vertex beyond ${vertexCount - 1}.`)
    }
    const low = Math.min(from, to)
    const high = Math.max(from, to)
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)
    hash ^= hash >>> 15
    let slot = hash & (size - 1)
    let edge = slots[slot]
    while (edge >= 0 && (vertices[2 * edge] !== low || vertices[2 * edge + 1] !== high)) {
      slot = (slot + 1) & (size - 1)
      edge = slots[slot]
    }
    if (edge < 0) {
      edge = edgeCount++
      slots[slot] = edge
      vertices[2 * edge] = low
      vertices[2 * edge + 1] = high
    }
    edgeOfCorner[corner] = edge
    if (from <= to) forward[edge]++
    else backward[edge]++
  }
  return {
    edgeCount,
    edgeOfCorner,
    vertices: vertices.slice(0, 2 * edgeCount),
    forward: forward.slice(0, edgeCount),
    backward: backward.slice(0, edgeCount),
  }
}

/**
 * Whether the surface has no boundary: along every edge as many triangles run one way as the other. Such a surface has
 * a whole winding number everywhere off itself, even where four triangles meet at an edge.
 */
export function isClosed(edges: EdgeTable): boolean {
  for (let edge = 0; edge < edges.edgeCount; edge++) {
    // Both ends the same vertex: the side of a collapsed triangle, which bounds nothing.
    if (edges.vertices[2 * edge] === edges.vertices[2 * edge + 1]) continue
    if (edges.forward[edge] !== edges.backward[edge]) return false
  }
  return true
}

/** Triangles of each vertex, one list after the other. */
export interface VertexTriangles {
  /** Where the list of each vertex begins, and the end of the last. */
  readonly starts: Uint32Array
  /** Triangles, rising within each list. */
  readonly triangles: Uint32Array
}

/**
 * Which triangles have a corner at which vertex; one with two corners there comes up twice.
 * @param vertexMap  lists are those of `vertexMap[v]` instead of v (for example `firstAtSamePlace`), one per vertex
 */
export function trianglesAtVertices(triangles: Uint32Array, vertexMap: Uint32Array): VertexTriangles {
  const starts = new Uint32Array(vertexMap.length + 1)
  for (const vertex of triangles) starts[vertexMap[vertex] + 1]++
  for (let v = 0; v < vertexMap.length; v++) starts[v + 1] += starts[v]
  const next = starts.slice()
  const lists = new Uint32Array(triangles.length)
  triangles.forEach((vertex, corner) => {
    lists[next[vertexMap[vertex]]++] = Math.trunc(corner / 3)
  })
  return { starts, triangles: lists }
}

/** Pieces of the surface joined by shared vertices: the piece of each triangle, numbered from 0 in order. */
export function connectedPieces(
  triangles: Uint32Array,
  vertexCount: number,
  vertexMap?: Uint32Array,
): { pieceCount: number; pieceOfTriangle: Uint32Array } {
  const parent = new Uint32Array(vertexCount)
  for (let v = 0; v < vertexCount; v++) parent[v] = v
  const rootOf = (start: number): number => {
    let v = vertexMap ? vertexMap[start] : start
    while (parent[v] !== v) {
      parent[v] = parent[parent[v]]
      v = parent[v]
    }
    return v
  }
  for (let i = 0; i < triangles.length; i += 3) {
    const a = rootOf(triangles[i])
    parent[rootOf(triangles[i + 1])] = a
    parent[rootOf(triangles[i + 2])] = a
  }
  const pieceOfRoot = new Int32Array(vertexCount).fill(-1)
  const pieceOfTriangle = new Uint32Array(triangles.length / 3)
  let pieceCount = 0
  for (let t = 0; t < pieceOfTriangle.length; t++) {
    const root = rootOf(triangles[3 * t])
    if (pieceOfRoot[root] < 0) pieceOfRoot[root] = pieceCount++
    pieceOfTriangle[t] = pieceOfRoot[root]
  }
  return { pieceCount, pieceOfTriangle }
}
