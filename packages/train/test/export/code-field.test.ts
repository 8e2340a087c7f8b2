/** The ONNX file of a field over codes answers what the runtime answers, beside its box too. */
import { exportArtifactOnnx } from '@pliant/train'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { load, randomStream } from 'pliant'
import { expect, it } from 'vitest'
import { selfContactFile } from '../../../pliant/test/artifact/self-contact-example.js'

it.each(['random', 'plane'] as const)(
  'a %s network: distances and gradients, any number of codes (seed 8)',
  async (network) => {
    const bytes = await selfContactFile(network)
    const session = await InferenceSession.create(await exportArtifactOnnx(bytes))
    expect(session.inputNames).toEqual(['codes'])
    expect(session.outputNames).toEqual(['distance', 'gradient'])
    const field = await load(bytes, { kind: 'self-contact' })
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
