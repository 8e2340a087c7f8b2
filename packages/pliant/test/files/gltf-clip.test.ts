/** A clip that is put into a GLB leaves everything else in it as it was, and what does not fit is refused in one line. */
import { Logger, WebIO } from '@gltf-transform/core'
import { describe, expect, it } from 'vitest'
import { readGlbChunks, writeGlbChunks } from '../../src/files/glb-chunks.js'
import { readGltf } from '../../src/files/gltf.js'
import { clipIntoGlb, type GltfClip } from '../../src/files/gltf-clip.js'
import { embedCollider, extractCollider } from '../../src/files/gltf-collider.js'
import { parseJson } from '../../src/files/gltf-container.js'
import { composeMat4 } from '../../src/math/mat4.js'
import { riggedGlb, riggedGltf } from './gltf-sample.js'

type Json = Record<string, Record<string, unknown>[]>

const partsOf = (glb: Uint8Array) => {
  const { text, binary, others } = readGlbChunks(glb)
  return { json: parseJson(text) as Json, binary: binary ?? new Uint8Array(0), others }
}

function glbOf(json: object, binary: Uint8Array = new Uint8Array(0), others: Uint8Array[] = []): Uint8Array {
  return writeGlbChunks(new TextEncoder().encode(JSON.stringify(json)), binary, others)
}

const times = Float32Array.of(0, 0.25, 1)
const turns = Float32Array.of(0, 0, 0, 1, 0, 0.6, 0, 0.8, 0.6, 0, 0, 0.8)
const places = Float32Array.of(0, 1, 0, 0, 2, 0, 0, 3, 0)

/** Of the nodes of `riggedGlb`: the joints are `root` and `tip`. */
function clipFor(glb: Uint8Array, name = 'new', more: Partial<GltfClip> = {}): GltfClip {
  const names = readGltf(glb).nodes.map((node) => node.name)
  const [root, tip] = [names.indexOf('root'), names.indexOf('tip')]
  return {
    name,
    channels: [
      { node: tip, path: 'rotation', interpolation: 'LINEAR', times, values: turns },
      { node: root, path: 'translation', interpolation: 'LINEAR', times, values: places },
    ],
    ...more,
  }
}

it('is read back, and everything else has its bytes and numbers', async () => {
  const before = await riggedGlb()
  const copy = before.slice()
  const after = clipIntoGlb(before, clipFor(before))
  expect(before).toEqual(copy)
  expect(after.length % 4).toBe(0)
  const scene = readGltf(after)
  const added = scene.animations.pop()!
  expect(scene).toEqual(readGltf(before))
  expect([added.name, added.duration]).toEqual(['new', 1])
  expect(added.channels.map(({ path, times, values }) => [path, times, values])).toEqual([
    ['rotation', times, turns],
    ['translation', times, places],
  ])
  const [a, b] = [partsOf(before), partsOf(after)]
  expect(b.binary.subarray(0, a.binary.length)).toEqual(a.binary)
  for (const key of ['accessors', 'bufferViews', 'animations']) {
    expect(b.json[key].slice(0, a.json[key].length)).toEqual(a.json[key])
    delete a.json[key]
    delete b.json[key]
  }
  expect(b.json['buffers']).toEqual([{ ...a.json['buffers'][0], byteLength: b.binary.length }])
  expect({ ...b.json, buffers: 0 }).toEqual({ ...a.json, buffers: 0 })
})

it('has one list of times, with its bounds', async () => {
  const before = await riggedGlb()
  const { json } = partsOf(clipIntoGlb(before, clipFor(before)))
  const { samplers } = json['animations'].at(-1) as { samplers: { input: number; interpolation: string }[] }
  expect(new Set(samplers.map(({ input }) => input)).size).toBe(1)
  expect(json['accessors'][samplers[0].input]).toMatchObject({ count: 3, type: 'SCALAR', min: [0], max: [1] })
  expect(samplers.map(({ interpolation }) => interpolation)).toEqual(['LINEAR', 'LINEAR'])
})

