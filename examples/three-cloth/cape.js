/** A cape as one might model it: part of a cone behind the back, its collar on the shoulders. */
import { CylinderGeometry } from 'three'

/** Radii of collar and hem, and length [m]; how much of the circle about the neck, and into how much it is cut. */
const CAPE = { collar: 0.17, hem: 0.42, length: 1.05, share: 0.33, columns: 36, rows: 42 }
/** Distance of the collar from the skin [m]. */
const ABOVE_SKIN = 0.01

/** Vertices of the collar: a cylinder's first row. */
export const COLLAR = Array.from({ length: CAPE.columns + 1 }, (_, column) => column)

/**
 * In the root frame: origin in the root joint, axes of the world at rest. The character looks along +z.
 * @param field of the character at rest
 */
export function capeGeometry({ names, restMatrices }, field) {
  const { collar, hem, length, share, columns, rows } = CAPE
  const start = Math.PI * (1 - share) // a cylinder's angle begins at +z: the middle is at the back
  const geometry = new CylinderGeometry(collar, hem, length, columns, rows, true, start, 2 * Math.PI * share)
  const neck = 16 * names.indexOf('Neck')
  geometry.translate(restMatrices[neck + 12], restMatrices[neck + 13] - 0.045 - length / 2, restMatrices[neck + 14])
  bringToSkin(geometry.attributes.position.array.subarray(0, 3 * COLLAR.length), field)
  return geometry
}

/** Along the gradient, as far as the field says; a few times, as the skin is not flat. */
function bringToSkin(points, field) {
  const count = points.length / 3
  const distances = new Float32Array(count)
  const gradients = new Float32Array(points.length)
  for (let round = 0; round < 5; round++) {
    field.query(points, count, distances, gradients)
    for (let i = 0; i < points.length; i++) {
      points[i] -= (distances[Math.trunc(i / 3)] - ABOVE_SKIN) * gradients[i]
    }
  }
}
