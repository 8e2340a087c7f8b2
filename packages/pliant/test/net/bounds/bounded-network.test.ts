import { describe, expect, it } from 'vitest'
import { TransformedField } from '../../../src/field/transformed.js'
import { load } from '../../../src/index.js'
import type { Box } from '../../../src/math/box.js'
import { randomStream } from '../../../src/math/random.js'
import { createBoneNetwork } from '../../../src/net/bones/bone-network.js'
import { AffineForms } from '../../../src/net/bounds/affine-forms.js'
import type { Symbols } from '../../../src/net/bounds/dense-bounds.js'
import { GridBounds } from '../../../src/net/bounds/grid-bounds.js'
import { mixtureBounds } from '../../../src/net/bounds/mixture.js'
import { createNetwork } from '../../../src/net/create-network.js'
import type { Backend } from '../../../src/net/network.js'
import type { GridShape } from '../../../src/net/network-shape.js'
import { ScalarGrid } from '../../../src/net/scalar/grid.js'
import { exampleArtifact } from '../../artifact/example.js'
import { randomBonePose, randomBoneShape, randomBoneTensors } from '../bones/random-bones.js'
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
      const bounds = network.bounds!({ centre, halfEdges: rows })
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
      expect(await violations(backend, 'all', 12)).toBe(0)
    },
  )

  it.each(['fixed', 8, 0] as const)('hold by %s symbols too', async (symbols) => {
    expect(await violations('auto', symbols, 10)).toBe(0)
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
      const [low, high] = network.bounds!({ centre: [0.1, 0.2, 0.3], halfEdges: [] })!
      expect(low).toBeLessThanOrEqual(value[0])
      expect(high).toBeGreaterThanOrEqual(value[0])
      expect(high - low).toBeLessThan(1e-3)
    }
    await expect(createNetwork(shape, tensors, { bounds: 'some' as never })).rejects.toThrow('symbols is some')
  })
})

describe('bounds of a field', () => {
  it('are of the box as the field sees it, turned, and hold across the edge of its domain', async () => {
    const field = await load(exampleArtifact(), { bounds: 'all' })
    field.update({ code: [0.5, -1] })
    const { domain } = exampleArtifact().manifest.networks.distance
    const [c, s] = [Math.cos(0.8), Math.sin(0.8)]
    const placed = new TransformedField(field, [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 5, 2, 1, 1])
    const straight = new TransformedField(
      { query: (...given) => field.query(...given), bounds: (box) => field.bounds(box) },
      placed.frame,
    )
    const random = randomStream(4, 1)
    const [points, values] = [new Float64Array(300), new Float64Array(100)]
    let narrower = 0
    let crossing = 0
    for (let n = 0; n < 60; n++) {
      const half = 10 ** random.between(-3, 0)
      const inside = [0, 1, 2].map((k) => random.between(domain.lower[k], domain.upper[k]))
      const centre = [c * inside[0] - s * inside[1] + 5, s * inside[0] + c * inside[1] + 2, inside[2] + 1]
      const box = { lower: centre.map((x) => x - half), upper: centre.map((x) => x + half) } as unknown as Box
      const bounds = placed.bounds(box)!
      const around = straight.bounds(box)!
      for (let i = 0; i < 300; i++) {
        const corner = (Math.floor(i / 3) >> (i % 3)) & 1 ? 1 : -1
        points[i] = centre[i % 3] + half * (i < 24 ? corner : random.between(-1, 1))
      }
      placed.query(points, 100, values)
      for (const value of values) {
        expect(value).toBeGreaterThanOrEqual(bounds[0])
        expect(value).toBeLessThanOrEqual(bounds[1])
        expect(value).toBeGreaterThanOrEqual(around[0])
        expect(value).toBeLessThanOrEqual(around[1])
      }
      if (bounds[1] - bounds[0] < 0.95 * (around[1] - around[0])) narrower++
      if (inside.some((x, k) => x - half < domain.lower[k] || x + half > domain.upper[k])) crossing++
    }
    expect(narrower).toBeGreaterThan(30)
    expect(crossing).toBeGreaterThan(5)
  })

  it('are none for a box that is none, or has no end inside', async () => {
    const field = await load(exampleArtifact(), { bounds: 'all' })
    expect(field.bounds({ lower: [0, 0, 0], upper: [-1, 1, 1] })).toBeUndefined()
    expect(field.bounds({ lower: [0, Number.NaN, 0], upper: [1, 1, 1] })).toBeUndefined()
    const everywhere = field.bounds({ lower: [0, 0, -Infinity], upper: [1, 1, Infinity] })!
    expect(everywhere[1]).toBe(Infinity)
    expect(everywhere[0]).toBeGreaterThan(-100)
  })
})

