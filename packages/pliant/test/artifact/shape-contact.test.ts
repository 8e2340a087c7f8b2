/** The file of a space of shapes with self-contact: it comes back bit for bit, and what lies about itself is refused. */
import { describe, expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import type { ShapeContactArtifact } from '../../src/artifact/kinds/shape-contact.js'
import type { CollisionStateNetwork } from '../../src/artifact/networks/collision-state.js'
import { type FramedGapsNetwork, pieceShape } from '../../src/artifact/networks/framed-gaps.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from '../../src/artifact/safetensors.js'
import { decode, load } from '../../src/index.js'
import { exactShapeSpace } from '../../src/learned/create-shape-space.js'
import { CollisionDetector } from '../../src/net/collision-state/collision-detector.js'
import { PieceFrames } from '../../src/net/gaps/piece-frames.js'
import { PosedGapNetwork } from '../../src/net/gaps/posed-gap-network.js'
import { conformConfiguration } from '../field/configuration-conformance.js'
import { CODE_SIZE, shapeContactExample, shapeContactFile } from './shape-contact-example.js'

const bytes = await shapeContactFile('gaps')
const ofPaper = await shapeContactFile('state')

async function refusal(changed: Uint8Array): Promise<string> {
  try {
    await decode(changed)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

type Change = (manifest: ShapeContactArtifact['manifest'], tensors: Map<string, StoredTensor>) => void

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

/** The file with its manifest or tensors changed, and a checksum that is right. */
function changed(change: Change, from = bytes) {
  const { metadata, tensors } = decodeSafetensors(from)
  const manifest = JSON.parse(metadata['manifest'])
  change(manifest, tensors)
  return encodeSafetensors({ metadata: { ...metadata, manifest: JSON.stringify(manifest) }, tensors })
}

function leafPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [path]
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...path, key]))
}

