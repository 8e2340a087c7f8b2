import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SpentTime } from '../../src/cells/spent-time.js'

it('adds the parts of a run that was killed, but what it forgot, and ends with learning', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pliant-time-')), 'seconds')
  let now = 1
  const first = new SpentTime(path, () => now)
  now += 4
  first.note()
  now += 4
  first.note()
  now += 1
  first.note()
  // Killed here, 9 s after it began and 1 s after its last note.
  now = 50
  const second = new SpentTime(path, () => now)
  now += 2
  second.stop()
  now += 99
  second.note()
  second.stop()
  expect(second.seconds).toBe(10)
  // Killed while it was evaluated: learning is not done again.
  expect(new SpentTime(path, () => now).seconds).toBe(10)
  second.forget()
  expect(new SpentTime(path, () => now).seconds).toBe(0)
})
