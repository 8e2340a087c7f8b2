/** The same comparison as in Node, in Chromium, whose main thread must compile the kernels too. */
import { describe, expect, it } from 'vitest'
import { FemBody } from '../../../src/sim/index.js'
import { bar } from './bars.js'
import { compareSystems } from './compare-systems.js'

describe('steps in the browser', () => {
  it('computes with SIMD, without which the tests below would prove less', () => {
    expect(new FemBody(bar([1, 1, 1], [1, 1, 1])).kernel).toBe('simd')
  })

  it.each([0, 0.02])('gives the system of doubles where nodes are off by up to %d m (seed 3)', (scramble) => {
    const { decomposed } = compareSystems('neo-hookean', scramble, 3)
    expect(decomposed[1]).toBe(decomposed[0])
  })
})
