import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { drawCodes } from '../src/poses/codes.js'
import { STREAMS, type StreamUse, streamOf } from '../src/random-streams.js'

const uses = Object.keys(STREAMS) as StreamUse[]

describe('random streams', () => {
  it('of no two uses meet, and all fit the 32 bits of a stream', () => {
    const ranges = uses.map((use) => ({ use, first: STREAMS[use][0], end: STREAMS[use][0] + STREAMS[use][1] }))
    ranges.sort((a, b) => a.first - b.first)
    for (const [i, range] of ranges.entries()) {
      const next = ranges[i + 1]?.first ?? 2 ** 31
      expect(range.end, `${range.use} and ${ranges[i + 1]?.use}`).toBeLessThanOrEqual(next)
    }
  })

  it('end where the table says', () => {
    expect(() => streamOf('trainingDrops', 1, 1_000_000)).toThrow(
      'random streams: trainingDrops has 1000000 streams, number 1000000 is none; ask for fewer.',
    )
    for (const wrong of [-1, 0.5, Number.NaN]) expect(() => streamOf('batches', 1, wrong)).toThrow('is none')
    const first = uses.map((use) => streamOf(use, 7).uniform())
    expect(new Set(first).size).toBe(uses.length)
  })

  it('are drawn from by nobody behind the table', () => {
    const folder = fileURLToPath(new URL('../src/', import.meta.url))
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const seeded = files.filter((name) => /randomStream\([^)]*seed/.test(readFileSync(join(folder, name), 'utf8')))
    // These draw nothing that is trained on: starting vectors, rivals' samples, points on a surface at rest.
    const ofOthers = ['evaluate/fitted-grids.ts', 'modes/block-lanczos.ts', 'surface/visible-samples.ts']
    expect(seeded.filter((name) => !ofOthers.includes(name)).sort()).toEqual(['random-streams.ts'])
  })
})

describe('codes', () => {
  it('to judge by are none that were trained on, nor any other purpose', () => {
    const bounds = { lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) }
    const purposes = ['train', 'frame', 'evaluate', 'bench'] as const
    const drawn = purposes.flatMap((purpose) => drawCodes({ codeSize: 2, bounds }, 50, 3, purpose))
    expect(new Set(drawn.map((code) => code.join())).size).toBe(200)
  })
})
