/**
 * The search for candidates in plain code, one code at a time: what the kernels compute, and what answers where they cannot
 * run. Every sum and product is rounded to single precision, as theirs are.
 */
import type { CandidatePlan } from './candidate-plan.js'
import { type CandidateSearch, mostFound, PAUSE, SLABS, TINY_GAP } from './candidate-search.js'

const f = Math.fround

export class ScalarCandidates implements CandidateSearch {
  readonly lanes = 1
  readonly found: Int32Array
  private readonly positions: Float32Array
  /** Lower then upper ends of each node. */
  private readonly slabs: Float32Array
  private readonly stack: Int32Array
  private readonly slabSlack: number
  private readonly gapSlack: number
  private entry = 0
  private count = 0

  constructor(private readonly plan: CandidatePlan) {
    const { codeSize, table, nodes } = plan
    this.positions = new Float32Array(table.length / (codeSize + 1))
    this.slabs = new Float32Array(2 * SLABS * nodes.right.length)
    // A path opens each of two nodes once for every level below, and leaves one entry a step.
    this.stack = new Int32Array(2 * (2 * nodes.depth + 2))
    this.found = new Int32Array(3 * mostFound(plan))
    this.slabSlack = f(plan.slabSlack)
    this.gapSlack = f(plan.gapSlack)
  }

  begin(codes: Float64Array): void {
    this.moveVertices(codes)
    this.fitNodes()
    this.entry = 0
  }

  next(alive: number): number {
    const { nodeA, nodeB, next, isLast } = this.plan.pairs
    this.count = 0
    if (alive === 0) this.entry = nodeA.length
    while (this.entry < nodeA.length && this.count < PAUSE) {
      const a = nodeA[this.entry]
      const b = nodeB[this.entry]
      if (this.areSlabsApart(a, b)) this.entry = next[this.entry]
      else {
        if (isLast[this.entry] === 1) this.descend(a, b)
        this.entry++
      }
    }
    return this.count
  }

  private moveVertices(codes: Float64Array): void {
    const { codeSize, codeSizes, table } = this.plan
    const { positions } = this
    const width = 3 * (codeSize + 1)
    for (let i = 0, row = 0; i < positions.length; i += 3, row += width) {
      for (let axis = 0; axis < 3; axis++) {
        let value = table[row + axis]
        for (let k = 0; k < codeSize; k++) {
          value = f(value + f(f(codes[k] / codeSizes[k]) * table[row + 3 * (k + 1) + axis]))
        }
        positions[i + axis] = value
      }
    }
  }

  private fitNodes(): void {
    const { right } = this.plan.nodes
    // Children come after their parent: backward, they are done before it.
    for (let node = right.length - 1; node >= 0; node--) {
      if (right[node] === 0) this.fitLeaf(node)
      else this.fitInner(2 * SLABS * node, 2 * SLABS * (node + 1), 2 * SLABS * right[node])
    }
  }

  private fitInner(o: number, l: number, r: number): void {
    const { slabs } = this
    for (let k = 0; k < SLABS; k++) {
      slabs[o + k] = Math.min(slabs[l + k], slabs[r + k])
      slabs[o + SLABS + k] = Math.max(slabs[l + SLABS + k], slabs[r + SLABS + k])
    }
  }

