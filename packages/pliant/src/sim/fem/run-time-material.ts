/**
 * What a soft body is made of while it is touched: softer and lighter than in the drops that it is trained on (Zesch et
 * al. 2022, section 4.1).
 */
import type { BodyMaterial } from '../../artifact/kinds/body-model.js'

/** Density / 6, Poisson's ratio 0.40, Young's modulus and damping / 10. @param training  what it was trained in */
export function runTimeMaterial(training: BodyMaterial): BodyMaterial {
  const { density, young, massDamping, stiffnessDamping } = training
  return {
    density: density / 6,
    young: young / 10,
    poisson: 0.4,
    massDamping: massDamping / 10,
    stiffnessDamping: stiffnessDamping / 10,
  }
}
