/**
 * Which of many bodies may touch: sweep and prune (Baraff 1992) over their boxes in the world. Boxes are sorted along the
 * axis that they are spread out most on; the order is kept, as hardly anything changes it from step to step, and
 * mended by insertion, so that a step costs the number of bodies and of those that overlap on that axis.
 *
 * A body without an end is in everybody's reach: it meets all others, which is what sorting it in front does by itself.
 */
import type { Box } from '../../math/box.js'
import { shown } from '../../math/require.js'

/** Boxes of many bodies, asked again and again. */
export class BroadPhase {
  #order: number[] = []
  #axis = 0

  /**
   * Calls for every two boxes that overlap or touch, each pair once, the lower number first.
   * @param boxes  in the world [m]; infinite where a body is; a body whose box is empty (lower above upper) meets nobody
   * @throws RangeError naming a box with a corner that is no number
   */
  forPairs(boxes: readonly Box[], call: (a: number, b: number) => void): void {
    requireBoxes(boxes)
    this.#sort(boxes)
    const axis = this.#axis
    const [p, q] = [(axis + 1) % 3, (axis + 2) % 3]
    // Those that the sweep is in.
    const open: number[] = []
    for (const now of this.#order) {
      const box = boxes[now]
      if (![0, 1, 2].every((k) => box.lower[k] <= box.upper[k])) continue
      let left = 0
      for (const before of open) {
        const other = boxes[before]
        if (other.upper[axis] < box.lower[axis]) continue
        open[left++] = before
        if (other.lower[p] > box.upper[p] || other.upper[p] < box.lower[p]) continue
        if (other.lower[q] > box.upper[q] || other.upper[q] < box.lower[q]) continue
        call(Math.min(now, before), Math.max(now, before))
      }
      open.length = left
      open.push(now)
    }
  }

  /** By their lower ends, beginning from the order of the last call. */
  #sort(boxes: readonly Box[]): void {
    const axis = widestAxis(boxes)
    const order = this.#order
    if (order.length !== boxes.length || axis !== this.#axis) {
      this.#axis = axis
      this.#order = Array.from(boxes, (_, i) => i).sort((a, b) => comesBefore(boxes, axis, a, b))
      return
    }
    for (let i = 1; i < order.length; i++) {
      const moved = order[i]
      let to = i
      for (; to > 0 && comesBefore(boxes, axis, moved, order[to - 1]) < 0; to--) order[to] = order[to - 1]
      order[to] = moved
    }
  }
}

/** Not a difference, which of two infinite ends is none. */
function comesBefore(boxes: readonly Box[], axis: number, a: number, b: number): number {
  const [x, y] = [boxes[a].lower[axis], boxes[b].lower[axis]]
  if (x === y) return a - b
  return x < y ? -1 : 1
}

/** Where the middles of boxes with an end vary most. */
function widestAxis(boxes: readonly Box[]): number {
  const [sums, squares] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  let count = 0
  for (const { lower, upper } of boxes) {
    const middle = lower.map((low, k) => (low + upper[k]) / 2)
    if (!middle.every(Number.isFinite)) continue
    count++
    middle.forEach((value, k) => {
      sums[k] += value
      squares[k] += value * value
    })
  }
  const spreads = squares.map((square, k) => square - sums[k] ** 2 / Math.max(1, count))
  return spreads.indexOf(Math.max(...spreads))
}

function requireBoxes(boxes: readonly Box[]): void {
  boxes.forEach(({ lower, upper }, i) => {
    const wrong = [...lower, ...upper].findIndex((value) => typeof value !== 'number' || Number.isNaN(value))
    if (wrong < 0) return
    throw new RangeError(`broad phase: box ${i} has a corner at ${shown([...lower, ...upper][wrong])}; give numbers.`)
  })
}
