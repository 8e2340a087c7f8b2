/** What `kindOf` says of files that are whole and lie. */
import { expect, test } from 'vitest'
import { encode, kindOf } from '../../src/artifact/artifact.js'
import { decodeSafetensors, encodeSafetensors } from '../../src/artifact/safetensors.js'
import { exampleArtifact } from './example.js'

const withManifest = (manifest: string) =>
  kindOf(encodeSafetensors({ metadata: { format: 'pliant', manifest }, tensors: new Map() }))

test.each(['', '{', 'null', '[]', '7', '"character"'])(
  'a manifest of %j is refused in one line of ours',
  (manifest) => {
    expect(() => withManifest(manifest)).toThrow(/^artifact: manifest is [^\n]+, should be (JSON|an object); [^\n]+\.$/)
  },
)

test('kinds are told apart, others are not known', async () => {
  const { metadata } = decodeSafetensors(await encode(exampleArtifact()))
  const manifest = JSON.parse(metadata['manifest'])
  const ofKind = (kind: unknown) => withManifest(JSON.stringify({ ...manifest, model: { ...manifest.model, kind } }))
  for (const kind of ['linear-modes', 'elastic-body', 'character', 'self-contact']) expect(ofKind(kind)).toBe(kind)
  for (const kind of ['later', 'toString', '']) expect(ofKind(kind)).toBeUndefined()
  expect(() => ofKind(7)).toThrow('model.kind is 7')
})
