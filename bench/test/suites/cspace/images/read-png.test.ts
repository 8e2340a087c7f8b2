/** Pictures of users: what is drawn in them, and one line for each that cannot be read. */
import { deflateSync } from 'node:zlib'
import { BadInput } from '@pliant/train/unstable/input'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { encodePng } from '../../../../src/pages/png.js'
import { LARGEST_IMAGE, readPng } from '../../../../src/suites/cspace/images/read-png.js'

type Colour = readonly [r: number, g: number, b: number, alpha: number]
const WHITE: Colour = [255, 255, 255, 255]
const BLACK: Colour = [0, 0, 0, 255]
const CLEAR: Colour = [0, 0, 0, 0]

/** A row of pixels. */
function rowOf(...colours: readonly Colour[]): Buffer {
  const png = new PNG({ width: colours.length, height: 1 })
  png.data.set(colours.flat())
  return PNG.sync.write(png)
}

/** Whether each pixel of a row of pictures of so many is drawn. */
function drawnIn(bytes: Uint8Array, count: number): boolean[] {
  const image = readPng(bytes, 'x.png')
  return Array.from({ length: count }, (_, i) => !image.isFree((1.8 * (i + 0.5)) / count - 0.9, 0))
}

describe('what is drawn', () => {
  test('dark pixels, by luminance, where all is opaque', () => {
    const [red, green] = [[255, 0, 0, 255] as const, [0, 255, 0, 255] as const]
    expect(drawnIn(rowOf(WHITE, BLACK, red, green), 4)).toEqual([false, true, true, false])
  })

  test('opaque pixels of any colour, where some are not', () => {
    expect(drawnIn(rowOf(CLEAR, WHITE, [0, 0, 0, 127], [255, 255, 255, 128]), 4)).toEqual([false, true, false, true])
  })

  test('of a file without an alpha channel', () => {
    expect(drawnIn(encodePng(2, 1, Uint8Array.of(0, 0, 0, 255, 255, 255)), 2)).toEqual([true, false])
  })
})

describe('what is refused, in one line', () => {
  const good = rowOf(WHITE, BLACK)
  const refusal = (bytes: Uint8Array): string => {
    try {
      readPng(bytes, 'x.png')
    } catch (error) {
      expect(error).toBeInstanceOf(BadInput)
      const { message } = error as Error
      expect(message).not.toContain('\n')
      return message
    }
    return 'accepted'
  }

  test('what is not a PNG', () => {
    expect(refusal(Buffer.from('GIF89a, and more bytes than a header of a PNG has'))).toMatch(
      /^x\.png: not a PNG; save/,
    )
    expect(refusal(new Uint8Array())).toMatch(/not a PNG/)
    expect(refusal(good.subarray(0, 20))).toMatch(/not a PNG/)
  })

  test('damage: cut anywhere, or with a byte changed', () => {
    for (let length = 33; length < good.length - 12; length++)
      expect(refusal(good.subarray(0, length))).toMatch(/damaged \(.+\); save it again/)
    const changed = Buffer.from(good)
    changed[good.length - 20] ^= 0xff
    expect(refusal(changed)).toMatch(/damaged/)
  })

  test('a header that asks for more than is read, before anything is decoded', () => {
    const huge = Buffer.from(good)
    huge.writeUInt32BE(100_000, 16)
    huge.writeUInt32BE(100_000, 20)
    expect(refusal(huge)).toBe(`x.png: 100000 x 100000 pixels, at most ${LARGEST_IMAGE} are read; make it smaller.`)
  })

  test('data that holds more than the header asks for', () => {
    const name = Buffer.from('IDAT')
    const at = good.indexOf(name)
    const bomb = deflateSync(Buffer.alloc(100_000))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bomb.length)
    const file = Buffer.concat([good.subarray(0, at - 4), length, name, bomb, good.subarray(at - 4)])
    expect(refusal(file)).toMatch(/damaged \(Cannot create a Buffer larger than/)
  })

  test('one colour', () => {
    expect(refusal(rowOf(BLACK, BLACK))).toMatch(/every pixel is drawn, so there is no outline; dark pixels count/)
    expect(refusal(rowOf(WHITE, WHITE))).toMatch(/no pixel is drawn/)
    expect(refusal(rowOf(CLEAR, CLEAR))).toMatch(/no pixel is drawn/)
  })
})
