/**
 * The built-in bar: a dumbbell with a rounded square section that bends, sways and twists. Three linear modes, made in
 * code: the two bends follow Euler-Bernoulli (sections stay normal to the axis: u_x = -y phi'(x)), the twist turns
 * each section by an angle that grows along the bar.
 */
import { LinearModes } from 'pliant'

/** Rings along the bar and vertices around each: 3,008 triangles, near the 3,122 of the meshes in the papers. */
const RINGS = 48
const AROUND = 32
/** Half the length [m]. */
const HALF_LENGTH = 0.5
/** Half the thickness [m] in the middle and at the thickest of both ends. */
const MIDDLE = 0.055
const KNOB = 0.1
/** Largest displacements: bend and sway at the ends [m], twist at the ends [rad]. */
const BEND = 0.16
const SWAY = 0.12
const TWIST = 0.6

export function makeBar(): LinearModes {
  const { rest, triangles } = barSurface()
  const vertices = rest.length / 3
  const modes = new Float64Array(3 * rest.length)
  const [bend, sway, twist] = [0, 1, 2].map((k) => modes.subarray(k * rest.length, (k + 1) * rest.length))
  for (let v = 0; v < vertices; v++) {
    const [x, y, z] = rest.subarray(3 * v, 3 * v + 3)
    const s = x / HALF_LENGTH
    // phi = BEND (s^2 - 1/3): a free bar bends about its own middle.
    bend[3 * v] = (-y * 2 * BEND * s) / HALF_LENGTH
    bend[3 * v + 1] = BEND * (s * s - 1 / 3)
    // phi = SWAY (s^3 - s / 2): an S in the other plane.
    sway[3 * v] = (-z * SWAY * (3 * s * s - 0.5)) / HALF_LENGTH
    sway[3 * v + 2] = SWAY * (s * s * s - s / 2)
    twist[3 * v + 1] = -TWIST * s * z
    twist[3 * v + 2] = TWIST * s * y
  }
  return new LinearModes({
    rest,
    modes,
    triangles,
    bounds: { lower: Float64Array.of(-1, -1, -1), upper: Float64Array.of(1, 1, 1) },
  })
}

export const BAR_CODE_NAMES = ['bend', 'sway', 'twist']

/** Rings of superellipses from pole to pole; the poles are single vertices, so the surface is closed. */
function barSurface(): { rest: Float64Array; triangles: Uint32Array } {
  const rest: number[] = [-HALF_LENGTH, 0, 0]
  for (let ring = 1; ring < RINGS; ring++) {
    // Cosine spacing: rings crowd at the rounded ends.
    const x = -HALF_LENGTH * Math.cos((Math.PI * ring) / RINGS)
    const radius = barProfile(x / HALF_LENGTH)
    for (let k = 0; k < AROUND; k++) {
      const angle = (2 * Math.PI * k) / AROUND
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      // |y|^4 + |z|^4 = radius^4: a square with round corners.
      const stretch = radius / (c ** 4 + s ** 4) ** 0.25
      rest.push(x, stretch * c, stretch * s)
    }
  }
  rest.push(HALF_LENGTH, 0, 0)
  const last = rest.length / 3 - 1
  const triangles: number[] = []
  for (let k = 0; k < AROUND; k++) {
    const next = (k + 1) % AROUND
    triangles.push(0, 1 + next, 1 + k)
    for (let ring = 0; ring + 2 < RINGS; ring++) {
      const a = 1 + ring * AROUND
      const b = a + AROUND
      triangles.push(a + k, a + next, b + k, a + next, b + next, b + k)
    }
    const end = 1 + (RINGS - 2) * AROUND
    triangles.push(last, end + k, end + next)
  }
  return { rest: Float64Array.from(rest), triangles: Uint32Array.from(triangles) }
}

/** Half thickness at s in (-1, 1): thin in the middle, a knob near each end, closing like an ellipse. */
function barProfile(s: number): number {
  const knob = Math.exp(-(((Math.abs(s) - 0.8) / 0.18) ** 2))
  return (MIDDLE + (KNOB - MIDDLE) * knob) * Math.sqrt(1 - s ** 8)
}
