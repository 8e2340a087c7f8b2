import { expect, it } from 'vitest'
import { runTimeMaterial } from '../../../src/sim/fem/run-time-material.js'

it('a body is touched in a material softer and lighter than that of its training, as the paper says', () => {
  const training = { density: 6, young: 10, poisson: 0.49, massDamping: 20, stiffnessDamping: 1 }
  expect(runTimeMaterial(training)).toEqual({
    density: 1,
    young: 1,
    poisson: 0.4,
    massDamping: 2,
    stiffnessDamping: 0.1,
  })
})
