/** `bench handler` in parts: what was not measured is not told, and a saved run keeps what it did not measure. */
import { expect, test } from 'vitest'
import { savedRun } from '../../../src/report/saved-run.js'
import { partNames } from '../../../src/suite/part-names.js'
import { handler } from '../../../src/suites/handler/index.js'
import type { HandlerBenchResult } from '../../../src/suites/handler/run.js'

const DETECTION: HandlerBenchResult['detection'] = []
const CLIPS: HandlerBenchResult['clips'] = [
  {
    ...{ clip: '05_01', noise: 0, frames: 600, before: 120, after: 0, newly: 0, change: 0.08 },
    ...{ jerk: { before: 1, after: 2 }, work: 0.1 },
  } as NonNullable<HandlerBenchResult['clips']>[number],
]

test('parts are named in any order, and a wrong name is refused in one line', () => {
  expect(partNames('handler', ['detection', 'clips'], 'clips, detection')).toEqual(['detection', 'clips'])
  expect(partNames('handler', ['detection', 'clips'], undefined)).toEqual(['detection', 'clips'])
  expect(() => partNames('handler', ['detection', 'clips'], 'clip')).toThrow(
    'bench handler: --parts names clip; choose from detection, clips.',
  )
})

test('a run of detection alone keeps the clips of the run before, each below its own line', () => {
  const origin = (commit: string) => ({ date: '', machine: {} as never, commit, quick: false })
  const before = { suite: 'handler', ...origin('old'), result: { detection: DETECTION, clips: CLIPS } }
  const { result, origins } = savedRun(
    { suite: 'handler', ...origin('new'), result: { detection: DETECTION } },
    handler.parts,
    before,
  )
  expect(result).toEqual({ detection: DETECTION, clips: CLIPS })
  expect([origins?.detection.commit, origins?.clips.commit]).toEqual(['new', 'old'])
  const text = handler.markdown(result, (part) => `run of ${part}`)
  expect(text.match(/run of \w+/g)).toEqual(['run of detection', 'run of clips'])
  expect(handler.table({ detection: DETECTION })).not.toContain('Recorded clips')
})
