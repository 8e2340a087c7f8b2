/** The WebXR hand, whose file hangs every joint from one node: its code bends fingers joint by joint, and nothing slides. */
import { existsSync, readFileSync } from 'node:fs'
import { randomStream } from 'pliant'
import { rigFromScene } from 'pliant/character'
import { readGltf } from 'pliant/files'
import { createCharacter } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { readRanges } from '../../src/poses/read-ranges.js'
import { contactCharacter } from '../../src/train/character-contact.js'

const file = new URL('../../../../../shared/data/rig-hand-left.glb', import.meta.url)

describe.skipIf(!existsSync(file))('the code of a hand whose joints all hang from one', async () => {
  if (!existsSync(file)) return
  const rig = rigFromScene(readGltf(readFileSync(file)))
  const { train: clips, heldOut } = await readRanges(undefined, rig, 1)
  const { character, poses, judges } = contactCharacter({ rig, clips, heldOut }, { along: 0.05, near: 0.005 })
  const { code, skeleton } = character
  const matricesOf = (pose: (typeof poses)[0]) => skeleton.stateOf(pose).matrices
  const off = (a: Float64Array, b: Float64Array): number =>
    a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0)

  it('has one number for each way that its joints bend, and no slides', () => {
    expect(character.codeSize).toBe(34)
    expect(Math.max(...code.axes)).toBeLessThan(3)
    const turns = Object.fromEntries(code.describe().joints.map(({ name, rotation }) => [name, rotation]))
    expect(turns).toMatchObject({ 'index-finger-phalanx-distal': 'x', 'index-finger-phalanx-proximal': 'xy' })
    // Measured from the node that all hang from, as a collider's code still is.
    const flat = createCharacter(rig, clips, { extremities: true })
    expect(flat.codeSize).toBe(117)
    expect(flat.code.carriers).toBeUndefined()
  })

  it('decodes what it encoded (seed 5)', () => {
    const random = randomStream(5)
    const { lower, upper } = character.bounds
    const [pose, found] = [skeleton.createPose(), new Float64Array(code.size)]
    for (let round = 0; round < 50; round++) {
      const asked = Float64Array.from(lower, (low, k) => random.between(low, upper[k]))
      code.decode(asked, pose)
      code.encode(pose, found)
      expect(off(found, asked)).toBeLessThan(1e-9)
      const direct = new Float64Array(16 * skeleton.jointCount)
      character.jointMatrices(asked, direct)
      expect(off(direct, matricesOf(pose))).toBeLessThan(1e-9)
    }
  })

  it('takes a pose of its clips for what it is, but for what bones stretch there between keys', () => {
    const [again, asked] = [skeleton.createPose(), new Float64Array(code.size)]
    const [due, found] = [0, 1].map(() => new Float64Array(3 * character.vertexCount))
    let most = 0
    for (const pose of [...poses.filter((_, i) => i % 20 === 0), ...judges.filter((_, i) => i % 4 === 0)]) {
      code.encode(pose, asked)
      code.decode(asked, again)
      character.positionsOfPose(pose, due)
      character.positionsOfPose(again, found)
      most = Math.max(most, off(due, found))
    }
    // Joints of the file go straight from key to key, each for itself.
    expect(most).toBeLessThan(1e-3)
    expect(most).toBeGreaterThan(1e-5)
  })
})
