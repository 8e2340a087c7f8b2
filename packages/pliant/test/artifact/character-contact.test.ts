/** The file of a character with self-contact: what is in it comes back bit for bit, and what lies about itself is refused. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import type { CharacterContactArtifact } from '../../src/artifact/kinds/character-contact.js'
import { characterAsStored } from '../../src/artifact/kinds/stored-character.js'
import type { CollisionStateNetwork } from '../../src/artifact/networks/collision-state.js'
import type { PosedGapsNetwork } from '../../src/artifact/networks/posed-gaps.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from '../../src/artifact/safetensors.js'
import { decode, load } from '../../src/index.js'
import { randomStream } from '../../src/math/random.js'
import { characterShape } from '../../src/model/character-shape.js'
import { JointCode } from '../../src/model/joint-code.js'
import { JointSpaces } from '../../src/model/joint-spaces.js'
import { SkinnedCharacter } from '../../src/model/skinned-character.js'
import { CollisionDetector } from '../../src/net/collision-state/collision-detector.js'
import { PosedGapNetwork } from '../../src/net/gaps/posed-gap-network.js'
import { conformConfiguration } from '../field/configuration-conformance.js'
import { characterContactExample, characterContactFile, MEETS_AT } from './character-contact-example.js'
import { foldingTube } from './folding-tube.js'

const bytes = await characterContactFile('random')
const ofPaper = await characterContactFile('state')

async function refusal(changed: Uint8Array): Promise<string> {
  try {
    await decode(changed)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

type Change = (manifest: CharacterContactArtifact['manifest'], tensors: Map<string, StoredTensor>) => void

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

/** All that shapes are made of, as plain data. */
function contentOf({ skeleton, surface, code, height, skinning }: SkinnedCharacter) {
  const { names, parents, root, rest } = skeleton
  const { joints, axes, units, carriers, bases, fixed, bounds, largestAngle } = code
  const ofCode = { joints, axes, units, carriers, bases, fixed, bounds, largestAngle }
  return { names, parents, root, rest, surface, height, skinning, ...ofCode }
}

