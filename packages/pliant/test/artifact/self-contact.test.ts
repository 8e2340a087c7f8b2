/** The file of a body with self-contact: what is in it comes back bit for bit, and what lies about itself is refused. */
import { describe, expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import type { SelfContactArtifact } from '../../src/artifact/kinds/self-contact.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from '../../src/artifact/safetensors.js'
import { LinearSelfContact } from '../../src/exact/self-contact/linear-self-contact.js'
import { decode, load } from '../../src/index.js'
import { randomStream } from '../../src/math/random.js'
import { GapNetwork } from '../../src/net/gaps/gap-network.js'
import { selfContactExample } from './self-contact-example.js'

const bytes = await encode(selfContactExample())

async function refusal(changed: Uint8Array): Promise<string> {
  try {
    await decode(changed)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

type Change = (manifest: SelfContactArtifact['manifest'], tensors: Map<string, StoredTensor>) => void

/** A manifest with another value at a path of keys. */
function says(path: string, value: unknown): Change {
  const keys = path.split('.')
  return (manifest) => {
    let owner = manifest as unknown as Record<string, unknown>
    for (const key of keys.slice(0, -1)) owner = owner[key] as Record<string, unknown>
    owner[keys[keys.length - 1]] = value
  }
}

function tensorValue(name: string, place: number, value: number): Change {
  return (_, tensors) => {
    tensors.get(name)!.data[place] = value
  }
}

function asBytes(name: string): Change {
  return (_, tensors) => {
    const { shape, data } = tensors.get(name)!
    tensors.set(name, { shape, data: new Int8Array(data.length) })
  }
}

/** The file with its manifest or tensors changed, and a checksum that is right. */
function changed(change: Change) {
  const { metadata, tensors } = decodeSafetensors(bytes)
  const manifest = JSON.parse(metadata['manifest'])
  change(manifest, tensors)
  return encodeSafetensors({ metadata: { ...metadata, manifest: JSON.stringify(manifest) }, tensors })
}

describe('the file of a body with self-contact', () => {
  it('comes back as it was written, modes to the last bit, and writes the same bytes again', async () => {
    const original = selfContactExample()
    const read = await decode(bytes, 'self-contact')
    expect(read.manifest).toEqual(original.manifest)
    expect(read.body).toEqual(original.body)
    expect(read.rounds).toEqual(original.rounds)
    expect(read.model.modes).toEqual(original.model.modes)
    expect(read.model.rest).toEqual(original.model.rest)
    expect(read.model.triangles).toEqual(original.model.triangles)
    expect(read.model.bounds).toEqual(original.model.bounds)
    for (const [name, data] of original.networks.distance) expect(read.networks.distance.get(name), name).toEqual(data)
    expect(await encode(read)).toEqual(bytes)
  })

  it('is exactly tested as what was trained (seed 5)', async () => {
    const [trained, read] = [selfContactExample().model, (await decode(bytes, 'self-contact')).model]
    const [one, other] = [new LinearSelfContact(trained), new LinearSelfContact(read)]
    const random = randomStream(5)
    const answers = Array.from({ length: 200 }, () => {
      const code = Float64Array.from({ length: 3 }, () => random.between(-1, 1))
      expect(other.touches(code)).toBe(one.touches(code))
      return one.touches(code)
    })
    expect(answers.filter(Boolean).length).toBeGreaterThan(20)
    expect(answers.filter((touches) => !touches).length).toBeGreaterThan(20)
  })

  it('without rounds keeps none', async () => {
    const artifact = selfContactExample()
    artifact.rounds = undefined
    artifact.manifest.model.rounds = []
    const read = await decode(await encode(artifact), 'self-contact')
    expect(read.rounds).toBeUndefined()
    artifact.manifest.quality = null
    expect((await decode(await encode(artifact), 'self-contact')).manifest.quality).toBeNull()
  })

  it('loads as a field over codes, in its box, for who names the kind; nobody else is handed it', async () => {
    const artifact = selfContactExample()
    const field = await load(bytes, { kind: 'self-contact', backend: 'scalar' })
    expect(field.codeSize).toBe(3)
    expect(field.bounds).toEqual(artifact.model.bounds)
    const network = await GapNetwork.create(artifact.manifest.networks.distance.shape, artifact.networks.distance, {
      backend: 'scalar',
    })
    const codes = Float64Array.of(0.2, -0.4, 0.9, 1, 0.3, -1)
    const [distances, gradients] = [new Float64Array(2), new Float64Array(6)]
    const [due, dueGradients] = [new Float64Array(2), new Float64Array(6)]
    field.query(codes, 2, distances, gradients)
    network.query(codes, 2, due, dueGradients)
    expect(distances).toEqual(due)
    expect(gradients).toEqual(dueGradients)
    expect(due[0]).not.toBe(due[1])
    await expect(load(bytes)).rejects.toThrow(
      "load: 'ring' answers self-distance, not signed-distance of points; pass { kind: 'self-contact' }.",
    )
  })

  it('with any field of its manifest removed or of another type is refused (every path)', async () => {
    const paths = leafPaths(JSON.parse(decodeSafetensors(bytes).metadata['manifest']))
    expect(paths.length).toBeGreaterThan(60)
    for (const path of paths) {
      for (const value of [undefined, null, { a: 1 }]) {
        // What is left out may be left out.
        if (value === undefined && isOptional(path)) continue
        // JSON leaves out what is undefined.
        const message = await refusal(changed(says(path.join('.'), value)))
        expect(message, `${path.join('.')} = ${JSON.stringify(value)}`).toMatch(/^artifact: [^\n]*\.$/)
      }
    }
  })

  it.each([Number.NaN, Infinity])('with %d in any tensor of floats is refused by its name', async (bad) => {
    for (const [name, { data }] of decodeSafetensors(bytes).tensors) {
      if (!(data instanceof Float32Array)) continue
      const file = changed((_, tensors) => {
        tensors.get(name)!.data[data.length - 1] = bad
      })
      expect(await refusal(file)).toBe(
        `artifact: tensor ${name.replace('distance.', '')} has ${bad} at value ${data.length - 1}; train it again.`,
      )
    }
  })

  const network = 'networks.distance.shape'
  const lies: [string, Change, RegExp][] = [
    ['a node that is not there', tensorValue('body.tetrahedra', 5, 60), /body\.tetrahedra\[5\] is 60 of 60/],
    ['rounds that are more', says('model.rounds', [4, 2, 1]), /rounds\.codes is \[6,3\], should be \[7,3\]/],
    ['rounds that are fewer', says('model.rounds', [5]), /rounds\.codes is \[6,3\], should be \[5,3\]/],
    ['no rounds, and samples', says('model.rounds', []), /rounds\.codes belongs to no part/],
    ['half a sample', says('model.rounds', [5.5, 0.5]), /model\.rounds\[0\] is 5\.5, should be a whole/],
    ['fewer samples than none', says('model.rounds', [7, -1]), /model\.rounds\[1\] is -1/],
    ['a sign of zero', tensorValue('rounds.signs', 2, 0), /rounds\.signs\[2\] is 0, should be 1 or -1/],
    ['a mode without frequency', says('model.eigenvalues', [9, 8]), /eigenvalues is \[9,8\], should be 3 numbers/],
    ['a mode that does not spring back', says('model.eigenvalues.1', 0), /eigenvalues\[1\] is 0, should be a positive/],
    ['a box turned over', says('code.upper.2', -2), /code\.upper\[2\] is -2, should be more than the lower end, -1/],
    ['another surface', says('model.vertices', 61), /have 60 vertices and 116 triangles outside, should be 61 vert/],
    ['other triangles', says('model.triangles', 117), /116 triangles outside, should be 60 vertices and 117/],
    ['fewer nodes', says('model.nodes', 59), /body\.rest is \[60,3\], should be \[59,3\]/],
    ['fewer tetrahedra', says('model.tetrahedra', 83), /body\.tetrahedra is \[84,4\], should be \[83,4\]/],
    ['a network of another code', says(`${network}.codeSize`, 4), /codeSize is 4, should be 3, the code's size/],
    ['gaps without end', says(`${network}.gaps`, 1e9), /shape\.gaps is 1000000000/],
    ['more gaps', says(`${network}.gaps`, 5), /gap\.vector is \[4,12\], should be \[4,15\]/],
    ['a layer without end', says(`${network}.hidden`, [1e9]), /shape\.hidden\[0\] is 1000000000/],
    ['no such activation', says(`${network}.activation`, 'step'), /activation is "step"/],
    ['tau that does not rise', says('quality.hybrid.2.tau', 0.1), /hybrid\[2\]\.tau is 0\.1, should be more than 0\.1/],
    ['another answer', says('kind', 'signed-distance'), /kind is "signed-distance", should be 'self-distance'/],
    ['modes as bytes', asBytes('body.modes'), /body\.modes is \[3,60,3\], should be \[3,60,3\]/],
    ['a code without numbers', says('code', { size: 0, names: [], lower: [], upper: [], how: '' }), /codeSize is 3/],
  ]
  it.each(lies)('that says %s is refused in one line', async (_, change, message) => {
    const told = await refusal(changed(change))
    expect(told).toMatch(message)
    expect(told).not.toContain('\n')
  })

  it('may leave out the distance error, which not everybody can measure', async () => {
    const file = changed((manifest) => {
      delete manifest.quality!.distanceError
    })
    expect(await refusal(file)).toBe('')
  })
})

type Path = string[]
function leafPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [path]
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...path, key]))
}

/** Entries of lists leave a hole, which JSON writes as null and the next value tests. */
function isOptional(path: Path): boolean {
  return /^\d+$/.test(path.at(-1)!)
}
