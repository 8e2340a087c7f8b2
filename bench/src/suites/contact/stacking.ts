/**
 * What contacts are good for: ten bodies that must rest for a minute, and ten that are dropped and must come to rest, by one
 * solver (`RigidWorld`) with contacts of each method. So what differs is the contacts.
 */
import { VoxelField } from 'pliant'
import { type Solid, SolidPair, solidOf } from 'pliant/detect'
import { fieldOf, type ShapeDescription, shapeOf } from 'pliant/shapes'
import { type RigidBody, RigidWorld } from 'pliant/sim'
import { boxDiagonal } from 'pliant/unstable'
import { PileScene } from 'pliant/unstable/blocks'
import { type ContactMethod, METHODS } from './methods.js'
import { TWENTY_SHAPES } from './twenty-shapes.js'

export interface RestRow {
  method: string
  /** For how long they were watched [s]: less than asked for where a body did not rest. */
  seconds: number
  /** Largest way that a corner of a body's box went, as a share of its size, and whose. */
  drift: number
  worst: string
  /** The deepest that bodies overlapped when looked at, once a second, as a share of the smaller one's size. */
  depth: number
  kinetic: number
  contacts: number
  stepMs: number
}

export interface PileRow {
  method: string
  /** The last step that took more than a thousandth of the energy that was lost [s]. */
  lastImpact: number
  /** Of steps after it, those in which energy rose, the largest rise and all rises together, as shares of what was lost. */
  rises: number
  stepsAfter: number
  largestRise: number
  allRises: number
  /** What the solver took from motion for what contacts lifted, as a share of what was lost. */
  takenBack: number
  /** Bodies that are not in the tray any more. */
  lost: number
  depth: number
  contacts: number
  stepMs: number
}

export interface StackingResult {
  bodies: string[]
  pileBodies: string[]
  seconds: number
  pileSeconds: number
  rest: RestRow[]
  pile: PileRow[]
}

/** Of what is seen of every step: how far bodies at rest went so far, as a share of their size; energy of the pile [J]. */
export type StackingSeries = 'drift' | 'energy'

const FRAME = 1 / 60

/** Bodies that went so far, as a share of their size, do not rest, and are not watched any longer. */
const GONE = 0.1

/** @param seen  told what every step was, of each method */
export async function judgeStacking(
  { seconds, pileSeconds, seed }: { seconds: number; pileSeconds: number; seed: number },
  told: (done: number) => Promise<void>,
  // The fourth is MuJoCo's once more, with ten times as many starts, and takes hours here.
  methods: readonly ContactMethod[] = METHODS.slice(0, 3),
  seen: (method: string, series: StackingSeries, values: readonly number[]) => void = () => {},
): Promise<StackingResult> {
  const [rest, pile]: [RestRow[], PileRow[]] = [[], []]
  let done = 0
  const tell = (): Promise<void> => told(done++)
  let bodies: string[] = []
  let pileBodies: string[] = []
  for (const method of methods) {
    const world = new RigidWorld({}, { contactsOf: contactsOf(method) })
    const placed = placeBodies(world)
    bodies = placed.map(({ name }) => name)
    const { drifts, ...row } = await watchRest(world, placed, seconds, tell)
    rest.push({ method: method.name, ...row })
    seen(method.name, 'drift', drifts)
  }
  for (const method of methods) {
    const scene = new PileScene({ seed, contactsOf: contactsOf(method) })
    pileBodies = scene.bodies.map(({ name }) => name)
    const { energies, ...row } = await watchPile(scene, pileSeconds, tell)
    pile.push({ method: method.name, ...row })
    seen(method.name, 'energy', energies)
  }
  return { bodies, pileBodies, seconds, pileSeconds, rest, pile }
}

/** Ours are those that the world makes by itself. */
function contactsOf(method: ContactMethod): ContactMethod['pairOf'] | undefined {
  return method === METHODS[0] ? undefined : method.pairOf
}

interface Placed {
  name: string
  body: RigidBody
  start: Float64Array
}

/** What stands on what: five high, two high, and three by themselves, each as it lies in the table of shapes. */
const PILES: readonly (readonly string[])[] = [
  ['box', 'slab', 'drum', 'rounded box', 'nut of voxels'],
  ['torus', 'cone'],
  ['ellipsoid'],
  ['box frame'],
  ['mug'],
]
const SHAPES: Readonly<Record<string, ShapeDescription>> = {
  ...TWENTY_SHAPES,
  drum: { shape: 'cylinder', radius: 0.3, half: 0.25 },
  'nut of voxels': TWENTY_SHAPES.nut,
}
const GROUND: ShapeDescription = { shape: 'box', half: [5, 0.5, 1.5] }

