import { expect, it } from 'vitest'
import { readPose, writePose } from '../../../src/pages/pose-repair/pose-text.js'

it('a code goes into the address and back, to four digits', () => {
  const code = Float64Array.of(0, -0.12345678, 0.5, -0.00001)
  expect(writePose(code)).toBe(',-0.1235,0.5,')
  expect([...readPose(',-0.1235,0.5,', 4)!]).toEqual([0, -0.1235, 0.5, 0])
  expect(writePose(new Float64Array(3))).toBe('rest')
  expect([...readPose('rest', 3)!]).toEqual([0, 0, 0])
})

it.each(['1,2', 'a,b,c', '1,2,3,4', ''])('%s is no code of three numbers', (text) => {
  expect(readPose(text, 3)).toBeUndefined()
})
