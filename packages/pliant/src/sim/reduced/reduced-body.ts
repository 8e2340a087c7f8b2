/**
 * A reduced body: rigid motion and a few modes, x = R (x0 + U q) + p (Cai et al., Eq. 17 and 18). As in the paper the two
 * do not feel each other, and the inertia is that of rest. What differs: the state holds angular momentum and not a
 * rotation vector's rate, so that free rotation keeps it to the last digit.
 */
import type { MovingField, SignedField, VertexState } from '../../field/signed-field.js'
import type { Vec3 } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import { requireFinite, requireIndices, requireItems, requireNumbers, shown } from '../../math/require.js'
import type { ReducedElasticity } from './reduced-elasticity.js'
import { invertSymmetric3, rotationMatrix } from './rigid-rotation.js'
import type { SelfContact } from './self-contact.js'

/** What a reduced body is made of. A code has as many numbers as there are modes, in whatever unit they are scaled to. */
export interface ReducedBodyData {
  /** Rest positions [m] of the surface's vertices, about the centre of mass, xyz triples. */
  rest: Float64Array
  /** Displacement fields U [m per unit of code], one after the other, each as long as `rest`. */
  modes: Float64Array
  /** U^T M U of each mode [kg m^2 per unit of code squared]: kinetic energy is half of it times the code's rate squared. */
  modalMasses: ArrayLike<number>
  /** U^T K U of each mode [J per unit of code squared]. */
  modalStiffness: ArrayLike<number>
  /** Mass of the whole [kg], positive. */
  mass: number
  /** Inertia at rest about the centre of mass [kg m^2]: 3 x 3, symmetric and positive. */
  inertia: ArrayLike<number>
  /** Triangles of the surface, vertex index triples: where another body presses, modes are interpolated on them. */
  triangles?: Uint32Array
}

/** How a reduced body resists, and what tells where it is. */
export interface ReducedBodyOptions {
  /** Damping ratio of every mode, or one for each: 1 is critical, 0 rings for ever. */
  damping?: number | ArrayLike<number>
  /** Elasticity beyond the linear, such as `StvkModes`; left out, each mode is a linear spring of its own. */
  elasticity?: ReducedElasticity
  /** What other bodies meet of it. */
  shape?: ReducedShape
  /** What keeps it from running into itself. */
  selfContact?: SelfContact
}

/**
 * What other bodies meet: a field of the deformed surface in the body's own frame (rest, about the centre of mass) that
 * takes `{ vertices }`, as `ExactMeshField` does; or a function that gives a field in that frame for the present code.
 */
export type ReducedShape = MovingField<VertexState> | ((body: ReducedBody) => SignedField)

/** A body that moves rigidly and bends by a few modes. Its state may be written between steps. */
export class ReducedBody {
  /** How many modes, and numbers in a code. */
  readonly codeSize: number
  /** How many vertices the surface has. */
  readonly vertexCount: number
  /** Rest positions [m] about the centre of mass. */
  readonly rest: Float64Array
  /** Displacement fields [m per unit of code], one after the other. */
  readonly modes: Float64Array
  /** Modal masses [kg m^2 per unit of code squared]. */
  readonly modalMasses: Float64Array
  /** Modal stiffnesses [J per unit of code squared]. */
  readonly modalStiffness: Float64Array
  /** Modal damping [J s per unit of code squared]: 2 ratio sqrt(mass stiffness). */
  readonly modalDamping: Float64Array
  /** Mass of the whole [kg]. */
  readonly mass: number
  /** Inertia at rest [kg m^2], 3 x 3. */
  readonly inertia: Float64Array
  /** Its inverse. @internal */
  readonly inverseInertia = new Float64Array(9)
  /** Triangles of the surface, if they were given. */
  readonly triangles: Uint32Array | undefined
  /** Elasticity beyond the linear, if there is any. */
  readonly elasticity: ReducedElasticity | undefined
  /** Farthest vertex from the centre of mass at rest [m]. */
  readonly radius: number
  /** What other bodies meet of it. */
  shape: ReducedShape | undefined
  /** What keeps it from running into itself. */
  selfContact: SelfContact

