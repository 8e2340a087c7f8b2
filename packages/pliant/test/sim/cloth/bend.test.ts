import { expect, it } from 'vitest'
import { bendEnergy, createBend } from '../../../src/sim/cloth/bend.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { clothSettings } from '../../../src/sim/cloth/cloth-options.js'
import { clothEdges } from '../../../src/sim/cloth/hinges.js'
import { run, VACUUM } from './sheets.js'

it('stores B k^2 / 2 per area in a strip rolled to a cylinder', () => {
  const strip = clothGrid(5, 81, { size: [1, 0.05] })
  const settings = clothSettings({ bendStiffness: 2e-3 })
  const bend = createBend(strip.positions, clothEdges(strip.triangles, 405), settings)
  const radius = 0.4
  const rolled = strip.positions.slice()
  for (let i = 0; i < rolled.length; i += 3) {
    const angle = strip.positions[i] / radius
    rolled[i] = radius * Math.sin(angle)
    rolled[i + 1] = radius * Math.cos(angle)
  }
  expect(bendEnergy(bend, strip.positions)).toBeLessThan(1e-20)
  // The strip's ends have no hinge: 80 cells hold 79.
  expect(bendEnergy(bend, rolled) / ((2e-3 / radius ** 2 / 2) * 0.05 * (79 / 80))).toBeCloseTo(1, 2)
})

it('bends a cantilever as its load and stiffness B ask, up to curling across', () => {
  const cell = 0.04
  const tips = [0.2, 0.4].map((bendStiffness) => {
    const sheet = clothGrid(3, 11, { size: [10 * cell, 2 * cell] })
    const options = { ...VACUUM, drag: 6, bendStiffness, stretchStiffness: 1e5, tethers: false }
    const cloth = new Cloth(sheet, { ...options, substep: 1 / 9600 })
    // Two columns held, so that the clamp holds the slope as well.
    cloth.attach([0, 1, 11, 12, 22, 23])
    run(cloth, 120)
    return -cloth.positions[3 * 21 + 1]
  })
  // Hinges at columns 1 to 9 turn by moment x cell / B, the moment that of the columns beyond; small angles.
  let expected = 0
  for (let hinge = 1; hinge <= 9; hinge++) {
    let moment = 0
    for (let column = hinge + 1; column <= 10; column++) {
      moment += 0.15 * 9.81 * cell * (column === 10 ? 0.5 : 1) * (column - hinge) * cell
    }
    expected += ((moment * cell) / 0.2) * (10 - hinge) * cell
  }
  // Free sides curl the other way, as of any plate with a Poisson ratio: softer than the cylinder above, by a quarter.
  expect(tips[0] / expected).toBeGreaterThan(1)
  expect(tips[0] / expected).toBeLessThan(1.35)
  expect(tips[0] / tips[1]).toBeGreaterThan(1.9)
  expect(tips[0] / tips[1]).toBeLessThan(2.1)
})
