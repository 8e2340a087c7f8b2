/** Shapes of one mesh on the command line: one tiny training, and every verb that takes its file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { decode, load, randomStream } from 'pliant'
import { exactSelfContact } from 'pliant/exact'
import { readObj } from 'pliant/files'
import { exactShapeSpace, spaceShape } from 'pliant/unstable'
import { afterAll, describe, expect, it } from 'vitest'
import { foldingClip, foldingGlb } from '../../../pliant/test/artifact/folding-tube.js'
import { loadNpy, saveNpy } from '../npy.js'
import { runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })

const folds = [
  [110, 110, 110],
  [-20, 130, 60],
  [90, 60, 140],
]
writeFileSync(folder.file('tube.glb'), foldingGlb(folds.map((angles, i) => foldingClip(`fold ${i}`, angles))))
writeFileSync(
  folder.file('tube.json'),
  JSON.stringify({
    model: { meshes: 'tube.glb', shapes: 40, domains: 3, domainCode: 2 },
    ...{ network: { hidden: [12] }, evaluation: { poses: 200, points: 10 }, poses: 300, steps: 40 },
  }),
)
const training = await run('train', 'tube.json', '--out', 'tube.safetensors')
const bytes = readFileSync(folder.file('tube.safetensors'))
const artifact = await decode(bytes, 'shape-contact')
const { lower, upper } = artifact.space.bounds
const random = randomStream(81)
const COUNT = 8
const codes = Float64Array.from({ length: COUNT * lower.length }, (_, i) =>
  random.between(lower[i % lower.length], upper[i % lower.length]),
)
saveNpy(folder.file('Z.npy'), codes, [COUNT, lower.length])
const model = exactShapeSpace(artifact.space)
const exact = exactSelfContact(spaceShape(model, artifact.patches, artifact.manifest.model.neighbours))

describe('shapes of one mesh', () => {
  it('are trained from a spec, and nothing is left beside the file', () => {
    expect(training.code, training.stderr).toBe(0)
    expect(training.stdout).toContain('shapes of 122 vertices')
    expect(readdirSync(folder.path).sort()).toEqual(['Z.npy', 'tube.glb', 'tube.json', 'tube.safetensors'])
  })

  it('are inspected: surface, code by domains, rule of contact', async () => {
    const { code, stdout } = await run('inspect', 'tube.safetensors')
    expect(code).toBe(0)
    expect(stdout).toMatch(/surface +122 vertices, 240 triangles/)
    expect(stdout).toMatch(/whole +3 values/)
    expect(stdout).toMatch(/domains +\d+ values for \d+ vertices, /)
  })

  it('answer codes as their field does, and are evaluated and exported', async () => {
    const due = new Float64Array(COUNT)
    ;(await load(bytes, { kind: 'shape-contact' })).query(codes, COUNT, due)
    for (const backend of ['scalar', 'ort']) {
      const asked = ['self-distance', 'tube.safetensors', '--code', 'Z.npy', '--out', `${backend}.npy`]
      const { code, stderr } = await run(...asked, '--backend', backend)
      expect(code, stderr).toBe(0)
      const found = loadNpy(folder.file(`${backend}.npy`)).data
      due.forEach((distance, i) => {
        expect(Number(found[i])).toBeCloseTo(distance, 3)
      })
    }
    const evaluated = await run('evaluate', 'tube.safetensors', '--codes', '60', '--json')
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ quality: { codes: 60 } })
    expect((await run('export', 'tube.safetensors', '--onnx', 'tube.onnx')).code).toBe(0)
    expect(readFileSync(folder.file('tube.onnx')).length).toBeGreaterThan(1000)
  })

  it('are repaired: codes and meshes are free by the exact test where the exit code says so', async () => {
    const { code } = await run(
      'repair',
      'tube.safetensors',
      '--code',
      'Z.npy',
      '--out',
      'free.npy',
      '--mesh',
      'free.obj',
    )
    const free = Float64Array.from(loadNpy(folder.file('free.npy')).data, Number)
    const codeAt = (i: number) => free.subarray(i * lower.length, (i + 1) * lower.length)
    const touching = [...Array(COUNT).keys()].filter((i) => exact.touches(codeAt(i)))
    expect(code).toBe(touching.length > 0 ? 1 : 0)
    expect(touching.length).toBeLessThan(COUNT / 2)
    const mesh = readObj(readFileSync(folder.file('free-1.obj')))
    const due = new Float64Array(3 * 122)
    model.positions(codeAt(0), due)
    expect(mesh.positions).toHaveLength(due.length)
    expect(Math.max(...due.map((value, i) => Math.abs(value - mesh.positions[i])))).toBeLessThan(1e-4)
  })

  it('bring vertices somewhere', async () => {
    const words = ['repair', 'tube.safetensors', '--target', '121=0,3.9,0.1', '--out', 'there.npy', '--json']
    const { code, stdout, stderr } = await run(...words)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).targets).toMatchObject([{ vertex: 121, place: [0, 3.9, 0.1] }])
  })
})
