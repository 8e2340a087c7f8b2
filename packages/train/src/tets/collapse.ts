/** Nodes of a body collapsed into neighbours, the least costly first. */
import type { TetStars } from './tet-stars.js'

export interface Collapse {
  node: number
  into: number
  cost: number
}

/** Nodes judged between two words of progress: some tenths of a second. */
const JUDGED_BETWEEN = 4096

/**
 * Goes on until enough nodes are gone or no collapse is left. In batches, each of the least costly quarter: a node is
 * judged again when something around it has changed, and not collapsed in the same batch.
 * @param nodes  those that may go
 * @param judge  the best collapse of a node, or undefined if there is none
 * @param hooks  `before` is told of each collapse before it happens; `tell` is awaited between batches
 * @returns how many are gone
 */
export async function collapseNodes(
  stars: TetStars,
  nodes: readonly number[],
  count: number,
  judge: (node: number) => Collapse | undefined,
  hooks: { before?: (next: Collapse) => void; tell?: () => Promise<void> | undefined } = {},
): Promise<number> {
  const queue = new Map<number, Collapse>()
  for (const [i, node] of nodes.entries()) {
    if (i % JUDGED_BETWEEN === 0) await hooks.tell?.()
    const found = judge(node)
    if (found) queue.set(node, found)
  }
  const free = new Set(nodes)
  let gone = 0
  while (gone < count && queue.size > 0) {
    await hooks.tell?.()
    const order = [...queue.values()].sort((a, b) => a.cost - b.cost || a.node - b.node)
    const touched = new Set<number>()
    for (const one of order.slice(0, Math.ceil(order.length / 4))) {
      if (gone >= count) break
      const ring = stars.neighbours(one.node)
      if (touched.has(one.node) || ring.some((other) => touched.has(other))) continue
      hooks.before?.(one)
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