  private fitLeaf(node: number): void {
    const { slabs, positions, slabSlack } = this
    const { triangles, nodes } = this.plan
    const o = 2 * SLABS * node
    for (let k = 0; k < SLABS; k++) {
      slabs[o + k] = Infinity
      slabs[o + SLABS + k] = -Infinity
    }
    const extend = (k: number, value: number): void => {
      if (value < slabs[o + k]) slabs[o + k] = value
      if (value > slabs[o + SLABS + k]) slabs[o + SLABS + k] = value
    }
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * triangles[3 * nodes.triangle[node] + corner]
      const x = positions[v]
      const y = positions[v + 1]
      const z = positions[v + 2]
      const sum = f(x + y)
      const difference = f(x - y)
      extend(0, x)
      extend(1, y)
      extend(2, z)
      extend(3, f(sum + z))
      extend(4, f(sum - z))
      extend(5, f(difference + z))
      extend(6, f(z - difference))
    }
    for (let k = 0; k < SLABS; k++) {
      slabs[o + k] = f(slabs[o + k] - slabSlack)
      slabs[o + SLABS + k] = f(slabs[o + SLABS + k] + slabSlack)
    }
  }

  /** Whether two nodes are apart along one of the directions. */
  areSlabsApart(a: number, b: number): boolean {
    const { slabs } = this
    for (let k = 0, i = 2 * SLABS * a, j = 2 * SLABS * b; k < SLABS; k++, i++, j++) {
      if (slabs[i] > slabs[j + SLABS] || slabs[j] > slabs[i + SLABS]) return true
    }
    return false
  }

  /** All triangles below one node against all below the other; their slabs overlap. */
  private descend(a: number, b: number): void {
    const { stack } = this
    const { right, size } = this.plan.nodes
    let depth = 0
    stack[depth++] = a
    stack[depth++] = b
    while (depth > 0) {
      const t = stack[--depth]
      const s = stack[--depth]
      if (this.areSlabsApart(s, t)) continue
      if (right[s] === 0 && right[t] === 0) {
        this.settle(s, t)
        continue
      }
      const opensS = size[s] >= size[t]
      const open = opensS ? s : t
      const kept = opensS ? t : s
      stack[depth++] = right[open]
      stack[depth++] = kept
      stack[depth++] = open + 1
      stack[depth++] = kept
    }
  }

  /** Keeps a pair of triangles unless a plane tells them apart. */
  private settle(a: number, b: number): void {
    const { triangle } = this.plan.nodes
    const s = triangle[a]
    const t = triangle[b]
    if (this.keepsApart(s, s, t) || this.keepsApart(t, s, t)) return
    if (this.sidesKeepApart(s, s, t) || this.sidesKeepApart(t, s, t)) return
    const o = 3 * this.count++
    this.found[o] = s
    this.found[o + 1] = t
    this.found[o + 2] = 1
  }

  private readonly frame = new Float32Array(12)

  /** From the first corner of a triangle to the others, from the second to the third, and their normal. */
  private writeFrame(of: number): void {
    const { positions, frame } = this
    const { triangles } = this.plan
    const p = 3 * triangles[3 * of]
    const q = 3 * triangles[3 * of + 1]
    const r = 3 * triangles[3 * of + 2]
    for (let axis = 0; axis < 3; axis++) {
      frame[axis] = positions[q + axis] - positions[p + axis]
      frame[3 + axis] = positions[r + axis] - positions[p + axis]
      frame[6 + axis] = positions[r + axis] - positions[q + axis]
    }
    for (let axis = 0; axis < 3; axis++) frame[9 + axis] = crossAt(frame, 0, 3, axis)
  }

  /** Whether a plane parallel to triangle `of` tells s and t apart. */
  private keepsApart(of: number, s: number, t: number): boolean {
    this.writeFrame(of)
    const { frame } = this
    return this.areApartAlong(frame[9], frame[10], frame[11], s, t)
  }

  /** Whether one that holds a side of it, and stands upright on it, does. */
  private sidesKeepApart(of: number, s: number, t: number): boolean {
    this.writeFrame(of)
    const { frame } = this
    for (let side = 0; side < 9; side += 3) {
      const x = crossAt(frame, 9, side, 0)
      const y = crossAt(frame, 9, side, 1)
      const z = crossAt(frame, 9, side, 2)
      if (this.areApartAlong(x, y, z, s, t)) return true
    }
    return false
  }

  private areApartAlong(x: number, y: number, z: number, s: number, t: number): boolean {
    const { positions: p, gapSlack } = this
    const { triangles } = this.plan
    const along = (corner: number): number => {
      const v = 3 * triangles[corner]
      return f(f(f(x * p[v]) + f(y * p[v + 1])) + f(z * p[v + 2]))
    }
    const s0 = along(3 * s)
    const s1 = along(3 * s + 1)
    const s2 = along(3 * s + 2)
    const t0 = along(3 * t)
    const t1 = along(3 * t + 1)
    const t2 = along(3 * t + 2)
    const size = f(f(Math.abs(x) + Math.abs(y)) + Math.abs(z))
    const slack = f(f(size * gapSlack) + TINY_GAP)
    return (
      f(Math.min(s0, s1, s2) - Math.max(t0, t1, t2)) > slack || f(Math.min(t0, t1, t2) - Math.max(s0, s1, s2)) > slack
    )
  }
}

/** One coordinate of the cross product of two vectors of a frame. */
function crossAt(frame: Float32Array, u: number, v: number, axis: number): number {
  const i = (axis + 1) % 3
  const j = (axis + 2) % 3
  return f(f(frame[u + i] * frame[v + j]) - f(frame[u + j] * frame[v + i]))
}
