/**
 * Mass, centre of mass and inertia of whatever a field is negative in, by integration over its box: cubes that a distance
 * proves to be inside or outside count whole, the others are halved, and the smallest count as far as they lie behind the
 * plane that the field's value and gradient tell of. Faces are exact by that, and what is bent is off by the square of a cube.
 */
import type { SignedField } from '../../field/signed-field.js'
import type { Box, Vec3 } from '../../math/box.js'
import { boxCentre } from '../../math/box.js'
import { shown } from '../../math/require.js'
import { COUNT, POSITIVE, settingsOf } from '../../math/settings.js'

/** What a body weighs and how it resists turning, in its solid's frame. */
export interface MassProperties {
  /** [kg] */
  readonly mass: number
  /** Centre of mass [m]. */
  readonly centre: Vec3
  /** About the centre of mass [kg m^2], a symmetric 3 x 3. */
  readonly inertia: Float64Array
}

/** How bodies are weighed. */
export interface MassOptions {
  /** [kg/m^3] */
  density?: number
  /** Cubes along the longest side, about. */
  cells?: number
}
/** Water's density; 64 cubes a side: a ball's volume to 1e-4, its inertia to 4e-4. */
export const MASS_DEFAULTS = { density: 1000, cells: 64 } as const

/** How much faster than distances a field may change that does not say by how much. */
const STEEPEST = 4

/**
 * Weighs a body that is as dense everywhere.
 * @param box  holds the body, finite [m]
 * @throws RangeError if the box has no volume or no end, the field answers no numbers in it, or is nowhere negative
 */
export function massProperties(field: SignedField, box: Box, options: MassOptions = {}): MassProperties {
  const { density, cells } = settingsOf<Required<MassOptions>>('mass', options, MASS_DEFAULTS, {
    density: POSITIVE,
    cells: COUNT,
  })
  const sides = box.upper.map((high, k) => high - box.lower[k])
  if (!sides.every((side) => side > 0 && side < Infinity)) {
    throw new RangeError(`mass: the box is ${sides.join(' x ')} m; give a finite one around the body, or fix the body.`)
  }
  const levels = Math.max(0, Math.ceil(Math.log2(cells / 8)))
  const middle = boxCentre(box)
  const slope = (field as { slope?: number }).slope ?? 1
  const steepness = Math.min(Math.max(slope, 1), STEEPEST)
  const sums = new Sums()
  let size = Math.max(...sides) / (cells / 2 ** levels)
  let centres = firstCubes(middle, sides, size)
  for (let level = 0; level <= levels && centres.length > 0; level++) {
    const isLast = level === levels
    const count = centres.length / 3
    const distances = new Float64Array(count)
    const gradients = isLast ? new Float64Array(3 * count) : undefined
    field.query(centres, count, distances, gradients)
    const undecided: number[] = []
    for (let i = 0; i < count; i++) {
      const at = centres.subarray(3 * i, 3 * i + 3)
      const distance = distances[i]
      if (Number.isNaN(distance)) {
        throw new RangeError(`mass: the field answers NaN at ${at.join(', ')}; give a box in which it answers.`)
      }
      if (Math.abs(distance) > steepness * (Math.sqrt(3) / 2) * size) {
        if (distance < 0) sums.addCube(at, middle, size, 1, NOWHERE)
      } else if (gradients) {
        const normal = gradients.subarray(3 * i, 3 * i + 3)
        const length = Math.hypot(normal[0], normal[1], normal[2])
        // Where a field is flat, its sign is all that it tells.
        if (length > 0) for (let k = 0; k < 3; k++) normal[k] /= length
        const share = length > 0 ? shareBehind(normal, distance / length / size) : Number(distance < 0)
        sums.addCube(at, middle, size, share, normal)
      } else pushHalved(at, size / 4, undecided)
    }
    centres = Float64Array.from(undecided)
    size /= 2
  }
  return sums.finish(density, middle)
}

