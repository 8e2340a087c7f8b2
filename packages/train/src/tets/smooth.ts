/**
 * Nodes moved to where the worst of the tetrahedra around them is better: to the middle of those, else along the axes.
 * Nodes of the surface slide on it. The smallest angles of a body grow by some degrees.
 */
import type { TetStars } from './tet-stars.js'

/** Puts a point [m] back onto the surface, in place. */
export type OntoSurface = (point: Float64Array) => void

/** Shares of the way to the middle to try, the longest first. */
const MIDDLE_STEPS = [1, 0.5, 0.25]
/** Steps along the axes, in mean lengths of the edges at the node; only nodes with poor tetrahedra are worth them. */
const AXIS_STEPS = [0.2, 0.05, 0.0125]
const POOR = 0.45
/** Around inner nodes the middle is tried up to this quality; above, nothing is gained. */
const GOOD = 0.6

/**
 * @param inner  1 for nodes that may move freely
 * @param onto   if given, the others slide on the surface where their tetrahedra are poor; if not, they stay
 */
export function smoothBody(stars: TetStars, inner: Uint8Array, rounds: number, onto?: OntoSurface): void {
  const { positions: p } = stars
  const centre = new Float64Array(3)
  const old = new Float64Array(3)
  const trial = new Float64Array(3)
  let node = 0
  let best = 0
  const tryAt = (): boolean => {
    if (inner[node] === 0) onto?.(trial)
    old.set(p.subarray(3 * node, 3 * node + 3))
    p.set(trial, 3 * node)
    const worst = stars.worstAround(node)
    if (worst > best) {
      best = worst
      return true
    }
    p.set(old, 3 * node)
    return false
  }
  for (let round = 0; round < rounds; round++) {
    for (node = 0; node < inner.length; node++) {
      if (!stars.has(node) || (inner[node] === 0 && !onto)) continue
      best = stars.worstAround(node)
      if (best > (inner[node] === 1 ? GOOD : POOR)) continue
      stars.centreOfStar(node, centre)
      const moved = MIDDLE_STEPS.some((step) => {
        for (let axis = 0; axis < 3; axis++) trial[axis] = p[3 * node + axis] * (1 - step) + centre[axis] * step
        return inner[node] === 1 && tryAt()
      })
      if (moved || best > POOR) continue
      const size = stars.meanEdge(node)
      for (const step of AXIS_STEPS) {
        for (let way = 0; way < 6; way++) {
          trial.set(p.subarray(3 * node, 3 * node + 3))
          trial[way >> 1] += (way & 1 ? -step : step) * size
          tryAt()
        }
      }
    }
  }
}
