import { describe, expect, it } from 'vitest'
import { inBatches } from '../src/batches.js'
import { Interrupted } from '../src/errors.js'
import { silentProgress } from '../src/progress.js'

describe('work in batches', () => {
  it('covers every point once, in order', async () => {
    const seen: number[] = []
    const call = { signal: new AbortController().signal, progress: silentProgress(process.stderr) }
    await inBatches(10_001, 'work', call, (start, end) => {
      for (let i = start; i < end; i++) seen.push(i)
    })
    expect(seen).toEqual(Array.from({ length: 10_001 }, (_, i) => i))
  })

  it('stops at the next batch once interrupted, also in the last one', async () => {
    for (const count of [100_000, 10]) {
      const controller = new AbortController()
      let batches = 0
      const work = inBatches(
        count,
        'work',
        { signal: controller.signal, progress: silentProgress(process.stderr) },
        () => {
          batches++
          controller.abort()
        },
      )
      await expect(work).rejects.toBeInstanceOf(Interrupted)
      expect(batches).toBe(1)
    }
  })
})
