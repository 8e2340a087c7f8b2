import { readFileSync } from 'node:fs'
import { embedCollider } from 'pliant/files'
import { describe, expect, it } from 'vitest'
import { knowFile } from '../../../src/shell/files/file-kind.js'

const artifact = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../public/artifacts/${name}`, import.meta.url)))

describe('what a file is', async () => {
  it.each([
    ['bar.safetensors', 'object'],
    ['bunny.safetensors', 'soft body'],
    ['humanoid.safetensors', 'character'],
    ['bracelet.safetensors', 'body with self-contact'],
    ['humanoid-contact.safetensors', 'character with self-contact'],
    ['humanoid.glb', 'untrained character'],
  ])('%s: %s', async (name, kind) => {
    expect((await knowFile(name, artifact(name)))?.kind).toBe(kind)
  })

  it('a GLB with its collider inside is a trained character', async () => {
    const carried = embedCollider(artifact('humanoid.glb'), artifact('humanoid.safetensors'))
    expect((await knowFile('hero.glb', carried))?.kind).toBe('character')
  })

  it('says of a plain GLB what is in it', async () => {
    expect((await knowFile('hero.glb', artifact('humanoid.glb')))?.facts).toMatch(
      /^\d+ joints, [\d,]+ triangles, \d+ clips \(.+ \d+\.\d s/,
    )
  })

  it('nothing, of what nobody opens', async () => {
    expect(await knowFile('notes.safetensors', new TextEncoder().encode('my notes'))).toBeUndefined()
    expect(await knowFile('notes.glb', new TextEncoder().encode('my notes'))).toBeUndefined()
  })
})
