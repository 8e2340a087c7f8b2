import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../src/exact/mesh-distance.js'
import { fieldBox } from '../../src/field/analytic.js'
import type { SignedField } from '../../src/field/signed-field.js'
import { linearOwnError } from '../../src/learned/linear-own-error.js'
import { NeuralField } from '../../src/learned/neural.js'
import { OwnError } from '../../src/learned/own-error.js'
import { SurfaceProbes } from '../../src/learned/surface-probes.js'
import type { Floats } from '../../src/math/floats.js'
import { randomStream } from '../../src/math/random.js'
import { gatherVertices } from '../../src/mesh/gather-vertices.js'
import type { Network } from '../../src/net/network.js'
import { boxOfModes, HALF } from './box-of-modes.js'

const model = boxOfModes()
const { rest, triangles } = model
const box = fieldBox([0, 0, 0], [HALF, HALF, HALF])

/** A field that answers with a function of the point. */
function fieldOf(distance: (x: number, y: number, z: number) => number): SignedField {
  const query = (points: Floats, count: number, out: Floats): void => {
    for (let i = 0; i < count; i++) out[i] = distance(points[3 * i], points[3 * i + 1], points[3 * i + 2])
  }
  return { query, bounds: () => undefined }
}

function boxAt(x: number, y: number, z: number, shift: number): number {
  const out = new Float64Array(1)
  box.query(Float64Array.of(x - shift, y, z), 1, out)
  return out[0]
}

function probesAt(positions: Float64Array): SurfaceProbes {
  const probes = new SurfaceProbes({ positions: rest, triangles })
  gatherVertices(positions, probes.corners, probes.places)
  return probes
}

describe('SurfaceProbes', () => {
  it('finds nothing wrong with the exact field, and the whole of a bias, of either sign', () => {
    const probes = probesAt(rest)
    expect(probes.meanError(box)).toBeLessThan(1e-12)
    for (const bias of [0.004, -0.004]) {
      expect(probes.meanError(fieldOf((x, y, z) => boxAt(x, y, z, 0) + bias))).toBeCloseTo(0.004, 10)
    }
  })

  it('are spread evenly, also over triangles of very different sizes', () => {
    const { corners } = new SurfaceProbes({ positions: rest, triangles })
    const onFace = (axis: number, value: number): number =>
      [...corners].filter(
        (v, i) =>
          i % 3 === 0 &&
          rest[3 * v + axis] === value &&
          rest[3 * corners[i + 1] + axis] === value &&
          rest[3 * corners[i + 2] + axis] === value,
      ).length
    for (let axis = 0; axis < 3; axis++)
      for (const side of [-HALF, HALF]) expect(onFace(axis, side)).toBeGreaterThan(38)
    const sliver = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.001),
      triangles: Uint32Array.of(0, 1, 2, 0, 1, 3),
    }
    const large = new SurfaceProbes(sliver).corners.filter((v, i) => i % 3 === 2 && v === 2).length
    expect(large).toBeGreaterThan(250)
  })

  it('leave out what is hidden inside the body, where a field is rightly negative', () => {
    // A ball that the right face dips into: up to 0.2 deep there, and no error.
    const both = fieldOf((x, y, z) => Math.min(boxAt(x, y, z, 0) + 0.002, Math.hypot(x - 0.7, y, z) - 0.45))
    const distances = new Float64Array(rest.length / 3)
    both.query(rest, distances.length, distances)
    expect(distances.reduce((sum, d) => sum + Math.abs(d), 0) / distances.length).toBeGreaterThan(0.008)
    expect(probesAt(rest).meanError(both)).toBeCloseTo(0.002, 3)
  })

  it('count where the field has the surface too far out, however far', () => {
    const stretched = fieldOf((x, y, z) => boxAt(x, Math.sign(y) * Math.max(0, Math.abs(y) - 0.2), z, 0))
    // Two of six faces, 0.2 deep; near their edges the others are nearer.
    expect(probesAt(rest).meanError(stretched)).toBeGreaterThan(0.025)
  })

  it('do not take a field for right that says that all is inside', () => {
    expect(probesAt(rest).meanError(fieldOf(() => -0.3))).toBeCloseTo(0.3, 10)
    expect(probesAt(rest).meanError(fieldOf(() => Number.NaN))).toBeNaN()
  })
})

