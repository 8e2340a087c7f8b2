/**
 * Hair as strands of points that follow each other from root to tip (Mueller, Kim and Chentanez 2012, "Fast simulation of
 * inextensible hair and fur"), held out of a body by one query for all points together. Positions in world space [m].
 */

const GRAVITY = -9.81
/** Speed that is left after a second in air. */
const KEEP = 0.15
/** How much of its follower's correction a point feels, 0 to 1: less is livelier, and gains energy. */
const DRAWN_BACK = 0.9
/** How far points stay from the skin [m], and how much of a sliding motion the skin stops. */
const CLEARANCE = 0.004
const FRICTION = 0.3

export class Strands {
  /**
   * @param roots   where strands begin, xyz triples
   * @param normals of the skin there: strands start straight out
   */
  constructor(roots, normals, { points = 14, length = 0.32 } = {}) {
    this.count = roots.length / 3
    this.points = points
    this.segment = length / (points - 1)
    this.positions = new Float32Array(3 * this.count * points)
    for (let strand = 0; strand < this.count; strand++) {
      for (let point = 0; point < points; point++) {
        for (let axis = 0; axis < 3; axis++) {
          const out = point * this.segment * normals[3 * strand + axis]
          this.positions[3 * (strand * points + point) + axis] = roots[3 * strand + axis] + out
        }
      }
    }
    this.before = this.positions.slice()
    this.distances = new Float32Array(this.count * points)
    this.normals = new Float32Array(this.positions.length)
  }

  // #region step
  /**
   * @param roots where strands begin now, xyz triples
   * @param body  a SkinnedCollider, updated; left out, strands pass through everything
   */
  step(seconds, roots, body) {
    this.#fall(seconds)
    this.#hold(roots)
    this.#follow()
    if (body) this.#leave(body)
  }

  /** Out of the body: one query for the points of all strands. */
  #leave(body) {
    const { positions, before, distances, normals } = this
    body.query(positions, distances.length, distances, normals)
    for (let i = 0; i < distances.length; i++) {
      const depth = CLEARANCE - distances[i]
      if (depth <= 0) continue
      for (let at = 3 * i; at < 3 * i + 3; at++) {
        positions[at] += depth * normals[at]
        before[at] += FRICTION * (positions[at] - before[at]) // slower in the next step
      }
    }
  }
  // #endregion

  #fall(seconds) {
    const { positions, before } = this
    const keep = KEEP ** seconds
    const drop = GRAVITY * seconds * seconds
    for (let at = 0; at < positions.length; at++) {
      const now = positions[at]
      positions[at] += keep * (now - before[at]) + (at % 3 === 1 ? drop : 0)
      before[at] = now
    }
  }

  #hold(roots) {
    for (let strand = 0; strand < this.count; strand++) {
      this.positions.set(roots.subarray(3 * strand, 3 * strand + 3), 3 * strand * this.points)
    }
  }

  /** Each point goes to where its strand is as long as ever; the one before it is drawn back by that. */
  #follow() {
    const { positions: p, before, points, segment } = this
    for (let a = 0; a + 3 < p.length; a += 3) {
      if ((a / 3 + 1) % points === 0) continue // the next point begins another strand
      const b = a + 3
      const length = Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]) || 1
      for (let axis = 0; axis < 3; axis++) {
        const move = (segment / length - 1) * (p[b + axis] - p[a + axis])
        p[b + axis] += move
        before[a + axis] += DRAWN_BACK * move
      }
    }
  }
}
