/**
 * How far long work has come, on stderr: one redrawn bar where a person looks on, a plain line every few seconds
 * where a log is kept, nothing with --quiet.
 */
import { printable } from 'pliant/files'
import { formatSeconds } from './format.js'
import { paint, wantsColour } from './terminal.js'

export interface ProgressState {
  /** Part of the work that is done, 0 to 1. */
  readonly fraction: number
  readonly stage: string
  readonly detail?: string
  /** Part of the present stage, 0 to 1: the time left is then that of the stage, whose pace is known. */
  readonly ofStage?: number
}

export interface Progress {
  update(state: ProgressState): void
  /** One line that stays, whether or not progress is shown. */
  warn(line: string): void
  /** Removes the bar; the last word belongs to the result. Harmless when called twice. */
  done(): void
}

/** Work that ends sooner than this shows no progress at all [ms]. */
const QUIET_START = 700
/** Between two drawings of the bar, and between two lines of a log [ms]. */
const REDRAW = 100
const LOG_INTERVAL = 5000
const BAR_WIDTH = 24

type Stream = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number }

export function silentProgress(stream: Stream): Progress {
  return { update() {}, warn: (line) => writeWarning(stream, line), done() {} }
}

function writeWarning(stream: Stream, line: string): void {
  stream.write(`pliant: warning: ${printable(line)}\n`)
}

/** @param now  clock [ms]; replaced in tests */
export function createProgress(stream: Stream, now: () => number = () => performance.now()): Progress {
  return stream.isTTY && process.env['TERM'] !== 'dumb' ? redrawnBar(stream, now) : plainLines(stream, now)
}

function redrawnBar(stream: Stream, now: () => number): Progress {
  const start = now()
  const estimate = remaining()
  let drawnAt = -Infinity
  let visible = false
  return {
    update(state) {
      const time = now()
      const left = estimate(state, time)
      if (time - start < QUIET_START || (time - drawnAt < REDRAW && state.fraction < 1)) return
      drawnAt = time
      visible = true
      const line = barLine(state, (time - start) / 1000, left, wantsColour(stream) ? stream : {})
      stream.write(`\r\x1b[2K${clip(line, (stream.columns ?? 80) - 1)}`)
    },
    warn(line) {
      if (visible) stream.write('\r\x1b[2K')
      visible = false
      writeWarning(stream, line)
    },
    done() {
      if (visible) stream.write('\r\x1b[2K')
      visible = false
    },
  }
}

function plainLines(stream: Stream, now: () => number): Progress {
  const start = now()
  const estimate = remaining()
  let writtenAt = start
  return {
    update(state) {
      const time = now()
      const left = estimate(state, time)
      if (time - writtenAt < LOG_INTERVAL) return
      writtenAt = time
      stream.write(`${percent(state.fraction)}  ${message(state, (time - start) / 1000, left)}\n`)
    },
    warn: (line) => writeWarning(stream, line),
    done() {},
  }
}

function barLine(state: ProgressState, elapsed: number, left: number | undefined, stream: { isTTY?: boolean }): string {
  const filled = Math.round(BAR_WIDTH * clamp(state.fraction))
  const bar = paint(stream, 'cyan', '█'.repeat(filled)) + paint(stream, 'dim', '░'.repeat(BAR_WIDTH - filled))
  return `${bar} ${percent(state.fraction)}  ${message(state, elapsed, left)}`
}

/**
 * Seconds left, by the pace since the first word of progress, or of the present stage if it is told how far that is: a
 * resumed run starts in the middle. Undefined while less than a hundredth has been done, when it would be noise.
 */
function remaining(): (state: ProgressState, time: number) => number | undefined {
  let first: { stage: string | undefined; done: number; time: number } | undefined
  return ({ fraction, stage, ofStage }, time) => {
    const own = ofStage === undefined ? undefined : stage
    const done = ofStage ?? fraction
    if (!first || first.stage !== own) first = { stage: own, done, time }
    const since = done - first.done
    return since >= 0.01 && done < 1 ? ((time - first.time) / 1000 / since) * (1 - done) : undefined
  }
}

/** Time, stage and detail; the time left stands beside what it is of. */
function message({ stage, detail, ofStage }: ProgressState, elapsed: number, left: number | undefined): string {
  const remainder = left === undefined ? '' : `, ${formatSeconds(left)} left`
  const [ofAll, ofThis] = ofStage === undefined ? [remainder, ''] : ['', remainder]
  return printable(`${formatSeconds(elapsed)}${ofAll}  ${stage}${ofThis}${detail ? `: ${detail}` : ''}`)
}

function percent(fraction: number): string {
  return `${String(Math.floor(100 * clamp(fraction))).padStart(3)}%`
}

function clamp(fraction: number): number {
  return Math.min(1, Math.max(0, Number.isFinite(fraction) ? fraction : 0))
}

/** Cuts to a width in visible characters: a line that wraps cannot be redrawn. */
function clip(line: string, width: number): string {
  let visible = 0
  let index = 0
  while (index < line.length && visible < width) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with the escape character
    const code = /^\x1b\[[0-9;]*m/.exec(line.slice(index, index + 12))
    if (code) index += code[0].length
    else {
      index++
      visible++
    }
  }
  return index < line.length ? `${line.slice(0, index)}\x1b[0m` : line
}
