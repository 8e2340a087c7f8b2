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
  let rx = 0
  let ry = 0
  let rz = 0
  for (let i = 0; i < residual.length; i += 3) {
    rx += residual[i]
    ry += residual[i + 1]
    rz += residual[i + 2]
  }
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
  if (!(determinant > 0)) return
  const mx = (c0 * rx + c1 * ry + c2 * rz) / determinant
  const my = (c1 * rx + (xx * zz - xz * xz) * ry + (xy * xz - xx * yz) * rz) / determinant
  const mz = (c2 * rx + (xy * xz - xx * yz) * ry + (xx * yy - xy * xy) * rz) / determinant
  for (let i = 0; i < solution.length; i += 3) {
    solution[i] += mx
    solution[i + 1] += my
    solution[i + 2] += mz
  }
}
