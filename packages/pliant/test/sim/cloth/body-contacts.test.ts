import { describe, expect, it } from 'vitest'
import { fieldBox, fieldCapsule, fieldHalfSpace, fieldSphere } from '../../../src/field/analytic.js'
import { motionFromPoses, rigidMotion } from '../../../src/sim/cloth/body-motion.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { clothEnergy } from '../../../src/sim/cloth/energy.js'
import { deepest, FRAME, mean } from './sheets.js'

const THICKNESS = 0.005

describe('a body at rest', () => {
  for (const [name, n] of [
    ['fine', 32],
    ['coarse', 9],
  ] as const) {
    it(`holds a ${name} cloth dropped on a sphere outside, vertices and face centres`, () => {
      const field = fieldSphere([0, 0, 0], 0.3)
      const obstacle = { field }
      const cloth = new Cloth(clothGrid(n, n, { centre: [0, 0.45, 0] }), { thickness: THICKNESS })
      let worst = Infinity
      for (let frame = 0; frame < 240; frame++) {
        cloth.step(FRAME, obstacle)
        const { vertex, face } = deepest(cloth, field)
        worst = Math.min(worst, vertex, face)
      }
      // Half a thickness of depth into the thickness: the body itself is never entered.
      expect(worst).toBeGreaterThan(0)
      const { vertex, face } = deepest(cloth, field)
      expect(Math.min(vertex, face)).toBeGreaterThan(THICKNESS / 2)
      // It rests on the sphere and did not slide off.
      expect(cloth.contacts.touching).toBeGreaterThan(0)
      expect(Math.abs(mean(cloth, 0))).toBeLessThan(0.05)
    })
  }

  it('asks about far fewer face centres than there are, and asks again only where points stray', () => {
    const obstacle = { field: fieldSphere([0, 0, 0], 0.15) }
    const cloth = new Cloth(clothGrid(32, 32, { centre: [0, 0.2, 0] }))
    for (let frame = 0; frame < 120; frame++) cloth.step(FRAME, obstacle)
    expect(cloth.contacts.queries).toBeGreaterThan(1024)
    expect(cloth.contacts.queries).toBeLessThan(1024 + 1922)
  })

  it('does not shoot out a cloth that starts inside', () => {
    const field = fieldSphere([0, 0, 0], 0.3)
    const cloth = new Cloth(clothGrid(8, 8, { size: [0.2, 0.2], centre: [0, 0.25, 0] }), {
      gravity: [0, 0, 0],
      airDensity: 0,
    })
    for (let frame = 0; frame < 30; frame++) cloth.step(FRAME, { field })
    expect(deepest(cloth, field).vertex).toBeGreaterThan(0)
    const mass = cloth.masses.reduce((a, b) => a + b)
    // 5 cm left within a substep would be 30 m/s. What is left is the stretch of a cloth spread over the sphere.
    expect(clothEnergy(cloth).kinetic).toBeLessThan((mass * 1.2 ** 2) / 2)
  })
})

describe('friction', () => {
  const angle = Math.PI / 6
  const normal = [Math.sin(angle), Math.cos(angle), 0] as const
  const slope = fieldHalfSpace(normal, 0)

  function slide(friction: number): number {
    const centre = [0.004 * normal[0], 0.004 * normal[1], 0] as const
    const sheet = clothGrid(6, 6, { size: [0.2, 0.2], centre, u: [Math.cos(angle), -Math.sin(angle), 0] })
    const cloth = new Cloth(sheet, { friction, airDensity: 0, drag: 0, thickness: 0.004 })
    for (let frame = 0; frame < 60; frame++) cloth.step(FRAME, { field: slope })
    return (mean(cloth, 0) - centre[0]) / Math.cos(angle)
  }

  it('lets a cloth stick on a slope less steep than the coefficient', () => {
    expect(Math.abs(slide(1.1 * Math.tan(angle)))).toBeLessThan(1e-3)
  })

  for (const friction of [0, 0.3, 0.5]) {
    it(`lets it slide by g (sin - ${friction} cos) t^2 / 2 on a steeper one`, () => {
      const expected = (9.81 * (Math.sin(angle) - friction * Math.cos(angle))) / 2
      expect(slide(friction) / expected).toBeGreaterThan(0.97)
      expect(slide(friction) / expected).toBeLessThan(1.03)
    })
  }

  it('keeps the coefficient for triangles held by their centres alone', () => {
    // A ball under the middle of one large triangle: only the face centre touches.
    const field = fieldSphere([0, -0.1, 0], 0.1)
    const triangle = {
      positions: Float64Array.of(-0.5, 0.01, -0.3, 0.5, 0.01, -0.3, 0, 0.01, 0.6),
      triangles: Uint32Array.of(0, 2, 1),
    }
    const cloth = new Cloth(triangle, { thickness: 0.004, friction: 0.5 })
    for (let frame = 0; frame < 20; frame++) cloth.step(FRAME, { field })
    expect(deepest(cloth, field).face).toBeGreaterThan(0.003)
    expect(mean(cloth, 1)).toBeGreaterThan(0)
  })
})

