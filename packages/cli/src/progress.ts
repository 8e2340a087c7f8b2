/**
 * How far long work has come, on stderr: one redrawn bar where a person looks on, a plain line every few seconds
 * where a log is kept, nothing with --quiet.
 */
import { formatSeconds } from './format.js'
import { paint, wantsColour } from './terminal.js'

export interface ProgressState {
  /** Part of the work that is done, 0 to 1. */
  readonly fraction: number
  readonly stage: string
  readonly detail?: string
}

export interface Progress {
  update(state: ProgressState): void
  /** Removes the bar; the last word belongs to the result. Harmless when called twice. */
  done(): void
}

/** Work that ends sooner than this shows no progress at all [ms]. */
const QUIET_START = 700
/** Between two drawings of the bar, and between two lines of a log [ms]. */
const REDRAW = 100
const LOG_INTERVAL = 5000
const BAR_WIDTH = 24

export const silentProgress: Progress = { update() {}, done() {} }

type Stream = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number }

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
      const left = estimate(state.fraction, time)
      if (time - start < QUIET_START || (time - drawnAt < REDRAW && state.fraction < 1)) return
      drawnAt = time
      visible = true
      const line = barLine(state, times((time - start) / 1000, left), wantsColour(stream) ? stream : {})
      stream.write(`\r\x1b[2K${clip(line, (stream.columns ?? 80) - 1)}`)
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
      const left = estimate(state.fraction, time)
      if (time - writtenAt < LOG_INTERVAL) return
      writtenAt = time
      stream.write(`${percent(state.fraction)}  ${times((time - start) / 1000, left)}  ${message(state)}\n`)
    },
    done() {},
  }
}

function barLine(state: ProgressState, timing: string, stream: { isTTY?: boolean }): string {
  const filled = Math.round(BAR_WIDTH * clamp(state.fraction))
  const bar = paint(stream, 'cyan', '█'.repeat(filled)) + paint(stream, 'dim', '░'.repeat(BAR_WIDTH - filled))
  return `${bar} ${percent(state.fraction)}  ${timing}  ${message(state)}`
}

/**
 * Seconds left, by the pace since the first word of progress: a resumed run starts in the middle.
 * Undefined while less than a hundredth has been done, when it would be noise.
 */
function remaining(): (fraction: number, time: number) => number | undefined {
  let first: { fraction: number; time: number } | undefined
  return (fraction, time) => {
    first ??= { fraction, time }
    const done = fraction - first.fraction
    return done >= 0.01 && fraction < 1 ? ((time - first.time) / 1000 / done) * (1 - fraction) : undefined
  }
}

function times(elapsed: number, left: number | undefined): string {
  return left === undefined ? formatSeconds(elapsed) : `${formatSeconds(elapsed)}, ${formatSeconds(left)} left`
}

function message(state: ProgressState): string {
  return state.detail ? `${state.stage}: ${state.detail}` : state.stage
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
