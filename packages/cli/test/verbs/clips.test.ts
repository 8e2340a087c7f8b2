/** Which clips are trained on and judged by is said as it is: by inspect before, by train and evaluate after. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bvhText, tubeBvh } from '../bvh-text.js'
import { editGlb } from '../glb-edit.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'
import { tubeGlb } from '../tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const FEW = ['--poses', '4', '--steps', '2', '--quiet', '--json']

beforeAll(async () => {
  writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
  writeFileSync(folder.file('walk.bvh'), tubeBvh())
  writeFileSync(folder.file('copy.bvh'), tubeBvh())
  writeFileSync(folder.file('other.bvh'), tubeBvh({ first: 25 }))
  // Clip x again under another name, and one that moves nothing of the body.
  writeFileSync(
    folder.file('more.glb'),
    editGlb(await tubeGlb({ clips: true }), (json) => {
      json.animations.push({ ...json.animations[0], name: 'again' })
      json.nodes.push({ name: 'lamp' })
      const { channels, samplers } = json.animations[0]
      const target = { node: json.nodes.length - 1, path: 'rotation' }
      json.animations.push({ name: 'light', samplers, channels: [{ ...channels[0], target }] })
    }),
  )
})
afterAll(folder.remove)

describe('clips of a character', () => {
  it('are counted by inspect as training will use them', async () => {
    const { clips } = JSON.parse((await run('inspect', 'more.glb', '--json')).stdout).learning
    expect(clips).toEqual({
      train: ['x', 'z', 'again'],
      heldOut: [],
      leftOut: [{ name: 'light', reason: 'moves no joint of the body' }],
    })
    expect((await run('inspect', 'more.glb')).stdout).toMatch(/from 3 of 4 clips/)
  })

  it('are not trained on under another name while they are held out, and may be left out', async () => {
    const trained = await run('train', 'more.glb', '--out', 'a.safetensors', '--hold-out', 'x', ...FEW)
    expect(trained.code, trained.stderr).toBe(0)
    const { clips, heldOut, warnings } = JSON.parse(trained.stdout)
    expect([clips, heldOut]).toEqual([['z'], ['x']])
    expect(warnings).toContain("clip 'again' is left out: the same motion as 'x', which is held out")
    const without = await run('train', 'more.glb', '--out', 'b.safetensors', '--leave-out', 'x,again', ...FEW)
    expect(JSON.parse(without.stdout).clips).toEqual(['z'])
    const unknown = await run('train', 'more.glb', '--out', 'b.safetensors', '--leave-out', 'y', ...FEW)
    expect(JSON.parse(unknown.stdout).error).toMatch(/no clip 'y' to leave out; choose from x, z, again/)
  })

  it('are chosen by a spec as by options, to the same bytes, and messages name its fields', async () => {
    const model = { rig: '../hero.glb', motion: ['../walk.bvh'], heldOut: ['x'] }
    mkdirSync(folder.file('specs'))
    const write = (name: string, more: object) =>
      writeFileSync(folder.file(`specs/${name}.json`), JSON.stringify({ name: 'hero', model: { ...model, ...more } }))
    write('hero', {})
    write('odd', { aliases: { nose: 'tip' } })
    const options = ['--motion', 'walk.bvh', '--hold-out', 'x']
    const byOptions = await run('train', 'hero.glb', '--out', 'options.safetensors', ...options, ...FEW)
    const bySpec = await run('train', 'specs/hero.json', '--out', 'spec.safetensors', ...FEW)
    expect(bySpec.code, bySpec.stderr).toBe(byOptions.code)
    expect(readFileSync(folder.file('spec.safetensors'))).toEqual(readFileSync(folder.file('options.safetensors')))
    const { clips, heldOut, motions } = JSON.parse(bySpec.stdout)
    expect([clips, heldOut]).toEqual([['z', 'walk'], ['x']])
    expect(motions).toMatchObject([{ file: '../walk.bvh', clip: 'walk' }])
    const odd = await run('train', 'specs/odd.json', '--out', 'odd.safetensors', ...FEW)
    expect(JSON.parse(odd.stdout).error).toMatch(/^pliant: model\.aliases: no motion has a joint 'nose'/)
  })

  it('are said to be trained on where they are, whatever the file is called', async () => {
    const trained = await run('train', 'hero.glb', '--out', 'c.safetensors', '--motion', 'walk.bvh', ...FEW)
    expect(trained.code, trained.stderr).toBe(0)
    expect(JSON.parse(trained.stdout).motions).toMatchObject([{ clip: 'walk', share: 1, atRest: [] }])
    const judge = async (...words: string[]) => {
      const judged = await run('evaluate', 'c.safetensors', ...words, '--poses', '2', '--points', '50')
      expect(judged.code, judged.stderr).toBe(0)
      return judged.stdout
    }
    expect(await judge('--motion', 'copy.bvh')).toMatch(/2 poses of copy, which it was trained on[;)]/)
    expect(await judge('--motion', 'copy.bvh,other.bvh')).toMatch(
      /of other, never trained on; of copy, which it was trained on[;)]/,
    )
    const own = await judge()
    expect(own).toMatch(/2 poses of the clips it was trained on, with noise of 20 degrees on every joint[;)]/)
    expect(own).not.toContain('never trained on')
  })
})

describe('a rig without clips', () => {
  it('is trained within joint ranges, judged by others of them, and says so', async () => {
    writeFileSync(folder.file('statue.glb'), await tubeGlb({ clips: false }))
    const inspected = JSON.parse((await run('inspect', 'statue.glb', '--json')).stdout)
    expect(inspected.learning).toBeNull()
    expect(inspected.ranges).toMatchObject([
      { joint: 'middle', part: null, flex: [-15, 15] },
      { joint: 'tip', part: null, flex: [-15, 15] },
    ])
    const trained = await run('train', 'statue.glb', '--out', 'd.safetensors', ...FEW)
    expect(trained.code, trained.stderr).toBe(0)
    const { warnings, clips, heldOut, ranges } = JSON.parse(trained.stdout)
    expect(warnings[0]).toMatch(/no clips, so it was trained on random motion within joint ranges: 2 of which nothing/)
    expect([clips.length, heldOut]).toEqual([12, [1, 2, 3].map((n) => `joint ranges, held out ${n}`)])
    expect(ranges).toEqual(inspected.ranges)
    writeFileSync(folder.file('ranges.json'), '{ "tip": { "flex": [0, 50] }, "*": 5 }')
    const told = await run('train', 'statue.glb', '--out', 'e.safetensors', '--ranges', 'ranges.json', ...FEW)
    expect(JSON.parse(told.stdout).ranges).toMatchObject([{ flex: [-5, 5] }, { flex: [0, 50], side: [0, 0] }])
    writeFileSync(folder.file('bad.json'), '{ "nose": 5 }')
    const bad = await run('train', 'statue.glb', '--out', 'e.safetensors', '--ranges', 'bad.json', '--quiet')
    expect(bad.stderr).toMatch(/bad\.json: ranges: there is no joint 'nose'; choose from root, middle, tip/)
    expect(bad.code).toBe(2)
  })
})

describe('inspect of a motion', () => {
  it('says joints, frames, size and what the first frame is', async () => {
    const inches = [0, 1, 2].map((i) => ({ name: ['Hips', 'Spine', 'Head'][i], parent: i - 1, offset: [0, 33 * i, 0] }))
    const still = [0, 1, 2, 3].map((i) => [[0, i, 0], ...[1, 2].map(() => [0, 0, 0])])
    writeFileSync(folder.file('tall.bvh'), bvhText(inches, still, 0.025))
    const { stdout, code } = await run('inspect', 'tall.bvh', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'motion',
      joints: [
        { name: 'Hips', part: 'hips' },
        { name: 'Spine', part: 'spine' },
        { name: 'Head', part: 'head' },
      ],
      frames: 4,
      framesPerSecond: 40,
      firstFrame: { isReference: false },
    })
    expect(JSON.parse(stdout).seconds).toBeCloseTo(0.075)
    writeFileSync(folder.file('metre.bvh'), tubeBvh({ names: ['root', 'bone', 'bone'], unit: 0.5 }))
    const metre = JSON.parse((await run('inspect', 'metre.bvh', '--json')).stdout)
    expect(metre).toMatchObject({ height: 2, unit: { name: 'metres', metres: 1 } })
    expect(metre.issues).toEqual(['several joints are called bone; names alone do not tell them apart'])
    expect((await run('inspect', 'metre.bvh')).stdout).toMatch(/first frame +part of the motion: /)
  })

  it('refuses a broken one in one line', async () => {
    writeFileSync(folder.file('cut.bvh'), tubeBvh().slice(0, 300))
    const { stderr, code } = await run('inspect', 'cut.bvh')
    expect(code).toBe(2)
    expect(isOneLine(stderr), stderr).toBe(true)
  })
})