describe('the file of a space of shapes with self-contact', () => {
  it.each([
    ['gaps', bytes],
    ['state', ofPaper],
  ] as const)('comes back as it was written, and writes the same bytes again (%s)', async (network, file) => {
    const original = shapeContactExample(network)
    const read = await decode(file, 'shape-contact')
    expect(read.manifest).toEqual(JSON.parse(JSON.stringify(original.manifest)))
    expect(read.space).toEqual(original.space)
    expect(read.patches).toEqual(original.patches)
    expect(read.pairs).toEqual(original.pairs)
    expect(read.around).toEqual(original.around)
    expect(read.networks.distance).toEqual(new Map(original.networks.distance))
    expect(await encode(read)).toEqual(file)
  })

  it('has the shapes of the space that was stored, to the last digit', async () => {
    const [given, read] = [shapeContactExample().space, (await decode(bytes, 'shape-contact')).space].map((data) => {
      const space = exactShapeSpace(data)
      const out = new Float64Array(3 * space.vertexCount)
      space.positions([0.4, -0.3, 0.2, 0.7, -0.6], out)
      return out
    })
    expect(read).toEqual(given)
  })

  it('loads as a field over codes that answers what its parts answer, and tells clearances of patches', async () => {
    const { manifest, networks, pairs } = shapeContactExample()
    const field = await load(bytes, { kind: 'shape-contact', backend: 'scalar' })
    expect(field.bounds).toEqual({
      lower: new Float64Array(CODE_SIZE).fill(-1),
      upper: new Float64Array(CODE_SIZE).fill(1.5),
    })
    const distance = manifest.networks.distance as FramedGapsNetwork
    const frames = await PieceFrames.create(pieceShape(distance), networks.distance, { backend: 'scalar' })
    const network = await PosedGapNetwork.create(distance.shape, networks.distance, frames, { backend: 'scalar' })
    const codes = Float64Array.of(0.2, -0.4, 0.9, 0, 0.1, 1, 0.3, -1, 0.6, -0.7)
    const [distances, gradients] = [new Float64Array(2), new Float64Array(10)]
    const [due, dueGradients] = [new Float64Array(2), new Float64Array(10)]
    field.query(codes, 2, distances, gradients)
    network.query(codes, 2, due, dueGradients)
    expect(distances).toEqual(due)
    expect(gradients).toEqual(dueGradients)
    expect(due[0]).not.toBe(due[1])
    expect(field.pairsOfParts).toEqual(pairs)
    const [clearances, apart] = [new Float64Array(2), new Float64Array(2)]
    field.clearances(codes.subarray(0, 5), clearances)
    network.queryPairs(codes.subarray(0, 5), apart)
    expect(clearances).toEqual(apart.map((value) => 0.8 * value))
    expect(field.depths).toBeUndefined()
    expect(field.pairs).toEqual([
      [0, 2],
      [1, 2],
    ])
    // Never that all is far apart.
    expect(() => field.clearances(codes.slice(0, 5).fill(Number.NaN, 3, 4), clearances)).toThrow(
      /^clearances: code value 3 is NaN; pass finite numbers\.$/,
    )
    expect(() => field.clearances(codes.subarray(0, 4), clearances)).toThrow(/^clearances: .* for 5 code values/)
    await expect(load(bytes)).rejects.toThrow(
      "load: 'bar' answers self-distance, not signed-distance of points; pass { kind: 'shape-contact' }.",
    )
  })

  it("loads the paper's network, which tells depths of domains and no clearances", async () => {
    const { manifest, networks } = shapeContactExample('state')
    const field = await load(ofPaper, { kind: 'shape-contact', backend: 'scalar' })
    const { shape } = manifest.networks.distance as CollisionStateNetwork
    const detector = await CollisionDetector.create(shape, networks.distance, { backend: 'scalar' })
    const code = Float64Array.of(0.2, -1, 0.9, 0.3, 0.5)
    const [distance, due] = [new Float64Array(1), new Float64Array(1)]
    field.query(code, 1, distance)
    detector.query(code, 1, due)
    expect(distance).toEqual(due)
    const [depths, states] = [new Float64Array(2), new Float64Array(2)]
    field.depths!.query(code, depths)
    detector.queryDepths(code, states)
    expect(depths).toEqual(states.map((state) => 0.05 * state))
    expect(() => field.depths!.query([0.2, -1, 0.9, Number.NaN, 0.5], depths)).toThrow(/^depths: code value 3 is NaN/)
    expect(field.pairsOfParts).toHaveLength(0)
    expect(() => field.clearances(code, new Float64Array(0))).toThrow(
      /^self-contact: the paper's network tells no clear/,
    )
  })

  it.each([
    ['gaps', bytes],
    ['state', ofPaper],
  ] as const)(
    'with any field of its manifest removed or of another type is refused (every path, %s)',
    async (_, file) => {
      const paths = leafPaths(JSON.parse(decodeSafetensors(file).metadata['manifest']))
      expect(paths.length).toBeGreaterThan(60)
      for (const path of paths) {
        for (const value of [undefined, null, { a: 1 }]) {
          // JSON leaves out what is undefined; entries of lists leave a hole, which it writes as null.
          if (value === undefined && /^\d+$/.test(path.at(-1)!)) continue
          const message = await refusal(changed(says(path.join('.'), value), file))
          expect(message, `${path.join('.')} = ${JSON.stringify(value)}`).toMatch(/^artifact: [^\n]*\.$/)
        }
      }
    },
  )

  it.each([Number.NaN, Infinity])('with %d in any tensor of floats is refused by its name', async (bad) => {
    for (const [name, { data }] of decodeSafetensors(bytes).tensors) {
      if (!(data instanceof Float32Array || data instanceof Float64Array)) continue
      const told = await refusal(changed(tensorValue(name, data.length - 1, bad)))
      expect(told).toBe(
        `artifact: tensor ${name.replace('distance.', '')} has ${bad} at value ${data.length - 1}; train it again.`,
      )
    }
  })

  const network = 'networks.distance.shape'
  const lies: [string, Change, RegExp][] = [
    ['no parts', says('model.parts', []), /model\.parts is \[\], should be a list of 1 to 4096/],
    ['a part without vertices', says('model.parts.1.vertices', 0), /parts\[1\]\.vertices is 0, should be/],
    ['a part of more vertices than there are', says('model.parts.0.vertices', 99), /parts\[0\]\.vertices is 99/],
    ['a part without a code', says('model.parts.2.codeSize', 0), /parts\[2\]\.codeSize is 0, should be/],
    ['parts with another code', says('model.parts.0.codeSize', 3), /parts\[0\]\.encoder\.outputs is 2, should be 3/],
    [
      'an encoder of other vertices',
      says('model.parts.1.encoder.inputs', 9),
      /parts\[1\]\.encoder\.inputs is 9, should be \d+, nine a vertex/,
    ],
    [
      'a decoder to other vertices',
      says('model.parts.1.decoder.outputs', 9),
      /parts\[1\]\.decoder\.outputs is 9, should be \d+, nine a vertex/,
    ],
    [
      'a decoder of another code',
      says('model.parts.1.decoder.inputs', 9),
      /parts\[1\]\.decoder\.inputs is 9, should be 2/,
    ],
    ['a layer without end', says('model.parts.1.encoder.hidden', [1e9]), /encoder\.hidden\[0\] is 1000000000/],
    ['no such activation', says('model.parts.1.encoder.activation', 'step'), /encoder\.activation is "step"/],
    ['no such output', says('model.parts.1.decoder.output', 'relu'), /decoder\.output is "relu", should be linear, /],
    [
      'fewer parts than the code has numbers for',
      (manifest) => manifest.model.parts.pop(),
      /model\.parts is 4, should be as many code values as the code has, 5/,
    ],
    ['a vertex that is not there', tensorValue('space.triangles', 4, 200), /space\.triangles\[4\] is 200 of 36/],
    ['a part with such a vertex', tensorValue('space.1.vertices', 2, 36), /space\.1\.vertices\[2\] is 36 of 36/],
    ['more vertices', says('model.vertices', 37), /space\.reference is \[36,3\], should be \[37,3\]/],
    ['more triangles', says('model.triangles', 80), /space\.triangles is \[68,3\], should be \[80,3\]/],
    ['features of no size', says('model.scale', 0), /model\.scale is 0, should be a positive/],
    ['fits of less than nothing', says('model.fitWeight', -1), /model\.fitWeight is -1, should be/],
    ['no patches', says('model.patches', 0), /model\.patches is 0, should be a whole number from 1/],
    ['a patch that is not there', tensorValue('patches', 1, 3), /patches\[1\] is 3 of 3/],
    ['a pair of such a patch', tensorValue('pairs', 3, 3), /pairs\[3\] is 3 of 3/],
    ['more pairs', says(`${network}.pairs`, 3), /pair\.places is \[8,4\], should be \[12,4\]/],
    ['a place at no frame', tensorValue('distance.pair.places', 4, 3), /pair\.places\[1\] is of frame 3, there are 3/],
    ['a middle at no frame', tensorValue('distance.pair.middles', 4, -1), /pair\.middles\[1\] is of frame -1/],
    ['more frames', says(`${network}.frames`, 4), /frames\.weight is \[36,36\], should be \[36,48\]/],
    ['no pieces', says('networks.distance.pieces', 0), /pieces is 0, should be a whole number from 1 to 65536/],
    ['more pieces', says('networks.distance.pieces', 5), /pieces\.weight is \[5,36\], should be \[5,45\]/],
    ['gaps of another code', says(`${network}.codeSize`, 4), /codeSize is 4, should be 5, the code's size/],
    [
      'joints, of which it has none',
      says('networks.distance.kind', 'posed-gaps'),
      /networks\.distance\.kind is "posed-/,
    ],
    ['neighbours of less than nothing', says('model.neighbours.along', -0.1), /neighbours\.along is -0\.1, should be/],
    ['nearness of less than nothing', says('model.neighbours.near', -1), /neighbours\.near is -1, should be/],
    ['a unit of nothing', says('model.metres', 0), /model\.metres is 0, should be a positive/],
    ['a box turned over', says('code.upper.2', -2), /code\.upper\[2\] is -2, should be more than the lower end, -1/],
    ['another answer', says('kind', 'signed-distance'), /kind is "signed-distance", should be 'self-distance'/],
  ]
  it.each(lies)('that says %s is refused in one line', async (_, change, message) => {
    const told = await refusal(changed(change))
    expect(told).toMatch(message)
    expect(told).not.toContain('\n')
  })

  it('without one of its tensors is refused by its name', async () => {
    for (const name of decodeSafetensors(bytes).tensors.keys()) {
      const told = await refusal(changed((_, tensors) => tensors.delete(name)))
      expect(told, name).toContain(name.replace('distance.', ''))
      expect(told).toMatch(/^artifact: [^\n]*\.$/)
    }
  })
})

/** Single precision of the layers allows no smaller steps; the least of two pairs has a kink, and the box ends. */
conformConfiguration({
  name: 'a space of shapes with random weights',
  make: () => load(bytes, { kind: 'shape-contact', backend: 'scalar' }),
  free: [],
  touching: [],
  gradientTolerance: 5e-3,
  step: 1e-3,
  kinks: 0.03,
})
