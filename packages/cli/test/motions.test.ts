import { writeFileSync } from 'node:fs'
import { type MotionSettings, USUAL_MOTIONS } from '@pliant/train/unstable/poses'
import { type Clip, sampleClip } from 'pliant/character'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tubeCharacter } from '../../train/test/bones/tube-character.js'
import { describeMotion, readMotions } from '../src/motions.js'
import { tubeBvh } from './bvh-text.js'
import { editGlb } from './glb-edit.js'
import { isOneLine, runPliant, temporaryFolder } from './run-pliant.js'
import { tubeGlb } from './tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const { character } = tubeCharacter()
const read = (name: string, settings: Partial<MotionSettings> = {}) =>
  readMotions(folder.file(name), character, { ...USUAL_MOTIONS, ...settings })

/** Degrees by which a joint is turned from rest. */
function bentBy(clip: Clip, time: number, joint: number): number {
  const pose = character.skeleton.createPose()
  sampleClip(character.skeleton, clip, time, pose)
  return (2 * Math.acos(Math.min(1, pose.rotations[4 * joint + 3])) * 180) / Math.PI
}

beforeAll(async () => {
  writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
  writeFileSync(folder.file('bend.bvh'), tubeBvh())
  writeFileSync(folder.file('odd.bvh'), tubeBvh({ names: ['root', 'elbow', 'tip'] }))
  writeFileSync(folder.file('twins.bvh'), tubeBvh({ names: ['root', 'tip', 'tip'] }))
  writeFileSync(folder.file('inches.bvh'), tubeBvh({ unit: 39.37 }))
  writeFileSync(folder.file('late.bvh'), tubeBvh({ first: 40 }))
  writeFileSync(folder.file('aliases.json'), '{ "elbow": "middle" }')
  const trained = await run('train', 'hero.glb', '--out', 'hero.safetensors', '--poses', '6', '--steps', '3', '--quiet')
  expect(trained.stderr).toBe('')
})
afterAll(folder.remove)

describe('a motion for a character', () => {
  it('says which joints it moves and which stay at rest', async () => {
    const [motion] = await read('bend.bvh')
    expect(motion).toMatchObject({ missing: [], unused: [], share: 1, clip: { name: 'bend' } })
    expect(describeMotion(motion)).toMatch(/3 of 3 joints found \(100% of the surface\); compared at zero angles/)
    const [half] = await read('odd.bvh', { leastMatched: 0 })
    expect(half).toMatchObject({ missing: ['middle'], unused: ['elbow'] })
    expect(half.share).toBeGreaterThan(0.4)
    expect(half.share).toBeLessThan(0.6)
    expect(describeMotion(half)).toContain('2 of 3 joints found (48% of the surface), at rest: middle')
  })

  it('is refused if it moves too little, in one line that names the joints and the way out', async () => {
    const { code, stderr } = await run('evaluate', 'hero.safetensors', '--motion', 'odd.bvh')
    expect(code).toBe(2)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(stderr).toMatch(
      /odd\.bvh: its joints move \d+% of the surface, 75% are needed; middle would stay at rest; the motion's elbow move nothing; match them with --aliases, or lower --min-matched/,
    )
    await expect(read('twins.bvh')).rejects.toThrow('middle, tip would stay at rest')
  })

  it('is matched by aliases, on every verb that takes motions', async () => {
    const [motion] = await read('odd.bvh', { aliases: { elbow: 'middle' } })
    expect(bentBy(motion.clip, 0.3, 1)).toBeCloseTo(30, 3)
    const few = ['--poses', '2', '--points', '50', '--json']
    const judged = await run('evaluate', 'hero.safetensors', '--motion', 'odd.bvh', '--aliases', 'aliases.json', ...few)
    expect(judged.code, judged.stderr).toBe(0)
    expect(JSON.parse(judged.stdout).motions).toMatchObject([
      { clip: 'odd', share: 1, atRest: [], trained: false, matched: [{}, { joint: 'middle', from: 'elbow' }, {}] },
    ])
    await expect(read('odd.bvh', { aliases: { elbow: 'middle', knee: 'tip' } })).rejects.toThrow(
      "no motion has a joint 'knee'",
    )
    writeFileSync(folder.file('list.json'), '["elbow"]')
    const list = await run('evaluate', 'hero.safetensors', '--motion', 'odd.bvh', '--aliases', 'list.json')
    expect(list.stderr).toMatch(/list\.json: aliases are no object of names/)
  })

  it('begins in motion without its first frame being taken for rest', async () => {
    const [motion] = await read('late.bvh')
    expect(motion.reference).toMatchObject({ frame: undefined, firstFrame: 0 })
    expect(bentBy(motion.clip, 0, 1)).toBeCloseTo(40, 3)
    expect(motion.clip.duration).toBeCloseTo(0.4)
  })

  it('is compared at the pose that is told', async () => {
    const [first] = await read('bend.bvh', { reference: 'first' })
    expect(first.clip.duration).toBeCloseTo(0.3)
    expect(describeMotion(first)).toContain('compared at frame 0, which is left out: as told')
    const [later] = await read('bend.bvh', { reference: '0.2' })
    expect(later.reference).toMatchObject({ frame: 2, firstFrame: 0 })
    await expect(read('bend.bvh', { reference: '9' })).rejects.toThrow("--reference is '9'; pass auto, first, none")
    await expect(read('bend.bvh', { reference: 'rest' })).rejects.toThrow(
      'pass auto, first, none, or seconds from 0 to',
    )
  })

  it('does the same in any unit', async () => {
    const [[metres], [inches]] = [await read('bend.bvh'), await read('inches.bvh')]
    metres.clip.tracks.forEach((track, i) => {
      track.values.forEach((value, k) => {
        expect(inches.clip.tracks[i].values[k]).toBeCloseTo(value, 5)
      })
    })
  })

  it('may be a glTF file of other joints, or of the same in another order', async () => {
    // The same rig with a node between: another list of joints, the same motion.
    writeFileSync(
      folder.file('longer.glb'),
      editGlb(await tubeGlb({ clips: true, names: ['rig:Root', 'rig:Middle', 'rig:Tip'] }), (json) => {
        json.nodes.push({ name: 'extra' })
        json.nodes[0].children.push(json.nodes.length - 1)
        json.skins[0].joints.push(json.nodes.length - 1)
        delete json.skins[0].inverseBindMatrices
      }),
    )
    const [own, other] = [await read('hero.glb'), await read('longer.glb')]
    expect(other.map(({ clip }) => clip.name)).toEqual(own.map(({ clip }) => clip.name))
    for (const [i, { clip }] of own.entries()) {
      for (const joint of [1, 2]) expect(bentBy(other[i].clip, 0.5, joint)).toBeCloseTo(bentBy(clip, 0.5, joint), 1)
    }
  })
})

describe('hands and feet on the command line', () => {
  it('are for cloth, and joints of the character', async () => {
    const cloth = ['bench', 'cloth', '--quick', '--file', 'hero.safetensors']
    for (const [words, message] of [
      [[...cloth, '--joints', 'hand=paw'], /no joint 'paw' below the root; choose from root, middle, tip/],
      [['bench', 'bar', '--joints', 'hand=tip'], /--joints is hand=tip, but it is for cloth and wind only/],
      [
        ['reproduce', 'haptics', '--out', 'page.html', '--joints', 'hand=tip'],
        /--joints is hand=tip, but it is for cloth only/,
      ],
    ] as [string[], RegExp][]) {
      const { code, stderr } = await run(...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code).toBe(2)
    }
  })
})
