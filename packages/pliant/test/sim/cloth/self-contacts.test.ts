import { expect, it } from 'vitest'
import { fieldHalfSpace } from '../../../src/field/analytic.js'
import { randomStream } from '../../../src/math/random.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { clothSettings } from '../../../src/sim/cloth/cloth-options.js'
import { SelfContacts } from '../../../src/sim/cloth/self-contacts.js'
import { FRAME } from './sheets.js'

/** Two sheets of 10 x 10 in one cloth, 5 cm apart, the upper one half a cell aside. */
function twoSheets(selfDistance: number): Cloth {
  const lower = clothGrid(10, 10, { size: [0.3, 0.3], centre: [0, 0.01, 0] })
  const upper = clothGrid(10, 10, { size: [0.3, 0.3], centre: [0.01, 0.06, 0.01] })
  const positions = new Float64Array([...lower.positions, ...upper.positions])
  const triangles = new Uint32Array([...lower.triangles, ...upper.triangles.map((v) => v + 100)])
  return new Cloth({ positions, triangles }, { selfDistance, thickness: 0.005 })
}

function leastBetweenSheets(x: Float64Array): number {
  let least = Infinity
  for (let a = 0; a < 100; a++) {
    for (let b = 100; b < 200; b++) {
      least = Math.min(least, Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]))
    }
  }
  return least
}

it('keeps a sheet that falls on another apart from it, and one without self-collision does not', () => {
  const floor = { field: fieldHalfSpace([0, 1, 0], 0) }
  const [apart, through] = [0.03, 0].map((selfDistance) => {
    const cloth = twoSheets(selfDistance)
    for (let frame = 0; frame < 120; frame++) cloth.step(FRAME, floor)
    return leastBetweenSheets(cloth.positions)
  })
  expect(apart).toBeGreaterThan(0.9 * 0.03)
  expect(through).toBeLessThan(0.9 * 0.03)
})

it('leaves a cloth at rest alone, though its vertices are nearer than the distance', () => {
  const cloth = new Cloth(clothGrid(8, 8), { selfDistance: 0.3, gravity: [0, 0, 0] })
  const before = cloth.positions.slice()
  for (let frame = 0; frame < 10; frame++) cloth.step(FRAME)
  expect(cloth.selfContacts.count).toBeGreaterThan(0)
  expect(Math.max(...cloth.positions.map((value, i) => Math.abs(value - before[i])))).toBeLessThan(1e-12)
})

it('finds every pair within reach, each once (seed 11)', () => {
  const random = randomStream(11)
  const count = 300
  const x = Float64Array.from({ length: 3 * count }, () => random.between(-1, 1))
  const contacts = new SelfContacts(x, new Float64Array(count).fill(1), clothSettings({ selfDistance: 0.1 }))
  contacts.gather(x)
  let expected = 0
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      if (Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]) <= 0.2) expected++
    }
  }
  expect(contacts.count).toBe(expected)
  expect(contacts.dropped).toBe(0)
})

it('counts what a pile leaves no room for instead of growing', () => {
  const count = 200
  const contacts = new SelfContacts(
    new Float64Array(3 * count),
    new Float64Array(count).fill(1),
    clothSettings({ selfDistance: 0.1 }),
  )
  contacts.gather(new Float64Array(3 * count))
  expect(contacts.count + contacts.dropped).toBe((count * (count - 1)) / 2)
  expect(contacts.dropped).toBeGreaterThan(0)
})
