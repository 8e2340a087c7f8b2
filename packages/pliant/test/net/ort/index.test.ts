import { describe, expect, it } from 'vitest'
import { createOrtNetwork } from '../../../src/net/ort/index.js'
import { randomPoints } from '../random-network.js'
import { tinyOnnx } from './tiny-onnx.js'

const w = [1, -2, 0.5] as const

describe('createOrtNetwork', () => {
  it.each([1, 7, 2048, 5001])('answers %i points, in chunks where they are many', async (count) => {
    const network = await createOrtNetwork(tinyOnnx(w), { threads: 1 })
    const points = randomPoints(count, count)
    const values = new Float64Array(count)
    const alone = new Float32Array(count)
    const gradients = new Float64Array(3 * count)
    await network.query(points, count, [0.25, 0.5], alone)
    await network.query(Float64Array.from(points), count, [0.25, 0.5], values, gradients)
    for (let i = 0; i < count; i++) {
      const expected = w[0] * points[3 * i] + w[1] * points[3 * i + 1] + w[2] * points[3 * i + 2] + 0.75
      expect(Math.abs(values[i] - expected)).toBeLessThan(1e-5)
      expect(alone[i]).toBe(values[i])
      expect([...gradients.subarray(3 * i, 3 * i + 3)]).toEqual([...w])
    }
    await network.dispose()
  })

  it('says what a file with other outputs lacks', async () => {
    await expect(createOrtNetwork(tinyOnnx(w, 'density'))).rejects.toThrow(
      "ort: the file's outputs are 'density', 'gradient'; it needs 'distance'.",
    )
  })
})
