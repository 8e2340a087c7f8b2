import { describe, expect, test } from 'vitest'
import { TextScanner } from '../../src/files/text-scanner.js'
import { randomStream } from '../../src/math/random.js'
import { text } from './samples.js'

function scan(content: string): number {
  return new TextScanner('obj', text(content)).readNumber('a number')
}

describe('numbers are the ones that the engine itself would read', () => {
  test.each([
    ...['0', '-0', '+1', '12', '-3.25', '.5', '5.', '1e3', '1E-7', '-2.5e+2', '0.1', '123456789012345678901234567890'],
    ...[
      '1e22',
      '1e23',
      '1e-22',
      '1e-23',
      '1.7976931348623157e308',
      '5e-324',
      '9007199254740993',
      '0.30000000000000004',
    ],
    ...['179769313486231580793728971405301e-10', '2.2250738585072011e-308', '900719925474099.3'],
  ])('%s', (word) => {
    expect(scan(word)).toBe(Number(word))
  })

  const seed = 77
  test(`random doubles in all notations (seed ${seed})`, () => {
    const random = randomStream(seed)
    for (let i = 0; i < 5000; i++) {
      const value = random.normal() * 10 ** random.between(-30, 30)
      for (const word of [String(value), value.toExponential(), value.toPrecision(1 + random.below(20))]) {
        expect(scan(word), word).toBe(Number(word))
      }
    }
  })

  test('exponents of Fortran programs', () => {
    expect(scan('1.5D+02')).toBe(150)
  })
})

test.each(['nan', 'inf', '1.2.3', '1e', '--1', '0x10', '1,5', '1e999', '-'])(
  '%s is no number, and the line is named',
  (word) => {
    expect(() => scan(`# comment\r\n\r\n  ${word} 7`)).toThrow(
      /^obj: a number on line 3 is '.+', not a finite number; check the file\.$/,
    )
  },
)

test('all line ends, a byte order mark, comments and control characters are passed over', () => {
  const scanner = new TextScanner('obj', Uint8Array.of(0xef, 0xbb, 0xbf, ...text('1 # one\r2\r\n\r\n\t3 \0 4\n#\n5')))
  expect([1, 2, 3, 4, 5].map(() => scanner.readNumber('a number'))).toEqual([1, 2, 3, 4, 5])
  expect(() => scanner.readNumber('the sixth')).toThrow(/^obj: the file ends before the sixth; /)
})
