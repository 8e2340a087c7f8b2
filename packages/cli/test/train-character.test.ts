import { readdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { surfaceWarnings } from '../src/train-character.js'
import { editGlb, type GlbJson, startOf } from './glb-edit.js'
import { isOneLine, runPliant, temporaryFolder } from './run-pliant.js'
import { tubeGlb } from './tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const TRAIN = ['train', 'hero.glb', '--poses', '4']

beforeAll(async () => {
  writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
})
afterAll(folder.remove)

describe('training a character', () => {
  // That the bytes are those of an unbroken run: packages/train/test/bones/resume.test.ts.
  it('stops at Ctrl-C with a checkpoint, which no other run may go on from', async () => {
    let stopped = false
    const broken = await runPliant([...TRAIN, '--steps', '1000000', '--out', 'a.safetensors'], {
      cwd: folder.path,
      onStderr(text, kill) {
        if (!stopped && text.includes('learn: step')) {
          kill('SIGINT')
          stopped = true
        }
      },
    })
    expect(broken.code, broken.stderr).toBe(130)
    expect(broken.stderr).toContain('--resume goes on from a.safetensors.checkpoint')
    expect(readdirSync(folder.path).filter((name) => name.startsWith('a.'))).toEqual(['a.safetensors.checkpoint'])

    // Long enough to be rehearsed: it is refused before that.
    const other = await run(...TRAIN, '--steps', '999', '--out', 'a.safetensors', '--resume')
    expect(other.stderr).toMatch(/a\.safetensors\.checkpoint was made with seed 1 and inputs \w{8}, not 1 and/)
    expect(isOneLine(other.stderr), other.stderr).toBe(true)
    expect(other.code).toBe(2)
    writeFileSync(folder.file('a.safetensors.checkpoint'), 'half of a check')
    const damaged = await run(...TRAIN, '--steps', '9', '--out', 'a.safetensors', '--resume')
    expect(damaged.stderr).toMatch(/a\.safetensors\.checkpoint is no whole checkpoint; train without --resume/)
    expect(damaged.code).toBe(2)
  })
})

describe('a character that cannot be trained', () => {
  /** The tube with a change, as a file of its own. */
  const changed = async (name: string, change: Parameters<typeof editGlb>[1]): Promise<void> => {
    writeFileSync(folder.file(name), editGlb(await tubeGlb({ clips: true }), change))
  }
  const attribute = (json: GlbJson, name: string): number => json.meshes[0].primitives[0].attributes[name]
  const sampler = (json: GlbJson): { input: number; output: number } => json.animations[0].samplers[0]
  const CHANGES: [name: string, change: Parameters<typeof editGlb>[1], message: RegExp][] = [
    [
      'no-joint',
      (json) => {
        json.skins[0].joints = [0, 1, 99]
      },
      /skins\[0\]\.joints has '99' of \d nodes/,
    ],
    [
      'vertex-joint',
      (json, bin) => bin.setUint16(startOf(json, attribute(json, 'JOINTS_0')), 9, true),
      /refers to joint 9 of 3/,
    ],
    [
      'nan-weight',
      (json, bin) => bin.setFloat32(startOf(json, attribute(json, 'WEIGHTS_0')), Number.NaN, true),
      /accessors\[\d+\] holds NaN at element 0/,
    ],
    [
      'nan-key',
      (json, bin) => bin.setFloat32(startOf(json, sampler(json).output), Number.NaN, true),
      /accessors\[\d+\] holds NaN at element 0/,
    ],
    [
      'falling-times',
      (json, bin) => bin.setFloat32(startOf(json, sampler(json).input), 5, true),
      /has times that fall at key 1/,
    ],
    ['still', (json) => stillAnimations(json), /its 2 clips move no joint of the body; add others/],
    [
      'giant',
      (json) => {
        json.nodes[0].scale = [1e9, 1e9, 1e9]
      },
      /is 3000000000 m tall at rest; scale it/,
    ],
    [
      'flat',
      (json) => {
        json.nodes[1].scale = [1, 1, 100]
      },
      // Joints may be scaled unevenly; bent by a clip, what hangs on this one is sheared beyond use.
      /in clip 'x' at [\d.]+ s joint 'tip' is scaled [\d.]+ times as much one way as another/,
    ],
    [
      'gone',
      (json) => {
        json.nodes[2].scale = [0, 0, 0]
      },
      /joint 'tip' is scaled by NaN since rest/,
    ],
    [
      'remote',
      (json) => {
        json.nodes[0].translation = [1e12, 0, 0]
      },
      /stands 1000000000000 m from the origin/,
    ],
  ]
  for (const [name, change, message] of CHANGES) {
    it(`${name}: is refused in one line`, async () => {
      await changed(`${name}.glb`, change)
      const { code, stderr } = await run('train', `${name}.glb`, '--out', 'x', '--poses', '2', '--steps', '1')
      expect(stderr).toMatch(message)
      expect(stderr).toContain(`${name}.glb`)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
    })
  }

  it('cut short, by names that are not there, or with numbers that cannot be: is refused in one line', async () => {
    const whole = await tubeGlb({ clips: true })
    writeFileSync(folder.file('cut.glb'), whole.subarray(0, whole.length / 2))
    writeFileSync(folder.file('other.bvh'), OTHER_BVH)
    const out = ['--out', 'x']
    const cases: [string[], RegExp][] = [
      [['train', 'cut.glb', ...out], /cut\.glb: .*check it was written completely/],
      [['train', 'hero.glb', ...out, '--hold-out', 'x,gone'], /no clip 'gone'/],
      [['train', 'hero.glb', ...out, '--hold-out', 'x,z'], /all 2 clips are held out; leave at least one/],
      [['train', 'hero.glb', ...out, '--motion', 'other.bvh'], /other\.bvh: .*joint/],
      [['train', 'hero.glb', ...out, '--steps', '-5'], /--steps is -5; pass a number/],
      [['train', 'hero.glb', ...out, '--poses', '0'], /--poses is 0; pass a number/],
      [['train', 'hero.glb', ...out, '--resume', '--budget', '1'], /leave it out with --resume/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run(...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
    }
  })

  it('is trained all the same where a rule says how, and warns of it', async () => {
    await changed('loose.glb', (json, bin) => {
      const start = startOf(json, attribute(json, 'WEIGHTS_0'))
      for (let i = 0; i < 4; i++) bin.setFloat32(start + 4 * i, 0, true)
    })
    const loose = await run('train', 'loose.glb', '--out', 'loose.safetensors', '--poses', '2', '--steps', '1')
    expect(loose.code, loose.stderr).toBe(0)
    expect(loose.stdout).toMatch(/warning: 1 of \d+ vertices have no weights; they go with their skin's first joint/)
  })

  it('says what the closed surface changed', () => {
    const report = {
      method: 'remeshed',
      shells: 15,
      asGiven: 4,
      openEdges: 102,
      turned: 4,
      pieces: 1,
      dropped: { sheets: 2, sheetArea: 0.1, cavities: 0, enclosed: 0, crumbs: 3 },
      cell: 0.01,
      maxDeviation: 0.02,
      meanDeviation: 0.002,
    } as const
    expect(surfaceWarnings(report, 2)).toEqual([
      '4 triangles faced inward or unlike their neighbours; turned',
      'inside is told by closed surfaces: 9 of 15 parts had 102 open edges and were closed; they lie 0.1% of the height off what is seen in the mean, 1% at most',
      'of the surface left out: 2 sheets without an inside (10% of the area), 3 crumbs',
    ])
    const untouched = { sheets: 0, sheetArea: 0, cavities: 0, enclosed: 0, crumbs: 0 }
    expect(surfaceWarnings({ ...report, method: 'as given', turned: 0, dropped: untouched }, 2)).toEqual([])
  })
})

/** All keys of all clips as the first: nothing moves. */
function stillAnimations(json: GlbJson): void {
  for (const { samplers } of json.animations) {
    for (const { input, output } of samplers) json.accessors[input].count = json.accessors[output].count = 1
  }
}

const OTHER_BVH = `HIERARCHY
ROOT Pelvis
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 1 0
  }
}
MOTION
Frames: 2
Frame Time: 0.03
0 0 0 0 0 0
0 0 0 0 10 0
`
