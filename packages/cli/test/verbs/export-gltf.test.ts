import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { extractCollider } from 'pliant/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { editGlb, startOf } from '../glb-edit.js'
import { saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'
import { tubeGlb } from '../tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const read = (name: string) => new Uint8Array(readFileSync(folder.file(name)))
/** At once: a matcher goes through megabytes one by one. */
const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

beforeAll(async () => {
  writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
  const trained = await run('train', 'hero.glb', '--out', 'hero.safetensors', '--poses', '6', '--steps', '3', '--quiet')
  expect(trained.stderr).toBe('')
  const { code, stdout, stderr } = await run(
    'export',
    'hero.safetensors',
    '--gltf',
    'both.glb',
    '--into',
    'hero.glb',
    '--json',
  )
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ file: 'both.glb', bytes: read('both.glb').length, checked: 'geometry' })
})
afterAll(folder.remove)

describe('a GLB that carries its collider', () => {
  it('holds the very bytes that were trained, and is put into another GLB from there', async () => {
    expect(sameBytes(extractCollider(read('both.glb'))!, read('hero.safetensors'))).toBe(true)
    const again = await run('export', 'both.glb', '--gltf', 'again.glb', '--into', 'both.glb')
    expect(again.code, again.stderr).toBe(0)
    expect(sameBytes(read('again.glb'), read('both.glb'))).toBe(true)
  })

  it('answers queries bit for bit as the artifact, and is evaluated alike', async () => {
    const { code } = JSON.parse((await run('inspect', 'hero.safetensors', '--json')).stdout)
    saveNpy(folder.file('Z.npy'), new Float64Array(code.size).fill(0.1))
    saveNpy(folder.file('P.npy'), Float64Array.of(0, 0.5, 0, 0.4, 1, 0.1, 9, 9, 9), [3, 3])
    const distances = await Promise.all(
      ['hero.safetensors', 'both.glb'].map(async (file, i) => {
        const asked = await run('query', file, '--code', 'Z.npy', '--points', 'P.npy', '--out', `D${i}.npy`)
        expect(asked.code, asked.stderr).toBe(0)
        return read(`D${i}.npy`)
      }),
    )
    expect(distances[1]).toEqual(distances[0])
    const judged = await Promise.all(
      ['hero.safetensors', 'both.glb'].map((file) => run('evaluate', file, '--poses', '2', '--points', '50', '--json')),
    )
    expect(judged[1].code, judged[1].stderr).toBe(0)
    const [one, other] = judged.map(({ stdout }) => JSON.parse(stdout).quality)
    expect(other).toEqual(one)
  })

  it('is inspected as the rig that it is and as the artifact that it carries', async () => {
    const [rig, artifact, both] = await Promise.all(
      ['hero.glb', 'hero.safetensors', 'both.glb'].map(async (file) => {
        const { file: _, ...rest } = JSON.parse((await run('inspect', file, '--json')).stdout)
        return rest
      }),
    )
    const { collider, ...rest } = both
    expect(rest).toEqual(rig)
    expect(rig.collider).toBeUndefined()
    expect(collider).toEqual({ ...artifact, file: 'both.glb' })
  })

  it('goes into the same character turned, posed anew, or with a mesh more', async () => {
    writeFileSync(
      folder.file('turned.glb'),
      editGlb(await tubeGlb({ clips: true }), (json) => {
        json.nodes[0].rotation = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
        json.nodes[0].translation = [3, 4, 5]
        json.nodes[1].rotation = [0, 0, 0.38268343, 0.92387953]
      }),
    )
    const { code, stderr } = await run('export', 'hero.safetensors', '--gltf', 'x.glb', '--into', 'turned.glb')
    expect(code, stderr).toBe(0)
  })

  it('refuses what cannot be in one line', async () => {
    writeFileSync(folder.file('other.glb'), await tubeGlb({ clips: false, names: ['root', 'middle', 'end'] }))
    const changed = async (name: string, change: Parameters<typeof editGlb>[1]) =>
      writeFileSync(folder.file(name), editGlb(await tubeGlb({ clips: true }), change))
    // The same names, and another body: in centimetres, with a longer bone, or wider.
    await changed('large.glb', (json) => {
      json.nodes[0].scale = [100, 100, 100]
    })
    await changed('long.glb', (json) => {
      json.nodes[2].translation = [0, 1.4, 0]
    })
    await changed('wide.glb', (json, bin) => {
      const { attributes } = json.meshes[0].primitives[0]
      const { count, bufferView } = json.accessors[attributes.POSITION]
      const stride = json.bufferViews[bufferView].byteStride ?? 12
      const start = startOf(json, attributes.POSITION)
      for (let at = start; at < start + count * stride; at += stride) {
        bin.setFloat32(at, 2 * bin.getFloat32(at, true), true)
      }
    })
    const bar = fileURLToPath(new URL('../../../../apps/studio/public/artifacts/bunny.safetensors', import.meta.url))
    writeFileSync(folder.file('text.gltf'), '{ "asset": { "version": "2.0" } }')
    const gltf = ['--gltf', 'x.glb']
    const cases: [string[], RegExp][] = [
      [['export', 'hero.safetensors'], /pass either --onnx OUT, or --gltf OUT\.glb with --into/],
      [['export', 'hero.safetensors', ...gltf, '--onnx', 'x.onnx'], /pass either --onnx/],
      [['export', 'hero.safetensors', ...gltf], /--into is missing/],
      [['export', 'hero.safetensors', '--onnx', 'x.onnx', '--into', 'hero.glb'], /--into goes with --gltf/],
      [['export', 'hero.safetensors', '--gltf', 'hero.glb', '--into', 'hero.glb'], /hero\.glb: it is also read/],
      [['export', 'hero.safetensors', ...gltf, '--into', 'text.gltf'], /text\.gltf: gltf: .* save it as \.glb/],
      [['export', 'hero.safetensors', ...gltf, '--into', 'other.glb'], /other\.glb has no joint 'tip'/],
      [
        ['export', 'hero.safetensors', ...gltf, '--into', 'large.glb'],
        /large\.glb is another character: it is 100 times as large/,
      ],
      [['export', 'hero.safetensors', ...gltf, '--into', 'long.glb'], /the bone to 'tip' is 1\.4 m long, not 1 m/],
      [
        ['export', 'hero.safetensors', ...gltf, '--into', 'wide.glb'],
        /half of its surface lies [\d.]+% of the height or more/,
      ],
      [
        ['export', bar, ...gltf, '--into', 'hero.glb'],
        /bunny\.safetensors is no character but a soft body; load its file beside the GLB/,
      ],
      [['export', 'hero.glb', ...gltf, '--into', 'hero.glb'], /hero\.glb is not a trained artifact and carries none/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run(...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
    }
  })
})
