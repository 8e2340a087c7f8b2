/**
 * Wind: drag along the relative wind and lift across it, per triangle, with the area that faces the wind. Taken once a
 * frame; divided by one plus what the frame would do to the relative velocity, so that no wind, however strong, turns
 * it round within one frame.
 */
import type { Vec3 } from '../../math/box.js'
import type { ClothSettings } from './cloth-options.js'

/**
 * @param x              positions [m]
 * @param v              velocities [m/s]
 * @param wind           velocity of the air [m/s]
 * @param frame          duration of the frame [s]
 * @param accelerations  the wind's share is added [m/s^2]
 */
export function addWind(
  x: Float64Array,
  v: Float64Array,
  triangles: Uint32Array,
  inverseMasses: Float64Array,
  wind: Vec3 | Float64Array,
  settings: ClothSettings,
  frame: number,
  accelerations: Float64Array,
): void {
  const { airDensity, dragCoefficient, liftCoefficient, density } = settings
  if (!(airDensity > 0)) return
  const stiffening = (frame * airDensity * (dragCoefficient + liftCoefficient)) / (2 * density)
  for (let i = 0; i < triangles.length; i += 3) {
    const ia = triangles[i]
    const ib = triangles[i + 1]
    const ic = triangles[i + 2]
    const a = 3 * ia
    const b = 3 * ib
    const c = 3 * ic
    const ux = wind[0] - (v[a] + v[b] + v[c]) / 3
    const uy = wind[1] - (v[a + 1] + v[b + 1] + v[c + 1]) / 3
    const uz = wind[2] - (v[a + 2] + v[b + 2] + v[c + 2]) / 3
    const px = x[b] - x[a]
    const py = x[b + 1] - x[a + 1]
    const pz = x[b + 2] - x[a + 2]
    const qx = x[c] - x[a]
    const qy = x[c + 1] - x[a + 1]
    const qz = x[c + 2] - x[a + 2]
    const nx = py * qz - pz * qy
    const ny = pz * qx - px * qz
    const nz = px * qy - py * qx
    const twiceArea = Math.sqrt(nx * nx + ny * ny + nz * nz)
    const speed = Math.sqrt(ux * ux + uy * uy + uz * uz)
    if (twiceArea === 0 || speed === 0) continue
    // Cosine of the angle between wind and normal; its sign turns the normal downwind, so lift needs no side.
    const cosine = (ux * nx + uy * ny + uz * nz) / (twiceArea * speed)
    const pressure = (airDensity * twiceArea * speed * speed * Math.abs(cosine)) / (4 * (1 + stiffening * speed))
    const along = (pressure * (dragCoefficient - liftCoefficient * Math.abs(cosine))) / (3 * speed)
    const across = (pressure * liftCoefficient * Math.sign(cosine)) / (3 * twiceArea)
    const fx = along * ux + across * nx
    const fy = along * uy + across * ny
    const fz = along * uz + across * nz
    const wa = inverseMasses[ia]
    const wb = inverseMasses[ib]
    const wc = inverseMasses[ic]
    accelerations[a] += wa * fx
    accelerations[a + 1] += wa * fy
    accelerations[a + 2] += wa * fz
    accelerations[b] += wb * fx
    accelerations[b + 1] += wb * fy
    accelerations[b + 2] += wb * fz
    accelerations[c] += wc * fx
    accelerations[c + 1] += wc * fy
    accelerations[c + 2] += wc * fz
  }
}