  /** Where the centre of mass is [m]. */
  readonly position = new Float64Array(3)
  /** How the body is turned: unit quaternion xyzw. */
  readonly orientation = Float64Array.of(0, 0, 0, 1)
  /** Velocity of the centre of mass [m/s]. */
  readonly velocity = new Float64Array(3)
  /** Angular momentum about the centre of mass [kg m^2/s], world. */
  readonly angularMomentum = new Float64Array(3)
  /** The code q. */
  readonly code: Float64Array
  /** Its rate [1/s]. */
  readonly codeVelocity: Float64Array
  /** Forces on the code from outside [J per unit of code], kept from step to step. Yours to write. */
  readonly codeForces: Float64Array
  /** Longest displacement of each mode [m per unit of code]. @internal */
  readonly reaches: Float64Array
  readonly #rotation = new Float64Array(9)
  readonly #local = new Float64Array(3)
  readonly #spin = new Float64Array(3)
  readonly #arm = new Float64Array(3)

  /** @throws RangeError if lengths disagree, or a value is not finite or out of its range */
  constructor(data: ReducedBodyData, options: ReducedBodyOptions = {}) {
    const { rest, modes, modalMasses, modalStiffness, mass, inertia, triangles } = data
    this.codeSize = requireLength('modalMasses', modalMasses)
    this.vertexCount = rest.length / 3
    if (!(Number.isInteger(this.vertexCount) && this.vertexCount > 0)) {
      throw new RangeError(`reduced body: rest is ${shown(rest)}; pass xyz triples of at least one vertex.`)
    }
    requireItems('reduced body', rest, 'vertex', this.vertexCount, 3)
    requireItems('reduced body', modes, 'mode', this.codeSize, rest.length)
    requirePositive('mass', mass)
    for (let k = 0; k < this.codeSize; k++) requirePositive(`modalMasses[${k}]`, modalMasses[k])
    requireNumbers('reduced body', modalStiffness, 'modal stiffness', this.codeSize)
    for (let k = 0; k < this.codeSize; k++) requireNotNegative(`modalStiffness[${k}]`, modalStiffness[k])
    requireNumbers('reduced body', inertia, 'inertia value', 9)
    if (triangles) requireIndices('reduced body', triangles, 'vertex', this.vertexCount)
    this.rest = rest
    this.modes = modes
    this.modalMasses = Float64Array.from(modalMasses)
    this.modalStiffness = Float64Array.from(modalStiffness)
    this.modalDamping = dampingOf(options.damping ?? 0, this.modalMasses, this.modalStiffness)
    this.mass = mass
    this.inertia = Float64Array.from(inertia)
    if (!invertSymmetric3(this.inertia, this.inverseInertia)) {
      throw new RangeError('reduced body: the inertia is not positive; pass that of a body with volume.')
    }
    this.triangles = triangles
    this.elasticity = options.elasticity
    if (this.elasticity && this.elasticity.codeSize !== this.codeSize) {
      throw new RangeError(
        `reduced body: elasticity of ${this.elasticity.codeSize} modes for ${this.codeSize}; pass one of the same modes.`,
      )
    }
    this.shape = options.shape
    this.selfContact = options.selfContact ?? {}
    this.code = new Float64Array(this.codeSize)
    this.codeVelocity = new Float64Array(this.codeSize)
    this.codeForces = new Float64Array(this.codeSize)
    this.radius = longest(rest, 0, rest.length)
    this.reaches = this.code.map((_, k) => longest(modes, k * rest.length, (k + 1) * rest.length))
  }

  /** Vertices [m] in the body's own frame, x0 + U q, xyz triples. */
  localPositions(out: Floats): void {
    const { rest, modes, code } = this
    out.set(rest)
    for (let k = 0; k < code.length; k++) {
      const weight = code[k]
      const start = k * rest.length
      if (weight !== 0) for (let i = 0; i < rest.length; i++) out[i] += weight * modes[start + i]
    }
  }