describe('a moving body', () => {
  for (const [friction, share] of [
    [0.6, 1],
    [0, 0],
  ] as const) {
    it(`a plate moving sideways takes the cloth along by ${share}, friction ${friction}`, () => {
      const speed = 0.5
      const motion = rigidMotion([speed, 0, 0])
      const cloth = new Cloth(clothGrid(8, 8, { size: [0.3, 0.3], centre: [0, 0.004, 0] }), { friction, airDensity: 0 })
      let x = 0
      for (let frame = 0; frame < 60; frame++) {
        x += speed * FRAME
        cloth.step(FRAME, { field: fieldBox([x, -0.5, 0], [1, 0.5, 1]), motion })
      }
      expect(Math.abs(mean(cloth, 0) - share * x)).toBeLessThan(0.03)
    })
  }

  it('a turning disc takes the cloth round', () => {
    const motion = rigidMotion([0, 0, 0], [0, 1, 0])
    const cloth = new Cloth(clothGrid(8, 8, { size: [0.3, 0.3], centre: [0, 0.004, 0] }), {
      friction: 1,
      airDensity: 0,
    })
    for (let frame = 0; frame < 60; frame++) cloth.step(FRAME, { field: fieldHalfSpace([0, 1, 0], 0), motion })
    const turned = Math.atan2(-cloth.positions[2], cloth.positions[0]) - Math.atan2(0.15, -0.15) + 2 * Math.PI
    expect(turned).toBeCloseTo(1, 1)
  })

  for (const speed of [1, 4]) {
    it(`a capsule rising at ${speed} m/s lifts a cloth without entering it`, () => {
      const cloth = new Cloth(clothGrid(20, 20, { size: [0.8, 0.8] }))
      const motion = rigidMotion([0, speed, 0])
      let y = -0.2
      let worst = Infinity
      for (let frame = 0; frame < 40; frame++) {
        y += speed * FRAME
        const field = fieldCapsule([-0.5, y, 0], [0.5, y, 0], 0.1)
        cloth.step(FRAME, { field, motion })
        const { vertex, face } = deepest(cloth, field)
        worst = Math.min(worst, vertex, face)
      }
      expect(worst).toBeGreaterThan(-0.001)
      expect(mean(cloth, 1)).toBeGreaterThan(0)
    })
  }

  for (const requeryEvery of [1, 4, Infinity]) {
    it(`a capsule swinging at 3.6 m/s keeps a hung sheet on its side, asked every ${requeryEvery} substeps`, () => {
      const sheet = clothGrid(16, 16, { u: [1, 0, 0], v: [0, -1, 0] })
      const cloth = new Cloth(sheet, { requeryEvery, requeryDistance: 0 })
      cloth.attach(Array.from({ length: 16 }, (_, i) => i))
      const place = (time: number): number => -0.3 + 0.6 * Math.sin(6 * time)
      let worst = Infinity
      for (let frame = 1; frame <= 180; frame++) {
        const z = place(frame * FRAME)
        const motion = rigidMotion([0, 0, (z - place((frame - 1) * FRAME)) / FRAME])
        const field = fieldCapsule([-0.6, -0.1, z], [0.6, -0.1, z], 0.08)
        cloth.step(FRAME, { field, motion })
        const { vertex, face } = deepest(cloth, field)
        worst = Math.min(worst, vertex, face)
      }
      expect(worst).toBeGreaterThan(0)
    })
  }

  it('gives the same push from two poses of a field as from its true motion', () => {
    const out = new Float64Array(3)
    const before = fieldSphere([0, 0, 0], 0.3)
    const now = fieldSphere([0, 0.01, 0], 0.3)
    const motion = motionFromPoses(
      (points, count, a, b) => {
        before.query(points, count, a)
        now.query(points, count, b)
      },
      () => 0.1,
    )
    motion.velocity(Float64Array.of(0, 0.32, 0), Float64Array.of(0, 1, 0), 1, out)
    expect(out[1]).toBeCloseTo(0.1, 12)
    expect(out[0]).toBe(0)
  })
})
