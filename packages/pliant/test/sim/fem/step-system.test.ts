import { describe, expect, it } from 'vitest'
import { checkAddresses } from '../../../src/math/wasm/address-check.js'
import { FemBody, type FemKernel } from '../../../src/sim/index.js'
import { bar, nodesAt, tumblingBar } from './bars.js'
import { compareSystems } from './compare-systems.js'

describe('the system in single precision', () => {
  it.each([0, 0.002, 0.02])(
    'is that of doubles where nodes are off by up to %d m (neo-Hookean, seed 1)',
    (scramble) => {
      const { iterations, decomposed } = compareSystems('neo-hookean', scramble, 1)
      expect(decomposed[1]).toBe(decomposed[0])
      expect(decomposed[0] > 0).toBe(scramble > 0)
      expect(Math.abs(iterations[1] - iterations[0])).toBeLessThanOrEqual(1)
    },
  )

  it('stays within its arrays (seed 1)', () => {
    expect(compareSystems('neo-hookean', 0.02, 1, checkAddresses).decomposed[1]).toBeGreaterThan(0)
  })

  it('is that of doubles for a law without a kernel of its own (seed 2)', () => {
    compareSystems('corotated', 0.005, 2)
  })

  it('moves a body as doubles do', () => {
    const mesh = bar([0.4, 0.1, 0.1], [8, 2, 2])
    const [plain, simd] = (['plain', 'simd'] as const).map((kernel) => {
      const body = new FemBody(mesh, { kernel, material: { young: 3e4 } })
      expect(body.kernel).toBe(kernel)
      body.pin(nodesAt(mesh, 0, 0))
      for (let n = 0; n < 30; n++) body.step(1 / 60)
      return body.positions
    })
    const fall = Math.max(...plain.map((x, i) => Math.abs(x - mesh.positions[i])))
    expect(fall).toBeGreaterThan(0.01)
    for (let i = 0; i < plain.length; i++) expect(Math.abs(simd[i] - plain[i])).toBeLessThan(1e-3 * fall)
  })

  it('is left to doubles where more is asked than it can give', () => {
    expect(new FemBody(bar([1, 1, 1], [1, 1, 1]), { tolerance: 1e-6 }).kernel).toBe('plain')
  })
})

describe('where a solve begins', () => {
  const pinnedSlab = (kernel: FemKernel): FemBody => {
    const mesh = bar([0.2, 0.06, 0.2], [6, 2, 6])
    const body = new FemBody(mesh, { kernel })
    body.pin(nodesAt(mesh, 1, 0))
    return body
  }

  // 360 iterations where the next change is expected to be the last one, 224 where it goes on as it grew.
  it.each(['plain', 'simd'] as const)('foretells a load that grows and shrinks smoothly (%s)', (kernel) => {
    const mesh = bar([0.4, 0.1, 0.1], [12, 3, 3])
    const body = new FemBody(mesh, { gravity: [0, 0, 0], material: { young: 3e4 }, kernel })
    body.pin(nodesAt(mesh, 0, 0))
    let iterations = 0
    for (let n = 0; n < 60; n++) {
      for (const node of nodesAt(mesh, 0, 0.4)) body.forces[3 * node + 1] = -0.02 * (1 - Math.cos(n / 20))
      body.step(1 / 60)
      iterations += body.iterations
    }
    expect(iterations).toBeLessThan(290)
  })

  // Begun from free fall, nodes went to and fro at 2 cm/s for ever: what a hand that touches the slab would feel.
  it.each(['plain', 'simd'] as const)(
    'lets a pinned slab come to rest under gravity, and then does nothing (%s)',
    (kernel) => {
      const body = pinnedSlab(kernel)
      for (let n = 0; n < 90; n++) body.step(1 / 60)
      const before = body.positions.slice()
      let iterations = 0
      for (let n = 0; n < 30; n++) {
        body.step(1 / 60)
        iterations += body.iterations
      }
      expect(Math.max(...body.velocities.map(Math.abs))).toBeLessThan(1e-5)
      expect(Math.max(...body.positions.map((x, i) => Math.abs(x - before[i])))).toBeLessThan(1e-6)
      expect(iterations).toBeLessThan(30)
    },
  )

  it('leaves nothing to solve of free fall', () => {
    const body = new FemBody(bar([0.2, 0.1, 0.1], [4, 2, 2]))
    for (let n = 0; n < 10; n++) {
      body.step(1 / 60)
      expect(body.iterations).toBe(0)
    }
    expect(body.velocities[1]).toBeCloseTo((-9.81 * 10) / 60, 6)
  })

  it('takes fewer iterations than from nothing while a body goes on as before', () => {
    const body = tumblingBar()
    const first = (): number => {
      body.step(1 / 60)
      return body.iterations
    }
    const begun = first()
    for (let n = 0; n < 60; n++) body.step(1 / 60)
    expect(first()).toBeLessThan(begun)
  })
})