  /** Vertices [m] in the world, R (x0 + U q) + p, xyz triples. */
  positions(out: Floats): void {
    this.localPositions(out)
    const r = rotationMatrix(this.orientation, this.#rotation)
    const [px, py, pz] = this.position
    for (let i = 0; i < this.rest.length; i += 3) {
      const [x, y, z] = [out[i], out[i + 1], out[i + 2]]
      out[i] = r[0] * x + r[1] * y + r[2] * z + px
      out[i + 1] = r[3] * x + r[4] * y + r[5] * z + py
      out[i + 2] = r[6] * x + r[7] * y + r[8] * z + pz
    }
  }

  /** One vertex [m] in the world. @throws RangeError if there is no such vertex */
  vertex(vertex: number, out: Floats): void {
    requireIndices('reduced body', [vertex], 'vertex', this.vertexCount)
    this.#turn(vertex, this.rest, this.code, out)
    for (let axis = 0; axis < 3; axis++) out[axis] += this.position[axis]
  }

  /** Velocity of one vertex [m/s] in the world. @throws RangeError if there is no such vertex */
  vertexVelocity(vertex: number, out: Floats): void {
    requireIndices('reduced body', [vertex], 'vertex', this.vertexCount)
    const [w, arm] = [this.#spin, this.#arm]
    this.angularVelocity(w)
    this.#turn(vertex, this.rest, this.code, arm)
    this.#turn(vertex, undefined, this.codeVelocity, out)
    for (let axis = 0; axis < 3; axis++) {
      const [j, k] = [(axis + 1) % 3, (axis + 2) % 3]
      out[axis] += this.velocity[axis] + w[j] * arm[k] - w[k] * arm[j]
    }
  }

  /** Angular velocity [rad/s] in the world: R I^-1 R^T L. */
  angularVelocity(out: Floats): void {
    const r = rotationMatrix(this.orientation, this.#rotation)
    const [L, inverse, own] = [this.angularMomentum, this.inverseInertia, this.#local]
    for (let i = 0; i < 3; i++) own[i] = r[i] * L[0] + r[3 + i] * L[1] + r[6 + i] * L[2]
    const [a, b, c] = own
    for (let i = 0; i < 3; i++) own[i] = inverse[3 * i] * a + inverse[3 * i + 1] * b + inverse[3 * i + 2] * c
    for (let i = 0; i < 3; i++) out[i] = r[3 * i] * own[0] + r[3 * i + 1] * own[1] + r[3 * i + 2] * own[2]
  }

  /** Lets it turn at this angular velocity [rad/s], world. */
  setAngularVelocity(w: Vec3): void {
    requireNumbers('reduced body', w, 'angular velocity value', 3)
    const r = rotationMatrix(this.orientation, this.#rotation)
    const { inertia, angularMomentum: out } = this
    const own = [0, 1, 2].map((i) => r[i] * w[0] + r[3 + i] * w[1] + r[6 + i] * w[2])
    const turned = [0, 1, 2].map(
      (i) => inertia[3 * i] * own[0] + inertia[3 * i + 1] * own[1] + inertia[3 * i + 2] * own[2],
    )
    for (let i = 0; i < 3; i++) out[i] = r[3 * i] * turned[0] + r[3 * i + 1] * turned[1] + r[3 * i + 2] * turned[2]
  }

  /** Kinetic energy [J]: of the whole, of its spin and of its modes. */
  get kineticEnergy(): number {
    const { velocity: v, angularMomentum: L, codeVelocity: u } = this
    this.angularVelocity(this.#spin)
    let twice = this.mass * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    for (let axis = 0; axis < 3; axis++) twice += this.#spin[axis] * L[axis]
    for (let k = 0; k < u.length; k++) twice += this.modalMasses[k] * u[k] ** 2
    return twice / 2
  }

  /** Elastic energy [J]. */
  get elasticEnergy(): number {
    if (this.elasticity) return this.elasticity.energy(this.code)
    let energy = 0
    for (let k = 0; k < this.codeSize; k++) energy += (this.modalStiffness[k] * this.code[k] ** 2) / 2
    return energy
  }

  /** Height times weight above the origin [J]. @param gravity [m/s^2] */
  gravityEnergy(gravity: Vec3): number {
    const [x, y, z] = this.position
    return -this.mass * (gravity[0] * x + gravity[1] * y + gravity[2] * z)
  }

  /** Linear momentum [kg m/s]. */
  linearMomentum(out: Floats): void {
    for (let axis = 0; axis < 3; axis++) out[axis] = this.mass * this.velocity[axis]
  }

  /** Angular momentum about the origin [kg m^2/s]: that about the centre of mass, and of the centre itself. */
  momentumAboutOrigin(out: Floats): void {
    const { position: p, velocity: v, mass, angularMomentum } = this
    for (let axis = 0; axis < 3; axis++) {
      const [j, k] = [(axis + 1) % 3, (axis + 2) % 3]
      out[axis] = angularMomentum[axis] + mass * (p[j] * v[k] - p[k] * v[j])
    }
  }

  /** @throws RangeError naming what of the state is not finite @internal */
  requireFiniteState(): void {
    requireFinite('reduced body', this.position, 'position value')
    requireFinite('reduced body', this.orientation, 'orientation value')
    requireFinite('reduced body', this.velocity, 'velocity value')
    requireFinite('reduced body', this.angularMomentum, 'angular momentum value')
    requireFinite('reduced body', this.code, 'code value')
    requireFinite('reduced body', this.codeVelocity, 'code velocity')
    requireFinite('reduced body', this.codeForces, 'code force')
  }

  /** R (base + U weights) of one vertex. */
  #turn(vertex: number, base: Float64Array | undefined, weights: Float64Array, out: Floats): void {
    const r = rotationMatrix(this.orientation, this.#rotation)
    const own = this.#local
    for (let axis = 0; axis < 3; axis++) {
      own[axis] = base ? base[3 * vertex + axis] : 0
      for (let k = 0; k < weights.length; k++) {
        own[axis] += weights[k] * this.modes[k * this.rest.length + 3 * vertex + axis]
      }
    }
    for (let i = 0; i < 3; i++) out[i] = r[3 * i] * own[0] + r[3 * i + 1] * own[1] + r[3 * i + 2] * own[2]
  }
}

function dampingOf(ratio: number | ArrayLike<number>, masses: Float64Array, stiffness: Float64Array): Float64Array {
  if (typeof ratio !== 'number') requireNumbers('reduced body', ratio, 'damping ratio', masses.length)
  return masses.map((mass, k) => {
    const own = typeof ratio === 'number' ? ratio : ratio[k]
    requireNotNegative('damping', own)
    return 2 * own * Math.sqrt(mass * stiffness[k])
  })
}

function longest(values: Float64Array, from: number, to: number): number {
  let squared = 0
  for (let i = from; i < to; i += 3) {
    squared = Math.max(squared, values[i] ** 2 + values[i + 1] ** 2 + values[i + 2] ** 2)
  }
  return Math.sqrt(squared)
}

function requireLength(name: string, values: ArrayLike<number>): number {
  if (typeof values === 'object' && Number.isInteger(values?.length)) return values.length
  throw new RangeError(`reduced body: ${name} is ${shown(values)}; pass an array.`)
}

function requirePositive(name: string, value: number): void {
  if (!(typeof value === 'number' && value > 0 && value < Infinity)) {
    throw new RangeError(`reduced body: ${name} is ${shown(value)}; give a positive number.`)
  }
}

function requireNotNegative(name: string, value: number): void {
  if (!(typeof value === 'number' && value >= 0 && value < Infinity)) {
    throw new RangeError(`reduced body: ${name} is ${shown(value)}; give zero or more.`)
  }
}
