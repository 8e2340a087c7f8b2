/**
 * Keeps momentum in spite of an inexact solve: moves the whole body by what the residual's sum asks for. Stiffness between
 * nodes does not feel that, so the sum of the nodes' own blocks is all that resists.
 */

/**
 * @param blocks    mass and contact stiffness, xx, xy, xz, yy, yz, zz per node
 * @param residual  what the solve left, xyz per node
 * @param solution  moved evenly
 */
export function shareResidual(blocks: Float64Array, residual: Float64Array, solution: Float64Array): void {
  const motion = [0, 0, 0]
  for (let i = 0; i < residual.length; i++) motion[i % 3] += residual[i]
  wholeMotion(blocks, motion)
  for (let i = 0; i < solution.length; i++) solution[i] += motion[i % 3]
}

/** Turns a sum of forces into the motion of the whole body that answers it; into none if nothing resists. */
export function wholeMotion(blocks: Float64Array, motion: Float64Array | number[]): void {
  let xx = 0
  let xy = 0
  let xz = 0
  let yy = 0
  let yz = 0
  let zz = 0
  for (let d = 0; d < blocks.length; d += 6) {
    xx += blocks[d]
    xy += blocks[d + 1]
    xz += blocks[d + 2]
    yy += blocks[d + 3]
    yz += blocks[d + 4]
    zz += blocks[d + 5]
  }
  // Cofactors of the symmetric 3 x 3 sum.
  const c0 = yy * zz - yz * yz
  const c1 = xz * yz - xy * zz
  const c2 = xy * yz - xz * yy
  const determinant = xx * c0 + xy * c1 + xz * c2
  const scale = determinant > 0 ? 1 / determinant : 0
  const [rx, ry, rz] = [scale * motion[0], scale * motion[1], scale * motion[2]]
  motion[0] = c0 * rx + c1 * ry + c2 * rz
  motion[1] = c1 * rx + (xx * zz - xz * xz) * ry + (xy * xz - xx * yz) * rz
  motion[2] = c2 * rx + (xy * xz - xx * yz) * ry + (xx * yy - xy * xy) * rz
}

/** residual -= what a motion of the whole takes up of it: the nodes' own blocks times the motion. */
export function subtractWhole(blocks: Float64Array, motion: Float64Array, residual: Float64Array): void {
  const [x, y, z] = [motion[0], motion[1], motion[2]]
  for (let i = 0, d = 0; i < residual.length; i += 3, d += 6) {
    residual[i] -= blocks[d] * x + blocks[d + 1] * y + blocks[d + 2] * z
    residual[i + 1] -= blocks[d + 1] * x + blocks[d + 3] * y + blocks[d + 4] * z
    residual[i + 2] -= blocks[d + 2] * x + blocks[d + 4] * y + blocks[d + 5] * z
  }
}
