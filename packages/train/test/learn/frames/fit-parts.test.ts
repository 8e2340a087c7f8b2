import { boxOfPoints, ModalBody, surfaceOfTets } from 'pliant'
import { boxDiagonal, lumpedMasses, PartFrames } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { fitParts } from '../../../src/learn/frames/fit-parts.js'
import { partRegions } from '../../../src/learn/frames/part-regions.js'
import { boxOfTets } from '../../modes/box-of-tets.js'

const mesh = boxOfTets([12, 3, 3], [1.2, 0.3, 0.3])
const masses = lumpedMasses(mesh, 1000)

/** x -> x + strain of x along y, as a mode, and a bend. */
function bodyOf() {
  const modes = new Float64Array(2 * mesh.positions.length)
  for (let i = 0; i < mesh.positions.length; i += 3) {
    modes[i] = 0.5 * mesh.positions[i]
    modes[mesh.positions.length + i + 1] = mesh.positions[i] ** 2
  }
  return { mesh, modal: new ModalBody({ rest: mesh.positions, masses, modes }) }
}

function shapesOf(body: ReturnType<typeof bodyOf>, codes: number[][]) {
  const surface = surfaceOfTets(mesh)
  const all = new Float64Array(mesh.positions.length)
  return {
    mesh: surface,
    codes: codes.map((code) => Float64Array.from(code)),
    positions(pose: number, out: Float64Array) {
      body.modal.positions(codes[pose], all)
      surface.nodeOfVertex.forEach((node, v) => {
        out.set(all.subarray(3 * node, 3 * node + 3), 3 * v)
      })
    },
  }
}

describe('partRegions', () => {
  it('covers every node, with whole weight somewhere, and overlaps its neighbours', () => {
    const { weights, between } = partRegions(mesh, masses, 4)
    expect(weights).toHaveLength(4)
    for (let node = 0; node < masses.length; node++) {
      expect(Math.max(...weights.map((weight) => weight[node]))).toBe(1)
    }
    expect(masses.some((_, node) => weights.filter((weight) => weight[node] > 0).length > 1)).toBe(true)
    // Along a rod of 1.2 m the middles of four parts lie some 0.3 m apart.
    const nearest = between.map((row, part) => Math.min(...row.filter((_, other) => other !== part)))
    for (const way of nearest) expect(way).toBeGreaterThan(0.2)
    for (const way of nearest) expect(way).toBeLessThan(0.45)
  })

  it('makes no more parts than there are nodes', () => {
    const small = boxOfTets([1, 1, 1], [1, 1, 1])
    const { weights } = partRegions(small, lumpedMasses(small, 1), 30)
    expect(weights.length).toBeLessThanOrEqual(small.positions.length / 3)
  })
})

describe('fitParts', () => {
  const body = bodyOf()
  const surface = surfaceOfTets(mesh)
  const shapes = shapesOf(body, [
    [0, 0],
    [0.4, 0],
    [0, 0.5],
  ])
  const { bones, frames } = fitParts(body, surface, shapes, { parts: 5, resolution: 8, margin: 0.05 })
  const parts = new PartFrames({ bones }, frames, body.modal)

  it('finds an affine motion exactly in every part', () => {
    parts.pose([0.6, 0])
    for (let part = 0; part < parts.count; part++) {
      // x is stretched by 1.3: the frame stays as it was, the trace of the stretch is 0.3.
      const trace = parts.drivers[24 * part] + parts.drivers[24 * part + 1] + parts.drivers[24 * part + 2]
      expect(trace).toBeCloseTo(0.3, 5)
    }
  })

  it('turns parts with the bend', () => {
    parts.pose([0, 0.5])
    const tip = bones.reduce(
      (best, _, part) => (parts.motions.centres[3 * part] > parts.motions.centres[3 * best] ? part : best),
      0,
    )
    const at = parts.motions.centres[3 * tip]
    // Its slope there is 2 * 0.5 * x; R = M E^T turns x into it, but for the stretch that a coarse part sees.
    const [m, e] = [parts.matrices.subarray(16 * tip), frames.axes.subarray(9 * tip)]
    const turned = [0, 1].map((row) => [0, 1, 2].reduce((sum, k) => sum + m[4 * k + row] * e[k], 0))
    const slope = turned[1] / turned[0]
    expect(slope).toBeGreaterThan(0.3 * at)
    expect(slope).toBeLessThan(1.1 * at)
  })

  it('boxes the vertices of the poses with room around them, and grids of nearly cubic cells', () => {
    const positions = Float64Array.from(surface.positions)
    for (const pose of [0, 1, 2]) {
      shapes.positions(pose, positions)
      parts.pose(shapes.codes[pose])
      // Every vertex lies in the box of some part, at least half of the margin from its faces.
      for (let v = 0; v < positions.length; v += 3) {
        const inside = bones.some(({ centre, half }, part) => {
          const m = parts.matrices.subarray(16 * part, 16 * part + 16)
          const d = [0, 1, 2].map((axis) => positions[v + axis] - m[12 + axis])
          return [0, 1, 2].every((axis) => {
            const local = m[4 * axis] * d[0] + m[4 * axis + 1] * d[1] + m[4 * axis + 2] * d[2]
            return Math.abs(local - centre[axis]) < half[axis] - 0.02
          })
        })
        expect(inside, `pose ${pose}, vertex ${v / 3}`).toBe(true)
      }
    }
    const diagonal = boxDiagonal(boxOfPoints(mesh.positions))
    for (const { half, nodes, radius } of bones) {
      expect(radius).toBeGreaterThan(0)
      expect(radius).toBeLessThan(diagonal / 3)
      const cells = half.map((h, axis) => (2 * h) / (nodes[axis] - 1))
      expect(Math.max(...cells) / Math.min(...cells)).toBeLessThan(1.6)
    }
  })
})
