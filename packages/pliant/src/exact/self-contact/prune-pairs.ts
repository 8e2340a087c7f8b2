/**
 * Leaves out entries of the tree of pairs that are not worth their test. Neighbours overlap at nearly every code, on every
 * level of the tree, and what is below is looked at anyway: of 15,000 tests of a bracelet at a code, 9,400 were of that
 * kind. How often each entry's nodes overlap is counted at random codes; its children then take its place unless it keeps
 * the search away from them often enough. What is found does not depend on it.
 */
import { randomStream } from '../../math/random.js'
import type { CandidatePlan } from './candidate-plan.js'
import type { LinearShape } from './linear-shape.js'
import type { PairTree } from './pair-tree.js'
import { ScalarCandidates } from './scalar-candidates.js'

/** Codes at which entries are counted. */
const SAMPLES = 64

export function prunePairs(plan: CandidatePlan, bounds: LinearShape['bounds']): PairTree {
  const { nodeA, nodeB, next, isLast, mostPairs } = plan.pairs
  const passes = countPasses(plan, bounds)
  const parents = parentsOf(next)
  const isKept = Uint8Array.from(isLast)
  /** Entries that are tested once an entry has passed, or in its place. */
  const below = new Int32Array(nodeA.length)
  // Children come after their parent: backward, they are done before it.
  for (let entry = nodeA.length - 1; entry >= 0; entry--) {
    for (let child = entry + 1; child < next[entry]; child = next[child]) {
      below[entry] += isKept[child] === 1 ? 1 : below[child]
    }
    const asked = parents[entry] < 0 ? SAMPLES : passes[parents[entry]]
    if ((asked - passes[entry]) * below[entry] >= asked) isKept[entry] = 1
  }
  const before = new Int32Array(nodeA.length + 1)
  for (let entry = 0; entry < nodeA.length; entry++) before[entry + 1] = before[entry] + isKept[entry]
  const ofKept = (_: number, entry: number): boolean => isKept[entry] === 1
  return {
    nodeA: nodeA.filter(ofKept),
    nodeB: nodeB.filter(ofKept),
    next: next.filter(ofKept).map((entry) => before[entry]),
    isLast: isLast.filter(ofKept),
    mostPairs,
  }
}

/** At how many of the random codes the search goes on below each entry. */
function countPasses(plan: CandidatePlan, { lower, upper }: LinearShape['bounds']): Int32Array {
  const { nodeA, nodeB, next } = plan.pairs
  const passes = new Int32Array(nodeA.length)
  const search = new ScalarCandidates(plan)
  const random = randomStream(1)
  for (let sample = 0; sample < SAMPLES; sample++) {
    search.begin(Float64Array.from(lower, (low, k) => random.between(low, upper[k])))
    for (let entry = 0; entry < nodeA.length; ) {
      if (search.areSlabsApart(nodeA[entry], nodeB[entry])) entry = next[entry]
      else passes[entry++]++
    }
  }
  return passes
}

/** The entry above each, -1 for the first. */
function parentsOf(next: Int32Array): Int32Array {
  const parents = new Int32Array(next.length).fill(-1)
  for (let entry = 0; entry < next.length; entry++) {
    for (let child = entry + 1; child < next[entry]; child = next[child]) parents[child] = entry
  }
  return parents
}
