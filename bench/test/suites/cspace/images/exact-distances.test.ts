/** Exact distances of images, against every segment or pixel looked at one by one. */
import { randomStream } from 'pliant'
import { describe, expect, test } from 'vitest'
import { mapleLeaf, pear } from '../../../../src/suites/cspace/images/drawn-images.js'
import { outlineImage, type Point } from '../../../../src/suites/cspace/images/outline-image.js'
import { pixelImage } from '../../../../src/suites/cspace/images/pixel-image.js'
import { SegmentTree, squaredToSegment } from '../../../../src/suites/cspace/images/segment-tree.js'

const SEED = 5

describe('the nearest of many segments', () => {
  test.each([1, 6, 7, 200])('of %i is that of all, seed 5', (count) => {
    const random = randomStream(SEED, count)
    const segments = Float64Array.from({ length: 4 * count }, () => random.between(-1, 1))
    const tree = new SegmentTree(segments)
    for (let i = 0; i < 500; i++) {
      const [x, y] = [random.between(-2, 2), random.between(-2, 2)]
      const squares = Array.from({ length: count }, (_, k) => {
        const [ax, ay, bx, by] = segments.subarray(4 * k, 4 * k + 4)
        return squaredToSegment(x, y, ax, ay, bx, by)
      })
      expect(tree.distance(x, y)).toBe(Math.sqrt(Math.min(...squares)))
    }
  })

  test('the distance to one is to its inside or to an end', () => {
    expect(squaredToSegment(1, 2, 0, 0, 4, 0)).toBe(4)
    expect(squaredToSegment(-3, 4, 0, 0, 4, 0)).toBe(25)
    expect(squaredToSegment(7, 4, 0, 0, 4, 0)).toBe(25)
    expect(squaredToSegment(3, 4, 0, 0, 0, 0)).toBe(25)
  })

  test('refuses none', () => {
    expect(() => new SegmentTree(new Float64Array())).toThrow(/no segments/)
  })
})

describe('images of outlines', () => {
  const square = (half: number): Point[] => [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ]

  test('a square frame: positive outside and in its hole, negative between', () => {
    const frame = outlineImage('frame', [square(0.75), square(0.25)])
    expect(frame.distance(0, 0)).toBe(0.25)
    expect(frame.distance(0.5, 0.125)).toBe(-0.25)
    expect(frame.distance(1, 0.125)).toBe(0.25)
    expect(frame.distance(0.75 + 3, 0.75 + 4)).toBe(5)
    expect([frame.isFree(0, 0), frame.isFree(0.5, 0.125), frame.isFree(1, 0)]).toEqual([true, false, true])
  })

  test.each([pear(), mapleLeaf()])('$name lies in the box with room around, and fills a fair part of it', (image) => {
    const side = Array.from({ length: 81 }, (_, i) => i / 40 - 1)
    const onEdge = side.flatMap((s) => [image.distance(s, -1), image.distance(s, 1), image.distance(-1, s)])
    expect(Math.min(...onEdge)).toBeGreaterThan(0.05)
    const inside = side.flatMap((x) => side.filter((y) => !image.isFree(x, y))).length / side.length ** 2
    expect(inside).toBeGreaterThan(0.12)
    expect(inside).toBeLessThan(0.5)
  })

  test.each([pear(), mapleLeaf()])('$name: no two points differ by more than they are apart', (image) => {
    const random = randomStream(SEED)
    for (let i = 0; i < 2000; i++) {
      const [x, y, dx, dy] = [1, 1, 0.1, 0.1].map((size) => size * random.between(-1, 1))
      const change = Math.abs(image.distance(x + dx, y + dy) - image.distance(x, y))
      expect(change).toBeLessThanOrEqual(Math.hypot(dx, dy) + 1e-12)
    }
  })
})

describe('images of pixels', () => {
  test('distances are those to the nearest side of all pixels that differ, seed 5', () => {
    const random = randomStream(SEED)
    const [width, height] = [9, 6]
    const drawn = Uint8Array.from({ length: width * height }, () => (random.between(0, 1) < 0.4 ? 1 : 0))
    const image = pixelImage('noise', { width, height, drawn })
    const isDrawn = (column: number, row: number): boolean =>
      column >= 0 && column < width && row >= 0 && row < height && drawn[row * width + column] === 1
    // The longer side spans 1.8.
    const pixel = 1.8 / width
    for (let i = 0; i < 1000; i++) {
      const [x, y] = [random.between(-1, 1), random.between(-1, 1)]
      const [column, row] = [x / pixel + width / 2, height / 2 - y / pixel]
      const own = isDrawn(Math.floor(column), Math.floor(row))
      // The nearest pixel of the other kind, as a square: its sides towards the point are part of the outline.
      let nearest = Infinity
      for (let r = -20; r < height + 20; r++) {
        for (let c = -20; c < width + 20; c++) {
          if (isDrawn(c, r) === own) continue
          nearest = Math.min(
            nearest,
            Math.hypot(Math.max(c - column, 0, column - c - 1), Math.max(r - row, 0, row - r - 1)),
          )
        }
      }
      expect(image.isFree(x, y)).toBe(!own)
      expect(image.distance(x, y)).toBeCloseTo((own ? -1 : 1) * pixel * nearest, 12)
    }
  })

  test('upright: the first row is the uppermost', () => {
    const image = pixelImage('upper half', { width: 2, height: 2, drawn: Uint8Array.of(1, 1, 0, 0) })
    expect(image.distance(0, 0.45)).toBeCloseTo(-0.45, 12)
    expect(image.distance(0, -0.3)).toBeCloseTo(0.3, 12)
    expect(image.distance(0, 1)).toBeCloseTo(0.1, 12)
    expect(image.pixel).toBe(0.9)
  })
})
