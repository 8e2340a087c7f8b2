import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { drawCodes } from '../../src/poses/codes.js'
import { STREAMS, type StreamUse, streamOf } from '../../src/streams/random-streams.js'

const uses = Object.keys(STREAMS) as StreamUse[]

/** Uses that share a stream, or have one that is none. */
function meetings(table: Record<string, readonly [number, number]>): string[] {
  const ranges = Object.entries(table).map(([use, [first, count]]) => ({ use, first, end: first + count }))
  const wrong = ranges.filter(({ first, end }) => !(first >= 0 && first < end && end <= 2 ** 31)).map(({ use }) => use)
  for (const a of ranges) {
    for (const b of ranges) if (a.use < b.use && a.first < b.end && b.first < a.end) wrong.push(`${a.use} and ${b.use}`)
  }
  return wrong
}

describe('random streams', () => {
  it('of no two uses meet, and all fit the 32 bits of a stream', () => {
    expect(meetings(STREAMS)).toEqual([])
    // And it would be seen if they did: each use taken further by one stream meets the next one, or the end.
    for (const use of uses) {
      const [first, count] = STREAMS[use]
      const later = uses.map((other) => STREAMS[other][0]).filter((other) => other > first)
      const tooMany = Math.min(2 ** 31, ...later) - first + 1
      expect(tooMany).toBeGreaterThan(count)
      expect(meetings({ ...STREAMS, [use]: [first, tooMany] })).toHaveLength(1)
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
    for (const [folder, allowed] of [
      ['../../src/', ['streams/random-streams.ts']],
      ['../../../../bench/src/', []],
    ] as const) {
      const path = fileURLToPath(new URL(folder, import.meta.url))
      const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
      expect(files.length).toBeGreaterThan(20)
      const drawing = files.filter((name) =>
        /\brandomStream\b|Math\.random/.test(readFileSync(join(path, name), 'utf8')),
      )
      expect(drawing).toEqual(allowed)
    }
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
