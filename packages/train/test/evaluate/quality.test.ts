import { type CodeState, type Floats, LinearModes, type MovingField } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { expect, it } from 'vitest'
import { measureQuality } from '../../src/evaluate/quality.js'
import { quantile } from '../../src/evaluate/statistics.js'
import { drawShapes } from '../../src/poses/drawn-shapes.js'
import { makeBar } from '../../src/presets/bar.js'

/** The exact field as if it had been learned, off by a constant. */
function biasedExact(model: LinearModes, bias: number): MovingField<CodeState> {
  const exact = new ExactMeshField({ positions: model.rest, triangles: model.triangles })
  const positions = new Float64Array(model.rest.length)
  const shift = (out: Floats, count: number): void => {
    for (let i = 0; i < count; i++) out[i] += bias
  }
  return {
    update({ code }) {
      model.positions(code, positions)
      exact.update({ vertices: positions })
    },
    query(points, count, distances, gradients) {
      exact.query(points, count, distances, gradients)
      shift(distances, count)
    },
    bounds: () => undefined,
  }
}

const bar = makeBar()
const shapes = (poses: number) => drawShapes(bar, poses, 5, 'evaluate')
const options = {
  points: 800,
  seed: 5,
  truncation: 0.05,
} as const

it('finds nothing wrong with the exact field', async () => {
  const quality = await measureQuality(biasedExact(bar, 0), shapes(4), options)
  expect(quality.bandError.max).toBeLessThan(1e-9)
  expect(quality.signAccuracy).toBe(1)
  expect(quality.normalError.p95).toBeLessThan(1e-3)
  expect(quality.points).toBe(3200)
})

it('finds a bias of 3 mm: in the band, on the surface, in the margin and in the sign', async () => {
  const quality = await measureQuality(biasedExact(bar, 0.003), shapes(4), options)
  expect(quality.bandError.mean).toBeCloseTo(0.003, 9)
  expect(quality.surfaceError.mean).toBeCloseTo(0.003, 6)
  expect(quality.safetyMargin).toBeCloseTo(0.003, 6)
  const large = await measureQuality(biasedExact(bar, 0.03), shapes(4), options)
  expect(large.signAccuracy).toBeLessThan(0.95)
})

it('tells poses with inverted tetrahedra apart, and the mean with them', async () => {
  const [right, wrong] = [biasedExact(bar, 0.001), biasedExact(bar, 0.004)]
  let posed = 0
  // The first three poses are those of the whole bodies.
  const field: MovingField<CodeState> = {
    ...right,
    update(state) {
      for (const each of [right, wrong]) each.update(state)
      posed++
    },
    query: (...all) => (posed > 3 ? wrong : right).query(...all),
  }
  const quality = await measureQuality(field, { ...shapes(3), inverted: shapes(1) }, options)
  expect(quality).toMatchObject({ poses: 3, points: 2400, inverted: { poses: 1, share: 0.25 } })
  expect(quality.bandError.max).toBeCloseTo(0.001, 9)
  expect(quality.inverted!.mean).toBeCloseTo(0.004, 9)
  expect(quality.inverted!.max).toBeCloseTo(0.004, 9)
  expect(quality.inverted!.withThem).toBeCloseTo(0.00175, 9)
})

it('tells points apart whose nearest surface has sunk into the body', async () => {
  // A bar and the same again, shifted: two solids that overlap, with faces of each inside the other.
  const { rest, triangles } = bar
  const positions = Float64Array.from([...rest, ...rest.map((x, i) => x + (i % 3 === 0 ? 0.3 : 0.05))])
  const corners = Uint32Array.from([...triangles, ...triangles.map((corner) => corner + rest.length / 3)])
  const both = new LinearModes({
    rest: positions,
    modes: new Float64Array(0),
    triangles: corners,
    bounds: { lower: new Float64Array(0), upper: new Float64Array(0) },
  })
  const exact = new ExactMeshField({ positions, triangles: corners })
  const [one, other] = [rest, positions.slice(rest.length)].map(
    (each) => new ExactMeshField({ positions: each, triangles }),
  )
  const field: MovingField<CodeState> = {
    ...biasedExact(both, 0),
    // Exact, but deep where the nearest surface lies inside the other bar: as for one body.
    query(points, count, distances, gradients = new Float64Array(3 * count)) {
      exact.query(points, count, distances, gradients)
      const nearest = Float64Array.from({ length: 3 * count }, (_, i) => {
        return points[i] - distances[Math.trunc(i / 3)] * gradients[i]
      })
      const depths = [one, other].map((solid) => {
        const depth = new Float64Array(count)
        solid.query(nearest, count, depth)
        return depth
      })
      for (let i = 0; i < count; i++)
        if (distances[i] < 0 && depths.some((depth) => depth[i] < -1e-3)) distances[i] = -9
    },
  }
  const quality = await measureQuality(field, drawShapes(both, 1, 5, 'evaluate'), { ...options, points: 4000 })
  expect(quality.bandError.max).toBeLessThan(1e-6)
  expect(quality.surfaceError.max).toBeLessThan(1e-6)
  expect(quality.signAccuracy).toBe(1)
  expect(quality.hidden!.share).toBeGreaterThan(0.02)
  expect(quality.hidden!.max).toBeGreaterThan(8)
  // A body that does not meet itself has no such points.
  expect((await measureQuality(biasedExact(bar, 0), shapes(2), options)).hidden).toBeUndefined()
})

it('gives no figure at all for a field that answers one point with NaN, in distance or in gradient', async () => {
  for (const spoil of ['distances', 'gradients'] as const) {
    const field = biasedExact(bar, 0)
    const quality = await measureQuality(
      {
        ...field,
        query(points, count, distances, gradients) {
          field.query(points, count, distances, gradients)
          // The last point: anywhere in the domain, outside and beyond the band, where NaN < 0 looks like the right sign.
          if (spoil === 'distances') distances[count - 1] = Number.NaN
          else if (gradients) gradients[3 * count - 1] = Number.NaN
        },
      },
      shapes(1),
      options,
    )
    const { bandError, surfaceError, signAccuracy, normalError, safetyMargin } = quality
    const figures = [...Object.values(bandError), ...Object.values(surfaceError), ...Object.values(normalError)]
    for (const figure of [...figures, signAccuracy, safetyMargin]) expect(figure, spoil).toBeNaN()
  }
})

it('stops when told to', async () => {
  const controller = new AbortController()
  const measured = measureQuality(biasedExact(bar, 0), shapes(1000), {
    ...options,
    signal: controller.signal,
    onProgress: () => controller.abort(),
  })
  await expect(measured).rejects.toThrow('abort')
})

it('interpolates quantiles', () => {
  expect(quantile(Float64Array.of(3, 1, 2), 0.5)).toBe(2)
  expect(quantile(Float64Array.of(0, 1), 0.25)).toBe(0.25)
  expect(quantile(new Float64Array(0), 0.5)).toBe(0)
})
