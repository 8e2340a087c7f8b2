/**
 * The same tree with up to four children a node, for kernels that look at four boxes at once: of each node the widest
 * children are replaced by their own children, until there are four. Splits never change, so this is made once.
 */
import type { TriangleTree } from './triangle-tree.js'

/** Children of a node. */
export const WIDTH = 4

export interface WideTree {
  /** Nodes come before their children; the first is the root. */
  nodeCount: number
  /** `WIDTH` children a node: the number of a node, or the first slot of a leaf. */
  child: number[]
  /** Behind the last slot of a leaf; 0 for a node. Where there is no child both are 0. */
  end: number[]
}

export function wideTree({ right, first, end, bounds }: TriangleTree): WideTree {
  const wide: WideTree = { nodeCount: 0, child: [], end: [] }
  const isLeaf = (node: number): boolean => right[node] === 0
  const add = (top: number): number => {
    const own = wide.nodeCount++
    const at = WIDTH * own
    wide.child.push(0, 0, 0, 0)
    wide.end.push(0, 0, 0, 0)
    const children = isLeaf(top) ? [top] : [top + 1, right[top]]
    while (children.length < WIDTH && !children.every(isLeaf)) {
      const sizes = children.map((node) => (isLeaf(node) ? -1 : areaOf(bounds, 6 * node)))
      const open = sizes.indexOf(Math.max(...sizes))
      children.splice(open, 1, children[open] + 1, right[children[open]])
    }
    children.forEach((node, lane) => {
      wide.child[at + lane] = isLeaf(node) ? first[node] : add(node)
      wide.end[at + lane] = isLeaf(node) ? end[node] : 0
    })
    return own
  }
  add(0)
  return wide
}

/** Half of it. */
function areaOf(b: Float64Array, o: number): number {
  const [x, y, z] = [b[o + 3] - b[o], b[o + 4] - b[o + 1], b[o + 5] - b[o + 2]]
  return x * y + y * z + z * x
}
