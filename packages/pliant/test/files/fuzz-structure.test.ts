/**
 * Files damaged in what they mean rather than in their bytes: JSON that parses, with values of another kind, indices
 * that point elsewhere, lists that are repeated. Refused in one line of ours or read soundly, never anything else.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import { decodeSafetensors, encodeSafetensors } from '../../src/artifact/safetensors.js'
import { readAnime } from '../../src/files/anime.js'
import { FileError } from '../../src/files/file-error.js'
import { readGlbChunks, writeGlbChunks } from '../../src/files/glb-chunks.js'
import { type GltfScene, readGltf } from '../../src/files/gltf.js'
import { embedCollider, extractCollider, glbNodeNames } from '../../src/files/gltf-collider.js'
import { surfaceOfGltf } from '../../src/files/gltf-surface.js'
import { companionName } from '../../src/files/read-mesh.js'
import { decode, kindOf } from '../../src/index.js'
import { type Random, randomStream } from '../../src/math/random.js'
import { rigFromScene } from '../../src/model/rig.js'
import { exampleArtifact } from '../artifact/example.js'
import { sampleCharacter } from '../model/rig-sample.js'
import { BytesBuilder, text } from './samples.js'

const SEED = 1710
const CASES = 400

const STRANGE: unknown[] = [
  null,
  true,
  '',
  'x',
  -1,
  0,
  1,
  0.5,
  1e9,
  1e308,
  2 ** 53,
  [],
  {},
  [null],
  [{}],
  [0, 0],
  '../x',
  String.fromCharCode(27),
]

/** Replaces, removes, repeats or moves one value somewhere in a tree of JSON, which it changes. */
function damage(tree: unknown, random: Random): void {
  const places: { owner: Record<string, unknown> | unknown[]; key: string | number }[] = []
  const stack: unknown[] = [tree]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const key of Object.keys(value)) {
      const owner = value as Record<string, unknown>
      places.push({ owner, key: Array.isArray(value) ? Number(key) : key })
      stack.push(owner[key])
    }
  }
  const { owner, key } = places[random.below(places.length)]
  const values = owner as Record<string | number, unknown>
  const kind = random.below(4)
  if (kind === 0) delete values[key]
  else if (kind === 1 && Array.isArray(owner)) owner.push(...Array.from({ length: 3 }, () => owner[Number(key)]))
  else if (kind === 2 && typeof values[key] === 'number') values[key] = (values[key] as number) + random.below(7) - 3
  else values[key] = structuredClone(STRANGE[random.below(STRANGE.length)])
}

/** @returns whether it was read */
function readOrRefuse(read: () => unknown, ours: (error: Error) => boolean, what: string): boolean {
  try {
    read()
    return true
  } catch (error) {
    return requireOurs(error, ours, what)
  }
}

/** The same of what is read later. */
async function readOrRefuseLater(
  read: () => Promise<unknown>,
  ours: (error: Error) => boolean,
  what: string,
): Promise<boolean> {
  try {
    await read()
    return true
  } catch (error) {
    return requireOurs(error, ours, what)
  }
}

function requireOurs(error: unknown, ours: (error: Error) => boolean, what: string): false {
  if (error instanceof Error && ours(error) && /^[a-z ]+: [^\n\r]+$/.test(error.message)) return false
  throw new Error(`${what}: ${(error as Error).stack}`)
}

const isFileError = (error: Error) => error instanceof FileError
/** Rigs and artifacts are refused by plain errors that name their room. */
const isNamed = (error: Error) => /^(rig|skeleton|artifact|safetensors|network|mesh|modes|gltf): /.test(error.message)

describe('a character', () => {
  let glb = new Uint8Array()
  beforeAll(async () => {
    glb = Uint8Array.from(await sampleCharacter())
  })

  test(`with damaged JSON is refused or read, and so is its rig (seed ${SEED})`, () => {
    const random = randomStream(SEED)
    const { text: json, binary } = readGlbChunks(glb)
    let readable = 0
    for (let i = 0; i < CASES; i++) {
      const tree = JSON.parse(new TextDecoder().decode(json))
      const times = 1 + random.below(3)
      for (let k = 0; k < times; k++) damage(tree, random)
      const bytes = writeGlbChunks(text(JSON.stringify(tree)), binary!)
      let scene: GltfScene | undefined
      const read = () => {
        scene = readGltf(bytes)
        surfaceOfGltf(scene)
      }
      if (readOrRefuse(read, isFileError, `case ${i}`)) {
        readable++
        readOrRefuse(() => rigFromScene(scene!), isNamed, `rig of case ${i}`)
      }
      readOrRefuse(() => extractCollider(bytes), isFileError, `collider of case ${i}`)
      readOrRefuse(() => embedCollider(bytes, new Uint8Array(8)), isFileError, `embedding in case ${i}`)
      readOrRefuse(() => glbNodeNames(bytes), isFileError, `names of case ${i}`)
      readOrRefuse(() => companionName('x.gltf', text(JSON.stringify(tree))), isFileError, `companion of case ${i}`)
    }
    // Some damage does no harm; were all refused, nothing behind the first check would be tried.
    expect(readable).toBeGreaterThan(CASES / 10)
    expect(readable).toBeLessThan(CASES)
  })
})

test(`an artifact with a damaged manifest and a right checksum is refused or read (seed ${SEED})`, async () => {
  const random = randomStream(SEED, 1)
  const { metadata, tensors } = decodeSafetensors(await encode(exampleArtifact()))
  let readable = 0
  for (let i = 0; i < CASES; i++) {
    const manifest = JSON.parse(metadata['manifest'])
    damage(manifest, random)
    const bytes = encodeSafetensors({ metadata: { ...metadata, manifest: JSON.stringify(manifest) }, tensors })
    readOrRefuse(() => kindOf(bytes), isNamed, `kind of case ${i}`)
    if (await readOrRefuseLater(() => decode(bytes, 'linear-modes'), isNamed, `case ${i}`)) readable++
  }
  expect(readable).toBeLessThan(CASES)
})

describe('a vertex sequence', () => {
  const bytes = new BytesBuilder()
    .int32(3, 4, 2)
    .float32(...Array.from({ length: 12 }, (_, i) => i))
    .int32(0, 1, 2, 0, 2, 3)
    .float32(...Array.from({ length: 24 }, (_, i) => 0.1 * i))
    .bytes()

  test(`cut short or with flipped bytes is refused or read (seed ${SEED})`, () => {
    expect(readAnime(bytes).frames.length).toBe(3)
    const random = randomStream(SEED, 2)
    for (let length = 0; length < bytes.length; length++) {
      readOrRefuse(() => readAnime(bytes.slice(0, length)), isFileError, `first ${length} bytes`)
    }
    for (let i = 0; i < CASES; i++) {
      const damaged = bytes.slice()
      for (let k = 0; k < 3; k++) damaged[random.below(i % 2 ? 12 : bytes.length)] = random.below(256)
      readOrRefuse(() => readAnime(damaged), isFileError, `case ${i}`)
    }
  })
})
