/** An artifact inside a GLB must come out as it went in, and nobody else may notice it: not even byte by byte. */
import { existsSync, readFileSync } from 'node:fs'
import { Document, Logger, WebIO } from '@gltf-transform/core'
import { describe, expect, it, test } from 'vitest'
import { readGlbChunks, writeGlbChunks } from '../../src/files/glb-chunks.js'
import { readGltf } from '../../src/files/gltf.js'
import { COLLIDER_EXTENSION, embedCollider, extractCollider, glbNodeNames } from '../../src/files/gltf-collider.js'
import { parseJson } from '../../src/files/gltf-container.js'
import { randomStream } from '../../src/math/random.js'
import { loadWithThree, skinnedVertices } from '../model/three-reference.js'
import { riggedGlb, riggedGltf } from './gltf-sample.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)

function randomBytes(length: number, seed: number): Uint8Array {
  const random = randomStream(seed)
  return Uint8Array.from({ length }, () => random.below(256))
}

const partsOf = (glb: Uint8Array) => {
  const { text, binary } = readGlbChunks(glb)
  return { json: parseJson(text) as Record<string, unknown[]>, binary: binary ?? new Uint8Array(0) }
}

/** At once: a matcher goes through megabytes one by one. */
const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

function glbOf(json: object, binary = new Uint8Array(0), others: Uint8Array[] = []): Uint8Array {
  return writeGlbChunks(new TextEncoder().encode(JSON.stringify(json)), binary, others)
}

function expectUntouched(before: Uint8Array, after: Uint8Array): void {
  const [a, b] = [partsOf(before), partsOf(after)]
  const { extensions, extensionsUsed, buffers, bufferViews, ...rest } = b.json
  const { extensions: _, extensionsUsed: used = [], buffers: oldBuffers, bufferViews: views = [], ...oldRest } = a.json
  expect(rest).toEqual(oldRest)
  expect(bufferViews.slice(0, views.length)).toEqual(views)
  expect(extensionsUsed).toEqual([...used, COLLIDER_EXTENSION])
  expect(rest['extensionsRequired']).toEqual(oldRest['extensionsRequired'])
  expect(buffers.slice(1)).toEqual(oldBuffers?.slice(1) ?? [])
  expect(sameBytes(b.binary.subarray(0, a.binary.length), a.binary)).toBe(true)
}

describe.each([0, 1, 2, 3, 4097])('an artifact of %i bytes', (length) => {
  it(`comes out of the GLB as it went in, and all else stays (seed ${length})`, async () => {
    const glb = await riggedGlb()
    const artifact = randomBytes(length, length)
    const carrying = embedCollider(glb, artifact)
    expect(extractCollider(carrying)).toEqual(artifact)
    expect(carrying.length % 4).toBe(0)
    expectUntouched(glb, carrying)
    expect(readGltf(carrying)).toEqual(readGltf(glb))
  })
})

it('replaces the artifact that is there: the second export leaves nothing of the first', async () => {
  const glb = await riggedGlb()
  const first = embedCollider(glb, randomBytes(1001, 1))
  const second = embedCollider(first, randomBytes(333, 2))
  expect(second).toEqual(embedCollider(glb, randomBytes(333, 2)))
})

it('leaves what another program put behind the artifact where it is', async () => {
  const artifact = randomBytes(100, 3)
  const { json, binary } = partsOf(embedCollider(await riggedGlb(), artifact))
  const behind = Uint8Array.from([...binary, 1, 2, 3, 4])
  const buffers = [{ byteLength: behind.length }]
  const bufferViews = [...json['bufferViews'], { buffer: 0, byteOffset: binary.length, byteLength: 4 }]
  const glb = glbOf({ ...json, buffers, bufferViews }, behind)
  const again = embedCollider(glb, artifact.subarray(50))
  expect(extractCollider(again)).toEqual(artifact.subarray(50))
  expect(partsOf(again).binary.subarray(0, behind.length)).toEqual(behind)
  expect(partsOf(again).json['bufferViews']).toHaveLength(bufferViews.length)
})

it('keeps chunks of other kinds and takes a GLB without buffers', () => {
  const bare = glbOf({ asset: { version: '2.0' } }, undefined, [Uint8Array.of(4, 0, 0, 0, 1, 2, 3, 4, 9, 8, 7, 6)])
  const carrying = embedCollider(bare, Uint8Array.of(1, 2, 3))
  expect(extractCollider(carrying)).toEqual(Uint8Array.of(1, 2, 3))
  expect(readGlbChunks(carrying).others).toEqual(readGlbChunks(bare).others)
})

