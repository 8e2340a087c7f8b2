import { fieldBox, randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import { BoxedField } from '../../../src/pages/haptics/boxed-field.js'

describe('a field asked near its body only', () => {
  const box = fieldBox([0, 0, 0], [0.1, 0.1, 0.1])
  let asked = 0
  const boxed = new BoxedField(
    {
      follow: () => {},
      gradient(points, count, distances, gradients) {
        asked = count
        box.gradient(points, count, distances, gradients)
      },
    },
    0.05,
  )
  boxed.follow(Float64Array.of(-0.1, -0.1, -0.1, 0.1, 0.1, 0.1))

  it('answers as the field does within the margin, and infinity beyond (seed 3)', () => {
    const random = randomStream(3, 0)
    const count = 200
    const points = Float64Array.from({ length: 3 * count }, () => random.between(-0.3, 0.3))
    const [distances, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
    const [exact, slopes] = [new Float64Array(count), new Float64Array(3 * count)]
    boxed.gradient(points, count, distances, gradients)
    box.gradient(points, count, exact, slopes)
    let near = 0
    for (let i = 0; i < count; i++) {
      const place = [...points.subarray(3 * i, 3 * i + 3)]
      if (place.every((value) => Math.abs(value) < 0.15)) {
        near++
        expect(distances[i]).toBe(exact[i])
        expect(gradients.subarray(3 * i, 3 * i + 3)).toEqual(slopes.subarray(3 * i, 3 * i + 3))
      } else expect(distances[i]).toBe(Infinity)
    }
    expect(near).toBeGreaterThan(10)
    expect(asked).toBe(near)
  })
})
