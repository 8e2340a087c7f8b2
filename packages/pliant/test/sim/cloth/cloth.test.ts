import { describe, expect, it } from 'vitest'
import { fieldSphere } from '../../../src/field/analytic.js'
import type { SignedField } from '../../../src/field/signed-field.js'
import { randomStream } from '../../../src/math/random.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { clothEnergy, clothMomentum } from '../../../src/sim/cloth/energy.js'
import { allFinite, FRAME, mean, run, VACUUM } from './sheets.js'

const UP = { u: [1, 0, 0], v: [0, -1, 0] } as const

function crumpled(seed: number, options = {}): Cloth {
  const cloth = new Cloth(clothGrid(8, 8), { ...VACUUM, gravity: [0, 0, 0], ...options })
  const random = randomStream(seed)
  for (let i = 0; i < cloth.positions.length; i++) {
    cloth.positions[i] += 0.02 * random.normal()
    cloth.velocities[i] = 0.5 * random.normal()
  }
  return cloth
}

describe('free motion', () => {
  it('falls as Galileo says, whatever the frame rate', () => {
    const cloth = new Cloth(clothGrid(4, 4), VACUUM)
    let time = 0
    for (let i = 0; i < 50; i++) {
      const frame = i % 3 === 0 ? 1 / 60 : 1 / 144
      cloth.step(frame)
      time += frame
    }
    expect(mean(cloth, 1)).toBeCloseTo((-9.81 * time ** 2) / 2, 9)
  })

  for (const damping of [0, 5]) {
    it(`keeps linear and angular momentum without outer forces, damping ${damping} (seed 3)`, () => {
      const cloth = crumpled(3, { damping })
      for (let i = 0; i < cloth.velocities.length; i += 3) {
        cloth.velocities[i] += 2 * cloth.positions[i + 2]
        cloth.velocities[i + 2] -= 2 * cloth.positions[i]
      }
      const before = clothMomentum(cloth)
      run(cloth, 120)
      const after = clothMomentum(cloth)
      const spin = Math.hypot(...before.angular)
      for (let axis = 0; axis < 3; axis++) {
        expect(after.linear[axis]).toBeCloseTo(before.linear[axis], 12)
        // Up to the step: corrections act at places that the same substep then changes.
        expect(Math.abs(after.angular[axis] - before.angular[axis])).toBeLessThan(0.05 * spin)
      }
    })
  }

  it('keeps linear momentum when it collides with itself (seed 6)', () => {
    const cloth = crumpled(6, { selfDistance: 0.1 })
    const before = clothMomentum(cloth).linear
    run(cloth, 60)
    const after = clothMomentum(cloth).linear
    for (let axis = 0; axis < 3; axis++) expect(after[axis]).toBeCloseTo(before[axis], 12)
  })

  it('gains no energy on its own (seed 4)', () => {
    const cloth = crumpled(4)
    run(cloth, 1)
    const start = clothEnergy(cloth).total
    let worst = 0
    run(cloth, 600, () => {
      worst = Math.max(worst, clothEnergy(cloth).total)
    })
    expect(worst).toBeLessThanOrEqual(1.01 * start)
  })

  it('damps bending but lets the cloth turn as one', () => {
    const turning = new Cloth(clothGrid(6, 6), { ...VACUUM, damping: 20, gravity: [0, 0, 0], stretchStiffness: 1e5 })
    for (let n = 0; n < turning.vertexCount; n++) {
      turning.velocities[3 * n] = turning.positions[3 * n + 2]
      turning.velocities[3 * n + 2] = -turning.positions[3 * n]
    }
    const spin = clothMomentum(turning).angular[1]
    run(turning, 60)
    expect(clothMomentum(turning).angular[1] / spin).toBeGreaterThan(0.99)

    const kinetic = [0, 10].map((damping) => {
      const cloth = crumpled(5, { damping })
      run(cloth, 30)
      const { linear } = clothMomentum(cloth)
      const mass = cloth.masses.reduce((a, b) => a + b)
      return clothEnergy(cloth).kinetic - linear.reduce((a, b) => a + b * b, 0) / (2 * mass)
    })
    expect(kinetic[1]).toBeLessThan(0.7 * kinetic[0])
  })
})

