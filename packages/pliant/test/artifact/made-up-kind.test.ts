/**
 * A kind that answers codes instead of points, registered here alone: a network of another name, no truncation, figures
 * of its own. If the envelope took every file for a field of points, a system that learns self-contact could not be
 * added without changing it.
 */
import { expect, it, vi } from 'vitest'
import type { Answers } from '../../src/artifact/answers.js'
import { type Artifact, decode, encode, kindOf, multiplicationsOf } from '../../src/artifact/artifact.js'
import { finite, object, wholeUpTo } from '../../src/artifact/checks.js'
import type { KindName } from '../../src/artifact/kinds/index.js'
import type { AnyArtifact, ModelKind } from '../../src/artifact/kinds/model-kind.js'
import { type Envelope, FORMAT_VERSION } from '../../src/artifact/manifest.js'
import type { WholeNetwork } from '../../src/artifact/networks/whole.js'
import { take } from '../../src/artifact/take.js'
import type { ConfigurationField } from '../../src/field/configuration-field.js'
import { load } from '../../src/index.js'
import { exampleArtifact } from './example.js'

type TouchArtifact = AnyArtifact<Envelope<{ kind: 'touch'; ranges: number }, { contact: WholeNetwork }>> & {
  ranges: Float32Array
}

const answers: Answers = {
  name: 'self-contact',
  check: ({ quality }) => {
    if (quality !== null) finite(object(quality, 'quality')['gradientError'], 'quality.gradientError')
  },
}

const touch = vi.hoisted(() => ({ kind: undefined as unknown }))
const kind: ModelKind<TouchArtifact, ConfigurationField> = {
  answers,
  networks: { contact: ['whole'] },
  check: (model) => wholeUpTo(model['ranges'], 9, 'model.ranges'),
  context: ({ code }) => ({ codeSize: code.size, joints: 0, nodes: 0 }),
  store: ({ ranges }, tensors) => void tensors.set('ranges', { shape: [ranges.length], data: ranges }),
  take: ({ model }, tensors) => ({ ranges: take(tensors, 'ranges', [model.ranges], Float32Array) }),
  field: async ({ manifest, ranges }) => ({
    codeSize: manifest.code.size,
    query: (codes, count, distances) => {
      for (let i = 0; i < count; i++) distances[i] = ranges[0] - Math.abs(codes[2 * i])
    },
  }),
}
touch.kind = kind

vi.mock('../../src/artifact/kinds/index.js', async (importOriginal) => {
  const real = await importOriginal<typeof import('../../src/artifact/kinds/index.js')>()
  return {
    ...real,
    KIND_NAMES: [...real.KIND_NAMES, 'touch'],
    modelKind: async (name: string) => (name === 'touch' ? touch.kind : real.modelKind(name as KindName)),
  }
})

const { manifest, networks } = exampleArtifact()
const { truncation: _, ...envelope } = manifest

function touchArtifact(changes: Partial<TouchArtifact['manifest']> = {}): TouchArtifact {
  return {
    kind: 'touch',
    manifest: {
      ...envelope,
      format: FORMAT_VERSION,
      kind: 'self-contact',
      model: { kind: 'touch', ranges: 2 },
      networks: { contact: manifest.networks.distance },
      quality: { gradientError: 3 },
      ...changes,
    },
    networks: { contact: networks.distance },
    ranges: Float32Array.of(0.75, 1),
  }
}

const bytesOf = (artifact: TouchArtifact) => encode(artifact as unknown as Artifact)

it('comes back from its file, and loads as its own joint', async () => {
  const bytes = await bytesOf(touchArtifact())
  const decoded = (await decode(bytes)) as unknown as TouchArtifact
  expect(kindOf(bytes)).toBe('touch')
  expect(decoded.manifest).toEqual(touchArtifact().manifest)
  expect([...decoded.networks.contact]).toEqual([...networks.distance])
  expect(await bytesOf(decoded)).toEqual(bytes)
  expect(await multiplicationsOf(decoded.manifest)).toBe(await multiplicationsOf(manifest))
  const field = (await load(bytes, { kind: 'touch' as KindName })) as unknown as ConfigurationField
  const distances = new Float64Array(2)
  field.query(Float64Array.of(0.25, 0, -1, 0), 2, distances)
  expect([...distances]).toEqual([0.5, -0.25])
})

it('is not handed to who asks for points and names no kind', async () => {
  await expect(load(await bytesOf(touchArtifact()))).rejects.toThrow(
    "load: 'example' answers self-contact, not signed-distance of points; pass { kind: 'touch' }.",
  )
})

it('has its own figures, answer and network checked, not those of points', async () => {
  const read = async (changes: object) => decode(await bytesOf(touchArtifact(changes)))
  await expect(read({ quality: { bandError: 1 } })).rejects.toThrow('quality.gradientError is missing')
  await expect(read({ kind: 'signed-distance' })).rejects.toThrow(
    'kind is "signed-distance", should be \'self-contact\'',
  )
  await expect(read({ networks: {} })).rejects.toThrow('networks.contact is missing, should be an object')
})
