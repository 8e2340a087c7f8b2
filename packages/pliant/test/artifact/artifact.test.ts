import { describe, expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import { FORMAT_VERSION } from '../../src/artifact/manifest.js'
import { decodeSafetensors, encodeSafetensors } from '../../src/artifact/safetensors.js'
import { decode } from '../../src/index.js'
import { randomStream } from '../../src/math/random.js'
import { exampleArtifact } from './example.js'

const bytes = await encode(exampleArtifact())
const dataStart = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true))

async function refusal(changed: Uint8Array): Promise<string> {
  try {
    await decode(changed, 'linear-modes')
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('an artifact', () => {
  it('comes back as it was written', async () => {
    const original = exampleArtifact()
    const read = await decode(bytes, 'linear-modes')
    expect(read.manifest).toEqual(original.manifest)
    expect([...read.model.modes]).toEqual([...original.model.modes])
    expect([...read.model.triangles]).toEqual([...original.model.triangles])
    for (const [name, data] of original.networks.distance) expect(read.networks.distance.get(name), name).toEqual(data)
  })

  it('is the same bytes each time', async () => {
    expect(await encode(exampleArtifact())).toEqual(bytes)
  })

  it('can lie anywhere in a larger buffer', async () => {
    const larger = new Uint8Array(bytes.length + 13)
    larger.set(bytes, 13)
    expect((await decode(larger.subarray(13), 'linear-modes')).manifest.name).toBe('example')
  })

  it('is refused in one line when any byte of its header is flipped', async () => {
    for (let i = 0; i < dataStart; i++) {
      for (const flip of [1, 128, 255]) {
        const changed = bytes.slice()
        changed[i] ^= flip
        const message = await refusal(changed)
        expect(message, `byte ${i} ^ ${flip}`).toMatch(/^(safetensors|artifact): .*\.$/)
        expect(message.includes('\n')).toBe(false)
      }
    }
  })

  it('is refused when any byte of its data is flipped (seed 11)', async () => {
    const random = randomStream(11)
    for (let n = 0; n < 500; n++) {
      const changed = bytes.slice()
      changed[dataStart + random.below(bytes.length - dataStart)] ^= 1 << random.below(8)
      expect(await refusal(changed)).toContain('checksum')
    }
  })

  it('is refused when it is cut at any length, or has bytes added', async () => {
    for (let length = 0; length < bytes.length; length += length < dataStart ? 1 : 7) {
      expect(await refusal(bytes.subarray(0, length)), `${length} bytes`).not.toBe('')
    }
    const longer = new Uint8Array(bytes.length + 4)
    longer.set(bytes)
    expect(await refusal(longer)).not.toBe('')
  })

  it('of a newer version says to update', async () => {
    const artifact = exampleArtifact()
    artifact.manifest.format = FORMAT_VERSION + 1
    expect(await refusal(await encode(artifact))).toContain('update pliant')
  })

  it('whose manifest and tensors disagree is refused, though its checksum is right', async () => {
    const { metadata, tensors } = decodeSafetensors(bytes)
    const manifest = JSON.parse(metadata['manifest'])
    manifest.networks.distance.shape.hidden = [7]
    expect(
      await refusal(encodeSafetensors({ metadata: { ...metadata, manifest: JSON.stringify(manifest) }, tensors })),
    ).toContain('dense.0.weight')
    manifest.networks.distance.shape.hidden = [1e9]
    expect(
      await refusal(encodeSafetensors({ metadata: { ...metadata, manifest: JSON.stringify(manifest) }, tensors })),
    ).toContain('networks.distance.shape.hidden[0] is 1000000000')
  })

  it.each([Number.NaN, Infinity, -Infinity])('with %d in any tensor is refused by its name', async (bad) => {
    for (const [name, { data }] of decodeSafetensors(bytes).tensors) {
      if (!(data instanceof Float32Array)) continue
      for (const place of [0, data.length >> 1, data.length - 1]) {
        const { metadata, tensors } = decodeSafetensors(bytes)
        tensors.get(name)!.data[place] = bad
        expect(await refusal(encodeSafetensors({ metadata, tensors }))).toBe(
          `artifact: tensor ${name.replace('distance.', '')} has ${bad} at value ${place}; train it again.`,
        )
      }
    }
  })

  it('with any field of its manifest removed or of another type is refused (every path)', async () => {
    const { metadata, tensors } = decodeSafetensors(bytes)
    const paths = leafPaths(JSON.parse(metadata['manifest']))
    expect(paths.length).toBeGreaterThan(50)
    for (const path of paths) {
      for (const value of [undefined, Number.NaN, { a: 1 }, -1e300]) {
        const manifest = JSON.parse(metadata['manifest'])
        const owner = path.slice(0, -1).reduce((o, key) => o[key], manifest)
        if (typeof owner[path.at(-1)!] === typeof value && value === -1e300 && !strictlyBounded(path)) continue
        if (value === undefined) delete owner[path.at(-1)!]
        else owner[path.at(-1)!] = value
        const message = await refusal(
          encodeSafetensors({ metadata: { ...metadata, manifest: JSON.stringify(manifest) }, tensors }),
        )
        expect(message, `${path.join('.')} = ${String(value)}`).not.toBe('')
      }
    }
  })

  it('without our mark is named as another kind of safetensors', async () => {
    const { tensors } = decodeSafetensors(bytes)
    expect(await refusal(encodeSafetensors({ metadata: { format: 'pt' }, tensors }))).toContain('not a Pliant artifact')
  })
})

type Path = (string | number)[]
function leafPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [path]
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...path, key]))
}

/** Numbers that may not be just anything: sizes, scales and ordered corners. */
function strictlyBounded(path: Path): boolean {
  return ['scale', 'truncation', 'channels', 'size', 'format', 'vertices'].includes(String(path.at(-1)))
}
