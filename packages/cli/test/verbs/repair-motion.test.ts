/** Recorded motions of a character on the command line, freed of bones that run into each other. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { USUAL_MOTIONS } from '@pliant/train/unstable/poses'
import { decode } from 'pliant'
import { type Clip, characterShape, type PosedGapsNetwork, sampleClip } from 'pliant/character'
import { SurfaceContact } from 'pliant/exact'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { characterContactFile } from '../../../pliant/test/artifact/character-contact-example.js'
import { foldingClip, foldingGlb, TUBE_JOINTS } from '../../../pliant/test/artifact/folding-tube.js'
import { selfContactFile } from '../../../pliant/test/artifact/self-contact-example.js'
import { formatNumber } from '../../src/format.js'
import { readMotions } from '../../src/motions.js'
import { repair } from '../../src/verbs/repair.js'
import { bvhText } from '../bvh-text.js'
import { editGlb, type GlbJson } from '../glb-edit.js'
import { loadNpy, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'
import { tubeGlb } from '../tube-glb.js'

const folder = temporaryFolder()
afterAll(folder.remove)
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })

const bytes = await characterContactFile('ends')
const { character, manifest } = await decode(bytes, 'character-contact')
const contact = new SurfaceContact(characterShape(character, manifest.model.neighbours))
const FRAMES = 31
const { far } = (manifest.networks.distance as PosedGapsNetwork).shape
const reach = far * manifest.model.metres

/** All joints fold about x to an angle and back, while the root wanders off. */
function foldingBvh(degrees: number): string {
  const joints = TUBE_JOINTS.map((name, i) => ({ name, parent: i - 1, offset: [0, i === 0 ? 0 : 1, 0] }))
  const frames = Array.from({ length: FRAMES }, (_, i) => {
    const angle = degrees * Math.sin((Math.PI * i) / (FRAMES - 1)) ** 2
    return TUBE_JOINTS.map((_, joint) => [0, joint === 0 ? 0 : angle, 0])
  })
  return bvhText(joints, frames, 1 / 30, (frame) => [0.1 * frame, 0, 0])
}

const clipsOf = async (name: string): Promise<Clip[]> =>
  (await readMotions(folder.file(name), character, USUAL_MOTIONS)).map(({ clip }) => clip)

/** Frames of a clip that touch by the exact test. */
function touchingFrames(clip: Clip): number[] {
  const pose = character.skeleton.createPose()
  const positions = new Float64Array(3 * character.vertexCount)
  return Array.from({ length: FRAMES }, (_, frame) => frame).filter((frame) => {
    sampleClip(character.skeleton, clip, frame / 30, pose)
    character.positionsOfPose(pose, positions)
    return contact.touches(positions)
  })
}

function jsonOf(name: string): GlbJson {
  let found: GlbJson
  editGlb(readFileSync(folder.file(name)), (json) => {
    found = structuredClone(json)
  })
  return found
}

beforeAll(async () => {
  writeFileSync(folder.file('tube.safetensors'), bytes)
  const lost = await characterContactFile('ends', ({ networks }) => {
    // No pair is ever near enough to be looked at.
    ;(networks.distance.get('pair.far') as Float32Array).fill(0)
  })
  writeFileSync(folder.file('lost.safetensors'), lost)
  writeFileSync(folder.file('ring.safetensors'), await selfContactFile('plane'))
  writeFileSync(folder.file('fold.bvh'), foldingBvh(99))
  writeFileSync(folder.file('bow.bvh'), foldingBvh(40))
  const two = foldingGlb([foldingClip('fold', [98, 98, 98]), foldingClip('lean', [40, -30, 20])])
  writeFileSync(folder.file('two.glb'), two)
  const decorated = editGlb(foldingGlb([foldingClip('idle', [5, 5, 5])]), (json) => {
    json.nodes.push({ name: 'lamp' })
    json.asset.extras = { painted: true }
  })
  writeFileSync(folder.file('tube.glb'), decorated)
  writeFileSync(folder.file('other.glb'), await tubeGlb({ clips: true }))
  saveNpy(folder.file('Z.npy'), Float64Array.of(0.55, 0.55, 0.55, 0.1, 0.2, 0.3), [2, 3])
})

