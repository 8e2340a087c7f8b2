import { validateMesh } from 'pliant'
import { chooseBones, makePosedBones, meshVolume, poseBones } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { fitBones } from '../../src/learn/frames/fit-bones.js'
import { boxBody } from './box-body.js'
import { tubeCharacter } from './tube-character.js'

const { character } = tubeCharacter()
const rest = new Float64Array(3 * character.vertexCount)
character.positionsOfPose(character.skeleton.rest, rest)

it('the tube is a closed surface that faces outward, or nothing here means anything', () => {
  const mesh = { positions: rest, triangles: character.triangles }
  expect(validateMesh(mesh).filter((issue) => issue.severity !== 'information')).toEqual([])
  expect(meshVolume(mesh)).toBeGreaterThan(0)
})

it('gives every vertex a part whose box holds it with the margin to spare', () => {
  const bones = fitBones(character, { margin: 0.2 })
  expect(bones.map(({ name }) => name)).toEqual(['root', 'middle', 'tip'])
  for (let v = 0; v < character.vertexCount; v++) {
    const held = bones.some(({ joint, centre, half }) =>
      [0, 1, 2].every((axis) => {
        // Joints stand upright at rest, joint j at height j.
        const local = rest[3 * v + axis] - (axis === 1 ? joint : 0)
        return Math.abs(local - centre[axis]) <= half[axis] - 0.2 + 1e-9
      }),
    )
    expect(held, `vertex ${v}`).toBe(true)
  }
})

it('lays segments along the parts, with their radius, and names the joints that bend them', () => {
  const [root, middle, tip] = fitBones(character, { margin: 0.2 })
  for (const { start, end } of [root, middle, tip]) {
    expect(Math.hypot(end[0], end[2])).toBeLessThan(0.01)
    expect(Math.abs(end[1] - start[1])).toBeGreaterThan(0.4)
  }
  expect(middle.radius).toBeGreaterThan(0.2)
  expect(middle.radius).toBeLessThan(0.4)
  expect(Math.max(tip.start[1], tip.end[1])).toBeGreaterThan(0.6)
  // The root joint itself is what everything is seen from, so it bends nothing.
  expect(root.drivers).toEqual([1])
  expect(middle.drivers).toEqual([1, 2])
  expect(tip.drivers).toEqual([2, 1])
})

it('gives all grids cells of one size, and no more nodes together than cubes would have', () => {
  const bones = fitBones(character, { margin: 0.2, resolution: 12 })
  const total = bones.reduce((sum, { nodes }) => sum + nodes[0] * nodes[1] * nodes[2], 0)
  expect(total).toBeLessThanOrEqual(bones.length * 12 ** 3)
  expect(total).toBeGreaterThan(0.8 * bones.length * 12 ** 3)
  const cells = bones.flatMap(({ half, nodes }) => half.map((h, axis) => (2 * h) / (nodes[axis] - 1)))
  expect(Math.max(...cells)).toBeLessThan(1.2 * Math.min(...cells))
})

it('takes a limb of few triangles for a part all the same', () => {
  // Three rings of three corners and two ends: eleven vertices, and a part needs twelve points.
  const { character: coarse } = tubeCharacter({ rings: 4, around: 3 })
  const bones = fitBones(coarse, { margin: 0.2 })
  expect(bones.map(({ name }) => name)).toEqual(['root', 'middle', 'tip'])
  expect(bones[1].drivers).toEqual([1, 2])
})

it('asks the part that owns the nearest surface, also at the corners of a broad one', () => {
  // A chest, far broader than high, on a short neck of a joint; arms hang beside it and a head stands on it.
  const boxes = [
    { joint: 0, centre: [0, 0.25, 0], half: [0.5, 0.2, 0.15] },
    { joint: 1, centre: [-0.62, 0.1, 0], half: [0.08, 0.35, 0.08] },
    { joint: 2, centre: [0.62, 0.1, 0], half: [0.08, 0.35, 0.08] },
    { joint: 3, centre: [0, 0.65, 0], half: [0.12, 0.15, 0.12] },
    { joint: 4, centre: [0, -0.2, 0], half: [0.3, 0.2, 0.12] },
  ] as const
  const { character: body, rest: places, owners } = boxBody(boxes)
  const bones = fitBones(body, { margin: 0.05 })
  const posed = makePosedBones(bones.length)
  const shape = { bones, nearest: 1, fade: 0.03 } as Parameters<typeof chooseBones>[0]
  poseBones(shape, body.skeleton.restMatrices, posed)
  const choice = { bones: new Int32Array(1), windows: new Float64Array(1) }
  let missed = 0
  owners.forEach((owner, v) => {
    chooseBones(shape, posed, places[3 * v], places[3 * v + 1], places[3 * v + 2], choice)
    if (![...choice.bones].some((bone) => bones[bone].joint === owner)) missed++
  })
  // 4%; segments from joint to joint missed 30%, balls 23%.
  expect(missed / owners.length).toBeLessThan(0.08)
})
