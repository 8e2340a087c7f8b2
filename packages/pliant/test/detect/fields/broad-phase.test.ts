import { expect, it } from 'vitest'
import { BroadPhase } from '../../../src/detect/fields/broad-phase.js'
import { carryBox } from '../../../src/detect/fields/frames.js'
import { type Box, EVERYWHERE } from '../../../src/math/box.js'
import { composeMat4 } from '../../../src/math/mat4.js'
import { randomStream } from '../../../src/math/random.js'

function pairsOf(phase: BroadPhase, boxes: readonly Box[]): string[] {
  const found: string[] = []
  phase.forPairs(boxes, (a, b) => {
    expect(a).toBeLessThan(b)
    found.push(`${a} ${b}`)
  })
  return found.sort()
}
function bruteForce(boxes: readonly Box[]): string[] {
  const found: string[] = []
  const isEmpty = (box: Box): boolean => [0, 1, 2].some((k) => box.lower[k] > box.upper[k])
  boxes.forEach((a, i) => {
    boxes.forEach((b, j) => {
      if (j <= i || isEmpty(a) || isEmpty(b)) return
      if ([0, 1, 2].every((k) => a.lower[k] <= b.upper[k] && b.lower[k] <= a.upper[k])) found.push(`${i} ${j}`)
    })
  })
  return found.sort()
}

it.each([1, 2, 3])('finds the pairs that all against all do, of bodies that move, seed %i', (seed) => {
  const random = randomStream(seed, 1)
  // Spread out along another axis each time, and along another one later; few places, so that many ends are equal.
  const wide = [0, 1, 2].map((k) => (k === seed - 1 ? 40 : 6))
  const place = (): number[] => wide.map((width) => Math.round(random.between(0, width)) / 2)
  const places = Array.from({ length: 120 }, place)
  const phase = new BroadPhase()
  for (let step = 0; step < 30; step++) {
    if (step === 20) wide.reverse()
    const boxes = places.map((lower, i): Box => {
      if (i % 40 === 7) return EVERYWHERE
      if (i % 40 === 9) return { lower: [-Infinity, lower[1], lower[2]], upper: [lower[0], Infinity, lower[2] + 1] }
      if (i % 40 === 11) return { lower: [1, 1, 1], upper: [0, 2, 2] }
      return { lower: lower as unknown as Box['lower'], upper: lower.map((v) => v + 1) as unknown as Box['upper'] }
    })
    expect(pairsOf(phase, boxes)).toEqual(bruteForce(boxes))
    places.forEach((_, i) => {
      if (random.between(0, 1) < 0.2) places[i] = place()
    })
    if (step === 10) places.splice(30, 25)
    if (step === 15) places.push(place(), place())
  }
})

it('has no pairs of nobody or of one, and refuses what is no box', () => {
  const phase = new BroadPhase()
  expect(pairsOf(phase, [])).toEqual([])
  expect(pairsOf(phase, [EVERYWHERE])).toEqual([])
  expect(pairsOf(phase, [EVERYWHERE, EVERYWHERE])).toEqual(['0 1'])
  const broken: Box = { lower: [0, Number.NaN, 0], upper: [1, 1, 1] }
  expect(() => pairsOf(phase, [EVERYWHERE, broken])).toThrow('box 1 has a corner at NaN')
})

it('carries boxes: the smallest around a turned one, and none has an end that had none', () => {
  const frame = new Float64Array(16)
  composeMat4([5, 0, 0], [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)], [1, 1, 1], 0, frame, 0)
  const { lower, upper } = carryBox(frame, { lower: [-1, -1, -2], upper: [1, 1, 3] })
  const half = Math.SQRT2
  for (const [k, value] of [5 - half, -half, -2].entries()) expect(lower[k]).toBeCloseTo(value, 12)
  for (const [k, value] of [5 + half, half, 3].entries()) expect(upper[k]).toBeCloseTo(value, 12)
  expect(carryBox(frame, { lower: [0, -Infinity, 0], upper: [1, 1, 1] })).toEqual(EVERYWHERE)
})
