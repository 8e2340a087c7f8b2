import { existsSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadNpy, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'
import { tubeGlb } from '../tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const TRAIN = ['--poses', '6', '--steps', '3', '--quiet']

beforeAll(async () => {
  writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
  const trained = await run('train', 'hero.glb', '--out', 'hero.safetensors', ...TRAIN)
  expect(trained.stderr).toBe('')
  expect(trained.code).toBe(0)
})
afterAll(folder.remove)

describe('a rigged character', () => {
  it('is inspected before it is trained: what would be learned, and what not and why', async () => {
    const { code, stdout } = await run('inspect', 'hero.glb', '--json')
    expect(code).toBe(0)
    const { learning } = JSON.parse(stdout)
    expect(learning.codeSize).toBeGreaterThan(0)
    expect(learning.dropped.some(({ reason }: { reason: string }) => reason.includes('the same in all 2 clips'))).toBe(
      true,
    )
  })

  it('gives the same bytes for the same seed, and says what it was judged by', async () => {
    const again = await run('train', 'hero.glb', '--out', 'again.safetensors', ...TRAIN, '--json')
    expect(again.code, again.stderr).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({
      file: 'again.safetensors',
      heldOut: null,
      surface: { method: 'as given' },
    })
    const [a, b] = await Promise.all(['hero', 'again'].map((name) => run('inspect', `${name}.safetensors`, '--json')))
    expect(JSON.parse(a.stdout).quality).toEqual(JSON.parse(b.stdout).quality)
    expect(JSON.parse(a.stdout)).toMatchObject({ kind: 'artifact', field: 'character', name: 'hero' })
  })

  it('answers by code and is evaluated on poses never trained on', async () => {
    const inspected = JSON.parse((await run('inspect', 'hero.safetensors', '--json')).stdout)
    saveNpy(folder.file('Z.npy'), new Float64Array(inspected.code.size))
    saveNpy(folder.file('P.npy'), Float64Array.of(0, 0.5, 0, 9, 9, 9), [2, 3])
    const query = ['query', 'hero.safetensors', '--code', 'Z.npy', '--points', 'P.npy', '--out', 'D.npy']
    const asked = await run(...query, '--normals', 'N.npy', '--json')
    expect(asked.code, asked.stderr).toBe(0)
    expect(JSON.parse(asked.stdout).count).toBe(2)
    const ort = await run(...query.slice(0, -1), 'ort.npy', '--backend', 'ort', '--json')
    expect(ort.code, ort.stderr).toBe(0)
    expect(JSON.parse(ort.stdout)).toMatchObject({ count: 2, backend: 'ort' })
    const [ours, theirs] = ['D.npy', 'ort.npy'].map((name) => loadNpy(folder.file(name)).data as Float64Array)
    for (const i of [0, 1]) expect(theirs[i]).toBeCloseTo(ours[i], 4)
    const exported = await run('export', 'hero.safetensors', '--onnx', 'hero.onnx', '--json')
    expect(exported.code, exported.stderr).toBe(0)
    expect(JSON.parse(exported.stdout)).toEqual({ file: 'hero.onnx', bytes: statSync(folder.file('hero.onnx')).size })
    const few = ['--poses', '2', '--points', '50', '--noise', '10', '--rivals']
    const judged = await run('evaluate', 'hero.safetensors', ...few, '--json')
    expect(judged.code, judged.stderr).toBe(0)
    const { quality, rivals } = JSON.parse(judged.stdout)
    expect(Object.keys(rivals)).toEqual(['boneGrids', 'softBoneGrids', 'capsules'])
    for (const measured of [quality, ...Object.values<typeof quality>(rivals)]) {
      expect(measured).toMatchObject({ poses: 2, points: 100 })
      expect(measured.bandError.mean).toBeGreaterThan(0)
    }
    const told = await run('evaluate', 'hero.safetensors', ...few)
    expect(told.stdout).toMatch(/rigid bone grids +[\d.]+%/)
  })

  it("is trained by the paper's method too, and then asked, judged and described the same way", async () => {
    const trained = await run('train', 'hero.glb', '--out', 'paper.safetensors', '--method', 'paper', ...TRAIN)
    expect(trained.code, trained.stderr).toBe(0)
    const inspected = JSON.parse((await run('inspect', 'paper.safetensors', '--json')).stdout)
    expect(inspected.training.method).toBe('paper')
    expect(inspected.networks.distance.shape.hidden).toEqual(Array(8).fill(128))
    expect((await run('inspect', 'paper.safetensors')).stdout).toMatch(/8 hidden layers of 128.*115,200 mult/)
    saveNpy(folder.file('Z.npy'), new Float64Array(inspected.code.size))
    saveNpy(folder.file('P.npy'), Float64Array.of(0, 0.5, 0, 9, 9, 9), [2, 3])
    const query = ['query', 'paper.safetensors', '--code', 'Z.npy', '--points', 'P.npy', '--out', 'D.npy', '--json']
    const asked = await run(...query)
    expect(asked.code, asked.stderr).toBe(0)
    expect(JSON.parse(asked.stdout).count).toBe(2)
    const judged = await run('evaluate', 'paper.safetensors', '--poses', '2', '--points', '50', '--rivals', '--json')
    expect(judged.code, judged.stderr).toBe(0)
    expect(JSON.parse(judged.stdout)).toMatchObject({ method: 'paper', quality: { poses: 2 } })
  })

  it('refuses what cannot be in one line', async () => {
    saveNpy(folder.file('short.npy'), Float64Array.of(1))
    // One frame of one triangle, all zero.
    writeFileSync(folder.file('other.anime'), Uint8Array.of(1, 0, 0, 0, 3, 0, 0, 0, 1, ...new Uint8Array(51)))
    const out = ['--out', 'x']
    const cases: [string[], RegExp][] = [
      [['train', 'hero.glb', ...out, '--motion', 'gone.bvh'], /gone\.bvh: there is no such file/],
      [['train', 'hero.glb', ...out, '--motion', 'short.npy'], /short\.npy is no motion/],
      [['train', 'hero.glb', ...out, '--hold-out', 'nothing'], /no clip 'nothing'/],
      [['train', 'bar', ...out, '--motion', 'x.bvh'], /--motion is for rigged glTF characters/],
      [['evaluate', 'hero.safetensors', '--motion', 'other.anime'], /other\.anime: fit pose: 3 vertices/],
      [['query', 'hero.safetensors', '--code', 'short.npy', '--points', 'short.npy', ...out], /short\.npy/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run(...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
    }
    expect(existsSync(folder.file('x'))).toBe(false)
  })
})