it('keeps extensions, extras, colliders and chunks that nobody knows', async () => {
  const artifact = Uint8Array.of(1, 2, 3, 4, 5)
  const { json, binary } = partsOf(embedCollider(await riggedGlb(), artifact))
  const strange = {
    ...json,
    extensions: { ...json['extensions'], ACME_secret: { a: [1, { b: 'c' }] } },
    extras: { d: null },
  }
  const before = glbOf({ ...strange, extensionsUsed: ['PLIANT_collider', 'ACME_secret'] }, binary, [
    Uint8Array.of(4, 0, 0, 0, 1, 2, 3, 4, 9, 8, 7, 6),
  ])
  const after = clipIntoGlb(before, clipFor(before))
  const [a, b] = [partsOf(before), partsOf(after)]
  for (const key of ['extensions', 'extensionsUsed', 'extras', 'materials', 'meshes', 'images']) {
    expect(b.json[key], key).toEqual(a.json[key])
  }
  expect(b.others).toEqual(a.others)
  expect(extractCollider(after)).toEqual(artifact)
  // The collider ends at no multiple of four bytes, floats begin at one.
  expect(readGltf(after).animations.at(-1)!.channels[0].values).toEqual(turns)
})

describe('one of the same name', () => {
  it('is replaced where it is: what it did to the nodes of the clip is gone, what it did to others stays', async () => {
    const before = await riggedGlb()
    const once = clipIntoGlb(before, clipFor(before, 'other'))
    const after = readGltf(clipIntoGlb(once, clipFor(before, 'wave')))
    expect(after.animations.map(({ name }) => name)).toEqual(['wave', 'other'])
    const [wave, other] = after.animations
    // The strip's morph weights were animated by `wave` and are no business of the skeleton's.
    expect(wave.channels.map(({ path }) => path)).toEqual(['rotation', 'translation', 'weights'])
    const [, weights] = readGltf(before).animations[0].channels
    expect(wave.channels[2]).toEqual(weights)
    expect(wave.channels[0].values).toEqual(turns)
    expect(other).toEqual(readGltf(once).animations[1])
  })

  it('loses the motion of nodes that the clip leaves at rest, if they are named', async () => {
    const before = await riggedGlb()
    const [first, second] = clipFor(before, 'wave').channels
    const onlyRoot = { channels: [second] }
    const kept = readGltf(clipIntoGlb(before, clipFor(before, 'wave', onlyRoot))).animations[0]
    expect(kept.channels.map(({ path }) => path)).toEqual(['translation', 'rotation', 'weights'])
    const all = { ...onlyRoot, nodes: [first.node, second.node] }
    const named = readGltf(clipIntoGlb(before, clipFor(before, 'wave', all))).animations[0]
    expect(named.channels.map(({ path }) => path)).toEqual(['translation', 'weights'])
  })
})

it('splits the matrix of a node that it moves, which the format does not allow to be animated', async () => {
  const { json, binary } = partsOf(await riggedGlb())
  const at = json['nodes'].findIndex(({ name }) => name === 'tip')
  const matrix = new Float64Array(16)
  composeMat4([1, 2, 3], [0, 0.6, 0, 0.8], [1, 2, 3], 0, matrix, 0)
  const { translation: _, ...tip } = json['nodes'][at]
  const nodes = json['nodes'].with(at, { ...tip, matrix: [...matrix] })
  const before = glbOf({ ...json, nodes }, binary)
  const after = readGltf(clipIntoGlb(before, clipFor(before))).nodes[at]
  expect(after.parts!.translation).toEqual([1, 2, 3])
  after.localMatrix.forEach((value, i) => {
    expect(value).toBeCloseTo(matrix[i], 12)
  })
  const flat = glbOf({ ...json, nodes: nodes.with(at, { ...tip, matrix: new Array(16).fill(0) }) }, binary)
  expect(() => clipIntoGlb(flat, clipFor(before))).toThrow(/the matrix of nodes\[\d\] is no translation, rotation and/)
  const sheared = glbOf({ ...json, nodes: nodes.with(at, { ...tip, matrix: [...matrix].with(4, 5) }) }, binary)
  expect(() => clipIntoGlb(sheared, clipFor(before))).toThrow(
    /the matrix of nodes\[\d\] is no translation, rotation and/,
  )
})

