/** A character whose self-contact is told by the paper's network, on the command line: verbs that take ours take it, too. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { load, randomStream } from 'pliant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { characterContactFile } from '../../../pliant/test/artifact/character-contact-example.js'
import { foldingClip, foldingGlb } from '../../../pliant/test/artifact/folding-tube.js'
import { loadNpy, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const bytes = await characterContactFile('state')
const random = randomStream(15)
const codes = Float64Array.from({ length: 60 }, () => random.between(-0.6, 0.6))

beforeAll(() => {
  writeFileSync(folder.file('tube.safetensors'), bytes)
  writeFileSync(folder.file('fold.glb'), foldingGlb([foldingClip('fold', [90, 90, 90])]))
  saveNpy(folder.file('Z.npy'), codes, [20, 3])
})
afterAll(folder.remove)

describe("a character with the paper's network", () => {
  it('is inspected: domains and layers in the place of pairs', async () => {
    const { code, stdout } = await run('inspect', 'tube.safetensors')
    expect(code).toBe(0)
    expect(stdout).toContain("the paper's: 10 x 8 x 6 elu of the code, 4 domains of 5 each, 4 of these")
    expect(stdout).toContain('a distance of 1 is 0.8 m of depth, about')
  })

  it('answers codes as its field does, and by onnxruntime', async () => {
    const due = new Float64Array(20)
    ;(await load(bytes, { kind: 'character-contact' })).query(codes, 20, due)
    for (const backend of ['scalar', 'ort']) {
      const words = ['self-distance', 'tube.safetensors', '--code', 'Z.npy', '--out', `${backend}.npy`]
      const { code } = await run(...words, '--backend', backend)
      expect(code).toBe(0)
      const found = loadNpy(folder.file(`${backend}.npy`)).data
      due.forEach((distance, i) => {
        expect(Number(found[i])).toBeCloseTo(distance, 4)
      })
    }
  })

  it('repairs codes, is evaluated and exported', async () => {
    const repaired = await run('repair', 'tube.safetensors', '--code', 'Z.npy', '--out', 'free.npy', '--json')
    expect([0, 1]).toContain(repaired.code)
    expect(loadNpy(folder.file('free.npy')).data).toHaveLength(60)
    const evaluated = await run('evaluate', 'tube.safetensors', '--codes', '60', '--json')
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ method: 'paper', quality: { codes: 60 } })
    expect((await run('export', 'tube.safetensors', '--onnx', 'tube.onnx')).code).toBe(0)
    expect(readFileSync(folder.file('tube.onnx')).length).toBeGreaterThan(1000)
  })

  it('refuses motions in one line: it tells no clearances', async () => {
    const words = ['repair', 'tube.safetensors', '--motion', 'fold.glb', '--out', 'clean.glb', '--quiet']
    const { code, stderr } = await run(...words)
    expect(code).not.toBe(0)
    expect(stderr).toContain('repair motion: the network tells no clearances of parts; train it by our own method.')
    expect(isOneLine(stderr)).toBe(true)
    expect(existsSync(folder.file('clean.glb'))).toBe(false)
  })
})
