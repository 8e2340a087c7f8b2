/** Both methods on images with a tiny budget, and the section of the page that shows them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { pear } from '../../../../src/suites/cspace/images/drawn-images.js'
import { imageSection } from '../../../../src/suites/cspace/images/image-section.js'
import { type ImageResult, learnImages } from '../../../../src/suites/cspace/images/learn-images.js'

let results: ImageResult[]
beforeAll(async () => {
  results = await learnImages({
    images: [pear()],
    quick: true,
    paper: { iterations: [12, 12], explore: 200, candidates: 200, distances: 100, pool: 2000, eikonal: 200 },
    ours: { labels: 12_000, steps: 240, batch: 512, hidden: [48, 48], distances: 3000 },
  })
})

describe('images learned from signs', () => {
  test('are told from what is around them', () => {
    const [paper, ours] = results[0].rows
    expect(paper.method).toBe('paper')
    expect(paper.signAccuracy).toBeGreaterThan(0.85)
    expect(ours.signAccuracy).toBeGreaterThan(0.96)
    expect(ours.distanceError.mean).toBeLessThan(0.08)
    expect(ours.nearAccuracy).toBeLessThan(ours.signAccuracy)
  })

  test('take no more labels than they were given', () => {
    const [paper, ours] = results[0].rows
    expect(paper.labels).toBe(12 * 400 + 12 * 500)
    expect(ours.labels).toBeLessThan(1.1 * 12_000)
    expect(ours.labels).toBeGreaterThan(0.8 * 12_000)
  })

  test('give exact and learned fields on one grid, rows from below', () => {
    const { nodes, exact, rows } = results[0]
    expect(exact.length).toBe(nodes * nodes)
    const image = pear()
    const at = (row: number, column: number): number =>
      image.distance((2 * column) / (nodes - 1) - 1, (2 * row) / (nodes - 1) - 1)
    expect(exact[10 * nodes + 64]).toBeCloseTo(at(10, 64), 3)
    expect(exact[100 * nodes + 20]).toBeCloseTo(at(100, 20), 3)
    for (const { field, distanceError } of rows) {
      const mean = field.reduce((sum, value, i) => sum + Math.abs(value - exact[i]), 0) / field.length
      expect(mean).toBeCloseTo(distanceError.mean, 2)
    }
  })
})

test('the section has three pictures and the figures of both', () => {
  const { body } = imageSection(results)
  expect(body.match(/<figure>/g)).toHaveLength(3)
  expect(body).toContain('<td>pear, Pliant</td>')
  expect(body).not.toMatch(/NaN|undefined/)
})
