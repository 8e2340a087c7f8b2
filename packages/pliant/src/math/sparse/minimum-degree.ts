/**
 * An order of elimination with little fill: approximate minimum degree on the quotient graph (Amestoy, Davis and Duff
 * 1996), with absorbed elements and merged indistinguishable nodes. Always the same order for the same graph.
 */
import type { NodeGraph } from './node-graph.js'

/** @returns nodes in the order in which to eliminate them */
export function minimumDegreeOrder(graph: NodeGraph): Int32Array {
  return new QuotientGraph(graph).eliminateAll()
}

/** What is left of the graph: nodes, and elements, which are eliminated nodes that stand for a clique. */
class QuotientGraph {
  readonly #count: number
  /** Neighbours of a node that are nodes, and that are elements; for an element, its nodes. */
  readonly #nodes: number[][]
  readonly #elements: number[][]
  readonly #cliques: number[][]
  /** How many original nodes one stands for; 0 once eliminated or merged. */
  readonly #weights: Int32Array
  readonly #degrees: Int32Array
  readonly #members: number[][]
  readonly #alive: Uint8Array
  /** Weight of an element's nodes outside the newest clique, valid where the stamp is the present one. */
  readonly #outside: Int32Array
  readonly #outsideStamps: Int32Array
  readonly #marks: Int32Array
  #mark = 0
  readonly #queue: DegreeQueue

  constructor({ nodeCount, starts, neighbours }: NodeGraph) {
    this.#count = nodeCount
    const each = Array.from({ length: nodeCount }, (_, node) => node)
    this.#nodes = each.map((node) => [...neighbours.subarray(starts[node], starts[node + 1])])
    this.#elements = each.map(() => [])
    this.#cliques = each.map(() => [])
    this.#members = each.map((node) => [node])
    this.#weights = new Int32Array(nodeCount).fill(1)
    this.#degrees = Int32Array.from(this.#nodes, (list) => list.length)
    this.#alive = new Uint8Array(nodeCount)
    this.#outside = new Int32Array(nodeCount)
    this.#outsideStamps = new Int32Array(nodeCount).fill(-1)
    this.#marks = new Int32Array(nodeCount)
    this.#queue = new DegreeQueue(nodeCount)
    // The last to enter is the first to leave: of equal degrees the lowest node goes first.
    for (let node = nodeCount - 1; node >= 0; node--) this.#queue.add(node, this.#degrees[node])
  }

