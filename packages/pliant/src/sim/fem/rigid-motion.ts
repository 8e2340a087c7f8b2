/** How a body moves as a whole: centre of mass, velocity, angular velocity; where that carries it, and how it is changed. */
import { quaternionOfVector, rotateVector } from '../../math/quaternion.js'

/** A body whose inertia is this much less round than a ball's has shrunk to a line or a point. */
const LINE = 1e-12

const NONE = [0, 0, 0]

export class RigidMotion {
  /** Centre of mass [m], its velocity [m/s], and the angular velocity [rad/s], of the last `measure`. */
  readonly centre = new Float64Array(3)
  readonly velocity = new Float64Array(3)
  readonly spin = new Float64Array(3)
  /** Whether the nodes lie on a line: then they have no spin. */
  isLine = false
  private readonly inertia = new Float64Array(6)
  /** Angular momentum about the centre [kg m^2/s]. */
  readonly angular = new Float64Array(3)
  private readonly vector = new Float64Array(3)
  /** Quaternion xyzw of the turn that was last foreseen. */
  readonly turn = new Float64Array(4)

  constructor(
    private readonly masses: Float64Array,
    private readonly totalMass: number,
  ) {}

  /** @param x positions [m] @param v velocities [m/s] */
  measure(x: Float64Array, v: Float64Array): void {
    const { masses, totalMass, centre, velocity, angular, spin } = this
    centreOfMass(x, masses, totalMass, centre)
    centreOfMass(v, masses, totalMass, velocity)
    const [cx, cy, cz] = centre
    let [ax, ay, az] = [0, 0, 0]
    for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
      const px = masses[node] * v[i]
      const py = masses[node] * v[i + 1]
      const pz = masses[node] * v[i + 2]
      const rx = x[i] - cx
      const ry = x[i + 1] - cy
      const rz = x[i + 2] - cz
      ax += ry * pz - rz * py
      ay += rz * px - rx * pz
      az += rx * py - ry * px
    }
    angular[0] = ax
    angular[1] = ay
    angular[2] = az
    this.measureInertia(x)
    spin.set(angular)
    this.isLine = !solveSymmetric(this.inertia, spin)
  }

  /**
   * Where nodes will be after `h` seconds if they move as one.
   * @param largest turn [rad]; what spins faster is turned by that
   */
  foresee(h: number, largest: number, x: Float64Array, out: Float64Array): void {
    const { centre, velocity, vector, turn, spin } = this
    const seconds = Math.min(h, largest / Math.hypot(spin[0], spin[1], spin[2]))
    for (let axis = 0; axis < 3; axis++) vector[axis] = seconds * spin[axis]
    quaternionOfVector(vector, 0, turn, 0)
    for (let i = 0; i < x.length; i += 3) {
      for (let axis = 0; axis < 3; axis++) vector[axis] = x[i + axis] - centre[axis]
      rotateVector(turn, 0, vector, 0, out, i)
      for (let axis = 0; axis < 3; axis++) out[i + axis] += centre[axis] + h * velocity[axis]
    }
  }

  /**
   * Changes velocities as a rigid body's by an impulse.
   * @param impulse [kg m/s] @param angular impulse about the nodes' centre of mass [kg m^2/s]
   */
  giveMomentum(x: Float64Array, v: Float64Array, impulse: ArrayLike<number>, angular: ArrayLike<number>): void {
    const { centre, vector, totalMass, masses } = this
    centreOfMass(x, masses, totalMass, centre)
    this.measureInertia(x)
    for (let axis = 0; axis < 3; axis++) vector[axis] = angular[axis]
    if (!solveSymmetric(this.inertia, vector)) vector.fill(0)
    const [wx, wy, wz] = vector
    for (let i = 0; i < x.length; i += 3) {
      const rx = x[i] - centre[0]
      const ry = x[i + 1] - centre[1]
      const rz = x[i + 2] - centre[2]
      v[i] += impulse[0] / totalMass + wy * rz - wz * ry
      v[i + 1] += impulse[1] / totalMass + wz * rx - wx * rz
      v[i + 2] += impulse[2] / totalMass + wx * ry - wy * rx
    }
  }

  /** Slows the centre so that no node is faster than a limit [m/s], if most of that is the centre's: cut one by one, nodes lose shape. */
  limitSpeed(x: Float64Array, v: Float64Array, limit: number): void {
    let fastest = 0
    for (let i = 0; i < v.length; i += 3) fastest = Math.max(fastest, v[i] ** 2 + v[i + 1] ** 2 + v[i + 2] ** 2)
    if (!(fastest > limit * limit && fastest < Infinity)) return
    this.measure(x, v)
    const [vx, vy, vz] = this.velocity
    let beside = 0
    for (let i = 0; i < v.length; i += 3) {
      beside = Math.max(beside, (v[i] - vx) ** 2 + (v[i + 1] - vy) ** 2 + (v[i + 2] - vz) ** 2)
    }
    if (!(4 * beside < limit * limit)) return
    const lost = Math.max(0, 1 - (limit - Math.sqrt(beside)) / Math.hypot(vx, vy, vz))
    for (let i = 0; i < v.length; i++) v[i] -= lost * this.velocity[i % 3]
  }

  /** Gives an angular impulse [kg m^2/s] if that slows the spin. */
  slowBy(x: Float64Array, v: Float64Array, impulse: ArrayLike<number>): void {
    this.measure(x, v)
    const [ax, ay, az] = this.angular
    const [ix, iy, iz] = [impulse[0], impulse[1], impulse[2]]
    if (2 * (ax * ix + ay * iy + az * iz) + ix * ix + iy * iy + iz * iz < 0) this.giveMomentum(x, v, NONE, impulse)
  }

  /** Slows the spin down to a limit [rad/s]. */
  limitSpin(x: Float64Array, v: Float64Array, limit: number): void {
    this.measure(x, v)
    const lost = Math.min(0, limit / Math.hypot(this.spin[0], this.spin[1], this.spin[2]) - 1)
    this.giveMomentum(
      x,
      v,
      NONE,
      this.angular.map((momentum) => lost * momentum),
    )
  }

  /** About the centre [kg m^2]: xx, xy, xz, yy, yz, zz. */
  private measureInertia(x: Float64Array): void {
    const { masses, centre, inertia } = this
    const [cx, cy, cz] = centre
    // Sums in variables: in an array each waits for the last one's store.
    let [xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0]
    for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
      const mass = masses[node]
      const rx = x[i] - cx
      const ry = x[i + 1] - cy
      const rz = x[i + 2] - cz
      xx += mass * (ry * ry + rz * rz)
      xy -= mass * rx * ry
      xz -= mass * rx * rz
      yy += mass * (rx * rx + rz * rz)
      yz -= mass * ry * rz
      zz += mass * (rx * rx + ry * ry)
    }
    inertia.set([xx, xy, xz, yy, yz, zz])
  }
}

