/**
 * The humanoid's mesh: its distance traced by surface nets, seen through lenses so that head, hands and feet get smaller
 * triangles, then evened out on the surface itself.
 */
import type { Vec3 } from 'pliant'
import { surfaceNets } from '../../surface/surface-nets.js'
import { BODY_MIDDLE, bodyDistance } from './body.js'
import { ARM_DROP, jointPlace } from './joints.js'

export interface HumanoidMesh {
  /** In the rest pose [m], in single precision: what a file of it holds. */
  positions: Float64Array
  triangles: Uint32Array
  normals: Float32Array
  /** For each vertex those joined to it by an edge. */
  neighbours: readonly (readonly number[])[]
}

/** Side of a cell [m]: some 15,000 triangles. */
const CELL = 0.019
/** Rounds of evening out, and how far each goes. */
const ROUNDS = 8
const SHARE = 0.5
/** Step of the differences that slopes are taken by [m]. */
const STEP = 1e-4

export async function humanoidMesh(): Promise<HumanoidMesh> {
  const seen = new Float64Array(3)
  const inside = (x: number, y: number, z: number): boolean => {
    throughLenses(x, y, z, seen)
    return bodyDistance(seen[0], seen[1], seen[2]) < 0
  }
  const box = { lower: [-1.1, -0.1, -0.4], upper: [1.1, 1.95, 0.4] } as const
  const { positions, triangles } = await surfaceNets(box, inside, surfaceSeed(), { cell: CELL })
  for (let at = 0; at < positions.length; at += 3) {
    throughLenses(positions[at], positions[at + 1], positions[at + 2], seen)
    positions.set(seen, at)
  }
  const neighbours = neighboursOf(triangles, positions.length / 3)
  for (let round = 0; round < ROUNDS; round++) {
    evenOut(positions, neighbours)
    drawOntoBody(positions)
  }
  // Newton's second step: what is left of the distance after one is far below a micrometre.
  drawOntoBody(positions)
  const single = Float64Array.from(Float32Array.from(positions))
  return { positions: single, triangles, normals: normalsAt(single), neighbours }
}

/** Beyond a plane, everything is seen `power` times as large. */
interface Lens {
  centre: Vec3
  /** Normal of the plane, away from the trunk. */
  axis: Vec3
  /** Over which length the power comes up [m]. */
  onset: number
  /** How far from the centre it still works, so that a wrist's does not reach the feet [m]. */
  reach: number
  power: number
}

const hand = jointPlace('LeftHand')
const arm = jointPlace('LeftUpperArm')
const [down, out] = [Math.sin(ARM_DROP), Math.cos(ARM_DROP)]
const wrist: Vec3 = [arm[0] + out * (hand[0] - arm[0]), arm[1] - down * (hand[0] - arm[0]), arm[2]]
const LENSES: readonly Lens[] = [
  { centre: [0, 1.49, 0], axis: [0, 1, 0], onset: 0.1, reach: 0.6, power: 1.6 },
  { centre: wrist, axis: [out, -down, 0], onset: 0.06, reach: 0.45, power: 2 },
  { centre: jointPlace('LeftFoot'), axis: [0, -1, 0], onset: 0.08, reach: 0.5, power: 1.4 },
]

/** Where in the body a point of the grid lies. The right side sees as the left does. */
function throughLenses(x: number, y: number, z: number, place: Float64Array): void {
  const side = x < 0 ? -1 : 1
  place[0] = side * x
  place[1] = y
  place[2] = z
  for (const { centre, axis, onset, reach, power } of LENSES) {
    const dx = place[0] - centre[0]
    const dy = place[1] - centre[1]
    const dz = place[2] - centre[2]
    const along = dx * axis[0] + dy * axis[1] + dz * axis[2]
    if (along <= 0) continue
    const near = 1 - smoothStep(Math.hypot(dx, dy, dz) / reach - 1)
    const shrink = 1 + (1 / power - 1) * near * smoothStep(along / onset)
    place[0] = centre[0] + shrink * dx
    place[1] = centre[1] + shrink * dy
    place[2] = centre[2] + shrink * dz
  }
  place[0] *= side
}

function smoothStep(t: number): number {
  const s = Math.min(Math.max(t, 0), 1)
  return s * s * (3 - 2 * s)
}

/** A point of the surface in front of the belly, where no lens works. */
function surfaceSeed(): Float64Array {
  const [x, y, z] = BODY_MIDDLE
  let [low, high] = [z, z + 1]
  while (high - low > 1e-6) {
    const middle = (low + high) / 2
    if (bodyDistance(x, y, middle) < 0) low = middle
    else high = middle
  }
  return Float64Array.of(x, y, low)
}

function neighboursOf(triangles: Uint32Array, vertices: number): number[][] {
  const neighbours: Set<number>[] = Array.from({ length: vertices }, () => new Set())
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [triangles[t + k], triangles[t + ((k + 1) % 3)]]
      neighbours[from].add(to)
      neighbours[to].add(from)
    }
  }
  return neighbours.map((set) => [...set])
}

/** Each vertex goes some way to the middle of its neighbours. */
function evenOut(positions: Float64Array, neighbours: readonly (readonly number[])[]): void {
  const before = positions.slice()
  neighbours.forEach((around, vertex) => {
    for (let axis = 0; axis < 3; axis++) {
      let sum = 0
      for (const other of around) sum += before[3 * other + axis]
      positions[3 * vertex + axis] += SHARE * (sum / around.length - before[3 * vertex + axis])
    }
  })
}

/** Down the slope of the distance to where it would be zero if it went on like that. */
function drawOntoBody(positions: Float64Array): void {
  const slope = new Float64Array(3)
  for (let at = 0; at < positions.length; at += 3) {
    const distance = bodyDistance(positions[at], positions[at + 1], positions[at + 2])
    bodySlope(positions[at], positions[at + 1], positions[at + 2], slope)
    const squared = slope[0] ** 2 + slope[1] ** 2 + slope[2] ** 2
    for (let axis = 0; axis < 3; axis++) positions[at + axis] -= (distance * slope[axis]) / squared
  }
}

function normalsAt(positions: Float64Array): Float32Array {
  const normals = new Float32Array(positions.length)
  const slope = new Float64Array(3)
  for (let at = 0; at < positions.length; at += 3) {
    bodySlope(positions[at], positions[at + 1], positions[at + 2], slope)
    const length = Math.hypot(slope[0], slope[1], slope[2])
    for (let axis = 0; axis < 3; axis++) normals[at + axis] = slope[axis] / length
  }
  return normals
}

function bodySlope(x: number, y: number, z: number, out: Float64Array): void {
  const twice = 2 * STEP
  out[0] = (bodyDistance(x + STEP, y, z) - bodyDistance(x - STEP, y, z)) / twice
  out[1] = (bodyDistance(x, y + STEP, z) - bodyDistance(x, y - STEP, z)) / twice
  out[2] = (bodyDistance(x, y, z + STEP) - bodyDistance(x, y, z - STEP)) / twice
}
