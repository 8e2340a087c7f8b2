/** Bodies of the contact suite in boxes, cut in a fraction of a second each: figures are in docs/notes/field-contact.md. */
import { readFileSync } from 'node:fs'
import { randomStream } from 'pliant'
import { boxHolds, orientedBoxes, type SurfacePoints, solidOf } from 'pliant/detect'
import { boxDiagonal, meshBox, sampleSurface } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { measureBody } from '../../../src/suites/contact/boxes/measure-boxes.js'
import { twentyFields } from '../../../src/suites/contact/poses.js'
import { scannedMeshes } from '../../../src/suites/contact/scenes/bodies.js'
import { boxesText } from '../../../src/suites/contact/text/boxes.js'

const QUICK = { points: 256, steps: 60, restarts: 1 } as const
const METHODS = ['segmentation', 'clusters'] as const

/** How many of the points are in none of the boxes. */
function left({ points, facings }: SurfacePoints, method: (typeof METHODS)[number], rounding: number): number {
  const boxes = orientedBoxes({ points, facings }, { ...QUICK, method })
  expect(boxes.length).toBeGreaterThan(0)
  expect(boxes.length).toBeLessThanOrEqual(16)
  let outside = 0
  for (let at = 0; at < points.length; at += 3) {
    if (!boxes.some((box) => boxHolds(box, points, at, rounding))) outside++
  }
  return outside
}

const artifact = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../../apps/studio/public/artifacts/${name}.safetensors`, import.meta.url))

describe.each(METHODS)('boxes by %s', (method) => {
  it.each([...twentyFields()])('hold every point of the %s', (_name, field) => {
    expect(left(solidOf(field, field.box), method, 1e-12)).toBe(0)
  })

  it('hold every point of scanned bodies', async () => {
    const scanned = await scannedMeshes({ bunny: artifact('bunny'), armadillo: artifact('armadillo') })
    expect(scanned.map(({ name }) => name)).toEqual(['bunny', 'armadillo'])
    for (const { mesh } of scanned) {
      const [points, facings] = [new Float64Array(3 * 4096), new Float64Array(3 * 4096)]
      sampleSurface(mesh, 4096, randomStream(1, 0), { points, normals: facings })
      expect(left({ points, facings }, method, 1e-12 * boxDiagonal(meshBox(mesh)))).toBe(0)
    }
  })
})

it('are measured beside the body and the one box around it', () => {
  const ball = twentyFields().get('sphere')!
  const cuts = measureBody({ body: 'sphere', field: ball, box: ball.box }, QUICK)
  expect(cuts.map(({ method }) => method)).toEqual(['boxes by joint segmentation', 'boxes by clusters'])
  for (const { single, overBody, overSingle, roomOverBody, held, judged } of cuts) {
    // A cube around a ball has 6 / pi times its volume; the grid that counts it has 48 cells a side.
    expect(single).toBeCloseTo(6 / Math.PI, 1)
    expect(overBody / overSingle).toBeCloseTo(single, 12)
    expect(roomOverBody).toBeLessThanOrEqual(overBody * 1.05)
    expect(roomOverBody).toBeGreaterThan(0.3)
    expect(held).toBe(1)
    expect(judged).toBeGreaterThan(0.99)
  }
})

it('are told with whether all points that were cut are in one', () => {
  const cut = {
    ...{
      body: 'torus',
      method: 'boxes by clusters',
      points: 2732,
      single: 6,
      boxes: 12,
      overBody: 3,
      overSingle: 0.5,
      roomOverBody: 2.5,
    },
    ...{ held: 1, judged: 0.99996, seconds: 1.2 },
  }
  const text = boxesText({ cells: 32, judgedCells: 47, cuts: [cut] })
  expect(text).toContain('| torus | 2,732 | 6 | 12: 3 (0.5) | 2.5 | 99.99% | 1.2 |')
  expect(text).toContain('All points that were cut are in a box')
  const missed = [cut, { ...cut, body: 'heart', held: 0.999 }]
  expect(boxesText({ cells: 32, judgedCells: 47, cuts: missed })).toContain('Not all points')
})