describe('the file of a character with self-contact', () => {
  it('comes back as it was written, and writes the same bytes again', async () => {
    const original = characterContactExample()
    const read = await decode(bytes, 'character-contact')
    // JSON has no negative zero.
    expect(read.manifest).toEqual(JSON.parse(JSON.stringify(original.manifest)))
    expect(contentOf(read.character)).toEqual(contentOf(original.character))
    expect(read.pairs).toEqual(original.pairs)
    expect(read.heldOut).toEqual(original.heldOut)
    for (const [name, data] of original.networks.distance) expect(read.networks.distance.get(name), name).toEqual(data)
    expect(await encode(read)).toEqual(bytes)
  })

  it('holds the character that characterAsStored foretells, with morph targets at their weights', async () => {
    const tube = foldingTube()
    // Bound positions that single precision cannot hold, weights that are packed, and a target that is half on.
    tube.surface.bound.forEach((value, i) => {
      tube.surface.bound[i] = value + 1e-9 * i
    })
    const offsets = Float64Array.from(tube.surface.bound, (_, i) => 0.01 * Math.sin(i))
    const vertices = Uint32Array.from({ length: tube.vertexCount }, (_, vertex) => vertex)
    const surface = {
      ...tube.surface,
      morphTargets: [{ name: 'swell', vertices, offsets }],
      morphWeights: Float64Array.of(0.5),
    }
    const { skeleton, code, height, skinning } = tube
    const given = new SkinnedCharacter({ skeleton, code, height, skinning, surface })
    const foretold = characterAsStored(given)
    const artifact = characterContactExample()
    artifact.character = given
    const read = await decode(await encode(artifact), 'character-contact')
    expect(contentOf(read.character)).toEqual(contentOf(foretold))
    expect(contentOf(characterAsStored(foretold))).toEqual(contentOf(foretold))
    const [due, stored] = [given, foretold].map((character) => {
      const positions = new Float64Array(3 * character.vertexCount)
      character.positions([0.3, 0.1, -0.2], positions)
      return positions
    })
    expect(Math.max(...due.map((value, i) => Math.abs(value - stored[i])))).toBeLessThan(2e-4)
  })

  it('loads as a field over joint angles with named pairs, for who names the kind; nobody else is handed it', async () => {
    const { character, manifest, networks } = characterContactExample()
    const field = await load(bytes, { kind: 'character-contact', backend: 'scalar' })
    expect(field.bounds).toEqual(character.bounds)
    expect(field.pairs).toEqual([
      ['root', 'second'],
      ['root', 'third'],
      ['first', 'third'],
    ])
    const { shape } = manifest.networks.distance as PosedGapsNetwork
    const joints = new JointSpaces(character.code)
    const network = await PosedGapNetwork.create(shape, networks.distance, joints, { backend: 'scalar' })
    const codes = Float64Array.of(0.2, -0.4, 0.9, 1, 0.3, -1)
    const [distances, gradients] = [new Float64Array(2), new Float64Array(6)]
    const [due, dueGradients] = [new Float64Array(2), new Float64Array(6)]
    field.query(codes, 2, distances, gradients)
    network.query(codes, 2, due, dueGradients)
    expect(distances).toEqual(due)
    expect(gradients).toEqual(dueGradients)
    expect(due[0]).not.toBe(due[1])
    await expect(load(bytes)).rejects.toThrow(
      "load: 'tube' answers self-distance, not signed-distance of points; pass { kind: 'character-contact' }.",
    )
  })

  it('with any field of its manifest removed or of another type is refused (every path)', async () => {
    const paths = leafPaths(JSON.parse(decodeSafetensors(bytes).metadata['manifest']))
    expect(paths.length).toBeGreaterThan(60)
    for (const path of paths) {
      for (const value of [undefined, null, { a: 1 }]) {
        // JSON leaves out what is undefined; entries of lists leave a hole, which it writes as null.
        if (value === undefined && /^\d+$/.test(path.at(-1)!)) continue
        const message = await refusal(changed(says(path.join('.'), value)))
        expect(message, `${path.join('.')} = ${JSON.stringify(value)}`).toMatch(/^artifact: [^\n]*\.$/)
      }
    }
  })

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
    ['a bone that is not there', tensorValue('pairs', 3, 4), /pairs\[3\] is 4 of 4/],
    ['more pairs', says(`${network}.pairs`, 4), /pair\.places is \[12,4\], should be \[16,4\]/],
    ['no pairs', says(`${network}.pairs`, 0), /shape\.pairs is 0, should be a whole number from 1/],
    ['more places', says(`${network}.places`, 3), /pair\.places is \[12,4\], should be \[18,4\]/],
    ['no places', says(`${network}.places`, 0), /shape\.places is 0, should be a whole number from 1/],
    ['more seen than there are', says(`${network}.seen`, 3), /shape\.seen is 3, should be a whole number from 1 to 2/],
    ['no softness', says(`${network}.softness`, 0), /shape\.softness is 0, should be a positive/],
    ['metres worth nothing', says(`${network}.perMetre`, 0), /shape\.perMetre is 0, should be a positive/],
    ['a place at no frame', tensorValue('distance.pair.places', 4, 4), /pair\.places\[1\] is of frame 4, there are 4/],
    ['a place at half a frame', tensorValue('distance.pair.places', 0, 1.5), /pair\.places\[0\] is of frame 1\.5/],
    ['a middle at no frame', tensorValue('distance.pair.middles', 20, -1), /pair\.middles\[5\] is of frame -1/],
    ['another skeleton', says(`${network}.frames`, 5), /shape\.frames is 5, should be 4, as the skeleton has/],
    ['a network of another code', says(`${network}.codeSize`, 4), /codeSize is 4, should be 3, the code's size/],
    ['no such activation', says(`${network}.activation`, 'step'), /activation is "step"/],
    ['a layer without end', says(`${network}.hidden`, [1e9]), /shape\.hidden\[0\] is 1000000000/],
    ['another kind of network', says('networks.distance.kind', 'gaps'), /networks\.distance\.kind is "gaps"/],
    ['neighbours of less than nothing', says('model.neighbours.along', -0.1), /neighbours\.along is -0\.1, should be/],
    ['nearness of less than nothing', says('model.neighbours.near', -1), /neighbours\.near is -1, should be/],
    ['a unit of nothing', says('model.metres', 0), /model\.metres is 0, should be a positive/],
    ['a box turned over', says('code.upper.2', -2), /code\.upper\[2\] is -2, should be more than the lower end, -1/],
    ['another answer', says('kind', 'signed-distance'), /kind is "signed-distance", should be 'self-distance'/],
    ['more poses to judge by', says('model.heldOut.poses', 3), /heldOut\.rotations is \[2,4,4\], should be \[3,4,4\]/],
    ['fewer vertices', says('model.surface.vertices', 121), /surface\.influenceStarts is \[123\], should be \[122\]/],
    ['a vertex that is not there', tensorValue('surface.triangles', 4, 200), /surface\.triangles\[4\] is 200 of 122/],
    ['a joint that is not there', tensorValue('code.joint', 2, 9), /code\.joint\[2\] is 9 of 4/],
    ['a code out of order', tensorValue('code.joint', 0, 3), /joint code: its joints are not in rising order/],
    ['a joint that hangs from itself', tensorValue('skeleton.parents', 2, 2), /joint 2/],
    ['influences that fall', tensorValue('surface.influenceStarts', 5, 0), /influenceStarts does not rise/],
  ]
  it.each(lies)('that says %s is refused in one line', async (_, change, message) => {
    const told = await refusal(changed(change))
    expect(told).toMatch(message)
    expect(told).not.toContain('\n')
  })
})