describe('OwnError', () => {
  it('scales by what was measured, and asks once for each pose', () => {
    let asked = 0
    const field = fieldOf((x, y, z) => {
      asked++
      return boxAt(x, y, z, 0) + 0.01
    })
    const own = (distances: number): OwnError =>
      new OwnError(
        () => ({ positions: rest, triangles }),
        (vertices, out) => gatherVertices(rest, vertices, out),
        { distances, probes: 0.005 },
      )
    const error = own(0.006)
    expect(error.expected(field)).toBeCloseTo(0.012, 10)
    expect(error.isTrusted(field)).toBe(true)
    const once = asked
    expect(error.atProbes(field)).toBeCloseTo(0.01, 10)
    expect(asked).toBe(once)
    error.forget()
    expect(error.expected(field)).toBeCloseTo(0.012, 10)
    expect(asked).toBe(2 * once)
    const never = new OwnError(
      () => ({ positions: rest, triangles }),
      (v, out) => gatherVertices(rest, v, out),
      undefined,
    )
    expect(never.expected(field)).toBeCloseTo(0.01, 10)
    expect(never.isTrusted(field)).toBe(false)
  })
})

describe('a learned field', () => {
  const frame = {
    name: 'box',
    code: { size: 2, lower: [-1, -1], upper: [1, 1] },
    normalisation: { centre: [0, 0, 0] as const, scale: 1, codeOffset: [0, 0], codeScale: [1, 1] },
    domain: { lower: [-9, -9, -9] as const, upper: [9, 9, 9] as const },
    truncation: 0.2,
  }
  /** A network that has learned to slide, whatever the range, and has not learned to stretch at all. */
  const sliding = (): NeuralField => {
    let shift = 0
    const network: Network = {
      backend: 'scalar',
      shape: {} as Network['shape'],
      pose: (code) => {
        shift = code[0]
      },
      query: (points, count, out) => {
        for (let i = 0; i < count; i++)
          out[i] = boxAt(points[3 * i], points[3 * i + 1], points[3 * i + 2], shift) + 0.001
      },
      dispose: () => {},
    }
    const measured = { distances: 0.001, probes: 0.001 }
    return new NeuralField(frame, network, (code) => linearOwnError({ shape: model, measured }, code))
  }

  it('knows where it is wrong within its range, and where it is right far beyond it', () => {
    const field = sliding()
    field.update({ code: [0, 0] })
    expect(field.expectedError).toBeCloseTo(0.001, 6)
    expect(field.trusted).toBe(true)
    field.update({ code: [4, 0] })
    expect(field.expectedError).toBeCloseTo(0.001, 6)
    expect(field.trusted).toBe(true)
    field.update({ code: [0, 0.05] })
    expect(field.expectedError).toBeGreaterThan(0.005)
    expect(field.trusted).toBe(false)
  })

  it.each([0.02, -0.02])('expects more where it is off by more, stretched by steps of %d (seed 4)', (step) => {
    const field = sliding()
    const random = randomStream(4)
    const exact = new ExactMeshField({ positions: rest.slice(), triangles })
    const positions = new Float64Array(rest.length)
    const points = Float64Array.from({ length: 900 }, () => random.between(-0.6, 0.6))
    const told = Array.from({ length: 9 }, (_, i) => {
      const code = [random.between(-3, 3), step * i]
      model.positions(code, positions)
      exact.update({ vertices: positions })
      field.update({ code })
      const asked = points.map((value, k) => (k % 3 === 0 ? value + code[0] : value))
      const [truth, learned] = [new Float64Array(300), new Float64Array(300)]
      exact.query(asked, 300, truth)
      field.query(asked, 300, learned)
      const near = [...truth.keys()].filter((k) => Math.abs(truth[k]) < 0.1)
      const error = near.reduce((sum, k) => sum + Math.abs(learned[k] - truth[k]), 0) / near.length
      return { expected: field.expectedError, error }
    })
    for (let i = 1; i < told.length; i++) {
      expect(told[i].error).toBeGreaterThan(told[i - 1].error)
      expect(told[i].expected).toBeGreaterThan(told[i - 1].expected)
      expect(told[i].expected / told[i].error).toBeGreaterThan(0.5)
      expect(told[i].expected / told[i].error).toBeLessThan(2)
    }
  })
})
