/**
 * From all that touches to a few contacts that do as well: which of them, and for how much of the surface each stands, so that
 * their force and its torque are those of all, if every point pushes along its normal by its area and its depth.
 */
import type { ContactLimit } from '../../field/contact.js'

/** A contact in the world, found from a point of A or of B. */
export interface Candidate {
  point: [number, number, number]
  /** From A to B. */
  normal: [number, number, number]
  separation: number
  area: number
  feature: number
  isOfA: boolean
  /** Why the separation is not all there is to say; none if it is not given. */
  limit?: ContactLimit
  /** Its number, if it was a contact before (kept-contacts.ts). */
  id?: number
}

/** Of two contacts at one place and of one normal the shallower adds nothing: nearer than this share of the size. */
const SAME_PLACE = 0.01
/** Nearer than this share of the size the deepest points of both bodies are one contact. */
const SAME_POINT = 1e-6
/** A face that is turned by less against the other lies flat on it [rad]. */
const FLAT = 1e-3
/** How far apart two normals at one place count, as a share of the size. */
const TURNED = 0.25

/** What counts as deep as the deepest, as a share of the size: surfaces of solids are known to so much. */
const AS_DEEP = 1e-9

/** How much further out another must lie to take the place of one that was a contact before. */
const KEPT = 2
/** The deepest goes on as the contact that was there before, within this share of the size: a ball that rolls. */
const ROLLED = 0.05
/** Others go on as the nearest that is given up, within this share: its force goes to a place near by. */
const REPLACED = 0.25

/**
 * The deepest (of many, as on a face, one that was a contact before, or that which lies furthest out), then the deepest of the
 * other body (the paper's p_a and p_b), then whatever lies furthest from all that are chosen, in place and normal: so that a face rests on its corners, and a body in a notch on both
 * of its sides. What is shallower counts as nearer by as much: within a gap, points above a corner lie further out than it.
 *
 * Contacts from before count as lying `KEPT` times as far out, and pass on their number where another takes their place.
 */
export function spread(all: readonly Candidate[], most: number, size: number): Candidate[] {
  if (all.length === 0) return []
  const left = [...all].sort((a, b) => a.separation - b.separation || a.feature - b.feature)
  const [{ separation: depth }] = left
  const chosen: Candidate[] = []
  const ways = new Float64Array(left.length).fill(Infinity)
  let next = firstOf(left.filter(({ separation }) => separation <= depth + AS_DEEP * size))
  if (left[next].id === undefined) passOn(left[next], left, ROLLED, size)
  while (chosen.length < most && next >= 0) {
    const taken = left[next]
    chosen.push(taken)
    for (let i = 0; i < left.length; i++) ways[i] = Math.min(ways[i], wayBetween(taken, left[i], size))
    const facing = chosen.length === 1 ? deepestFacing(taken, left, size) : -1
    next = facing >= 0 ? facing : furthestOut(left, ways, depth, size)
  }
  const givenUp = left.filter((each) => each.id !== undefined && !chosen.includes(each))
  for (const each of chosen) if (each.id === undefined) passOn(each, givenUp, REPLACED, size)
  return chosen.sort((a, b) => a.separation - b.separation)
}

/** The other body's deepest, if it is another place and there is just one: a face on a face has none. -1 otherwise. */
function deepestFacing(taken: Candidate, left: readonly Candidate[], size: number): number {
  // They are sorted, so that the first is the deepest.
  const at = left.findIndex(({ isOfA }) => isOfA !== taken.isOfA)
  if (at < 0 || wayBetween(taken, left[at], size) <= SAME_POINT * size) return -1
  const deepest = left[at]
  const isAlone = left.every((each) => {
    if (each.isOfA !== deepest.isOfA) return true
    // In a crease normals of all its sides stand at one place.
    const way = placeBetween(deepest, each)
    return way <= SAME_PLACE * size || each.separation - deepest.separation > FLAT * way
  })
  return isAlone ? at : -1
}

/** Which lies furthest from all that are chosen, and further than `SAME_PLACE`; -1 of none. */
function furthestOut(left: readonly Candidate[], ways: Float64Array, depth: number, size: number): number {
  let [furthest, next] = [-Infinity, -1]
  for (let i = 0; i < left.length; i++) {
    if (ways[i] <= SAME_PLACE * size) continue
    const out = (left[i].id === undefined ? 1 : KEPT) * ways[i] - (left[i].separation - depth)
    if (out <= furthest) continue
    furthest = out
    next = i
  }
  return next
}

