import { readFileSync } from 'node:fs'
import { decode } from 'pliant'
import { rigFromScene } from 'pliant/character'
import { readGltf } from 'pliant/files'
import { expect, it } from 'vitest'
import { readCharacter } from '../../src/inputs/character.js'
import type { InputReader } from '../../src/suite/inputs.js'

const artifacts = new URL('../../../apps/studio/public/artifacts/', import.meta.url)
const bytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, artifacts)))
const humanoid = bytes('humanoid.safetensors')
const { heldOut } = (await decode(humanoid, 'character')).manifest.model

/** Gives the humanoid and its clips for any path, and notes which were asked for. */
function reader(only: (clip: string) => boolean = () => true): InputReader & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    builtIn: (name) => `built-in ${name}`,
    async trained(path) {
      asked.push(path)
      return Uint8Array.of(7)
    },
    async ofKind(path, kind) {
      asked.push(path)
      return { bytes: humanoid, artifact: await decode(humanoid, kind) }
    },
    async motions(paths) {
      asked.push(paths)
      const { clips } = rigFromScene(readGltf(bytes('humanoid.glb')))
      return clips.filter(({ name }) => only(name)).map((clip) => ({ clip, line: clip.name, json: {} }))
    },
  }
}

it('is the built-in humanoid with its clips unless told otherwise; those it was trained on are for rivals', async () => {
  const files = reader()
  const { given, motions, notes } = await readCharacter({}, files, 'unseen')
  expect(files.asked).toEqual(['built-in humanoid.safetensors', 'built-in humanoid.glb'])
  expect(given.clips!.map(({ name }) => name).sort()).toEqual([...heldOut.clips].sort())
  expect(motions!.map(({ trained }) => trained)).toEqual(heldOut.clips.map(() => false))
  const trained = given.trainingClips!.map(({ name }) => name)
  expect(trained.length).toBeGreaterThan(0)
  for (const name of heldOut.clips) expect(trained).not.toContain(name)
  expect([given.paper, given.joints, notes]).toEqual([undefined, undefined, []])
})

it('plays every clip where no network is judged, and one it was trained on where there is no other', async () => {
  const all = await readCharacter({}, reader(), 'all')
  expect(all.given.clips!.length).toBeGreaterThan(heldOut.clips.length)
  const seen = await readCharacter(
    { motion: 'a.glb' },
    reader((clip) => !heldOut.clips.includes(clip)),
    'unseen',
  )
  expect(seen.motions!.map(({ trained }) => trained)).toEqual([true])
})

it("takes a file without its clips, the paper's network, and joints, which must be the character's", async () => {
  const files = reader()
  const { given, motions } = await readCharacter({ file: 'hero', paper: 'theirs' }, files, 'unseen')
  expect(files.asked).toEqual(['hero', 'theirs'])
  expect([given.clips, motions, given.paper]).toEqual([[], [], Uint8Array.of(7)])
  await expect(readCharacter({ joints: 'hand=paw' }, reader(), 'unseen')).rejects.toThrow("no joint 'paw'")
})