describe('other readers', () => {
  it('glTF-Transform and three.js read the same scene as before', async () => {
    const glb = await riggedGlb()
    const carrying = embedCollider(glb, randomBytes(501, 4))
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT))
    const [before, after] = await Promise.all([glb, carrying].map((bytes) => io.readBinary(bytes)))
    expect(
      after
        .getRoot()
        .listNodes()
        .map((node) => node.getName()),
    ).toEqual(
      before
        .getRoot()
        .listNodes()
        .map((node) => node.getName()),
    )
    expect(
      after
        .getRoot()
        .listAccessors()
        .map((accessor) => accessor.getArray()),
    ).toEqual(
      before
        .getRoot()
        .listAccessors()
        .map((accessor) => accessor.getArray()),
    )
    const [a, b] = await Promise.all([glb, carrying].map(loadWithThree))
    expect(skinnedVertices(b.scene)).toEqual(skinnedVertices(a.scene))
  })

  test.skipIf(!existsSync(folder)).each(['rig-fox.glb', 'rig-kaykit-knight.glb', 'rig-makehuman-cmu31.glb'])(
    '%s is read as before by three.js and by us',
    async (name) => {
      const glb = new Uint8Array(readFileSync(new URL(name, folder)))
      const carrying = embedCollider(glb, randomBytes(4321, 5))
      expectUntouched(glb, carrying)
      const [a, b] = await Promise.all([glb, carrying].map(loadWithThree))
      const [before, after] = [a, b].map(
        ({ scene }) => new Uint8Array(Float64Array.from(skinnedVertices(scene)).buffer),
      )
      expect(sameBytes(before, after)).toBe(true)
      expect(b.animations.length).toBe(a.animations.length)
      expect(glbNodeNames(carrying)).toEqual(readGltf(glb).nodes.map((node) => node.name))
    },
  )
})

describe('bad input', () => {
  it('that carries nothing gives nothing', async () => {
    expect(extractCollider(await riggedGlb())).toBeUndefined()
    expect(extractCollider(Uint8Array.of(1, 2, 3))).toBeUndefined()
  })

  it('is refused in one line', async () => {
    const artifact = Uint8Array.of(1)
    const asset = { version: '2.0' }
    const glb = await riggedGlb()
    const cases: [() => unknown, RegExp][] = [
      [() => embedCollider(Uint8Array.of(1, 2, 3), artifact), /travels in a \.glb only/],
      [() => embedCollider(glb.subarray(0, 50), artifact), /written completely/],
      [
        () => embedCollider(glbOf({ asset, buffers: [{ uri: 'a.bin', byteLength: 1 }] }), artifact),
        /buffers\[0\] has no/,
      ],
      [() => embedCollider(glbOf({ asset, buffers: [{ byteLength: 9 }] }), artifact), /buffers\[0\] has no bytes/],
      [() => embedCollider(glbOf({ asset, bufferViews: 3 }), artifact), /bufferViews is/],
      [
        () => extractCollider(glbOf({ extensions: { [COLLIDER_EXTENSION]: { bufferView: 3 } } })),
        /3 of 0 buffer views/,
      ],
      [
        () =>
          extractCollider(
            glbOf({
              bufferViews: [{ buffer: 0, byteLength: 99 }],
              extensions: { [COLLIDER_EXTENSION]: { bufferView: 0 } },
            }),
          ),
        /of the collider has no bytes/,
      ],
    ]
    for (const [work, message] of cases) expect(work).toThrow(message)
    const text = await riggedGltf()
    expect(() => embedCollider(text, artifact)).toThrow(/save it as \.glb/)
  })

  it('with bytes flipped or cut is refused in one line if at all (seed 6)', async () => {
    const random = randomStream(6)
    const artifact = randomBytes(64, 7)
    const carrying = embedCollider(await new WebIO().writeBinary(new Document()), artifact)
    for (let n = 0; n < 500; n++) {
      const changed = carrying.slice(0, random.below(4) === 0 ? random.below(carrying.length) : carrying.length)
      if (changed.length > 0) changed[random.below(changed.length)] ^= 1 << random.below(8)
      try {
        extractCollider(changed)
      } catch (error) {
        expect((error as Error).message).toMatch(/^gltf: [^\n]*$/)
      }
    }
  })
})