/** Of points that are as deep: one that was a contact before, or the outermost. */
function firstOf(deepest: readonly Candidate[]): number {
  const before = deepest.findIndex(({ id }) => id !== undefined)
  if (before >= 0) return before
  const middle = middleOf(deepest)
  const outwards = deepest.map(({ point }) => Math.hypot(...point.map((value, k) => value - middle[k])))
  return outwards.indexOf(Math.max(...outwards))
}

/** Gives a contact the number of the nearest of these that has one; that loses it. @param within  share of the size */
function passOn(to: Candidate, from: readonly Candidate[], within: number, size: number): void {
  let [nearest, least]: [Candidate | undefined, number] = [undefined, within * size]
  for (const each of from) {
    if (each.id === undefined) continue
    const way = wayBetween(to, each, size)
    if (way > least) continue
    nearest = each
    least = way
  }
  if (!nearest) return
  to.id = nearest.id
  nearest.id = undefined
}

function placeBetween(a: Candidate, b: Candidate): number {
  return Math.hypot(a.point[0] - b.point[0], a.point[1] - b.point[1], a.point[2] - b.point[2])
}

function wayBetween(a: Candidate, b: Candidate, size: number): number {
  const turn = Math.hypot(a.normal[0] - b.normal[0], a.normal[1] - b.normal[1], a.normal[2] - b.normal[2])
  return placeBetween(a, b) + TURNED * size * turn
}

/** Sweeps over all contacts; eight of them settle within some tens. */
const SWEEPS = 64
/** Shallower contacts stand for the area that their force needs at this depth, as a share of the size. */
const SHALLOW = 1e-6

/**
 * Areas [m^2] of chosen contacts, such that sum area depth normal, and its torque, are those of all points: the least squares
 * of six equations with no area below zero, by coordinate descent. Contacts that are not deep yet push with nothing, and
 * stand for nothing.
 */
export function loads(chosen: readonly Candidate[], all: readonly Candidate[], size: number): Float64Array {
  const areas = new Float64Array(chosen.length)
  const [wanted, middle] = [new Float64Array(6), middleOf(all)]
  let points = 0
  for (const each of all) {
    // Points that were followed to the deepest stand for no area of their own.
    if (each.area === 0 || each.separation >= 0) continue
    const wrench = wrenchOf(each, middle, size)
    for (let k = 0; k < 6; k++) wanted[k] -= each.area * each.separation * wrench[k]
    points++
  }
  const wrenches = chosen.map((each) => wrenchOf(each, middle, size))
  const forces = new Float64Array(chosen.length)
  const left = wanted.slice()
  if (points > 0) {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      wrenches.forEach((wrench, i) => {
        if (chosen[i].separation >= 0) return
        const [along, squared] = [dot(wrench, left), dot(wrench, wrench)]
        const force = Math.max(0, forces[i] + along / squared)
        for (let k = 0; k < 6; k++) left[k] -= (force - forces[i]) * wrench[k]
        forces[i] = force
      })
    }
  }
  // What is told from A's points and from B's is one overlap, told twice.
  const sides = new Set(all.filter(({ area }) => area > 0).map(({ isOfA }) => isOfA)).size
  chosen.forEach(({ separation }, i) => {
    areas[i] = forces[i] / Math.max(-separation, SHALLOW * size) / Math.max(1, sides)
  })
  return areas
}

/** Normal, and its torque about the middle in units of the size. */
function wrenchOf({ point, normal }: Candidate, middle: readonly number[], size: number): Float64Array {
  const [x, y, z] = point.map((value, k) => (value - middle[k]) / size)
  const [nx, ny, nz] = normal
  return Float64Array.of(nx, ny, nz, y * nz - z * ny, z * nx - x * nz, x * ny - y * nx)
}

function middleOf(all: readonly Candidate[]): number[] {
  return [0, 1, 2].map((k) => all.reduce((sum, { point }) => sum + point[k], 0) / Math.max(1, all.length))
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}