/** The mean of vectors, each weighed by its mass. */
export function centreOfMass(x: Float64Array, masses: Float64Array, totalMass: number, out: Float64Array): void {
  let [sumX, sumY, sumZ] = [0, 0, 0]
  for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
    const share = masses[node] / totalMass
    sumX += share * x[i]
    sumY += share * x[i + 1]
    sumZ += share * x[i + 2]
  }
  out[0] = sumX
  out[1] = sumY
  out[2] = sumZ
}

/** out += (point i - origin) x force */
export function addTorque(
  x: Float64Array,
  i: number,
  origin: ArrayLike<number>,
  fx: number,
  fy: number,
  fz: number,
  out: Float64Array,
): void {
  const rx = x[i] - origin[0]
  const ry = x[i + 1] - origin[1]
  const rz = x[i + 2] - origin[2]
  out[0] += ry * fz - rz * fy
  out[1] += rz * fx - rx * fz
  out[2] += rx * fy - ry * fx
}

/** inertia += that of a mass at (x, y, z). */
export function addInertia(inertia: Float64Array, mass: number, x: number, y: number, z: number): void {
  inertia[0] += mass * (y * y + z * z)
  inertia[1] -= mass * x * y
  inertia[2] -= mass * x * z
  inertia[3] += mass * (x * x + z * z)
  inertia[4] -= mass * y * z
  inertia[5] += mass * (x * x + y * y)
}

/** Solves an inertia times vector = vector. @returns false, and a vector of zeros, if the inertia is that of a line */
export function solveSymmetric(m: Float64Array, vector: Float64Array): boolean {
  const [xx, xy, xz, yy, yz, zz] = m
  const c0 = yy * zz - yz * yz
  const c1 = xz * yz - xy * zz
  const c2 = xy * yz - xz * yy
  const determinant = xx * c0 + xy * c1 + xz * c2
  if (!(determinant > LINE * (xx + yy + zz) ** 3)) {
    vector.fill(0)
    return false
  }
  const x = vector[0] / determinant
  const y = vector[1] / determinant
  const z = vector[2] / determinant
  vector[0] = c0 * x + c1 * y + c2 * z
  vector[1] = c1 * x + (xx * zz - xz * xz) * y + (xy * xz - xx * yz) * z
  vector[2] = c2 * x + (xy * xz - xx * yz) * y + (xx * yy - xy * xy) * z
  return true
}
