/** Detection and repair timed beside the exact test, and recorded clips repaired. */
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { type DetectionRow, timeDetection } from './answers.js'
import { type ClipRow, repairClips } from './clips.js'
import { HANDLER_PARTS, type HandlerGiven } from './inputs.js'

export interface HandlerBenchResult {
  /** None where it was not asked for. */
  detection?: DetectionRow[]
  /** None where it was not asked for, or the character for them was not trained. */
  clips?: ClipRow[]
}

/** Degrees of noise, and frames of each clip at most. */
const NOISES = [0, 15]
const FULL = { seconds: 1, frames: 600 } as const
const QUICK = { seconds: 0.05, frames: 30 } as const

export async function benchHandler({
  parts = HANDLER_PARTS,
  files = [],
  dancer,
  clips = [],
  quick,
  ...options
}: RunOptions & HandlerGiven): Promise<HandlerBenchResult> {
  if (files.length === 0)
    throw new Error('bench handler: no trained file; train one with `pliant train humanoid --learn self-contact`.')
  const { seconds, frames } = quick ? QUICK : FULL
  const result: HandlerBenchResult = {}
  const stages = stagesOf(options)
  if (parts.includes('detection')) {
    const timing = stages('detection', 0, 0.4)
    result.detection = []
    for (const [i, file] of files.entries()) {
      timing({ fraction: i / files.length, detail: file.manifest.name })
      result.detection.push(await timeDetection(file, seconds))
    }
  }
  if (parts.includes('clips') && dancer) {
    const repairing = stages('clips', 0.4, 1)
    result.clips = await repairClips(dancer, clips, NOISES, frames, (fraction) => repairing({ fraction }))
  }
  return result
}
