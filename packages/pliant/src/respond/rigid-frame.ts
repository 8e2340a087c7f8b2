/** Into a body's rest frame and back: `frame` is a column-major 4x4 without scale that carries rest to world. */
import type { Floats } from '../math/floats.js'

/** out = R^T (point - t), `count` triples. */
export function pointsToRest(frame: Floats, points: Floats, count: number, out: Floats): void {
  const [xx, xy, xz, yx, yy, yz] = [frame[0], frame[1], frame[2], frame[4], frame[5], frame[6]]
  const [zx, zy, zz, tx, ty, tz] = [frame[8], frame[9], frame[10], frame[12], frame[13], frame[14]]
  for (let i = 0; i < 3 * count; i += 3) {
    const x = points[i] - tx
    const y = points[i + 1] - ty
    const z = points[i + 2] - tz
    out[i] = xx * x + xy * y + xz * z
    out[i + 1] = yx * x + yy * y + yz * z
    out[i + 2] = zx * x + zy * y + zz * z
  }
}

/** Turns `count` vectors in place: R vector. */
export function vectorsToWorld(frame: Floats, count: number, vectors: Floats): void {
  const [xx, xy, xz, yx, yy, yz] = [frame[0], frame[1], frame[2], frame[4], frame[5], frame[6]]
  const [zx, zy, zz] = [frame[8], frame[9], frame[10]]
  for (let i = 0; i < 3 * count; i += 3) {
    const x = vectors[i]
    const y = vectors[i + 1]
    const z = vectors[i + 2]
    vectors[i] = xx * x + yx * y + zx * z
    vectors[i + 1] = xy * x + yy * y + zy * z
    vectors[i + 2] = xz * x + yz * y + zz * z
  }
}
