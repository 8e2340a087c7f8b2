/** How rigid bodies are simulated, with the values that scenes of bodies about a metre across or smaller get. */
import type { Vec3 } from '../../math/box.js'
import { COUNT, NOT_NEGATIVE, POSITIVE, type Rules, SHARE, settingsOf, THREE_NUMBERS } from '../../math/settings.js'

/** How rigid bodies are simulated. */
export interface RigidWorldOptions {
  /** [m/s^2] */
  gravity?: Vec3
  /** Parts of a step that are solved one after the other; contacts are looked for once a step. */
  substeps?: number
  /** Sweeps over all contacts, twice a substep: with and without what pushes bodies apart. */
  iterations?: number
  /** Contacts of a pair at most. */
  maxContacts?: number
  /** How far apart bodies have a contact already, as a share of the smaller: what they come nearer in a step is added. */
  gap?: number
  /** Speed [m/s] at which what overlaps is parted at most. */
  pushOut?: number
  /** Speed of approach [m/s] below which nothing bounces. */
  restitutionSpeed?: number
}

/** Options of a rigid world with every default filled in. */
export type RigidWorldSettings = { -readonly [K in keyof Required<RigidWorldOptions>]: Required<RigidWorldOptions>[K] }

/** What scenes of bodies about a metre across or smaller get. */
export const RIGID_WORLD_DEFAULTS: Readonly<RigidWorldSettings> = {
  gravity: [0, -9.81, 0],
  substeps: 4,
  iterations: 6,
  maxContacts: 16,
  gap: 0.02,
  pushOut: 1,
  restitutionSpeed: 0.2,
}

const RULES: Rules<RigidWorldSettings> = {
  gravity: THREE_NUMBERS,
  substeps: COUNT,
  iterations: COUNT,
  maxContacts: COUNT,
  gap: SHARE,
  pushOut: NOT_NEGATIVE,
  restitutionSpeed: POSITIVE,
}

/** @throws RangeError if there is no such option, or a value is of another type or out of its range */
export function rigidWorldSettings(options: RigidWorldOptions): RigidWorldSettings {
  return settingsOf('rigid world', options, RIGID_WORLD_DEFAULTS, RULES)
}