describe('bounds of a network in bone frames', () => {
  it.each([
    ['scalar', 4],
    ['auto', 12],
  ] as const)('hold for what %s code answers, wherever bones take turns', async (backend, seeds) => {
    const [points, values] = [new Float64Array(180), new Float64Array(60)]
    let outside = 0
    for (let seed = 0; seed < seeds; seed++) {
      const random = randomStream(seed, 6)
      const shape = randomBoneShape(seed, seed % 2 ? {} : { boneCount: 1 + (seed % 5) })
      const network = await createBoneNetwork(shape, randomBoneTensors(shape, seed), { backend, bounds: 'all' })
      const { matrices, drivers } = randomBonePose(shape, seed)
      network.pose(matrices, drivers)
      for (let n = 0; n < 12; n++) {
        const centre = [0, 1, 2].map(() => shape.scale * random.between(-1, 1))
        const size = shape.scale * 10 ** random.between(-4, -0.5)
        const rows = Float64Array.from({ length: 9 }, () => size * random.normal())
        const bounds = network.bounds!({ centre, halfEdges: rows })
        expect(bounds, `seed ${seed}, box ${n}`).toBeDefined()
        for (let i = 0; i < 60; i++) {
          const share = [0, 1, 2].map((k) => (i < 8 ? 2 * ((i >> k) & 1) - 1 : random.between(-1, 1)))
          for (let k = 0; k < 3; k++) {
            points[3 * i + k] = centre[k] + share[0] * rows[k] + share[1] * rows[3 + k] + share[2] * rows[6 + k]
          }
        }
        network.query(points, 60, values)
        for (const value of values) if (!(value >= bounds![0] && value <= bounds![1])) outside++
      }
      network.dispose()
    }
    expect(outside).toBe(0)
  })

  it('promise nothing far away, where points are answered otherwise', async () => {
    const shape = randomBoneShape(3)
    const network = await createBoneNetwork(shape, randomBoneTensors(shape, 3), { bounds: 'all' })
    const { matrices, drivers } = randomBonePose(shape, 3)
    network.pose(matrices, drivers)
    expect(network.bounds!({ lower: [1e4, 0, 0], upper: [2e4, 1, 1] })).toBeUndefined()
    expect(network.bounds!({ lower: [0, 0, 0], upper: [Infinity, 1, 1] })).toBeUndefined()
    expect(network.bounds!({ lower: [10, 0, 0], upper: [11, 1, 1] })).toBeDefined()
  })
})

describe('a mean of values with weights between two ends', () => {
  it('is never beyond its bounds, and reaches them', () => {
    const random = randomStream(9, 1)
    for (let n = 0; n < 200; n++) {
      const shares = Array.from({ length: 1 + random.below(4) }, () => {
        const [value, least] = [random.normal(), random.uniform() < 0.3 ? 0 : random.uniform()]
        return { low: value, high: value + random.uniform(), least, most: least + random.uniform() }
      })
      const [low, high] = mixtureBounds(shares)
      let [seenLow, seenHigh] = [Infinity, -Infinity]
      // All choices of ends, where a fraction of linear functions is largest and least.
      for (let ends = 0; ends < 4 ** shares.length; ends++) {
        let [sum, total] = [0, 0]
        shares.forEach(({ low, high, least, most }, i) => {
          const end = (ends >> (2 * i)) & 3
          const weight = end & 1 ? most : least
          sum += weight * (end & 2 ? high : low)
          total += weight
        })
        if (!(total > 0)) continue
        seenLow = Math.min(seenLow, sum / total)
        seenHigh = Math.max(seenHigh, sum / total)
      }
      expect(low).toBeCloseTo(seenLow, 10)
      expect(high).toBeCloseTo(seenHigh, 10)
    }
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
