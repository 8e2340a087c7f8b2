/**
 * The lines along which triangles pass through each other: of each pair that meets, the part of the line of both planes that
 * lies in both triangles. Pairs in one plane have no such line and are left out.
 */

/**
 * @param positions  of all vertices, xyz triples
 * @param pairs      triangles, two numbers each
 * @returns both ends of each segment, six numbers
 */
export function meetingSegments(
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  pairs: ArrayLike<number>,
): Float32Array {
  const segments: number[] = []
  for (let i = 0; i < pairs.length; i += 2) {
    const a = cornersOf(positions, triangles, pairs[i])
    const b = cornersOf(positions, triangles, pairs[i + 1])
    const ends = commonSegment(a, b)
    if (ends) segments.push(...ends[0], ...ends[1])
  }
  return Float32Array.from(segments)
}

type Point = readonly [number, number, number]

function cornersOf(positions: ArrayLike<number>, triangles: Uint32Array, triangle: number): Point[] {
  return [0, 1, 2].map((corner) => {
    const at = 3 * triangles[3 * triangle + corner]
    return [positions[at], positions[at + 1], positions[at + 2]]
  })
}

function commonSegment(a: readonly Point[], b: readonly Point[]): [Point, Point] | undefined {
  const [normalA, normalB] = [normalOf(a), normalOf(b)]
  const along = cross(normalA, normalB)
  const inA = crossings(a, b[0], normalB)
  const inB = crossings(b, a[0], normalA)
  if (inA.length < 2 || inB.length < 2) return undefined
  const order = (ends: readonly Point[]): Point[] => [...ends].sort((p, q) => dot(p, along) - dot(q, along))
  const [firstA, lastA] = [order(inA)[0], order(inA).at(-1)!]
  const [firstB, lastB] = [order(inB)[0], order(inB).at(-1)!]
  const from = dot(firstA, along) > dot(firstB, along) ? firstA : firstB
  const to = dot(lastA, along) < dot(lastB, along) ? lastA : lastB
  return dot(from, along) <= dot(to, along) ? [from, to] : undefined
}

/** Where the edges of a triangle meet a plane. */
function crossings(corners: readonly Point[], origin: Point, normal: Point): Point[] {
  const heights = corners.map((corner) => dot(subtract(corner, origin), normal))
  const found: Point[] = []
  for (let k = 0; k < 3; k++) {
    const [p, q] = [corners[k], corners[(k + 1) % 3]]
    const [h, g] = [heights[k], heights[(k + 1) % 3]]
    if (h === 0 && g !== 0) found.push(p)
    else if (h * g < 0) {
      const share = h / (h - g)
      found.push([p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]), p[2] + share * (q[2] - p[2])])
    } else if (g === 0 && h !== 0) found.push(q)
  }
  return found
}

function normalOf([p, q, r]: readonly Point[]): Point {
  return cross(subtract(q, p), subtract(r, p))
}

function subtract(p: Point, q: Point): Point {
  return [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

function cross(u: Point, v: Point): Point {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

function dot(u: Point, v: Point): number {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}