it('is taken by glTF-Transform without a complaint', async () => {
  const before = await riggedGlb()
  const complaints: string[] = []
  const logger = new Logger(Logger.Verbosity.SILENT)
  logger.warn = logger.error = (text: string) => void complaints.push(text)
  const document = await new WebIO().setLogger(logger).readBinary(clipIntoGlb(before, clipFor(before)))
  const animation = document.getRoot().listAnimations().at(-1)!
  expect(
    animation.listChannels().map((channel) => [channel.getTargetNode()!.getName(), channel.getTargetPath()]),
  ).toEqual([
    ['tip', 'rotation'],
    ['root', 'translation'],
  ])
  expect(animation.listSamplers()[0].getOutput()!.getArray()).toEqual(turns)
  expect(complaints.filter((text) => !text.includes('gone.png'))).toEqual([])
})

it('goes into a file without buffers', () => {
  const before = glbOf({ asset: { version: '2.0' }, nodes: [{ name: 'root' }, { name: 'tip' }] })
  expect(readGltf(clipIntoGlb(before, clipFor(before))).animations[0].channels[0].values).toEqual(turns)
})

describe('is refused in one line', () => {
  it('where the file cannot take it', async () => {
    const text = await riggedGltf()
    const glb = await riggedGlb()
    expect(() => clipIntoGlb(text, clipFor(glb))).toThrow('gltf: a clip is put into a .glb only; save it as .glb.')
    expect(() => clipIntoGlb(glb.subarray(0, 40), clipFor(glb))).toThrow(/check it was written completely/)
    const { json, binary } = partsOf(glb)
    const beside = glbOf({ ...json, buffers: [{ ...json['buffers'][0], uri: 'beside.bin' }] }, binary)
    expect(() => clipIntoGlb(beside, clipFor(glb))).toThrow(
      'gltf: buffers[0] has no bytes in the GLB; save it as one .glb with everything inside.',
    )
  })

  const wrong: [string, (channel: GltfClip['channels'][number]) => object, RegExp][] = [
    ['a node that is not there', () => ({ node: 99 }), /rotation of node 99, the file has \d nodes/],
    ['NaN', () => ({ values: turns.with(6, Number.NaN) }), /has NaN at key 1 of the rotation of node/],
    ['times that fall', () => ({ times: Float32Array.of(0, 1, 0.5) }), /the time 0.5 at key 2/],
    ['times that stand', () => ({ times: Float32Array.of(0, 1, 1) }), /the time 1 at key 2/],
    ['times before 0', () => ({ times: Float32Array.of(-1, 0, 1) }), /the time -1 at key 0/],
    ['no time', () => ({ times: Float32Array.of(0, 1, Number.NaN) }), /the time NaN at key 2/],
    ['too few numbers', () => ({ values: turns.subarray(1) }), /3 times for 11 numbers/],
    ['no keys', () => ({ times: new Float32Array(0), values: new Float32Array(0) }), /0 times for 0 numbers/],
  ]
  it.each(wrong)('for %s', async (_, change, message) => {
    const glb = await riggedGlb()
    const clip = clipFor(glb)
    const channels = [{ ...clip.channels[0], ...change(clip.channels[0]) }, clip.channels[1]]
    expect(() => clipIntoGlb(glb, { ...clip, channels })).toThrow(message)
  })

  it('for a property twice, or none', async () => {
    const glb = await riggedGlb()
    const clip = clipFor(glb)
    const channels = [clip.channels[0], clip.channels[0]]
    expect(() => clipIntoGlb(glb, { ...clip, channels })).toThrow(/rotation of node \d twice/)
    expect(() => clipIntoGlb(glb, { ...clip, channels: [] })).toThrow("gltf: clip 'new' moves nothing;")
  })
})