describe('hanging', () => {
  for (const load of [200, 1000]) {
    it(`stretches a strip of ${load} N/m by what its own weight asks: rho g L^2 / 2k`, () => {
      const strip = clothGrid(21, 2, { ...UP, size: [0.05, 1] })
      const cloth = new Cloth(strip, {
        stretchStiffness: load,
        shearStiffness: 1e-6,
        density: 2,
        tethers: false,
        drag: 4,
        airDensity: 0,
        substep: 1 / 4800,
      })
      cloth.attach([0, 1])
      run(cloth, 360)
      const stretched = cloth.positions[1] - cloth.positions[3 * 40 + 1] - 1
      expect(Math.abs(stretched / ((2 * 9.81) / (2 * load)) - 1)).toBeLessThan(0.02)
    })
  }

  for (const tethers of [true, false]) {
    it(`hangs a stiff 32 x 32 sheet with less than ${tethers ? 0.1 : 1.5}% sag, tethers ${tethers}`, () => {
      const cloth = new Cloth(clothGrid(32, 32, UP), { tethers })
      cloth.attach(Array.from({ length: 32 }, (_, i) => i))
      run(cloth, 180)
      let low = Infinity
      for (let i = 1; i < cloth.positions.length; i += 3) low = Math.min(low, cloth.positions[i])
      expect(0.5 - low - 1).toBeLessThan(tethers ? 0.001 : 0.015)
      expect(0.5 - low).toBeGreaterThan(0.99)
    })
  }

  it('swings as a pendulum without gaining energy, and with the period of a heavy rod', () => {
    const angle = 0.5
    const cloth = new Cloth(
      clothGrid(9, 3, { size: [0.1, 1], v: [Math.sin(angle), -Math.cos(angle), 0], u: [0, 0, 1] }),
      {
        ...VACUUM,
        bendStiffness: 20,
        stretchStiffness: Infinity,
      },
    )
    // The uppermost row is the axis.
    cloth.attach([0, 1, 2])
    const axis = cloth.positions[0]
    const start = clothEnergy(cloth).gravity
    const swing = 9.81 * cloth.masses.reduce((a, b) => a + b) * 0.5 * (1 - Math.cos(angle))
    let highest = -Infinity
    const crossings: number[] = []
    let last = 1
    run(cloth, 300, (frame) => {
      // Without elastic energy: what one pass a substep leaves of stiff constraints is error, not a spring.
      const { kinetic, gravity } = clothEnergy(cloth)
      highest = Math.max(highest, kinetic + gravity)
      const side = cloth.positions[3 * 25] - axis
      if (side < 0 !== last < 0) crossings.push(frame)
      last = side
    })
    expect(highest - start).toBeLessThan(0.02 * swing)
    const period = (2 * FRAME * (crossings[crossings.length - 1] - crossings[0])) / (crossings.length - 1)
    // Of a rod of length 1 m; swings this wide take angle^2 / 16 longer.
    const expected = 2 * Math.PI * Math.sqrt(2 / (3 * 9.81)) * (1 + angle ** 2 / 16)
    expect(Math.abs(period / expected - 1)).toBeLessThan(0.02)
  })

  it('carries attachments to their targets exactly and the cloth after them', () => {
    const cloth = new Cloth(clothGrid(6, 6, UP), { drag: 2 })
    const pins = [0, 5]
    cloth.attach(pins)
    const targets = Float64Array.from(pins.flatMap((v) => [...cloth.positions.subarray(3 * v, 3 * v + 3)]))
    run(cloth, 180, (frame) => {
      if (frame >= 60) return
      targets[2] += 0.01
      targets[5] += 0.01
      cloth.moveAttached(targets)
    })
    expect(cloth.positions[2]).toBe(targets[2])
    expect(mean(cloth, 2)).toBeGreaterThan(0.5)
  })
})

describe('wind', () => {
  it('blows a flag downwind and lifts it', () => {
    const cloth = new Cloth(clothGrid(10, 10, { u: [0, 0, 1], v: [0, -1, 0] }))
    cloth.attach(Array.from({ length: 10 }, (_, i) => i))
    cloth.wind = [8, 0, 0]
    run(cloth, 180)
    expect(mean(cloth, 0)).toBeGreaterThan(0.1)
    expect(mean(cloth, 1)).toBeGreaterThan(0.02)
  })

  it('lets a level sheet sink at the speed where drag holds its weight', () => {
    const cloth = new Cloth(clothGrid(6, 6), { drag: 0, bendStiffness: 1 })
    run(cloth, 120)
    const terminal = Math.sqrt((2 * 0.15 * 9.81) / 1.2)
    const speed = -cloth.velocities.reduce((a, b, i) => (i % 3 === 1 ? a + b : a), 0) / cloth.vertexCount
    expect(Math.abs(speed / terminal - 1)).toBeLessThan(0.1)
  })
})

