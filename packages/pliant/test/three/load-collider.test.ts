/** However a collider arrives, it must be the file that was trained, bit for bit. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import { embedCollider } from '../../src/files/gltf-collider.js'
import { load } from '../../src/index.js'
import { randomStream } from '../../src/math/random.js'
import { type Collider, colliderFromGltf, loadCollider, SkinnedCollider } from '../../src/three/index.js'
import { exampleArtifact } from '../artifact/example.js'
import { sampleCharacter } from '../model/rig-sample.js'
import { loadWithThree } from '../model/three-reference.js'
import { randomCharacter } from './random-character.js'

const glb = await sampleCharacter()
const artifact = await encode(randomCharacter(glb, 7))
const carrying = embedCollider(glb, artifact)

const files: Record<string, Uint8Array> = { '/hero.safetensors': artifact, '/hero.glb': carrying, '/bare.glb': glb }
const server = createServer((request, response) => {
  const bytes = files[request.url ?? '']
  if (bytes) response.end(bytes)
  else response.writeHead(404, 'Not Found').end()
})
let address = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

/** Distances at points around the character, as it stands in the file. */
async function answers(collider: Collider): Promise<Float64Array> {
  const random = randomStream(8)
  const points = Float64Array.from({ length: 150 }, () => random.between(-2, 4))
  const distances = new Float64Array(50)
  new SkinnedCollider(collider, (await loadWithThree(glb)).scene).query(points, 50, distances)
  return distances
}

describe('loadCollider', () => {
  it('gives the same answers bit for bit from wherever the file comes', async () => {
    const due = await answers(await loadCollider(artifact))
    expect(new Set(due).size).toBeGreaterThan(40)
    const sources = [
      artifact.buffer,
      Buffer.from(artifact),
      carrying,
      carrying.buffer,
      `${address}/hero.safetensors`,
      new URL(`${address}/hero.glb`),
      new Request(`${address}/hero.glb`),
    ]
    for (const source of sources) expect(await answers(await loadCollider(source))).toEqual(due)
    expect(await answers(await colliderFromGltf(await loadWithThree(carrying)))).toEqual(due)
  })

  it('hands on what the file says and takes the options of a network', async () => {
    const collider = await loadCollider(carrying, { backend: 'scalar' })
    expect(collider.manifest.name).toBe('random')
    const field = await load(artifact, { backend: 'scalar', kind: 'character' })
    expect(collider.character.skeleton.names).toEqual(field.skeleton.names)
    collider.dispose()
  })

  it('says in one line what is wrong', async () => {
    await expect(loadCollider(`${address}/gone.glb`)).rejects.toThrow(
      `load: ${address}/gone.glb answers 404 Not Found; check the address.`,
    )
    const none = /^load: this glTF carries none; put one in with 'pliant export FILE --gltf/
    await expect(loadCollider(`${address}/bare.glb`)).rejects.toThrow(none)
    await expect(colliderFromGltf(await loadWithThree(glb))).rejects.toThrow(none)
    await expect(loadCollider(new TextEncoder().encode('<!doctype html>'))).rejects.toThrow(/safetensors: this file/)
    await expect(loadCollider(await encode(exampleArtifact()))).rejects.toThrow(/kind/)
    await expect(loadCollider(`${address}/hero.glb`, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
  })
})
