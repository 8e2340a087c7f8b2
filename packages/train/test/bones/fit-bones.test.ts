import { meshVolume, validateMesh } from 'pliant'
import { expect, it } from 'vitest'
import { fitBones } from '../../src/bones/fit-bones.js'
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

it('lays segments from joint to joint, with the radius of the part, and names the joints that bend it', () => {
  const [root, middle, tip] = fitBones(character, { margin: 0.2 })
  expect(root.end).toEqual([0, 1, 0])
  expect(middle.radius).toBeGreaterThan(0.2)
  expect(middle.radius).toBeLessThan(0.35)
  expect(tip.end[1]).toBeGreaterThan(0.6)
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
