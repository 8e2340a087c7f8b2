import { expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { minimumDegreeOrder } from '../../../src/math/sparse/minimum-degree.js'
import type { NodeGraph } from '../../../src/math/sparse/node-graph.js'

function graphOf(nodeCount: number, edges: readonly (readonly [number, number])[]): NodeGraph {
  const sets = Array.from({ length: nodeCount }, () => new Set<number>())
  for (const [a, b] of edges) {
    if (a === b) continue
    sets[a].add(b)
    sets[b].add(a)
  }
  const lists = sets.map((set) => [...set].sort((a, b) => a - b))
  const starts = new Int32Array(nodeCount + 1)
  lists.forEach((list, node) => {
    starts[node + 1] = starts[node] + list.length
  })
  return { nodeCount, starts, neighbours: Int32Array.from(lists.flat()) }
}

/** Eliminates on paper: neighbours of a node that goes become neighbours of each other. @returns edges that arise */
function fillOf({ nodeCount, starts, neighbours }: NodeGraph, order: ArrayLike<number>): number {
  const sets = Array.from(
    { length: nodeCount },
    (_, node) => new Set(neighbours.subarray(starts[node], starts[node + 1])),
  )
  let fill = 0
  for (const node of Array.from(order)) {
    const left = [...sets[node]]
    for (const a of left) {
      sets[a].delete(node)
      for (const b of left) {
        if (a === b || sets[a].has(b)) continue
        sets[a].add(b)
        sets[b].add(a)
        fill++
      }
    }
  }
  return fill
}

function gridEdges(n: number): [number, number][] {
  const edges: [number, number][] = []
  for (let node = 0; node < n * n; node++) {
    if (node % n < n - 1) edges.push([node, node + 1])
    if (node + n < n * n) edges.push([node, node + n])
  }
  return edges
}

function expectPermutation(order: Int32Array): void {
  expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()])
}

it.each([1, 2, 3])('eliminates a random tree from its leaves, without fill (seed %i)', (seed) => {
  const random = randomStream(seed)
  const graph = graphOf(
    80,
    Array.from({ length: 79 }, (_, k) => [k + 1, random.below(k + 1)] as const),
  )
  const order = minimumDegreeOrder(graph)
  expectPermutation(order)
  expect(fillOf(graph, order)).toBe(0)
})

it('fills a grid less than rows one after the other do', () => {
  const graph = graphOf(400, gridEdges(20))
  const order = minimumDegreeOrder(graph)
  expectPermutation(order)
  expect(fillOf(graph, order)).toBeLessThan(0.6 * fillOf(graph, [...order.keys()]))
})

it('names every node once: random graphs, cliques, no edges, no nodes (seed 4)', () => {
  const random = randomStream(4)
  for (const [nodes, edges] of [
    [50, 60],
    [50, 400],
    [200, 300],
    [12, 500],
    [30, 0],
    [1, 0],
    [0, 0],
  ]) {
    const graph = graphOf(
      nodes,
      Array.from({ length: edges }, () => [random.below(nodes), random.below(nodes)] as const),
    )
    expectPermutation(minimumDegreeOrder(graph))
  }
})
