import { expect, it } from 'vitest'
import { readLimbEnds } from '../../src/inputs/limb-ends.js'

it('hands and feet are named one by one', () => {
  expect(readLimbEnds('hand=wrist.l, hand=Bip01 R Hand,foot=a=b')).toEqual({
    hand: ['wrist.l', 'Bip01 R Hand'],
    foot: ['a=b'],
  })
  expect(readLimbEnds('hand=x')).toEqual({ hand: ['x'] })
  expect(() => readLimbEnds('hands=x')).toThrow("--joints has 'hands=x'; write hand=NAME or foot=NAME")
})
