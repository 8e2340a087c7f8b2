/** What `artifactKind` says of files that are whole and lie. */
import { expect, test } from 'vitest'
import { artifactKind } from '../../src/artifact/kind.js'
import { encodeSafetensors } from '../../src/artifact/safetensors.js'

const kindOf = (manifest: string) =>
  artifactKind(encodeSafetensors({ metadata: { format: 'pliant', manifest }, tensors: new Map() }))

test.each(['', '{', 'null', '[]', '7', '"character"'])(
  'a manifest of %j is refused in one line of ours',
  (manifest) => {
    expect(() => kindOf(manifest)).toThrow(/^artifact: manifest is [^\n]+, should be (JSON|an object); [^\n]+\.$/)
  },
)

test('kinds are told apart, others are not known', () => {
  expect(kindOf('{"kind":"character"}')).toBe('character')
  expect(kindOf('{"kind":"signed-distance"}')).toBe('signed-distance')
  expect(kindOf('{"kind":"later"}')).toBeUndefined()
  expect(kindOf('{}')).toBeUndefined()
})
