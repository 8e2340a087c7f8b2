/** What `pliant reproduce sdf` draws, of bodies in boxes and over time. */
import { describe, expect, it } from 'vitest'
import { METHODS } from '../../../src/suites/contact/methods.js'
import { drawBoxes } from '../../../src/suites/contact/page/box-pictures.js'
import {
  type StackingMotion,
  squeezeSection,
  stackingSection,
} from '../../../src/suites/contact/page/motion-sections.js'
import { ablationSection } from '../../../src/suites/contact/page/parts-section.js'
import { twentyFields } from '../../../src/suites/contact/poses.js'
import { judgePairs } from '../../../src/suites/contact/random-pairs.js'
import { judgeStacking } from '../../../src/suites/contact/stacking.js'

const quiet = async (): Promise<void> => {}

describe('boxes over a body', () => {
  const field = twentyFields().get('box')!
  const { lower, upper } = field.box
  const around = { frame: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), half: upper as never }
  const away = { ...around, frame: around.frame.with(12, 3) }

  it('are drawn by the three faces that one sees, within the picture', () => {
    expect(lower.map((low) => -low)).toEqual([...upper])
    const drawn = drawBoxes(
      { body: 'box', field, box: field.box },
      new Map([
        ['one', [around]],
        ['two', [around, away]],
      ]),
      60,
    )
    expect([...drawn.keys()]).toEqual(['one', 'two'])
    const [one, two] = [...drawn.values()]
    expect(one.match(/<polygon/g)).toHaveLength(3)
    expect(two.match(/<polygon/g)).toHaveLength(6)
    for (const svg of [one, two]) {
      const [, width, height] = svg.match(/viewBox="0 0 (\d+) (\d+)"/)!.map(Number)
      expect(svg).toContain(`<image width="${width}" height="${height}" href="data:image/png`)
      const places = [...svg.matchAll(/([\d.-]+),([\d.-]+)(?=[ "])/g)].map(([, x, y]) => [Number(x), Number(y)])
      expect(places.length).toBe(4 * svg.match(/<polygon/g)!.length)
      for (const [x, y] of places) {
        expect(x).toBeGreaterThan(0)
        expect(x).toBeLessThan(width)
        expect(y).toBeGreaterThan(0)
        expect(y).toBeLessThan(height)
      }
    }
  })
})

it('shows how far bodies drift and what energy a pile has, of each method as long as it was watched', async () => {
  const motion: StackingMotion = { drift: {}, energy: {} }
  const result = await judgeStacking(
    { seconds: 0.1, pileSeconds: 0.1, seed: 1 },
    quiet,
    METHODS.slice(0, 1),
    (method, series, values) => {
      motion[series][method] = values
    },
  )
  expect(motion.drift.ours).toHaveLength(6)
  expect(motion.drift.ours.at(-1)).toBe(result.rest[0].drift)
  expect(motion.energy.ours).toHaveLength(7)
  const { title, body } = stackingSection(result, motion)
  expect(title).toContain('rest')
  expect(body).not.toMatch(/NaN|undefined|Infinity/)
  expect(body.match(/<figure>/g)).toHaveLength(2)
})

it('shows how deep soft bodies are in each other, also where they are not', () => {
  const row = { deepest: [0.02], mean: 0.01, vertices: 0.015, stepMs: 3 }
  const squeezed = {
    ...{ pair: 'hand on bunny', pass: { learned: 1, exact: 2, states: 3 }, difference: { mean: 0, largest: 0 } },
    rows: ['no contact', 'learned, vertices'].map((method) => ({ method, ...row })),
  }
  const depths = { 'hand on bunny': { 'no contact': [0, 0.1, 0.2], 'learned, vertices': [0, 0, 0.02] } }
  const { body } = squeezeSection([squeezed], depths, 10)
  expect(body).not.toMatch(/NaN|undefined|Infinity/)
  expect(body).toContain('<td>hand on bunny</td><td>learned, vertices</td>')
  expect(body.match(/<circle/g), 'of every value, also of none').toHaveLength(6)
  expect(body.match(/<figure>/g)).toHaveLength(1)
})

it('has a row of each way to cut in the ablation', async () => {
  const pairs = await judgePairs(
    { seed: 3, poses: 4, boxes: { points: 128, steps: 20, restarts: 1 }, threads: 1 },
    quiet,
  )
  const { body } = ablationSection(pairs)
  expect(body).not.toMatch(/NaN|undefined|Infinity/)
  for (const method of ['one box a body', 'boxes by joint segmentation', 'boxes by clusters']) {
    expect(body).toContain(`<td>the paper's, ${method}</td>`)
  }
})