/** Those that cover the box, about its middle: centres, xyz triples. */
function firstCubes(middle: readonly number[], sides: readonly number[], size: number): Float64Array {
  // Less a little, so that a side that is a whole number of cubes is not one more by rounding.
  const [nx, ny, nz] = sides.map((side) => Math.max(1, Math.ceil(side / size - 1e-9)))
  const out = new Float64Array(3 * nx * ny * nz)
  for (let i = 0, at = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < nz; k++, at += 3) {
        out[at] = middle[0] + (i - (nx - 1) / 2) * size
        out[at + 1] = middle[1] + (j - (ny - 1) / 2) * size
        out[at + 2] = middle[2] + (k - (nz - 1) / 2) * size
      }
    }
  }
  return out
}

function pushHalved([x, y, z]: Float64Array, offset: number, out: number[]): void {
  for (let corner = 0; corner < 8; corner++) {
    const sign = (bit: number): number => ((corner >> bit) & 1 ? offset : -offset)
    out.push(x + sign(0), y + sign(1), z + sign(2))
  }
}

/** Components of a normal count as at least this, as the volume is divided by all three. */
const LEAST = 1e-4

/**
 * Share of a unit cube that lies behind a plane: inclusion and exclusion of its corners.
 * @param distance  of the cube's centre from the plane, positive in front
 */
function shareBehind(normal: Float64Array, distance: number): number {
  const [a, b, c] = [0, 1, 2].map((k) => Math.max(LEAST, Math.abs(normal[k])))
  // Height of the plane over the hindmost corner.
  const height = (a + b + c) / 2 - distance
  if (height <= 0) return 0
  if (height >= a + b + c) return 1
  const cube = (x: number): number => (x > 0 ? x * x * x : 0)
  const single = cube(height - a) + cube(height - b) + cube(height - c)
  const double = cube(height - a - b) + cube(height - b - c) + cube(height - a - c)
  return Math.min(1, Math.max(0, (cube(height) - single + double) / (6 * a * b * c)))
}

const NOWHERE = new Float64Array(3)

/** Volume, and its moments about the middle of the box. */
class Sums {
  #volume = 0
  readonly #first = new Float64Array(3)
  /** xx, yy, zz, xy, xz, yz. */
  readonly #second = new Float64Array(6)

  /** @param normal  of the plane that cuts it: what is left lies behind, so its middle does */
  addCube(centre: Float64Array, middle: readonly number[], size: number, share: number, normal: Float64Array): void {
    if (share === 0) return
    const volume = share * size ** 3
    const back = ((1 - share) / 2) * size
    const [x, y, z] = [0, 1, 2].map((k) => centre[k] - middle[k] - back * normal[k])
    this.#volume += volume
    this.#first[0] += volume * x
    this.#first[1] += volume * y
    this.#first[2] += volume * z
    const own = size ** 2 / 12
    const products = [x * x + own, y * y + own, z * z + own, x * y, x * z, y * z]
    for (let k = 0; k < 6; k++) this.#second[k] += volume * products[k]
  }

  finish(density: number, middle: readonly number[]): MassProperties {
    const volume = this.#volume
    if (!(volume > 0)) throw new RangeError('mass: the field is nowhere negative in the box; give the box of the body.')
    const [x, y, z] = this.#first.map((value) => value / volume)
    const [xx, yy, zz, xy, xz, yz] = [x * x, y * y, z * z, x * y, x * z, y * z].map(
      (offset, k) => density * (this.#second[k] - volume * offset),
    )
    const inertia = Float64Array.of(yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy)
    return { mass: density * volume, centre: [middle[0] + x, middle[1] + y, middle[2] + z], inertia }
  }
}

/** @throws RangeError naming what no body can have */
export function requireMassProperties({ mass, centre, inertia }: MassProperties): void {
  if (!(mass > 0 && mass < Infinity)) {
    throw new RangeError(`rigid body: mass is ${shown(mass)}; give a positive number, or fix the body.`)
  }
  if (centre?.length !== 3 || !centre.every(Number.isFinite)) {
    throw new RangeError(`rigid body: the centre of mass is ${shown(centre)}; give three finite numbers.`)
  }
  if (inertia?.length !== 9 || !inertia.every(Number.isFinite)) {
    throw new RangeError(`rigid body: the inertia is ${shown(inertia)}; give nine finite numbers.`)
  }
}
