/** The suite that learned fields over codes will be held to, on one that is known in closed form. */
import type { ConfigurationField } from '../../src/field/configuration-field.js'
import { conformConfiguration } from './configuration-conformance.js'

const CENTRE = [0.5, 0, -0.2, 0.1]
const RADIUS = 0.4

/** Shapes touch themselves within a ball of codes. */
const ball: ConfigurationField = {
  codeSize: 4,
  query(codes, count, distances, gradients) {
    if (codes.length < 4 * count || distances.length < count) throw new RangeError('too short')
    if (gradients && gradients.length < 4 * count) throw new RangeError('too short')
    for (let i = 0; i < count; i++) {
      const way = CENTRE.map((value, entry) => codes[4 * i + entry] - value)
      const length = Math.hypot(...way)
      distances[i] = length - RADIUS
      for (let entry = 0; gradients && entry < 4; entry++) gradients[4 * i + entry] = way[entry] / length
    }
  },
}

conformConfiguration({
  name: 'a ball of codes',
  make: () => ball,
  free: [
    [0, 0, 0, 0],
    [-1, 1, 1, -1],
  ],
  touching: [[0.4, 0, -0.2, 0.1]],
  gradientTolerance: 1e-4,
  kinks: 0.01,
})
