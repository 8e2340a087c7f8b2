/**
 * A user's PNG as pixels that are drawn or not. If any pixel lets something through, those that let through less than half are
 * drawn; else dark ones, of less than half the luminance (Rec. 709 weights of the stored values), as ink on paper.
 */
import { inflateSync } from 'node:zlib'
import { BadInput } from '@pliant/train/unstable/input'
import { PNG } from 'pngjs'
import type { BinaryImage } from './binary-image.js'
import { type Pixels, pixelImage } from './pixel-image.js'

/** Most pixels: 2048 x 2048. */
export const LARGEST_IMAGE = 2 ** 22

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const HEADER_BYTES = 33
const HALF = 128

/**
 * @param name  that errors begin with and figures are listed by
 * @throws BadInput, in one line, if it is no PNG, a damaged one, too large, or all one colour
 */
export function readPng(bytes: Uint8Array, name: string): BinaryImage {
  const { width, height, data } = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name)
  const pixels = { width, height, drawn: drawnPixels(data) }
  if (pixels.drawn.every((is) => is === pixels.drawn[0])) throw new BadInput(oneColour(name, pixels))
  return pixelImage(name, pixels)
}

/** As RGBA, one byte each, whatever the file has. */
function decode(bytes: Buffer, name: string): { width: number; height: number; data: Uint8Array } {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) || bytes.length < HEADER_BYTES)
    throw new BadInput(`${name}: not a PNG; save the picture as one.`)
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (!(width * height <= LARGEST_IMAGE))
    throw new BadInput(`${name}: ${width} x ${height} pixels, at most ${LARGEST_IMAGE} are read; make it smaller.`)
  try {
    inflateWithin(bytes, width, height)
    return PNG.sync.read(bytes)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new BadInput(`${name}: damaged (${why}); save it again.`, { cause: error })
  }
}

/** Few bytes can hold many gigabytes, which the package would unpack: none may hold more than the header asks for. */
function inflateWithin(bytes: Buffer, width: number, height: number): void {
  const parts: Buffer[] = []
  for (let at = SIGNATURE.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  }
  // Four channels of two bytes, and a byte for each row of each of seven passes.
  inflateSync(Buffer.concat(parts), { maxOutputLength: 8 * width * height + 7 * height + 64 })
}

function drawnPixels(rgba: Uint8Array): Uint8Array {
  const drawn = new Uint8Array(rgba.length / 4)
  const hasHoles = drawn.some((_, i) => rgba[4 * i + 3] < 255)
  for (let i = 0; i < drawn.length; i++) {
    const [r, g, b, alpha] = rgba.subarray(4 * i, 4 * i + 4)
    const isDrawn = hasHoles ? alpha >= HALF : 0.2126 * r + 0.7152 * g + 0.0722 * b < HALF
    drawn[i] = isDrawn ? 1 : 0
  }
  return drawn
}

function oneColour(name: string, { drawn }: Pixels): string {
  const all = drawn[0] === 1 ? 'every pixel is drawn' : 'no pixel is drawn'
  return `${name}: ${all}, so there is no outline; dark pixels count as drawn, or in a picture with transparency the opaque ones.`
}