  eliminateAll(): Int32Array {
    const order = new Int32Array(this.#count)
    let done = 0
    while (done < this.#count) {
      const pivot = this.#queue.takeLowest()
      for (const member of this.#members[pivot]) order[done++] = member
      this.#eliminate(pivot, this.#count - done)
    }
    return order
  }

  #eliminate(pivot: number, left: number): void {
    const weights = this.#weights
    const clique = this.#cliqueOf(pivot)
    weights[pivot] = 0
    let cliqueWeight = 0
    for (const node of clique) cliqueWeight += weights[node]
    this.#countOutside(pivot, clique)
    this.#mark++
    for (const node of clique) this.#marks[node] = this.#mark
    const mark = this.#mark
    for (const node of clique) {
      this.#queue.remove(node, this.#degrees[node])
      let degree = 0
      this.#elements[node] = this.#elements[node].filter((element) => {
        // An element inside the new clique says nothing that the clique does not.
        if (this.#alive[element] === 1 && this.#outside[element] === 0) this.#alive[element] = 0
        if (this.#alive[element] === 0) return false
        degree += this.#outside[element]
        return true
      })
      this.#nodes[node] = this.#nodes[node].filter((other) => {
        if (weights[other] === 0 || this.#marks[other] === mark) return false
        degree += weights[other]
        return true
      })
      this.#elements[node].push(pivot)
      const others = cliqueWeight - weights[node]
      this.#degrees[node] = Math.min(left - weights[node], this.#degrees[node] + others, degree + others)
    }
    this.#alive[pivot] = 1
    this.#mergeEqual(clique)
    this.#cliques[pivot] = clique.filter((node) => weights[node] > 0)
    for (const node of this.#cliques[pivot]) this.#queue.add(node, this.#degrees[node])
  }

  /** The pivot's neighbours, through its elements too, which it takes over. */
  #cliqueOf(pivot: number): number[] {
    const mark = ++this.#mark
    const clique: number[] = []
    this.#marks[pivot] = mark
    const take = (node: number): void => {
      if (this.#weights[node] === 0 || this.#marks[node] === mark) return
      this.#marks[node] = mark
      clique.push(node)
    }
    for (const node of this.#nodes[pivot]) take(node)
    for (const element of this.#elements[pivot]) {
      if (this.#alive[element] === 0) continue
      for (const node of this.#cliques[element]) take(node)
      this.#alive[element] = 0
      this.#cliques[element] = []
    }
    return clique
  }

  #countOutside(stamp: number, clique: readonly number[]): void {
    for (const node of clique) {
      for (const element of this.#elements[node]) {
        if (this.#alive[element] === 0) continue
        if (this.#outsideStamps[element] !== stamp) {
          this.#outsideStamps[element] = stamp
          let weight = 0
          for (const member of this.#cliques[element]) weight += this.#weights[member]
          this.#outside[element] = weight
        }
        this.#outside[element] -= this.#weights[node]
      }
    }
  }

  /** Nodes with the same neighbours can be eliminated one after the other without further fill: they become one. */
  #mergeEqual(clique: readonly number[]): void {
    const byHash = new Map<number, number[]>()
    for (const node of clique) {
      let hash = 0
      for (const element of this.#elements[node]) hash += element
      for (const other of this.#nodes[node]) hash += other
      const bucket = byHash.get(hash) ?? []
      byHash.set(hash, bucket)
      const twin = bucket.find((candidate) => this.#haveSameNeighbours(candidate, node))
      if (twin === undefined) bucket.push(node)
      else {
        this.#degrees[twin] -= this.#weights[node]
        this.#weights[twin] += this.#weights[node]
        this.#weights[node] = 0
        this.#members[twin].push(...this.#members[node])
      }
    }
  }

  #haveSameNeighbours(a: number, b: number): boolean {
    if (this.#elements[a].length !== this.#elements[b].length || this.#nodes[a].length !== this.#nodes[b].length) {
      return false
    }
    // Elements and nodes share one numbering but never a number: an element was a node and is none any more.
    const mark = ++this.#mark
    for (const element of this.#elements[a]) this.#marks[element] = mark
    for (const node of this.#nodes[a]) this.#marks[node] = mark
    return (
      this.#elements[b].every((element) => this.#marks[element] === mark) &&
      this.#nodes[b].every((node) => this.#marks[node] === mark)
    )
  }
}

/** Nodes by degree: doubly linked lists, one per degree. */
class DegreeQueue {
  readonly #heads: Int32Array
  readonly #next: Int32Array
  readonly #previous: Int32Array
  #lowest = 0

  constructor(count: number) {
    this.#heads = new Int32Array(count + 1).fill(-1)
    this.#next = new Int32Array(count).fill(-1)
    this.#previous = new Int32Array(count).fill(-1)
  }

  add(node: number, degree: number): void {
    const head = this.#heads[degree]
    this.#next[node] = head
    this.#previous[node] = -1
    if (head >= 0) this.#previous[head] = node
    this.#heads[degree] = node
    this.#lowest = Math.min(this.#lowest, degree)
  }

  remove(node: number, degree: number): void {
    const [previous, next] = [this.#previous[node], this.#next[node]]
    if (previous >= 0) this.#next[previous] = next
    else this.#heads[degree] = next
    if (next >= 0) this.#previous[next] = previous
  }

  takeLowest(): number {
    while (this.#heads[this.#lowest] < 0) this.#lowest++
    const node = this.#heads[this.#lowest]
    this.remove(node, this.#lowest)
    return node
  }
}