function placeBodies(world: RigidWorld): Placed[] {
  const floor = fieldOf(shapeOf(GROUND))
  world.add({ solid: solidOf(floor, floor.box), fixed: true, pose: at(4, -0.5, 0) })
  return PILES.flatMap((names, column) => {
    let height = 0
    return names.map((name) => {
      const solid = solidNamed(name)
      const { lower, upper } = fieldOf(shapeOf(SHAPES[name])).box
      const body = world.add({ solid, density: 500, pose: at(2 * column, height - lower[1], 0) })
      height += upper[1] - lower[1]
      return { name, body, start: body.pose.slice() }
    })
  })
}

function solidNamed(name: string): Solid {
  const field = fieldOf(shapeOf(SHAPES[name]))
  if (!name.endsWith('of voxels')) return solidOf(field, field.box)
  const { lower, upper } = field.box
  // Nodes on the faces that it stands on, and air around it.
  const around = {
    lower: lower.map((low, k) => low - (upper[k] - low) / 8) as never,
    upper: upper.map((high, k) => high + (high - lower[k]) / 8) as never,
  }
  return solidOf(VoxelField.sample(field, around, { resolution: 61 }), field.box)
}

function at(x: number, y: number, z: number): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]
}

async function watchRest(
  world: RigidWorld,
  placed: readonly Placed[],
  seconds: number,
  tell: () => Promise<void>,
): Promise<Omit<RestRow, 'method'> & { drifts: number[] }> {
  let [drift, worst, depth, step] = [0, '', 0, 0]
  const drifts: number[] = []
  const began = performance.now()
  let looking = 0
  for (; step < seconds / FRAME && drift < GONE; step++) {
    world.step(FRAME)
    const paused = performance.now()
    for (const { name, body, start } of placed) {
      const share = furthestCorner(body, start) / body.solid.size
      if (share > drift) [drift, worst] = [share, name]
    }
    drifts.push(drift)
    if (step % 60 === 59) {
      depth = Math.max(depth, deepest(world))
      await tell()
    }
    looking += performance.now() - paused
  }
  return {
    ...{ seconds: step * FRAME, drift, worst, depth, kinetic: world.energy().kinetic },
    ...{ contacts: countContacts(world), stepMs: (performance.now() - began - looking) / step, drifts },
  }
}

async function watchPile(
  scene: PileScene,
  seconds: number,
  tell: () => Promise<void>,
): Promise<Omit<PileRow, 'method'> & { energies: number[] }> {
  const { world } = scene
  const energies = [world.energy().total]
  let [depth, looking] = [0, 0]
  const began = performance.now()
  for (let step = 0; step < seconds / FRAME; step++) {
    world.step(FRAME)
    const paused = performance.now()
    energies.push(world.energy().total)
    if (step % 60 === 59) {
      depth = Math.max(depth, deepest(world))
      await tell()
    }
    looking += performance.now() - paused
  }
  const steps = energies.length - 1
  const stepMs = (performance.now() - began - looking) / steps
  const lost = energies[0] - energies[steps]
  let last = 0
  for (let step = 1; step <= steps; step++) if (energies[step - 1] - energies[step] > 1e-3 * lost) last = step
  const after = energies.slice(last + 1).map((energy, i) => (energy - energies[last + i]) / lost)
  const rises = after.filter((rise) => rise > 0)
  const { half } = scene.tray
  const isOut = ({ position: [x, y, z] }: RigidBody): boolean => Math.max(Math.abs(x), Math.abs(z)) > half || y < 0
  return {
    ...{ lastImpact: last * FRAME, rises: rises.length, stepsAfter: after.length },
    largestRise: rises.reduce((most, rise) => Math.max(most, rise), 0),
    allRises: rises.reduce((sum, rise) => sum + rise, 0),
    ...{ takenBack: world.takenBack / lost, lost: scene.bodies.filter(({ body }) => isOut(body)).length },
    ...{ depth, contacts: countContacts(world), stepMs, energies },
  }
}

/** How far a corner of its box went [m]. */
function furthestCorner({ pose, solid: { box } }: RigidBody, start: Float64Array): number {
  let most = 0
  for (let corner = 0; corner < 8; corner++) {
    const moved = [0, 1, 2].map((k) => {
      let way = pose[12 + k] - start[12 + k]
      for (let axis = 0; axis < 3; axis++) {
        const value = (corner >> axis) & 1 ? box.upper[axis] : box.lower[axis]
        way += (pose[4 * axis + k] - start[4 * axis + k]) * value
      }
      return way
    })
    most = Math.max(most, Math.hypot(...moved))
  }
  return most
}

/** Of all pairs, as our contacts tell afresh, whoever moved the bodies; a share of the smaller one's size. */
function deepest({ bodies }: RigidWorld): number {
  let depth = 0
  bodies.forEach((a, i) => {
    for (const b of bodies.slice(i + 1)) {
      const size = Math.min(boxDiagonal(a.solid.box), boxDiagonal(b.solid.box))
      const { count, separations } = new SolidPair(a.solid, b.solid).update(a.pose, b.pose)
      if (count > 0) depth = Math.max(depth, -separations[0] / size)
    }
  })
  return depth
}

function countContacts({ contacts }: RigidWorld): number {
  return contacts.reduce((sum, { points }) => sum + points.length, 0)
}
