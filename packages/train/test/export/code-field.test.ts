/** The ONNX file of a field over codes answers what the runtime answers, beside its box too. */
import { exportArtifactOnnx } from '@pliant/train'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { load, randomStream } from 'pliant'
import { createOrtCodeField } from 'pliant/ort'
import { expect, it } from 'vitest'
import { characterContactFile } from '../../../pliant/test/artifact/character-contact-example.js'
import { selfContactFile } from '../../../pliant/test/artifact/self-contact-example.js'

it.each([
  ['random', 'self-contact', () => selfContactFile('random')],
  ['plane', 'self-contact', () => selfContactFile('plane')],
  ['random', 'character-contact', () => characterContactFile('random')],
  ['random', 'character-contact', () => characterContactFile('state')],
  ['ends', 'character-contact', () => characterContactFile('ends')],
  ['random', 'character-contact', () => characterContactFile('random', undefined, 'flat')],
] as const)(
  'a %s network of %s: distances and gradients, any number of codes (seed 8)',
  async (network, kind, file) => {
    const bytes = await file()
    const session = await InferenceSession.create(await exportArtifactOnnx(bytes))
    expect(session.inputNames).toEqual(['codes'])
    expect(session.outputNames).toEqual(['distance', 'gradient'])
    const field = await load(bytes, { kind })
    const random = randomStream(8)
    for (const count of [1, 300]) {
      // A third of them lies outside the box.
      const codes = Float32Array.from({ length: 3 * count }, () => random.between(-1.2, 1.2))
      const { distance, gradient } = await session.run({ codes: new Tensor('float32', codes, [count, 3]) })
      expect([distance.dims, gradient.dims]).toEqual([[count], [count, 3]])
      const [distances, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
      field.query(codes, count, distances, gradients)
      for (let i = 0; i < count; i++) expect(Math.abs(Number(distance.data[i]) - distances[i])).toBeLessThan(1e-4)
      for (let i = 0; i < 3 * count; i++) expect(Math.abs(Number(gradient.data[i]) - gradients[i])).toBeLessThan(1e-3)
      expect(new Set(gradients).size).toBeGreaterThan(network === 'random' && count > 1 ? 100 : 0)
    }
    await session.release()
    field.dispose()
  },
)

it('is asked by createOrtCodeField in more codes than one call takes, and refuses arrays without room (seed 9)', async () => {
  const bytes = await selfContactFile('random')
  const field = await load(bytes, { kind: 'self-contact' })
  const ort = await createOrtCodeField(await exportArtifactOnnx(bytes), 3)
  const random = randomStream(9)
  const count = 4500
  const codes = Float64Array.from({ length: 3 * count }, () => random.between(-1.2, 1.2))
  const [due, dueGradients] = [new Float64Array(count), new Float64Array(3 * count)]
  field.query(codes, count, due, dueGradients)
  const [distances, alone, gradients] = [new Float64Array(count), new Float64Array(count), new Float64Array(3 * count)]
  await ort.query(codes, count, distances, gradients)
  await ort.query(codes, count, alone)
  expect(alone).toEqual(distances)
  const off = (a: Float64Array, b: Float64Array) =>
    a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0)
  expect(off(distances, due)).toBeLessThan(1e-4)
  expect(off(gradients, dueGradients)).toBeLessThan(1e-3)
  await expect(ort.query(codes, count, new Float64Array(9))).rejects.toThrow(
    /distances is .*; give 4500 in a Float32Array/,
  )
  await ort.dispose()
  field.dispose()
})