const shipped = new URL('../../../../apps/studio/public/artifacts/', import.meta.url)
describe.each(['humanoid-contact', 'humanoid'])('the file of a %s from before there were carriers', (name) => {
  const file = new URL(`${name}.safetensors`, shipped)
  it.skipIf(!existsSync(file))('has none, and is written as it was read', async () => {
    const stored = new Uint8Array(readFileSync(file))
    const read = await decode(stored)
    const { code, skeleton } = (read as CharacterContactArtifact).character
    expect(code.carriers).toBeUndefined()
    expect(code.carried).toBe(skeleton)
    expect(Buffer.compare(await encode(read), stored)).toBe(0)
  })
})

describe('the file of a character whose joints are carried by others than they hang from', () => {
  const bases = Float64Array.from({ length: 16 }, (_, i) => [0, 0.6, 0, 0.8][i % 4])
  const { skeleton, surface, code, height, skinning } = foldingTube('flat')
  /** Measured about other axes, which need not be there. */
  const turned = new SkinnedCharacter({
    ...{ skeleton, surface, height, skinning },
    code: new JointCode(skeleton, { ...code, carriers: code.carriers, bases }),
  })

  it.each(['their own', 'other'])('gives carriers back, and %s axes, and writes the same bytes again', async (axes) => {
    const original = characterContactExample('random', 'flat')
    if (axes === 'other') original.character = characterAsStored(turned)
    const flat = await encode(original)
    const read = await decode(flat, 'character-contact')
    expect(read.character.code.carriers).toEqual(Int32Array.of(-1, 0, 1, 2))
    expect(read.character.code.bases).toEqual(axes === 'other' ? bases : undefined)
    expect(contentOf(read.character)).toEqual(contentOf(original.character))
    expect(read.heldOut).toEqual(original.heldOut)
    expect(await encode(read)).toEqual(flat)
  })

  it('answers codes as if its joints hung from each other, gradients and exact tests too (seed 33)', async () => {
    const random = randomStream(33)
    const flat = await decode(await characterContactFile('random', undefined, 'flat'), 'character-contact')
    const fields = [await load(flat, { backend: 'scalar' }), await load(bytes, { kind: 'character-contact' })]
    const shapes = fields.map(({ character }) => characterShape(character))
    expect(shapes[0].parts).toEqual(shapes[1].parts)
    for (let round = 0; round < 20; round++) {
      const asked = Float64Array.from({ length: 3 }, () => random.between(-0.9, 0.9))
      const [a, b] = fields.map((field) => {
        const [distance, gradient] = [new Float64Array(1), new Float64Array(3)]
        field.query(asked, 1, distance, gradient)
        return [...distance, ...gradient]
      })
      a.forEach((value, i) => {
        expect(value).toBeCloseTo(b[i], 5)
      })
      const [here, there] = shapes.map((shape) => {
        const positions = new Float64Array(3 * shape.vertexCount)
        shape.positions(asked, positions)
        return positions
      })
      here.forEach((value, i) => {
        expect(value).toBeCloseTo(there[i], 12)
      })
    }
  })

  it.each([
    [
      'one beyond the joints',
      [2, 4],
      /joint 2 \('second'\) is carried by 4; give its parent, 0, or both below the root\.$/,
    ],
    ['one before the first', [2, -1], /joint 2 \('second'\) is carried by -1; give its parent/],
    ['itself', [2, 2], /joint 'second' is carried in a circle; give carriers that end\.$/],
    ['what it carries', [1, 3], /joint 'first' is carried in a circle; give carriers that end\.$/],
    ['one for the root', [0, 2], /joint 0 \('root'\) is carried by 2; give its parent, -1/],
  ] as const)('is refused in one line if a carrier is %s', async (_, [place, value], message) => {
    const flat = await characterContactFile('random', undefined, 'flat')
    const told = await refusal(changed(tensorValue('code.carrier', place, value), flat))
    expect(told).toMatch(message)
    expect(told).not.toContain('\n')
  })

  it('is refused with axes that are none, and axes without carriers', async () => {
    const flat = await encode({ ...characterContactExample('random', 'flat'), character: turned })
    expect(await refusal(changed(tensorValue('code.basis', 9, 3), flat))).toMatch(/the axes of joint 2 are no rotation/)
    const alone = changed((_, tensors) => tensors.delete('code.carrier'), flat)
    expect(await refusal(alone)).toBe(
      'joint code: it has axes of its own without carriers; give both, or leave axes out.',
    )
  })
})

