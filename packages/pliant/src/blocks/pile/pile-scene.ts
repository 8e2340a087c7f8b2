/**
 * A pile: named bodies dropped into a tray or onto the ground, turned and placed by a seed, so that everybody drops the same
 * one. The page shows it, and the bench looks at how it comes to rest.
 */
import type { BroadPhase, Solid } from '../../detect/index.js'
import { type Random, randomStream } from '../../index.js'
import { type PairFactory, type RigidBody, RigidWorld, type RigidWorldOptions } from '../../sim/index.js'
import { boxDiagonal, composeMat4 } from '../../unstable.js'
import { PILE_SHAPES, shapeSolid } from './pile-shapes.js'

/** What is dropped, and onto what. */
export interface PileOptions {
  /** Names of bodies in the order in which they fall: of `PILE_SHAPES`, or of `solids`. */
  bodies?: readonly string[]
  /** More of them, by name, as of meshes (`meshSolid`) and learned fields. */
  solids?: Readonly<Record<string, Solid>>
  /** A floor without an end, or one with walls around it. */
  ground?: 'plane' | 'tray'
  seed?: number
  /** [kg/m^3] */
  density?: number
  /** Of all bodies and the ground. */
  friction?: number
  restitution?: number
  /** How the world is simulated. */
  world?: RigidWorldOptions
  /** What finds contacts, in place of ours. */
  contactsOf?: PairFactory
  /** What finds bodies whose boxes overlap, for whoever watches it. */
  broadPhase?: BroadPhase
}
export const PILE_DEFAULTS = {
  bodies: ['box', 'torus', 'cone', 'rounded box', 'cylinder', 'heart', 'nut', 'dumbbell', 'table', 'mug'],
  ground: 'tray',
  seed: 1,
  density: 500,
  friction: 0.5,
  restitution: 0,
} as const

/** A body of the pile, and its name. */
export interface PileBody {
  readonly name: string
  readonly body: RigidBody
}

/** Bodies beside each other that fall together, along x and along z. */
const ABREAST = 2
/** Gap between bodies as they wait, and between them and walls, as shares of the largest one's diagonal. */
const APART = 1.05
const TO_WALL = 0.15
const WALL = { height: 0.6, thickness: 0.1 }

/** Named bodies dropped into a tray or onto the ground. */
export class PileScene {
  readonly world: RigidWorld
  readonly bodies: readonly PileBody[]
  /** What they fall onto; a solid without an end if it is a plane. */
  readonly ground: RigidBody
  /** Half of the tray's inner width [m], and how high its walls are; of a plane what a tray would have. */
  readonly tray: { readonly half: number; readonly height: number; readonly thickness: number }
  readonly #starts: Float64Array[]

  /** @throws RangeError if there is no body of a name, or an option is wrong */
  constructor(options: PileOptions = {}) {
    const { bodies, ground, seed, density, friction, restitution } = { ...PILE_DEFAULTS, ...options }
    const { solids = {}, world = {}, contactsOf, broadPhase } = options
    const kinds = new Map<string, Solid>()
    for (const name of bodies) kinds.set(name, kinds.get(name) ?? solidNamed(name, solids))
    const largest = Math.max(...[...kinds.values()].map(({ box }) => boxDiagonal(box)))
    const half = ((ABREAST - 1) / 2) * APART * largest + (0.5 + TO_WALL) * largest
    this.tray = { half, height: WALL.height * largest, thickness: WALL.thickness * largest }
    this.world = new RigidWorld(world, { contactsOf, broadPhase })
    this.ground = this.world.add({ solid: groundSolid(ground, this.tray), fixed: true, friction, restitution })
    const random = randomStream(seed)
    this.#starts = bodies.map((name, i) => startPose(i, kinds.get(name) as Solid, largest, random))
    this.bodies = bodies.map((name, i) => {
      const solid = kinds.get(name) as Solid
      return { name, body: this.world.add({ solid, density, friction, restitution, pose: this.#starts[i] }) }
    })
  }

  /** Back above the ground, as if nothing had been before. */
  reset(): void {
    this.bodies.forEach(({ body }, i) => {
      body.velocity.fill(0)
      body.angularVelocity.fill(0)
      body.moveTo(this.#starts[i])
    })
    this.world.forget()
  }

  /** @param dt  [s] */
  step(dt: number): void {
    this.world.step(dt)
  }
}

function solidNamed(name: string, solids: Readonly<Record<string, Solid>>): Solid {
  if (Object.hasOwn(solids, name)) return solids[name]
  if (Object.hasOwn(PILE_SHAPES, name)) return shapeSolid(PILE_SHAPES[name])
  const names = [...Object.keys(PILE_SHAPES), ...Object.keys(solids)]
  throw new RangeError(`pile: there is no body '${name}'; choose from ${names.join(', ')}, or pass it in solids.`)
}

function groundSolid(kind: 'plane' | 'tray', { half, height, thickness }: PileScene['tray']): Solid {
  if (kind === 'plane') return shapeSolid({ shape: 'half-space', normal: [0, 1, 0], offset: 0 })
  if (kind !== 'tray') throw new RangeError(`pile: ground is '${kind}'; give 'plane' or 'tray'.`)
  const t = thickness / 2
  const wall = (x: number, z: number): object => ({
    shape: 'box',
    half: x === 0 ? [half + thickness, height / 2 + t, t] : [t, height / 2 + t, half + thickness],
    at: [x * (half + t), height / 2 - t, z * (half + t)],
  })
  const floor = { shape: 'box', half: [half + thickness, t, half + thickness], at: [0, -t, 0] }
  return shapeSolid({ shape: 'union', of: [floor, wall(1, 0), wall(-1, 0), wall(0, 1), wall(0, -1)] })
}

/** In layers, each a little aside, turned any way. */
function startPose(i: number, { box }: Solid, largest: number, random: Random): Float64Array {
  const [layer, place] = [Math.floor(i / ABREAST ** 2), i % ABREAST ** 2]
  const columns = [place % ABREAST, Math.floor(place / ABREAST)].map((at) => at - (ABREAST - 1) / 2)
  const aside = (): number => random.between(-0.02, 0.02) * largest
  const at = [APART * largest * columns[0] + aside(), 0, APART * largest * columns[1] + aside()]
  at[1] = (0.6 + APART * layer) * largest
  const turn = [random.normal(), random.normal(), random.normal(), random.normal()]
  const length = Math.hypot(...turn)
  const pose = new Float64Array(16)
  composeMat4(
    at,
    turn.map((value) => value / length),
    [1, 1, 1],
    0,
    pose,
    0,
  )
  // About the middle of its box, as solids of files have their origin anywhere.
  for (let k = 0; k < 3; k++) {
    for (let axis = 0; axis < 3; axis++) pose[12 + k] -= (pose[4 * axis + k] * (box.lower[axis] + box.upper[axis])) / 2
  }
  return pose
}
