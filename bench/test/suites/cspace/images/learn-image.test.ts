/** Both methods on an image with a tiny budget, and the section of the page that shows them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { pear } from '../../../../src/suites/cspace/images/drawn-images.js'
import { type ImageRow, imageSection } from '../../../../src/suites/cspace/images/image-section.js'
import {
  exactField,
  FIELD_NODES,
  type ImageSettings,
  imageSettings,
  learnImage,
} from '../../../../src/suites/cspace/images/learn-image.js'

const few = { explore: 100, candidates: 100, distances: 50, pool: 1000, eikonal: 100 }
const TINY = {
  paper: { iterations: [20, 10] as const, ...few },
  ours: { labels: 6000, steps: 160, batch: 256, hidden: [32, 32], distances: 1500, learningRate: 2e-2 },
}

let rows: ImageRow[]
beforeAll(async () => {
  rows = []
  for (const method of ['paper', 'ours'] as const) {
    const { options } = imageSettings(method, true)
    const settings = { method, options: { ...options, ...TINY[method] } } as ImageSettings
    rows.push({ method, ...(await learnImage(pear(), settings, { quick: true })) })
  }
})

describe('images learned from signs', () => {
  test('are told from what is around them', () => {
    const [paper, ours] = rows
    expect(paper.touchingShare).toBeCloseTo(0.2, 1)
    expect(paper.signAccuracy).toBeGreaterThan(0.9)
    expect(ours.signAccuracy).toBeGreaterThan(0.94)
    expect(ours.distanceError.mean).toBeLessThan(0.1)
    expect(ours.nearAccuracy).toBeLessThan(ours.signAccuracy)
  })

  test('take no more labels than they were given', () => {
    const [paper, ours] = rows
    expect(paper.labels).toBe(20 * 200 + 10 * 250)
    expect(ours.labels).toBeLessThan(1.1 * 6000)
    expect(ours.labels).toBeGreaterThan(0.8 * 6000)
  })

  test('give exact and learned fields on one grid, rows from below', () => {
    const exact = exactField(pear())
    const image = pear()
    const at = (row: number, column: number): number =>
      image.distance((2 * column) / (FIELD_NODES - 1) - 1, (2 * row) / (FIELD_NODES - 1) - 1)
    expect(exact[10][64]).toBeCloseTo(at(10, 64), 3)
    expect(exact[90][20]).toBeCloseTo(at(90, 20), 3)
    for (const { field, distanceError } of rows) {
      const errors = field.flatMap((row, y) => row.map((value, x) => Math.abs(value - exact[y][x])))
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
      expect(Math.abs(mean - distanceError.mean)).toBeLessThan(0.1 * distanceError.mean)
    }
  })
})

test("a user's picture has three pictures and the figures of both methods", () => {
  const { body } = imageSection([], { name: 'a<b.png', quick: true, exact: exactField(pear()), rows })
  expect(body.match(/<figure>/g)).toHaveLength(3)
  expect(body).toContain('<h3>a&lt;b.png (a first look)</h3>')
  expect(body).toContain('<td>a&lt;b.png (a first look), ours</td><td>2 x 32 SiLU</td>')
  expect(body).not.toMatch(/NaN|undefined/)
})

test("another network is of ReLU units, as the paper's, and leaves all else as it is", () => {
  const own = imageSettings('ours').options
  const other = imageSettings('ours', false, { layers: 2, width: 70 }).options
  expect(other).toEqual({ ...own, hidden: [70, 70], activation: 'relu' })
  expect(imageSettings('paper').options).toMatchObject({ hidden: [70, 70], iterations: [500, 500], epochs: 10 })
})