describe('repair --motion', () => {
  it('writes a body with the clip free of contact, and tells what it did by the keys that it declares', async () => {
    const before = touchingFrames((await clipsOf('fold.bvh'))[0])
    expect(before.length).toBeGreaterThan(3)
    const words = ['repair', 'tube.safetensors', '--motion', 'fold.bvh', '--out', 'clean.glb', '--json']
    const { code, stdout, stderr } = await run(...words)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual(['motions', 'fault', 'files'])
    expect(result.files).toEqual(['clean.glb'])
    const [told] = result.motions
    const declared = (repair.json as Record<string, string>)['motions'].match(/\{(.*)\}/)![1].replace(/\{[^}]*\}/g, '')
    expect(Object.keys(told).sort()).toEqual(
      [
        ...[
          'file',
          'clip',
          'seconds',
          'share',
          'matched',
          'atRest',
          'unused',
          'reference',
          'frames',
          'rate',
          'touching',
        ],
        ...['stillTouching', 'newlyTouching', 'touchingFrames', 'spans', 'parts', 'change', 'jerk', 'workSeconds'],
      ].sort(),
    )
    for (const key of Object.keys(told)) expect(declared).toMatch(new RegExp(`\\b${key}\\b`))
    expect(told).toMatchObject({
      ...{ file: 'fold.bvh', clip: 'fold', frames: FRAMES, rate: 30, touching: before.length, share: 1 },
      ...{ stillTouching: 0, newlyTouching: 0, touchingFrames: [], parts: [['root', 'third']] },
    })
    expect(told.seconds).toBeCloseTo(1, 5)
    expect(told.change.max).toBeGreaterThan(1)
    expect(told.change.max).toBeGreaterThan(told.change.mean)
    expect(Object.keys(told.jerk)).toEqual(['before', 'after'])
    expect(told.spans).toHaveLength(1)
    expect(told.spans[0].from).toBeLessThan(before[0] / 30)
    expect(told.spans[0].to).toBeGreaterThan(before[before.length - 1] / 30)
    const [clip] = await clipsOf('clean.glb')
    expect(clip.name).toBe('fold')
    expect(touchingFrames(clip)).toEqual([])
  })

  it('writes a recording, with the way of the root and all frames that were free as they were', async () => {
    const { code, stdout, stderr } = await run(
      ...['repair', 'tube.safetensors', '--motion', 'fold.bvh', '--out', 'clean.bvh', '--keep', 'third,root'],
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/fold\.bvh, 'fold': 4 of 4 joints found/)
    expect(stdout).toMatch(/31 frames at 30 a second, \d+ run into themselves: root and third/)
    expect(stdout).toMatch(/now 0, by the exact test; 1 stretches changed/)
    expect(stdout).toMatch(/written: clean\.bvh/)
    const [[was], [is]] = [await clipsOf('fold.bvh'), await clipsOf('clean.bvh')]
    expect(touchingFrames(is)).toEqual([])
    const poses = [was, is].map((clip) =>
      [0, 1, FRAMES - 1].map((frame) => {
        const pose = character.skeleton.createPose()
        sampleClip(character.skeleton, clip, frame / 30, pose)
        return pose
      }),
    )
    poses[0].forEach((pose, i) => {
      for (const [k, value] of poses[1][i].rotations.entries()) expect(value).toBeCloseTo(pose.rotations[k], 4)
      expect(poses[1][i].translations[0]).toBeCloseTo(pose.translations[0], 4)
    })
    expect(poses[1][2].translations[0]).toBeCloseTo(3, 3)
  })

  it('leaves a motion that is free as it is', async () => {
    const { code, stdout } = await run(
      ...['repair', 'tube.safetensors', '--motion', 'bow.bvh', '--out', 'bow.glb', '--json'],
    )
    expect(code).toBe(0)
    const [told] = JSON.parse(stdout).motions
    expect(told).toMatchObject({ touching: 0, stillTouching: 0, spans: [], parts: [], change: { mean: 0, max: 0 } })
    expect(told.jerk.after).toBe(told.jerk.before)
  })

  it('--into puts clips beside what the GLB has, --clip takes one of several', async () => {
    const { code, stderr } = await run(
      ...[
        'repair',
        'tube.safetensors',
        '--motion',
        'two.glb',
        '--clip',
        'fold',
        '--into',
        'tube.glb',
        '--out',
        'in.glb',
      ],
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const [was, is] = [jsonOf('tube.glb'), jsonOf('in.glb')]
    expect(is.animations.map(({ name }: { name: string }) => name)).toEqual(['idle', 'fold'])
    expect(is.asset.extras).toEqual({ painted: true })
    for (const key of ['nodes', 'meshes', 'skins', 'scenes']) expect(is[key], key).toEqual(was[key])
    const clips = await clipsOf('in.glb')
    expect(touchingFrames(clips.find(({ name }) => name === 'fold')!)).toEqual([])
    const idle = clips.find(({ name }) => name === 'idle')!
    expect(idle.tracks).toEqual((await clipsOf('tube.glb'))[0].tracks)
  })

  it('writes what could not be freed as it was recorded, says so in one line, and exits with 1', async () => {
    const before = touchingFrames((await clipsOf('fold.bvh'))[0])
    const { code, stdout, stderr } = await run(
      ...['repair', 'lost.safetensors', '--motion', 'fold.bvh', '--out', 'lost.glb', '--json'],
    )
    expect(code).toBe(1)
    expect(JSON.parse(stdout).motions[0]).toMatchObject({
      stillTouching: before.length,
      touchingFrames: before,
      spans: [],
    })
    expect(stderr + stdout).toMatch(new RegExp(`repair: ${before.length} frames still run into themselves`))
    expect(touchingFrames((await clipsOf('lost.glb'))[0])).toEqual(before)
  })

  const motion = ['--motion', 'fold.bvh']
  const out = ['--out', 'bad.glb']
  it.each([
    [
      ['tube.safetensors', ...out],
      'repair: pass --code with codes, --target with places of vertices, or both; or --motion with recorded clips.',
    ],
    [
      ['tube.safetensors', ...motion, '--code', 'Z.npy', ...out],
      'repair: pass --code with codes, --target with places of vertices, or both; or --motion',
    ],
    [
      ['tube.safetensors', '--code', 'Z.npy', '--keep', 'third', ...out],
      'repair: --keep is for --motion; leave it out.',
    ],
    [
      ['tube.safetensors', '--motion', 'two.glb', '--clip', 'jump', ...out],
      "repair: two.glb has no clip 'jump'; choose from fold, lean.",
    ],
    [
      ['tube.safetensors', ...motion, '--out', 'bad.fbx'],
      'repair: bad.fbx is neither .glb nor .bvh; name --out as one.',
    ],
    [
      ['tube.safetensors', ...motion, '--into', 'tube.glb', '--out', 'bad.bvh'],
      'repair: --into puts clips into a GLB, bad.bvh is none; name --out as .glb.',
    ],
    [
      ['tube.safetensors', '--motion', 'two.glb', '--out', 'bad.bvh'],
      'repair: two.glb has 2 clips, a .bvh file holds one; choose by --clip.',
    ],
    [
      ['tube.safetensors', ...motion, '--into', 'other.glb', ...out],
      "other.glb has no joint 'first' of the trained character; pass the file it was trained from.",
    ],
    [
      ['tube.safetensors', ...motion, '--into', 'fold.bvh', ...out],
      'fold.bvh is no GLB; save the character as .glb, or leave --into out.',
    ],
    [['tube.safetensors', ...motion, '--keep', 'foot', ...out], "there is no joint 'foot' to keep; choose from root,"],
    [['tube.safetensors', ...motion, '--margin', '-1', ...out], '--margin'],
    [
      ['tube.safetensors', ...motion, '--margin', String(reach + 0.1), ...out],
      `clearances of this file are learned up to ${formatNumber(reach)} m; give less.`,
    ],
    [['tube.safetensors', ...motion, '--out', 'fold.bvh'], 'cannot write fold.bvh: it is also read in the same call'],
    [['ring.safetensors', ...motion, ...out], 'ring.safetensors is no character with self-contact but a '],
  ])('%s is refused in one line', async (words, message) => {
    const { code, stderr } = await run('repair', ...words)
    expect(stderr).toContain(message)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(code).toBe(2)
    for (const name of ['bad.glb', 'bad.bvh', 'bad.fbx']) expect(existsSync(folder.file(name))).toBe(false)
  })
})

