import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { AffineForms } from '../../../src/net/bounds/affine-forms.js'
import type { Symbols } from '../../../src/net/bounds/dense-bounds.js'
import { GridBounds } from '../../../src/net/bounds/grid-bounds.js'
import { createNetwork } from '../../../src/net/create-network.js'
import type { Backend } from '../../../src/net/network.js'
import type { GridShape } from '../../../src/net/network-shape.js'
import { ScalarGrid } from '../../../src/net/scalar/grid.js'
import { randomCode, randomShape, randomTensors } from '../random-network.js'

/** Values of random networks at points of random boxes that lie outside of what is promised. */
async function violations(backend: 'auto' | Backend, symbols: Symbols, seeds: number): Promise<number> {
  let outside = 0
  const count = 60
  const [points, values] = [new Float64Array(3 * count), new Float64Array(count)]
  for (let seed = 0; seed < seeds; seed++) {
    const random = randomStream(seed, 5)
    const shape = randomShape(random)
    const network = await createNetwork(shape, randomTensors(shape, seed), { backend, bounds: symbols })
    network.pose(randomCode(shape, seed))
    for (let n = 0; n < 15; n++) {
      const size = 1e-4 * 1e4 ** random.uniform()
      const centre = [0, 1, 2].map(() => random.between(-1.2, 1.2))
      // Straight ones, turned ones, and slabs without a thickness.
      const rows = Float64Array.from({ length: 9 }, (_, i) =>
        n % 3 === 0 ? (i % 4 === 0 ? size * random.uniform() : 0) : n % 3 === 2 && i > 5 ? 0 : size * random.normal(),
      )
      const bounds = network.bounds!(centre, rows)
      expect(bounds, `seed ${seed}, box ${n}`).toBeDefined()
      for (let i = 0; i < count; i++) {
        const share = [0, 1, 2].map((k) => (i < 8 ? 2 * ((i >> k) & 1) - 1 : random.between(-1, 1)))
        for (let k = 0; k < 3; k++) {
          points[3 * i + k] = centre[k] + share[0] * rows[k] + share[1] * rows[3 + k] + share[2] * rows[6 + k]
        }
      }
      network.query(points, count, values)
      for (const value of values) if (!(value >= bounds![0] && value <= bounds![1])) outside++
    }
    network.dispose()
  }
  return outside
}

describe('bounds of a whole network', () => {
  it.each(['scalar', 'simd', 'auto'] as const)(
    'hold for what %s code answers, straight and turned',
    async (backend) => {
      expect(await violations(backend, 'all', 25)).toBe(0)
    },
  )

  it.each(['fixed', 8, 0] as const)('hold by %s symbols too', async (symbols) => {
    expect(await violations('auto', symbols, 15)).toBe(0)
  })

  it('follow the pose, and are there only when asked for', async () => {
    const shape = { ...randomShape(randomStream(1, 5)), code: 3 }
    const tensors = randomTensors(shape, 1)
    expect((await createNetwork(shape, tensors)).bounds).toBeUndefined()
    const network = await createNetwork(shape, tensors, { bounds: 'all' })
    const value = new Float64Array(1)
    for (const code of [
      [0, 0, 0],
      [1, -1, 0.5],
    ]) {
      network.pose(code)
      network.query(Float64Array.of(0.1, 0.2, 0.3), 1, value)
      const [low, high] = network.bounds!([0.1, 0.2, 0.3], [])!
      expect(low).toBeLessThanOrEqual(value[0])
      expect(high).toBeGreaterThanOrEqual(value[0])
      expect(high - low).toBeLessThan(1e-3)
    }
    await expect(createNetwork(shape, tensors, { bounds: 'some' as never })).rejects.toThrow('symbols is some')
  })
})

describe('planes along a trilinear grid', () => {
  const shape: GridShape = { resolution: [5, 4, 3], channels: 3, lower: [-1, -1.1, -0.9], upper: [1, 0.9, 1.2] }
  const random = randomStream(8, 1)
  const data = Float32Array.from({ length: 5 * 4 * 3 * 3 }, () => random.normal())

  it('have strips that hold it, and no wider: within a cell, over many, and beyond its ends', () => {
    const [bounds, grid] = [new GridBounds(shape, data), new ScalarGrid(shape, data)]
    const [place, value] = [new Float64Array(3), new Float64Array(3)]
    for (let n = 0; n < 200; n++) {
      const forms = new AffineForms(6)
      forms.reset(3)
      const half = [0, 1, 2].map(() => 10 ** random.between(-4, 0))
      for (let k = 0; k < 3; k++) {
        forms.base[k] = random.between(-1.4, 1.4)
        forms.rows[6 * k + k] = half[k]
      }
      bounds.lookUp(forms, 0, 3)
      const [least, most] = [new Float64Array(3).fill(Infinity), new Float64Array(3).fill(-Infinity)]
      for (let i = 0; i < 1000; i++) {
        const share = [0, 1, 2].map((k) => (i < 8 ? 2 * ((i >> k) & 1) - 1 : random.between(-1, 1)))
        for (let k = 0; k < 3; k++) place[k] = forms.base[k] + half[k] * share[k]
        grid.sample(place, 0, value, 0)
        for (let c = 0; c < 3; c++) {
          let rest = value[c] - forms.base[3 + c]
          for (let k = 0; k < 3; k++) rest -= share[k] * forms.rows[6 * k + 3 + c]
          least[c] = Math.min(least[c], rest)
          most[c] = Math.max(most[c], rest)
        }
      }
      for (let c = 0; c < 3; c++) {
        // The grid's own fractions are in single precision.
        expect(Math.max(-least[c], most[c])).toBeLessThan(forms.fresh[3 + c] + 2e-6)
        if (half.every((side) => side < 0.1)) {
          expect(most[c] - least[c]).toBeGreaterThan(1.2 * forms.fresh[3 + c] - 2e-6)
        }
      }
    }
  })

  it('are level where a box holds more nodes than anybody would go through twice', () => {
    const fine: GridShape = { ...shape, resolution: [104, 103, 102], channels: 1 }
    const nodes = Float32Array.from({ length: 104 * 103 * 102 }, (_, i) => Math.sin(i))
    nodes[500_000] = 7
    const forms = new AffineForms(4)
    forms.reset(3)
    for (let k = 0; k < 3; k++) forms.rows[4 * k + k] = 3
    new GridBounds(fine, nodes).lookUp(forms, 0, 3)
    expect(forms.base[3] + forms.fresh[3]).toBeCloseTo(7, 6)
    expect(forms.base[3] - forms.fresh[3]).toBeCloseTo(-1, 3)
  })
})