describe("the file of a character with the paper's network", () => {
  it('comes back as it was written, and writes the same bytes again', async () => {
    const original = characterContactExample('state')
    const read = await decode(ofPaper, 'character-contact')
    expect(read.manifest).toEqual(JSON.parse(JSON.stringify(original.manifest)))
    expect(read.pairs).toEqual(new Uint32Array(0))
    for (const [name, data] of original.networks.distance) expect(read.networks.distance.get(name), name).toEqual(data)
    expect(await encode(read)).toEqual(ofPaper)
  })

  it('loads as a field over joint angles that tells depths of its parts and no clearances', async () => {
    const { manifest, networks } = characterContactExample('state')
    const field = await load(ofPaper, { kind: 'character-contact', backend: 'scalar' })
    const { shape } = manifest.networks.distance as CollisionStateNetwork
    const detector = await CollisionDetector.create(shape, networks.distance, { backend: 'scalar' })
    const [code, outside] = [Float64Array.of(0.2, -1, 0.9), Float64Array.of(0.2, -3, 0.9)]
    const [distance, due] = [new Float64Array(1), new Float64Array(1)]
    detector.query(code, 1, due)
    for (const at of [code, outside]) {
      field.query(at, 1, distance)
      expect(distance).toEqual(due)
    }
    const [states, depths, distances] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)]
    const [gradients, dueGradients] = [new Float64Array(12), new Float64Array(12)]
    detector.queryDepths(code, states, dueGradients)
    for (const at of [code, outside]) {
      field.depths!.query(at, depths)
      expect(depths).toEqual(states.map((state) => 0.05 * state))
      field.depths!.queryDomains(at, distances, gradients)
      expect(distances).toEqual(states.map((state) => 0.2 * (0.6 - state)))
      expect(gradients).toEqual(dueGradients.map((slope) => -0.2 * slope))
    }
    expect(field.pairs).toEqual([])
    expect(() => field.clearances(code, new Float64Array(0))).toThrow(
      /^self-contact: the paper's network tells no clear/,
    )
    expect((await load(bytes, { kind: 'character-contact' })).depths).toBeUndefined()
  })

  it('with any field of its network removed or of another type is refused (every path)', async () => {
    const all = leafPaths(JSON.parse(decodeSafetensors(ofPaper).metadata['manifest']))
    const paths = all.filter(([first]) => first === 'networks')
    expect(paths).toHaveLength(1 + 1 + 3 + 2 + 1 + 1 + 1 + 4)
    for (const path of paths) {
      for (const value of [undefined, null, { a: 1 }, -1]) {
        if (value === undefined && /^\d+$/.test(path.at(-1)!)) continue
        const message = await refusal(changed(says(path.join('.'), value), ofPaper))
        expect(message, `${path.join('.')} = ${JSON.stringify(value)}`).toMatch(/^artifact: [^\n]*\.$/)
      }
    }
  })

  const network = 'networks.distance.shape'
  it.each([
    ['no domains', says(`${network}.domains`, []), /domains is \[\], should be a list of 1 to 4096 domains/],
    [
      'an entry beyond the code',
      says(`${network}.domains.1.0`, 3),
      /domains\[1\]\[0\] is 3, should be a whole number from 0 to 2/,
    ],
    ['an entry twice', says(`${network}.domains.1`, [1, 1]), /domains\[1\] is \[1,1\], should be a list of entries/],
    ['one domain more', says(`${network}.domains.4`, []), /predictor\.0\.weight is \[4,7,5\], should be \[5,7,5\]/],
    ['a layer without end', says(`${network}.encoder`, [1e9]), /encoder\[0\] is 1000000000/],
    ['another state', says(`${network}.state`, 7), /encoder\.2\.weight is \[8,6\], should be \[8,7\]/],
    ['a unit of nothing', says(`${network}.perLogit`, 0), /perLogit is 0, should be a positive number/],
    ['a limit below nothing', says(`${network}.limit`, -0.1), /limit is -0\.1, should be zero or more/],
    [
      'a weight that is none',
      tensorValue('distance.classifier.0.weight', 2, Number.NaN),
      /classifier\.0\.weight has NaN at value 2/,
    ],
    ['a network of another code', says(`${network}.codeSize`, 4), /codeSize is 4, should be 3, the code's size/],
  ] as [string, Change, RegExp][])('that says %s is refused in one line', async (_, change, message) => {
    const told = await refusal(changed(change, ofPaper))
    expect(told).toMatch(message)
    expect(told).not.toContain('\n')
  })
})

