/**
 * Rotation vectors that go on where a turn is full: of all vectors a (theta + 2 pi k) that stand for a vertex's rotation,
 * the one nearest to its neighbour's, so that a thin bar that is twisted three times has angles over 6 pi. Vertices are
 * visited best first, always over the edge across which the rotation changes least, instead of the
 * two integer programs that were published.
 *
 * The first is the vertex nearest to the middle of the reference, which aligned shapes turn least; it keeps an angle of at
 * most pi. Published is vertex 0, which may be the tip of a finger.
 */
import { LeastFirst } from '../../math/least-first.js'
import type { AcapReference } from './reference.js'

/**
 * Near a full turn, a little rotation about any axis swings the vector far round: exact vectors and smooth ones exclude
 * each other there. A vertex that is turned by less than this [rad], beyond its full turns, gives up what is not about its
 * neighbour's axis, if it would otherwise be further than that [rad] from it. Published for the purpose was to leave out
 * angles below 0.02; a thin bar twisted three times jumps by 3 with that, by 0.6 with this (docs/notes/acap.md).
 */
const NEAR_IDENTITY = 0.1
const FAR = 0.5

const TURN = 2 * Math.PI

export class RotationVectors {
  readonly #root: number
  /** Ends of directed edges: that with number d leads to ends[d], from ends[d ^ 1]. */
  readonly #ends: Uint32Array
  /** Numbers of the directed edges that lead away from each vertex, and where they begin. */
  readonly #leaving: Int32Array
  readonly #starts: Int32Array
  readonly #visited: Uint8Array
  readonly #queue: LeastFirst

  constructor(reference: AcapReference) {
    const { vertexCount, edges } = reference
    const ends = edges.vertices
    this.#root = middleVertex(reference)
    this.#ends = ends
    this.#starts = new Int32Array(vertexCount + 1)
    for (const from of ends) this.#starts[from + 1]++
    for (let v = 0; v < vertexCount; v++) this.#starts[v + 1] += this.#starts[v]
    const next = this.#starts.slice()
    this.#leaving = new Int32Array(ends.length)
    for (let d = 0; d < ends.length; d++) this.#leaving[next[ends[d ^ 1]]++] = d
    this.#visited = new Uint8Array(vertexCount)
    this.#queue = new LeastFirst(ends.length)
  }

  /**
   * @param quaternions  unit, x, y, z, w of each vertex
   * @param out          receives axis times angle [rad] of each, xyz triples
   */
  unwrap(quaternions: Float64Array, out: Float64Array): void {
    const [visited, queue, ends] = [this.#visited, this.#queue, this.#ends]
    visited.fill(0)
    queue.clear()
    out.fill(0, 3 * this.#root, 3 * this.#root + 3)
    writeNearest(quaternions, this.#root, this.#root, out)
    this.#visit(this.#root, quaternions)
    while (queue.size > 0) {
      const d = queue.pop()
      if (visited[ends[d]] === 1) continue
      writeNearest(quaternions, ends[d], ends[d ^ 1], out)
      this.#visit(ends[d], quaternions)
    }
  }

  #visit(v: number, q: Float64Array): void {
    const [ends, leaving] = [this.#ends, this.#leaving]
    this.#visited[v] = 1
    for (let at = this.#starts[v]; at < this.#starts[v + 1]; at++) {
      const to = ends[leaving[at]]
      if (this.#visited[to] === 1) continue
      // Cosine of half the angle between the two rotations.
      const [i, j] = [4 * v, 4 * to]
      const cosine = Math.abs(q[i] * q[j] + q[i + 1] * q[j + 1] + q[i + 2] * q[j + 2] + q[i + 3] * q[j + 3])
      this.#queue.push(-cosine, leaving[at])
    }
  }
}

/** Of the vectors that stand for the rotation of vertex v, the one nearest to that of its parent (zero for the root's). */
function writeNearest(q: Float64Array, v: number, parent: number, out: Float64Array): void {
  const px = out[3 * parent]
  const py = out[3 * parent + 1]
  const pz = out[3 * parent + 2]
  const sign = q[4 * v + 3] < 0 ? -1 : 1
  const sine = Math.sqrt(q[4 * v] ** 2 + q[4 * v + 1] ** 2 + q[4 * v + 2] ** 2)
  const scale = sine > 0 ? sign / sine : 0
  const x = scale * q[4 * v]
  const y = scale * q[4 * v + 1]
  const z = scale * q[4 * v + 2]
  const angle = 2 * Math.atan2(sine, sign * q[4 * v + 3])
  const along = x * px + y * py + z * pz
  const length = angle + TURN * Math.round((along - angle) / TURN)
  const parentSquared = px * px + py * py + pz * pz
  const squared = parentSquared - 2 * length * along + length * length
  if (angle < NEAR_IDENTITY && parentSquared > Math.PI * Math.PI && squared > FAR * FAR) {
    const parentAngle = Math.sqrt(parentSquared)
    const turned = TURN * Math.round(parentAngle / TURN) + (angle * along) / parentAngle
    out[3 * v] = (turned / parentAngle) * px
    out[3 * v + 1] = (turned / parentAngle) * py
    out[3 * v + 2] = (turned / parentAngle) * pz
    return
  }
  out[3 * v] = length * x
  out[3 * v + 1] = length * y
  out[3 * v + 2] = length * z
}

/** The vertex nearest to the centre of the area. */
function middleVertex({ positions: p, areas, vertexCount }: AcapReference): number {
  const centre = [0, 0, 0]
  let total = 0
  for (let v = 0; v < vertexCount; v++) {
    total += areas[v]
    for (let k = 0; k < 3; k++) centre[k] += areas[v] * p[3 * v + k]
  }
  const [x, y, z] = centre.map((sum) => sum / total)
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let v = 0; v < vertexCount; v++) {
    const squared = (p[3 * v] - x) ** 2 + (p[3 * v + 1] - y) ** 2 + (p[3 * v + 2] - z) ** 2
    if (squared >= least) continue
    best = v
    least = squared
  }
  return best
}
