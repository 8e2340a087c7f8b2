/** The scene of one drop: a ground with spheres of random sizes that stick out of it, and how the body comes down on them. */
import { fieldHalfSpace, fieldSphere, type Vec3 } from 'pliant'
import type { Obstacle } from 'pliant/sim'
import { streamOf } from '../streams/random-streams.js'
import { type DropSettings, GRAVITY } from './drop-options.js'

export interface DropScene {
  /** On the ground y = 0 [m]. */
  spheres: { centre: Vec3; radius: number }[]
  /** How the body is turned, xyzw. */
  rotation: Float64Array
  /** Speed [m/s] with which it arrives. */
  speed: number
  /** Its Young's modulus, in multiples of the material's. */
  stiffness: number
  /** Its damping, in multiples of the material's. */
  damping: number
  /** Its Poisson's ratio. */
  poisson: number
}

/** Spheres lie in a disc of this radius, in sizes; the body's own reaches half of one. */
const DISC = 0.6
/** Centres lie this far below and above ground, in radii. */
const SUNK = [-0.3, 0.7] as const

/** The ground is y = 0, and the body comes down along the y axis. */
export function dropScene(settings: DropSettings, run: number): DropScene {
  const { seed, size, spheres, radii, heights, purpose } = settings
  const random = streamOf(`${purpose}Drops`, seed, run)
  const lying: DropScene['spheres'] = []
  const count = spheres[0] + random.below(spheres[1] - spheres[0] + 1)
  for (let s = 0; s < count; s++) {
    const radius = size * random.between(radii[0], radii[1])
    const away = size * DISC * Math.sqrt(random.uniform())
    const angle = 2 * Math.PI * random.uniform()
    const height = radius * random.between(SUNK[0], SUNK[1])
    if (!(radius > 0)) continue
    lying.push({ centre: [away * Math.cos(angle), height, away * Math.sin(angle)], radius })
  }
  // Four normals point evenly to all sides of the sphere of quaternions.
  const rotation = Float64Array.from({ length: 4 }, () => random.normal())
  const length = Math.hypot(...rotation)
  for (let i = 0; i < 4; i++) rotation[i] /= length
  const speed = Math.sqrt(2 * GRAVITY * size * random.between(heights[0], heights[1]))
  // Evenly in its logarithm: twice as soft matters as much as twice as stiff.
  const multiple = ([low, high]: readonly [number, number]): number => low * (high / low) ** random.uniform()
  const stiffness = multiple(settings.stiffness)
  const damping = multiple(settings.damping)
  const poisson = random.between(settings.poisson[0], settings.poisson[1])
  return { spheres: lying, rotation, speed, stiffness, damping, poisson }
}

/** What the body falls onto. */
export function obstaclesOf({ spheres }: Pick<DropScene, 'spheres'>): Obstacle[] {
  const ground = { field: fieldHalfSpace([0, 1, 0], 0) }
  return [ground, ...spheres.map(({ centre, radius }) => ({ field: fieldSphere(centre, radius) }))]
}
