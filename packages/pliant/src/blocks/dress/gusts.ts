/** Wind that comes in gusts, never twice the same within a minute, and always the same at the same time. */
import type { Vec3 } from '../../index.js'

/** The air of a scene. */
export interface Wind {
  /** In the mean over the gusts [m/s], zero or more. */
  speed: number
  /** Where it comes from [rad] about +Y: 0 from the front (+Z), a quarter turn from +X. */
  from: number
}

/** By how much a gust is stronger than the mean at most, and how fast the two waves of it come [rad/s]. */
const STRENGTH = 0.35
const RATES = [1.1, 2.7] as const

/** Velocity of the air [m/s]. @param seconds  since the wind began */
export function gustAt({ speed, from }: Wind, seconds: number): Vec3 {
  const [slow, fast] = RATES.map((rate) => Math.sin(rate * seconds))
  const now = speed * (1 + STRENGTH * (0.7 * slow + 0.3 * fast))
  return [-now * Math.sin(from), 0, -now * Math.cos(from)]
}
