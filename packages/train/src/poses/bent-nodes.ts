/**
 * Shapes far from any drop: a body bent, twisted, stretched or squashed as a whole, along an axis drawn at random.
 * Nothing of it is simulated, so that it can go as far as one likes; volume is kept where it is stretched.
 */
import type { Random } from 'pliant'

export type Bending = 'bend' | 'twist' | 'stretch' | 'squash'

/** How far each goes at most: angles between the two ends [rad], shares of the length. */
export const LARGEST_BENDINGS: Readonly<Record<Bending, number>> = {
  bend: Math.PI / 3,
  twist: Math.PI / 2,
  stretch: 0.3,
  squash: 0.3,
}

/**
 * @param rest    positions [m], xyz triples
 * @param amount  as in `LARGEST_BENDINGS`
 */
export function bendNodes(rest: ArrayLike<number>, kind: Bending, amount: number, random: Random): Float64Array {
  const axes = randomAxes(random)
  const nodes = rest.length / 3
  const middle = [0, 0, 0]
  for (let i = 0; i < rest.length; i++) middle[i % 3] += rest[i] / nodes
  const local = (node: number, axis: number[]): number =>
    axis.reduce((sum, value, k) => sum + value * (rest[3 * node + k] - middle[k]), 0)
  const along = Array.from({ length: nodes }, (_, node) => local(node, axes[0]))
  const length = along.reduce((a, b) => Math.max(a, b)) - along.reduce((a, b) => Math.min(a, b))
  const bent = new Float64Array(rest.length)
  for (let node = 0; node < nodes; node++) {
    const moved = MOVES[kind](amount, length, along[node], local(node, axes[1]), local(node, axes[2]))
    for (let k = 0; k < 3; k++) {
      bent[3 * node + k] = middle[k] + axes.reduce((sum, axis, i) => sum + axis[k] * moved[i], 0)
    }
  }
  return bent
}

type Move = (amount: number, length: number, u: number, v: number, w: number) => [number, number, number]

const MOVES: Readonly<Record<Bending, Move>> = {
  bend(amount, length, u, v, w) {
    const radius = length / amount
    const angle = u / radius
    return [(radius - v) * Math.sin(angle), radius - (radius - v) * Math.cos(angle), w]
  },
  twist(amount, length, u, v, w) {
    const angle = (amount * u) / length
    return [u, Math.cos(angle) * v - Math.sin(angle) * w, Math.sin(angle) * v + Math.cos(angle) * w]
  },
  stretch: (amount, _, u, v, w) => stretched(1 + amount, u, v, w),
  squash: (amount, _, u, v, w) => stretched(1 - amount, u, v, w),
}

function stretched(by: number, u: number, v: number, w: number): [number, number, number] {
  return [by * u, v / Math.sqrt(by), w / Math.sqrt(by)]
}

/** Three unit vectors at right angles. */
function randomAxes(random: Random): number[][] {
  const first = unit([random.normal(), random.normal(), random.normal()])
  const other = [random.normal(), random.normal(), random.normal()]
  const second = unit(cross(first, other))
  return [first, second, cross(first, second)]
}

function unit(v: number[]): number[] {
  const length = Math.hypot(...v)
  return v.map((value) => value / length)
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