describe('other verbs take characters with self-contact', () => {
  it('repair --code frees poses of the code', async () => {
    const { code, stdout, stderr } = await run(
      ...['repair', 'tube.safetensors', '--code', 'Z.npy', '--out', 'Z2.npy', '--json'],
    )
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ count: 2, touching: 1, freed: 1, free: [true, true] })
    const { data } = loadNpy(folder.file('Z2.npy'))
    const positions = new Float64Array(3 * character.vertexCount)
    character.positions(Float64Array.from(data).subarray(0, 3), positions)
    expect(contact.touches(positions)).toBe(false)
    expect([...data.slice(3)]).toEqual([0.1, 0.2, 0.3])
  })

  it('self-distance and inspect answer and describe it', async () => {
    const asked = await run('self-distance', 'tube.safetensors', '--code', 'Z.npy', '--exact', '--json')
    expect(asked.code, asked.stderr).toBe(0)
    expect(JSON.parse(asked.stdout)).toMatchObject({ count: 2, touching: 1, exactTests: 2 })
    const shown = await run('inspect', 'tube.safetensors')
    expect(shown.code, shown.stderr).toBe(0)
    expect(shown.stdout).toMatch(/^skeleton +4 joints, root 'root'$/m)
    expect(shown.stdout).toMatch(/^network +3 pairs of parts, each with gaps between 1 places of either, /m)
    expect(shown.stdout).toMatch(/^unit +a distance of 1 is 0\.8 m of clearance, about$/m)
  })

  it('evaluate measures it on codes around its own poses, and refuses what only points have', async () => {
    const measured = await run('evaluate', 'tube.safetensors', '--codes', '400', '--json')
    expect(measured.code, measured.stderr).toBe(0)
    const { quality } = JSON.parse(measured.stdout)
    expect(quality).toMatchObject({ codes: 400 })
    expect(quality.signAccuracy).toBeGreaterThan(0.8)
    const refused = await run('evaluate', 'tube.safetensors', '--points', '5')
    expect(refused.code).toBe(2)
    expect(isOneLine(refused.stderr), refused.stderr).toBe(true)
  })

  it('export --onnx writes a model of it', async () => {
    const { code, stdout, stderr } = await run('export', 'tube.safetensors', '--onnx', 'tube.onnx', '--json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).file).toBe('tube.onnx')
    expect(readFileSync(folder.file('tube.onnx')).length).toBeGreaterThan(1000)
  })
})
