/** Exact labels of the humanoid by its joint code. */
import { ContactPool, posedContacts } from '@pliant/train/unstable/label'
import { randomStream } from 'pliant'
import { JointCode, Skeleton } from 'pliant/character'
import { NeighbourRule, SelfIntersection } from 'pliant/exact'
import { createCharacter, surfaceBones } from 'pliant/unstable'
import { afterAll, describe, expect, it } from 'vitest'
import { foldingTube } from '../../../pliant/test/artifact/folding-tube.js'
import type { PosedContactStart } from '../../src/label/posed-contacts.js'
import { findCharacterPreset } from '../../src/presets/index.js'

const character = createCharacter(await findCharacterPreset('humanoid')!.make())
const { codeSize: size, bounds, vertexCount, triangles } = character
const rest = new Float64Array(3 * vertexCount)
character.positions(new Float64Array(size), rest)
const rule = new NeighbourRule({ positions: rest, triangles }, surfaceBones(character))

const random = randomStream(17)
const codes = Float32Array.from({ length: 60 * size }, (_, i) =>
  random.between(bounds.lower[i % size], bounds.upper[i % size]),
)
const codeAt = (i: number): Float32Array => codes.subarray(i * size, (i + 1) * size)

/** Every pair that meets with all vertices posed and a tree that was refitted. */
const plain = new SelfIntersection({ positions: rest, triangles }, { weld: true, neighbours: rule })
const expected = Array.from({ length: 60 }, (_, i) => {
  const positions = new Float64Array(rest.length)
  character.positions(codeAt(i), positions)
  plain.update(positions)
  return [...plain.pairs().pairs]
})

describe('self-contact of a character', () => {
  it('is labelled by the joints that carry each other, wherever they hang in the file', () => {
    const flat = foldingTube('flat')
    const { start } = posedContacts(flat as never, new Float32Array(0))
    const { skeleton, code } = structuredClone(start) as PosedContactStart
    const again = new JointCode(new Skeleton(skeleton), code)
    expect(again.carriers).toEqual(flat.code.carriers)
    const [due, found] = [flat.skeleton.createPose(), flat.skeleton.createPose()]
    flat.code.decode([0.5, 0.25, -0.25], due)
    again.decode([0.5, 0.25, -0.25], found)
    expect(found).toEqual(due)
  })

  describe('in a pool', () => {
    const poses = codes.subarray(0, 4 * size)
    const pool = new ContactPool(posedContacts(character, poses), { threads: 2 })
    afterAll(() => pool.dispose())

    it('is that of the plain test', async () => {
      const signs = await pool.signs(codes)
      expect([...signs]).toEqual(expected.map((pairs) => (pairs.length > 0 ? -1 : 1)))
      const touching = expected.filter((pairs) => pairs.length > 0).length
      expect(touching).toBeGreaterThan(10)
      expect(touching).toBeLessThan(50)
    })

    it('has points of the boundary, free, with contact just beyond', async () => {
      const signs = expected.map((pairs) => pairs.length > 0)
      const pick = (isTouching: boolean): Float32Array =>
        Float32Array.from(
          signs.flatMap((touches, i) => (touches === isTouching ? [...codeAt(i)] : [])).slice(0, 6 * size),
        )
      const found = await pool.between(pick(false), pick(true))
      expect(found.codes.length).toBe(6 * size)
      const step = (length: number): Float32Array => found.codes.map((value, i) => value + length * found.normals[i])
      // Next to it, where one pair of triangles decides; codes are in single precision.
      const [towards, away] = [await pool.signs(step(-1e-4)), await pool.signs(step(1e-4))]
      expect([...towards].filter((sign) => sign < 0).length).toBeGreaterThanOrEqual(5)
      expect([...away].filter((sign) => sign > 0).length).toBeGreaterThanOrEqual(5)
    })

    it('has depths of domains that sum up to that of the plain test', async () => {
      const told: number[] = []
      const depths = await pool.depths(codes, (count) => told.push(count))
      const domains = pool.domains.length
      expect(depths.length).toBe(60 * domains)
      expect(told).toEqual([60])
      // Every joint of the code that moves the surface, and what none of them does.
      expect(pool.domains.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, entry) => entry))
      const positions = new Float64Array(rest.length)
      for (let i = 0; i < 60; i++) {
        character.positions(codeAt(i), positions)
        plain.update(positions)
        const due = plain.pairs().depths.reduce((sum, depth) => sum + depth, 0)
        const found = depths.subarray(i * domains, (i + 1) * domains).reduce((sum, depth) => sum + depth, 0)
        expect(found).toBeCloseTo(due, 5)
        expect(found > 0).toBe(expected[i].length > 0)
      }
    })

    it('draws codes on the ways from poses to anywhere in the box', () => {
      const drawn = pool.draw(400, randomStream(4))
      const away = Array.from({ length: 400 }, (_, i) => {
        const code = drawn.subarray(i * size, (i + 1) * size)
        expect(code.every((value, k) => value >= bounds.lower[k] - 1e-6 && value <= bounds.upper[k] + 1e-6)).toBe(true)
        const ways = [0, 1, 2, 3].map((pose) => Math.hypot(...code.map((value, k) => value - poses[pose * size + k])))
        return Math.min(...ways)
      })
      const near = away.filter((way) => way < 0.2).length
      expect(near).toBeGreaterThan(20)
      expect(near).toBeLessThan(200)
    })
  })
})