describe('clearances of pairs', () => {
  const random = randomStream(31)
  const anyCode = () => Float64Array.from({ length: 3 }, () => random.between(-0.9, 0.9))

  it('are metres of what the network says, the least of them the distance', async () => {
    const field = await load(await characterContactFile('ends'), { kind: 'character-contact', backend: 'scalar' })
    const [out, distance] = [new Float64Array(3), new Float64Array(1)]
    const code = Float64Array.of(0.2, 0.3, 0.1)
    field.clearances(code, out)
    // Bones of a metre, each turned on by its joint.
    const turns = [0, 0.2, 0.5, 0.6].map((turn) => Math.PI * turn)
    const end = [Math.cos, Math.sin].map((along) => turns.reduce((sum, turn) => sum + along(turn), 0))
    expect(out[1]).toBeCloseTo(0.8 * (Math.hypot(end[0] - 1, end[1] + 0.7) - MEETS_AT), 5)
    field.query(code, 1, distance)
    expect(distance[0]).toBeCloseTo(Math.min(...out) / 0.8, 6)
  })

  it('have the gradients of differences, all pairs at once (seed 31)', async () => {
    const field = await load(bytes, { kind: 'character-contact', backend: 'scalar' })
    const [above, below, gradient] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)]
    for (let round = 0; round < 20; round++) {
      const code = anyCode()
      const by = Float64Array.from({ length: 3 }, () => random.normal())
      field.clearances(code, above)
      field.pullBackClearances(by, gradient)
      for (let k = 0; k < 3; k++) {
        const h = 1e-3
        field.clearances(code.with(k, code[k] + h), above)
        field.clearances(code.with(k, code[k] - h), below)
        const due = by.reduce((sum, weight, pair) => sum + (weight * (above[pair] - below[pair])) / (2 * h), 0)
        expect(Math.abs(gradient[k] - due)).toBeLessThan(3e-3 * (1 + Math.abs(due)))
      }
    }
  })

  it('outside the box are those of the code itself, gradients as well; distances are those at its nearest code', async () => {
    const field = await load(bytes, { kind: 'character-contact', backend: 'scalar' })
    const [outside, onto] = [Float64Array.of(1.7, 0.3, -1.4), Float64Array.of(1, 0.3, -1)]
    const clearancesAt = (code: Float64Array): Float64Array => {
      const out = new Float64Array(3)
      field.clearances(code, out)
      return out
    }
    const distances = [outside, onto].map((code) => {
      const [distance, gradient] = [new Float64Array(1), new Float64Array(3)]
      field.query(code, 1, distance, gradient)
      return { distance, gradient }
    })
    expect(distances[0]).toEqual(distances[1])
    expect(clearancesAt(outside)).not.toEqual(clearancesAt(onto))
    const [by, slopes] = [[1, -2, 3], new Float64Array(3)]
    clearancesAt(outside)
    field.pullBackClearances(by, slopes)
    for (let k = 0; k < 3; k++) {
      const [ahead, behind] = [1e-3, -1e-3].map((step) =>
        clearancesAt(outside.with(k, outside[k] + step)).reduce(
          (sum, clearance, pair) => sum + by[pair] * clearance,
          0,
        ),
      )
      expect(slopes[k]).toBeCloseTo((ahead - behind) / 2e-3, 2)
    }
  })
})

/** Single precision of the layers allows no smaller steps; the least of three pairs has kinks, and the box ends. */
const STEP = 1e-3
conformConfiguration({
  name: 'a character with random weights',
  make: () => load(bytes, { kind: 'character-contact', backend: 'scalar' }),
  free: [],
  touching: [],
  gradientTolerance: 5e-3,
  step: STEP,
  kinks: 0.03,
})
conformConfiguration({
  name: "a character with random weights of the paper's network",
  make: () => load(ofPaper, { kind: 'character-contact', backend: 'scalar' }),
  free: [],
  touching: [],
  gradientTolerance: 5e-3,
  step: STEP,
  kinks: 0.02,
})
conformConfiguration({
  name: 'a character whose ends meet',
  make: async () => load(await characterContactFile('ends'), { kind: 'character-contact', backend: 'scalar' }),
  free: [
    [0, 0, 0],
    [0.5, 0.5, 0.3],
    [-0.45, 0.5, 0.5],
  ],
  touching: [
    [0.55, 0.55, 0.55],
    [0.2, 0.9, 0.5],
  ],
  gradientTolerance: 1e-3,
  step: STEP,
  kinks: 0.02,
})

function leafPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [path]
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...path, key]))
}
