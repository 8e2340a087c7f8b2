/** What suite handler found, as rows of text: for a terminal and for documents. */
import { formatCount, formatNumber } from '@pliant/train/unstable/text'
import { NOTHING } from '../../report/seed-figure.js'
import type { HandlerBenchResult } from './run.js'

export const DETECTION_TEXT =
  'Whether a code touches itself: what the file was judged by when it was trained, on codes it never learned from; microseconds for one: learned, alone and of 1,024 at once, without and with the gradient; exact, which ends at the first pair; then milliseconds of one repair of a touching code as `pliant repair` does it, and of one frame of a guard.'

export const DETECTION_HEADING = [
  ...['file', 'vertices', 'code', 'told right', 'missed', 'touching'],
  ...['one', 'with gradient', 'of 1,024', 'with gradient', 'exact'],
  ...['gain, one', 'gain, 1,024', 'repair [ms]', 'guard [ms]'],
]

export function detectionCells(detection: NonNullable<HandlerBenchResult['detection']>): string[][] {
  const share = (value: number | undefined): string => (value === undefined ? NOTHING : `${formatNumber(100 * value)}%`)
  return detection.map(({ name, vertices, codeSize, judged, touchingShare, microseconds: us, gain, repair, guard }) => [
    ...[name, formatCount(vertices), formatCount(codeSize), share(judged?.right), share(judged?.missed)],
    share(touchingShare),
    ...[us.one, us.oneWithGradient, us.many, us.manyWithGradient, us.exact].map((value) => formatNumber(value)),
    ...[gain.one, gain.many].map((value) => `${formatNumber(value)}x`),
    ...[repair, guard].map((value) => (value === null ? NOTHING : formatNumber(value))),
  ])
}

export const CLIPS_TEXT =
  'Recorded clips repaired; frames that run into themselves by the exact test, change and jerk of joint angles in degrees and degrees / s^3, seconds of work for a second of the clip.'

export const CLIPS_HEADING = [
  ...['clip', 'noise', 'frames', 'before', 'after', 'new', 'change', 'jerk before', 'after', 'work'],
]

export function clipCells(clips: NonNullable<HandlerBenchResult['clips']>): string[][] {
  return clips.map(({ clip, noise, frames, before, after, newly, change, jerk, work }) => [
    clip,
    `${noise}°`,
    ...[frames, before, after, newly].map((value) => formatCount(value)),
    ...[change, jerk.before, jerk.after, work].map((value) => formatNumber(value)),
  ])
}
