/**
 * The rotation nearest to a 3 x 3 matrix: its polar part. Where the matrix keeps space the right way round, by Higham's
 * iteration (1986); otherwise by turning an estimate until it no longer wants to turn (Mueller et al. 2016, "A robust
 * method to extract the rotational part of deformations"), so that a rotation comes out for singular ones, too.
 */

/** Turns below this [rad] end the search. */
const SMALLEST_TURN = 1e-9
const MOST_TURNS = 100
/** Matrices whose determinant is a smaller share of their size's cube are as good as singular. */
export const LEAST_VOLUME = 1e-5
export const HIGHAM_STEPS = 20
/** Steps that change all entries by less than this in sum are the last. */
export const LEAST_CHANGE = 1e-9

/**
 * @param f    nine numbers, row by row, from `at` on
 * @param out  receives the rotation, nine numbers, row by row
 */
export function polarRotation(f: Float64Array, at: number, out: Float64Array): void {
  let squared = 0
  for (let i = 0; i < 9; i++) {
    out[i] = f[at + i]
    squared += out[i] * out[i]
  }
  const third = squared / 3
  const cube = third * Math.sqrt(third)
  writeCofactors(out)
  if (determinant(out) > LEAST_VOLUME * cube) orthogonalise(out)
  else turnUntilStill(f, at, out)
}

/** R = (R + R^-T) / 2, again and again: singular values go to one, twice as many digits in each step. */
function orthogonalise(r: Float64Array): void {
  for (let step = 0; step < HIGHAM_STEPS; step++) {
    writeCofactors(r)
    const inverse = 1 / determinant(r)
    let change = 0
    for (let i = 0; i < 9; i++) {
      const next = 0.5 * (r[i] + inverse * _cofactors[i])
      change += Math.abs(next - r[i])
      r[i] = next
    }
    if (change < LEAST_CHANGE) return
  }
}

const _cofactors = new Float64Array(9)

function writeCofactors(r: Float64Array): void {
  _cofactors[0] = r[4] * r[8] - r[5] * r[7]
  _cofactors[1] = r[5] * r[6] - r[3] * r[8]
  _cofactors[2] = r[3] * r[7] - r[4] * r[6]
  _cofactors[3] = r[2] * r[7] - r[1] * r[8]
  _cofactors[4] = r[0] * r[8] - r[2] * r[6]
  _cofactors[5] = r[1] * r[6] - r[0] * r[7]
  _cofactors[6] = r[1] * r[5] - r[2] * r[4]
  _cofactors[7] = r[2] * r[3] - r[0] * r[5]
  _cofactors[8] = r[0] * r[4] - r[1] * r[3]
}

/** Once its cofactors are written. */
function determinant(r: Float64Array): number {
  return r[0] * _cofactors[0] + r[1] * _cofactors[1] + r[2] * _cofactors[2]
}

function turnUntilStill(f: Float64Array, at: number, out: Float64Array): void {
  const quaternion = _quaternion
  quaternion[0] = quaternion[1] = quaternion[2] = 0
  quaternion[3] = 1
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    writeRotation(quaternion, out)
    // Torque of the columns of F on those of the estimate, and how much they resist.
    let x = 0
    let y = 0
    let z = 0
    let along = 0
    for (let column = 0; column < 3; column++) {
      const [rx, ry, rz] = [out[column], out[3 + column], out[6 + column]]
      const [ax, ay, az] = [f[at + column], f[at + 3 + column], f[at + 6 + column]]
      x += ry * az - rz * ay
      y += rz * ax - rx * az
      z += rx * ay - ry * ax
      along += rx * ax + ry * ay + rz * az
    }
    const resistance = Math.abs(along) + 1e-12
    const angle = Math.sqrt(x * x + y * y + z * z) / resistance
    if (!(angle > SMALLEST_TURN)) return
    turnBy(quaternion, x / resistance, y / resistance, z / resistance, angle)
  }
}

const _quaternion = new Float64Array(4)

/** q = exp(v / 2) q, for a turn of |v| = angle. */
function turnBy(q: Float64Array, x: number, y: number, z: number, angle: number): void {
  const s = Math.sin(angle / 2) / angle
  const c = Math.cos(angle / 2)
  const [ax, ay, az] = [s * x, s * y, s * z]
  const [bx, by, bz, bw] = q
  const tx = c * bx + ax * bw + ay * bz - az * by
  const ty = c * by + ay * bw + az * bx - ax * bz
  const tz = c * bz + az * bw + ax * by - ay * bx
  const tw = c * bw - ax * bx - ay * by - az * bz
  const length = Math.sqrt(tx * tx + ty * ty + tz * tz + tw * tw)
  q[0] = tx / length
  q[1] = ty / length
  q[2] = tz / length
  q[3] = tw / length
}

/** The rotation of a unit quaternion x, y, z, w, row by row. */
export function writeRotation([x, y, z, w]: Float64Array, out: Float64Array): void {
  out[0] = 1 - 2 * (y * y + z * z)
  out[1] = 2 * (x * y - z * w)
  out[2] = 2 * (x * z + y * w)
  out[3] = 2 * (x * y + z * w)
  out[4] = 1 - 2 * (x * x + z * z)
  out[5] = 2 * (y * z - x * w)
  out[6] = 2 * (x * z - y * w)
  out[7] = 2 * (y * z + x * w)
  out[8] = 1 - 2 * (x * x + y * y)
}
