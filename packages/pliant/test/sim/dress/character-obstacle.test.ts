import { Skeleton } from 'pliant/character'
import { composeMat4, multiplyAffine } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { fieldHalfSpace } from '../../../src/field/analytic.js'
import { CharacterObstacle } from '../../../src/sim/dress/character-obstacle.js'

const skeleton = new Skeleton({
  names: ['root'],
  parents: Int32Array.of(-1),
  root: 0,
  rest: {
    translations: new Float64Array(3),
    rotations: Float64Array.of(0, 0, 0, 1),
    scales: Float64Array.of(1, 1, 1),
  },
})
const bones = [{ joint: 0, start: [0, 0, 0], end: [0, 1, 0], radius: 0.1 }] as const

/** The half-space below a tilted plane, 0.3 from the root. */
const halfSpace = { ...fieldHalfSpace([0.6, 0.8, 0], 0.3), update: () => {} }

/** Turned under an armature that is scaled along one axis: the root frame is sheared. */
function shearedFrame(): Float64Array {
  const [turned, armature] = [new Float64Array(16), new Float64Array(16)]
  composeMat4([0.2, 1, -0.4], [0, 0, Math.sin(0.4), Math.cos(0.4)], [1, 1, 1], 0, turned, 0)
  composeMat4([0, 0, 0], [0, 0, 0, 1], [1, 2.5, 1], 0, armature, 0)
  multiplyAffine(armature, 0, turned, 0, turned, 0)
  return turned
}

it.each([
  ['evenly', [3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0, 1, 2, 3, 1]],
  ['unevenly', shearedFrame()],
])('gives distances and normals of the world where the root frame scales %s', (_, frame) => {
  const obstacle = new CharacterObstacle(skeleton, bones, halfSpace)
  const rootFrame = Float64Array.from(frame)
  obstacle.update(skeleton.rest, rootFrame, 0)
  const points = Float64Array.of(0.3, 2, 0.1, -1, 0.5, 2, 4, 4, -3)
  const distances = new Float64Array(3)
  const normals = new Float64Array(9)
  obstacle.field.query(points, 3, distances, normals)
  const alone = new Float64Array(3)
  obstacle.field.query(points, 3, alone)
  // Three points of the plane, carried into the world, say where it is there.
  const corners = [
    [0.5, 0, 0],
    [-0.3, 0.6, 0],
    [0.5, 0, 1],
  ].map(([x, y, z]) =>
    [0, 1, 2].map((row) => rootFrame[row] * x + rootFrame[4 + row] * y + rootFrame[8 + row] * z + rootFrame[12 + row]),
  )
  const [a, b] = [1, 2].map((k) => corners[k].map((value, axis) => value - corners[0][axis]))
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  const outward = Math.sign(cross[0] * normals[0] + cross[1] * normals[1] + cross[2] * normals[2])
  const normal = cross.map((value) => (outward * value) / Math.hypot(...cross))
  for (let i = 0; i < 3; i++) {
    const away = [0, 1, 2].map((axis) => points[3 * i + axis] - corners[0][axis])
    expect(distances[i]).toBeCloseTo(away[0] * normal[0] + away[1] * normal[1] + away[2] * normal[2], 9)
    expect(alone[i]).toBeCloseTo(distances[i], 12)
    const length = Math.hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2])
    for (let axis = 0; axis < 3; axis++) expect(normals[3 * i + axis] / length).toBeCloseTo(normal[axis], 9)
  }
})

it('poses its body once a frame, by joints and their matrices, and takes another or none in between', () => {
  const states: { joints: unknown; matrices: ArrayLike<number> }[] = []
  const body = { ...halfSpace, update: (state: (typeof states)[number]) => states.push(state) }
  const obstacle = new CharacterObstacle(skeleton, bones, body)
  const rootFrame = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1)
  obstacle.update(skeleton.rest, rootFrame, 0.1)
  expect(states).toEqual([{ joints: skeleton.rest, matrices: skeleton.restMatrices }])
  const [point, distance, gradient] = [Float64Array.of(0, 6, 0), new Float64Array(1), new Float64Array(3)]
  obstacle.field.query(point, 1, distance, gradient)
  expect(distance[0]).toBeCloseTo(0.5, 12)
  obstacle.body = undefined
  obstacle.update(skeleton.rest, rootFrame, 0.1)
  obstacle.field.query(point, 1, distance, gradient)
  expect(distance[0]).toBe(Infinity)
  expect(states).toHaveLength(1)
  obstacle.body = { ...fieldHalfSpace([0, 1, 0], 0), update: () => {} }
  obstacle.field.query(point, 1, distance)
  expect(distance[0]).toBeCloseTo(1, 12)
})
