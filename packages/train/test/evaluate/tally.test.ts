import { describe, expect, it } from 'vitest'
import { QualityTally, type TallyOptions } from '../../src/evaluate/tally.js'

/** A point's exact distance and what the field says; normals are right. */
type Point = readonly [exact: number, learned: number]

function judge(points: readonly Point[], options: Partial<TallyOptions> = {}, hidden?: Uint8Array) {
  const tally = new QualityTally({
    size: 1,
    sizeOf: 'diagonal',
    band: 0.05,
    surfaceShare: 0,
    uniformShare: 0,
    ...options,
  })
  const normals = Float64Array.from({ length: 3 * points.length }, (_, i) => Number(i % 3 === 0))
  tally.addPose(
    [0],
    points.length,
    { distances: Float64Array.from(points, ([exact]) => exact), normals },
    { distances: Float64Array.from(points, ([, learned]) => learned), gradients: normals },
    hidden,
  )
  return tally.quality()
}

describe('a tally', () => {
  it('judges signs from half a percent of the size on, no further out', () => {
    // A wrong sign 0.4% off is forgiven, one 0.6% off is not; otherwise a field of thin walls looks right.
    expect(
      judge([
        [0.004, -0.001],
        [0.03, 0.03],
      ]).signAccuracy,
    ).toBe(1)
    expect(
      judge([
        [0.006, -0.001],
        [0.03, 0.03],
      ]).signAccuracy,
    ).toBe(0.5)
    expect(
      judge([
        [-0.006, 0.001],
        [0.03, 0.03],
      ]).signAccuracy,
    ).toBe(0.5)
    expect(
      judge(
        [
          [-0.006, -0.001],
          [-0.03, -0.03],
        ],
        { size: 0.1 },
      ).signAccuracy,
    ).toBe(1)
  })

  it('recommends a margin that 99.5% of the overestimates stay below', () => {
    const points = Array.from({ length: 1001 }, (_, i): Point => [0.01, 0.01 + i / 1e6])
    expect(judge(points).safetyMargin).toBeCloseTo(995e-6, 12)
    // Underestimates are safe.
    expect(judge(points.map(([exact], i) => [exact, exact - i / 1e6])).safetyMargin).toBe(0)
  })

  it('keeps errors on the surface apart from those in the band', () => {
    // The first half lies on the surface. Zeros there must not flatter the band, nor errors there spoil it.
    const flat = judge(
      [
        [0, 0],
        [0, 0],
        [0.02, 0.03],
        [0.02, 0.03],
      ],
      { surfaceShare: 0.5 },
    )
    expect(flat.bandError).toMatchObject({ p50: expect.closeTo(0.01, 12), mean: expect.closeTo(0.01, 12) })
    expect(flat.surfaceError).toEqual({ mean: 0, p95: 0, max: 0 })
    const rough = judge(
      [
        [0, 0.02],
        [0, -0.02],
        [0.02, 0.02],
        [0.02, 0.02],
      ],
      { surfaceShare: 0.5 },
    )
    expect(rough.bandError.max).toBe(0)
    expect(rough.surfaceError.mean).toBeCloseTo(0.02, 12)
    // What lies on the surface has no side.
    expect(rough.signAccuracy).toBe(1)
  })

  it('counts points whose nearest surface is hidden for the sign, and their errors apart', () => {
    const quality = judge(
      [
        [-0.02, 0.5],
        [-0.02, -0.02],
      ],
      {},
      Uint8Array.of(1, 0),
    )
    expect(quality.signAccuracy).toBe(0.5)
    expect(quality.bandError.max).toBe(0)
    expect(quality.hidden).toEqual({ share: 0.5, mean: 0.52, max: 0.52 })
  })

  it('judges errors and normals up to the edge of the band', () => {
    const quality = judge([
      [0.049, 0.05],
      [0.051, 0.5],
    ])
    expect(quality.bandError.max).toBeCloseTo(0.001, 12)
  })

  it('reports points beyond the band apart: how many of those anywhere, and how wrong they are', () => {
    // Two on the surface, two near, of which one lies beyond, and four anywhere, of which three do.
    const near: Point[] = [
      [0, 0],
      [0, 0],
      [0.01, 0.01],
      [0.06, 0.07],
    ]
    const anywhere: Point[] = [
      [0.02, 0.02],
      [0.1, 0.13],
      [0.2, 0.19],
      [-0.06, -0.02],
    ]
    const { beyond, bandError } = judge([...near, ...anywhere], { surfaceShare: 0.25, uniformShare: 0.5 })
    expect(beyond).toMatchObject({ from: 0.05, share: 0.75, max: expect.closeTo(0.04, 12) })
    expect(beyond!.mean).toBeCloseTo((0.01 + 0.03 + 0.01 + 0.04) / 4, 12)
    // Of the three outside two are said to be further away than they are.
    expect(beyond!.tooFar).toBeCloseTo(2 / 3, 12)
    expect(beyond!.maxTooFar).toBeCloseTo(0.03, 12)
    expect(bandError.max).toBe(0)
  })

  it('has the poses with the largest mean error first', () => {
    const tally = new QualityTally({ size: 1, sizeOf: 'diagonal', band: 0.05, surfaceShare: 0, uniformShare: 0 })
    const normals = Float64Array.of(1, 0, 0)
    for (const error of [1, 7, 3, 5, 4, 2, 6]) {
      const truth = { distances: Float64Array.of(0.01), normals }
      tally.addPose([error], 1, truth, { distances: Float64Array.of(0.01 + error / 1000), gradients: normals })
    }
    expect(tally.quality().worstPoses.map(({ code }) => code[0])).toEqual([7, 6, 5, 4, 3])
  })
})
