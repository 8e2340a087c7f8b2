/** Nodes of a body collapsed into neighbours, the least costly first. */
import type { TetStars } from './tet-stars.js'

export interface Collapse {
  node: number
  into: number
  cost: number
}

/**
 * Goes on until enough nodes are gone or no collapse is left. In batches, each of the least costly quarter: a node is
 * judged anew when something around it has changed, and not collapsed in the same batch.
 * @param nodes  those that may go
 * @param judge  the best collapse of a node, or undefined if there is none
 * @param after  told of each collapse before it happens
 * @returns how many are gone
 */
export function collapseNodes(
  stars: TetStars,
  nodes: readonly number[],
  count: number,
  judge: (node: number) => Collapse | undefined,
  after?: (done: Collapse) => void,
): number {
  const queue = new Map<number, Collapse>()
  for (const node of nodes) {
    const found = judge(node)
    if (found) queue.set(node, found)
  }
  const free = new Set(nodes)
  let gone = 0
  while (gone < count && queue.size > 0) {
    const order = [...queue.values()].sort((a, b) => a.cost - b.cost || a.node - b.node)
    const touched = new Set<number>()
    for (const one of order.slice(0, Math.ceil(order.length / 4))) {
      if (gone >= count) break
      const ring = stars.neighbours(one.node)
      if (touched.has(one.node) || ring.some((other) => touched.has(other))) continue
      after?.(one)
      stars.collapse(one.node, one.into)
      queue.delete(one.node)
      free.delete(one.node)
      gone++
      for (const other of ring) touched.add(other)
    }
    for (const node of touched) {
      if (!free.has(node)) continue
      const found = judge(node)
      if (found) queue.set(node, found)
      else queue.delete(node)
    }
  }
  return gone
}
