/**
 * How hard surfaces push and rub. Pressure begins at `thickness` from the surface with a quadratic onset and is linear
 * inside, so that force has no corner where a vertex comes or goes; friction is Coulomb's, smoothed below a slip speed
 * as in `sim/fem/fem-contacts.ts` (Li et al. 2020, IPC, Eq. 14).
 */
export interface ContactLaw {
  /** Distance [m] from the surface at which contact begins, positive. */
  thickness: number
  /** Pressure per depth [Pa/m], positive. */
  stiffness: number
  /** Damping along the normal [s], zero or more: its pressure is this times the stiffness times the speed of approach. */
  damping: number
  /** Coulomb coefficient, zero or more. */
  friction: number
  /** Speed [m/s] below which friction fades to sticking, positive. */
  slipSpeed: number
}

/** Depth [m] that pressure goes by. @param reach thickness less distance [m] */
export function pressingDepth(reach: number, thickness: number): number {
  if (!(reach > 0)) return 0
  return reach < thickness ? (reach * reach) / (2 * thickness) : reach - thickness / 2
}

/** Derivative of `pressingDepth`: from 0 where contact begins to 1 at the surface. */
export function pressingSlope(reach: number, thickness: number): number {
  return reach < thickness ? Math.max(0, reach / thickness) : 1
}

/** Friction [N] per slip [m/s]. @param slip speed [m/s] along the surface */
export function frictionPerSlip(normalForce: number, slip: number, { friction, slipSpeed }: ContactLaw): number {
  return friction * normalForce * (slip < slipSpeed ? (2 - slip / slipSpeed) / slipSpeed : 1 / slip)
}
