import type { PosedShape } from 'pliant/exact'
import { expect, test } from 'vitest'
import { bar, carried } from '../../../pliant/test/model/acap/shapes.js'
import { frameTasks, patchMiddles } from '../../src/label/frame-tasks.js'
import { surfacePatches } from '../../src/surface/surface-patches.js'

const mesh = bar(12, 2)
const rest = Float64Array.from(mesh.positions)
const patches = surfacePatches(mesh, 3)

/** A turn about z and a way along each axis, column-major. */
function motion(angle: number, way: readonly number[]): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return Float64Array.of(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, ...way, 1)
}

/** Patch k is turned by k and a half times the code's first number, and moved along y by its second. */
const motionOf = (patch: number, code: ArrayLike<number>): Float64Array =>
  motion((patch + 0.5) * code[0], [0.1 * patch, code[1], -0.2])

const shape: PosedShape = {
  codeSize: 2,
  bounds: { lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) },
  vertexCount: rest.length / 3,
  triangles: mesh.triangles,
  positions(code, out) {
    for (let patch = 0; patch < patches.count; patch++) {
      const all = carried(motionOf(patch, code), rest)
      patches.ofVertex.forEach((own, v) => {
        if (own === patch) out.set(all.subarray(3 * v, 3 * v + 3), 3 * v)
      })
    }
  },
  movedPoints: () => {
    throw new Error('nobody asks')
  },
}

test('a patch that is moved rigidly gives back its motion, seen from its middle', () => {
  const codes = Float32Array.of(0.5, 0.25, -0.75, 1, 0, 0)
  const { value: frames } = frameTasks(shape, rest, patches).frames({ codes })
  const { middles, vertices } = patchMiddles(patches, rest)
  expect(vertices.reduce((sum, own) => sum + own.length, 0)).toBe(shape.vertexCount)
  expect(frames).toHaveLength(3 * 3 * 12)
  for (let row = 0; row < 3; row++) {
    for (let patch = 0; patch < 3; patch++) {
      const due = motionOf(patch, codes.subarray(2 * row, 2 * row + 2))
      const middle = carried(due, middles.subarray(3 * patch, 3 * patch + 3))
      const own = frames.subarray(12 * (3 * row + patch), 12 * (3 * row + patch) + 12)
      for (let i = 0; i < 3; i++) {
        for (let k = 0; k < 3; k++) expect(own[4 * i + k]).toBeCloseTo(due[4 * k + i], 6)
        expect(own[4 * i + 3]).toBeCloseTo(middle[i], 6)
      }
    }
  }
})

test('patches without a vertex of their own do no harm to who asks for no frames', () => {
  const empty = { ...patches, count: 4 }
  const tasks = frameTasks(shape, rest, empty)
  expect(() => tasks.frames({ codes: Float32Array.of(0, 0) })).toThrow(/masses sum to 0/)
})
