/**
 * The humanoid's skin weights: the nearer a joint's part of the body, the more a point goes with it, as in the soft minimum
 * that joins the parts. Spread along the surface so that a bend is round, the four largest kept, in the 255ths that a
 * file holds.
 */

import { jointDistances } from './body.js'
import { JOINTS } from './joints.js'
import type { HumanoidMesh } from './mesh.js'

/** Joints that move a vertex at most. */
export const INFLUENCES = 4

/** Distance over which a joint's share falls to 1/e [m]. */
const FALLOFF = 0.014
/** Rounds of spreading to neighbours, and how much of a vertex's own weight each gives away. */
const ROUNDS = 12
const SHARE = 0.5
const WHOLE = 255

export interface HumanoidSkin {
  /** INFLUENCES per vertex; unused places hold joint 0 with weight 0. */
  joints: Uint16Array
  /** Whole 255ths with sum 1. */
  weights: Float32Array
}

export function humanoidSkin({ positions, neighbours }: HumanoidMesh): HumanoidSkin {
  const vertices = neighbours.length
  const count = JOINTS.length
  let shares = new Float64Array(vertices * count)
  const distances = new Float64Array(count)
  for (let vertex = 0; vertex < vertices; vertex++) {
    jointDistances(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], distances)
    const least = Math.min(...distances)
    let sum = 0
    for (let joint = 0; joint < count; joint++) sum += Math.exp((least - distances[joint]) / FALLOFF)
    for (let joint = 0; joint < count; joint++) {
      shares[vertex * count + joint] = Math.exp((least - distances[joint]) / FALLOFF) / sum
    }
  }
  for (let round = 0; round < ROUNDS; round++) shares = spread(shares, neighbours, count)
  const skin = { joints: new Uint16Array(INFLUENCES * vertices), weights: new Float32Array(INFLUENCES * vertices) }
  for (let vertex = 0; vertex < vertices; vertex++) {
    keepLargest(shares.subarray(vertex * count, (vertex + 1) * count), skin, INFLUENCES * vertex)
  }
  return skin
}

function spread(
  shares: Float64Array,
  neighbours: HumanoidMesh['neighbours'],
  count: number,
): Float64Array<ArrayBuffer> {
  const after = new Float64Array(shares.length)
  neighbours.forEach((around, vertex) => {
    for (let joint = 0; joint < count; joint++) {
      let sum = 0
      for (const other of around) sum += shares[other * count + joint]
      after[vertex * count + joint] = (1 - SHARE) * shares[vertex * count + joint] + (SHARE * sum) / around.length
    }
  })
  return after
}

/** The largest shares as whole 255ths that sum to 255: rounded down, the rest to those that lost most. */
function keepLargest(shares: Float64Array, { joints, weights }: HumanoidSkin, at: number): void {
  const kept = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, INFLUENCES)
  const sum = kept.reduce((total, joint) => total + shares[joint], 0)
  const exact = kept.map((joint) => (WHOLE * shares[joint]) / sum)
  const whole = exact.map(Math.floor)
  const left = WHOLE - whole.reduce((total, weight) => total + weight, 0)
  const byLoss = [...exact.keys()].sort((a, b) => exact[b] - whole[b] - (exact[a] - whole[a]))
  for (const place of byLoss.slice(0, left)) whole[place]++
  kept.forEach((joint, place) => {
    joints[at + place] = whole[place] > 0 ? joint : 0
    weights[at + place] = whole[place] / WHOLE
  })
}