describe('rules of stepping', () => {
  const sphere = { field: fieldSphere([0, 0, 0], 0.3) }
  const dropped = (): Cloth => new Cloth(clothGrid(12, 12, { centre: [0, 0.4, 0] }), { selfDistance: 0.05 })

  it('repeats bit for bit', () => {
    const [a, b] = [dropped(), dropped()]
    for (let i = 0; i < 120; i++) {
      a.step(FRAME, sphere)
      b.step(FRAME, sphere)
    }
    expect(a.positions).toEqual(b.positions)
    expect(a.velocities).toEqual(b.velocities)
  })

  for (const frame of [1e-12, 0.5, 1e9, Infinity]) {
    it(`stays finite and slow for frames of ${frame} s`, () => {
      const cloth = dropped()
      cloth.attach([0])
      cloth.velocities.fill(1e300)
      for (let i = 0; i < 20; i++) cloth.step(frame, sphere)
      expect(allFinite(cloth.positions)).toBe(true)
      expect(Math.max(...cloth.positions.map(Math.abs))).toBeLessThan(1000)
    })
  }

  it('recovers from velocities and body answers that are not finite', () => {
    const cloth = dropped()
    cloth.velocities.fill(Number.NaN, 30, 60)
    const field: SignedField = {
      ...fieldSphere([0, 0, 0], 0.3),
      query(_points, count, distances, gradients) {
        for (let i = 0; i < count; i++) {
          distances[i] = i % 2 === 0 ? Number.NaN : -1
          gradients?.fill(i % 3 === 0 ? Infinity : 0, 3 * i, 3 * i + 3)
        }
      },
    }
    for (let i = 0; i < 20; i++) cloth.step(FRAME, { field })
    expect(allFinite(cloth.positions)).toBe(true)
  })

  it('does nothing in a frame of no time', () => {
    const cloth = dropped()
    cloth.step(0)
    cloth.step(-1)
    expect(cloth.positions).toEqual(dropped().positions)
  })

  it('runs ten minutes at four times the speed without a NaN, beside a body that runs about', () => {
    const cloth = new Cloth(clothGrid(7, 7, { ...UP, size: [0.8, 0.8] }), { selfDistance: 0.05, substep: 1 / 240 })
    cloth.attach([0, 6])
    const targets = new Float64Array(6)
    let energy = 0
    for (let frame = 0; frame < (10 * 60 * 60) / 4; frame++) {
      const t = (4 * frame) / 60
      cloth.wind = [3 * Math.sin(t), 0, 5 * Math.cos(1.7 * t)]
      targets.set([-0.4 + 0.3 * Math.sin(5 * t), 0.4, 0, 0.4 + 0.3 * Math.sin(5 * t), 0.4, 0.2 * Math.sin(3 * t)])
      cloth.moveAttached(targets)
      cloth.step(4 / 60, { field: fieldSphere([0.3 * Math.sin(9 * t), 0, 0.3 * Math.cos(7 * t)], 0.25) })
      if (frame % 60 === 0) energy = Math.max(energy, clothEnergy(cloth).total)
    }
    expect(allFinite(cloth.positions)).toBe(true)
    expect(allFinite(cloth.velocities)).toBe(true)
    // All of it at 10 m/s holds 5 J.
    expect(energy).toBeLessThan(20)
  })

  it('says what is wrong with its input', () => {
    const grid = clothGrid(3, 3)
    expect(() => new Cloth(grid, { density: 0 })).toThrow('cloth: density is 0')
    expect(() => new Cloth(grid, { friction: Number.NaN })).toThrow('cloth: friction is NaN')
    expect(() => new Cloth({ ...grid, positions: new Float64Array(30) })).toThrow('cloth: vertex 0')
    expect(() => new Cloth({ ...grid, triangles: Uint32Array.of(0, 1, 1) })).toThrow('names a vertex twice')
    const cloth = new Cloth(grid)
    expect(() => cloth.attach([9])).toThrow('attached vertex 9')
    cloth.attach([0])
    expect(() => cloth.moveAttached(Float64Array.of(0, Number.NaN, 0))).toThrow('cloth: attachment 0 is NaN; ')
    expect(() => cloth.step(Number.NaN)).toThrow('NaN')
    expect(() => clothGrid(1, 4)).toThrow('1 rows')
  })
})
