import { expect, test } from 'vitest'
import type { FramedShape } from '../../../src/learn/posed-contact/framed-shape.js'
import { farLengths } from '../../../src/learn/posed-contact/learn-clearances.js'

test('pairs are looked at as far as they were near, and a fifth further; those that never were, always', () => {
  const spaces = new Float64Array(32)
  const framed = {
    codeSize: 1,
    frames: () => ({
      spaces,
      // The second frame is so far along x.
      moveTo: (code: ArrayLike<number>) => {
        spaces[16 + 12] = code[0]
      },
    }),
  } as unknown as FramedShape
  const middle = (frame: number) => [frame, 0, 0, 0]
  const middles = Float32Array.from([...middle(0), ...middle(1), ...middle(0), ...middle(1)])
  const rows = { codes: Float32Array.of(2, 3, 5), clearances: Float32Array.of(0.2, 1, 0.9, 1, 1, 1) }
  const [seen, never] = farLengths(framed, 2, new Map([['pair.middles', middles]]), rows)
  expect(seen).toBeCloseTo((1.2 * 3) ** 2, 4)
  expect(never).toBeGreaterThan(1e20)
})
