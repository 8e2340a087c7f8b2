/** How two bodies touch, and how a hand holds one of them. */
import type { MeetsAt } from '../detect/surface/surface-places.js'
import { NOT_NEGATIVE, oneOf, POSITIVE, type Rules, settingsOf } from '../math/settings.js'
import type { FemBody } from '../sim/fem/fem-body.js'
import type { ContactLaw } from './contact-law.js'
import type { HandSettings } from './hand-coupling.js'

/** How contact pushes, and how the hand holds the tool. */
export interface TouchOptions extends Partial<ContactLaw>, Partial<HandSettings> {
  /** Longest step [s], positive; no longer than either body's own `substep`. */
  substep?: number
  /**
   * Where either body meets the other: 'points' are the vertices of its surface; 'surface' finds the deepest place of
   * every edge and triangle near the other, too, so that a corner or an ear thinner than a triangle does not come in.
   */
  contact?: MeetsAt
}

/** The options of a touch with everything filled in. */
export interface TouchSettings extends ContactLaw, HandSettings {
  /** Longest step of the simulation [s]. */
  substep: number
  /** Where either body meets the other. */
  contact: MeetsAt
  /** Longest frame [s]: the shorter one of the two bodies'. */
  maxFrame: number
}

/**
 * What `ElasticTouch` takes where nothing else is said; what is not here follows from the bodies' size and stiffness.
 */
export const TOUCH_DEFAULTS = { damping: 0.004, friction: 0.4, slipSpeed: 0.005, contact: 'points' } as const

/**
 * What is not given follows from the bodies: contact begins at 1% of the body's size and is 40 times as stiff as the
 * softer body of that size; the hand pulls as hard as pressing the tool into the body by its size would, about.
 * @throws RangeError if there is no such option, or a value is of another type or out of its range
 */
export function touchSettings(body: FemBody, tool: FemBody, options: TouchOptions): TouchSettings {
  const young = Math.min(body.material.young, tool.material.young)
  const longest = Math.min(body.settings.substep, tool.settings.substep)
  const handStiffness = 0.5 * young * tool.size
  const defaults: TouchSettings = {
    ...TOUCH_DEFAULTS,
    thickness: 0.01 * body.size,
    stiffness: (40 * young) / body.size,
    handStiffness,
    handDamping: 2 * Math.sqrt(handStiffness * tool.totalMass),
    handForce: 0.05 * young * tool.size ** 2,
    substep: longest,
    maxFrame: Math.min(body.settings.maxFrame, tool.settings.maxFrame),
  }
  const settings = settingsOf('touch', options, defaults, RULES)
  settings.substep = Math.min(settings.substep, longest)
  return settings
}

const RULES: Rules<TouchSettings> = {
  thickness: POSITIVE,
  stiffness: POSITIVE,
  damping: NOT_NEGATIVE,
  friction: NOT_NEGATIVE,
  slipSpeed: POSITIVE,
  handStiffness: POSITIVE,
  handDamping: NOT_NEGATIVE,
  handForce: POSITIVE,
  substep: POSITIVE,
  contact: oneOf('points', 'surface'),
  maxFrame: POSITIVE,
}
