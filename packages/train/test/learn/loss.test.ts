import { expect, it } from 'vitest'
import { compileFunction, grad, input } from '../../src/graph/index.js'
import { clampedLoss, truncatedLoss } from '../../src/learn/loss.js'

async function lossAndSlope(loss: typeof truncatedLoss, predicted: number, exact: number): Promise<[number, number]> {
  const [f, d] = [input('f', [1, 1]), input('d', [1, 1])]
  const value = loss(f, d, 0.1)
  const fn = await compileFunction({ inputs: [f, d], outputs: { value, slope: grad(value, [f])[0] } })
  const got = await fn.run({ f: Float32Array.of(predicted), d: Float32Array.of(exact) })
  await fn.dispose()
  return [Number(got.value[0].toFixed(5)), got.slope[0]]
}

it('counts the plain error inside the band', async () => {
  expect(await lossAndSlope(truncatedLoss, 0.05, 0.02)).toEqual([0.03, 1])
  expect(await lossAndSlope(truncatedLoss, -0.3, 0.02)).toEqual([0.32, -1])
})

it('counts only falling short beyond the band', async () => {
  expect((await lossAndSlope(truncatedLoss, 0.3, 0.5))[0]).toBe(0)
  expect(await lossAndSlope(truncatedLoss, 0.04, 0.5)).toEqual([0.06, -1])
  expect((await lossAndSlope(truncatedLoss, -0.3, -0.11))[0]).toBe(0)
  expect(await lossAndSlope(truncatedLoss, -0.04, -0.11)).toEqual([0.06, 1])
})

it('pulls back a point far on the wrong side, which the plain clamp leaves there', async () => {
  expect(await lossAndSlope(truncatedLoss, -0.5, 0.5)).toEqual([0.6, -1])
  expect(await lossAndSlope(clampedLoss, -0.5, 0.5)).toEqual([0.2, 0])
})
