/**
 * How far long work has come, on stderr: one redrawn bar where a person looks on, a plain line every few seconds
 * where a log is kept, nothing with --quiet.
 */
import { printable } from 'pliant/unstable'
import { formatSeconds } from './format.js'
import { paint, wantsColour } from './terminal.js'

export interface ProgressState {
  /** Part of the work that is done, 0 to 1. */
  readonly fraction: number
  readonly stage: string
  readonly detail?: string
  /** Of the whole work [s], where whoever does it knows better than by the pace so far; null if the pace tells nothing. */
  readonly secondsLeft?: number | null
}

export interface Progress {
  update(state: ProgressState): void
  /** One line that stays, where progress is shown. */
  note(line: string): void
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
  return { update() {}, note() {}, warn: (line) => writeWarning(stream, line), done() {} }
}

function writeNote(stream: Stream, line: string): void {
  stream.write(`pliant: ${printable(line)}\n`)
}

function writeWarning(stream: Stream, line: string): void {
  writeNote(stream, `warning: ${line}`)
}

/**
 * Says the last word again while there is no new one: silence looks like a standstill.
 * @param now    clock [ms]; replaced in tests
 * @param every  calls back again and again until what it returns is called; replaced in tests
 */
export function createProgress(
  stream: Stream,
  now: () => number = () => performance.now(),
  every: (tick: () => void) => () => void = everySecond,
): Progress {
  const shown = stream.isTTY && process.env['TERM'] !== 'dumb' ? redrawnBar(stream, now) : plainLines(stream, now)
  let last: { state: ProgressState; time: number } | undefined
  let stop: (() => void) | undefined
  const again = (): void => {
    if (!last) return
    const { state, time } = last
    const left = state.secondsLeft
    // What was left then, less what has passed since.
    const since = (now() - time) / 1000
    shown.update(typeof left === 'number' ? { ...state, secondsLeft: Math.max(0, left - since) } : state)
  }
  return {
    ...shown,
    update(state) {
      last = { state, time: now() }
      stop ??= every(again)
      shown.update(state)
    },
    done() {
      stop?.()
      last = undefined
      shown.done()
    },
  }
}

function everySecond(tick: () => void): () => void {
  const timer = setInterval(tick, 1000)
  timer.unref()
  return () => clearInterval(timer)
}

function redrawnBar(stream: Stream, now: () => number): Progress {
  const start = now()
  const estimate = remaining()
  let drawnAt = -Infinity
  let visible = false
  const clear = (): void => {
    if (visible) stream.write('\r\x1b[2K')
    visible = false
  }
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
    note(line) {
      clear()
      writeNote(stream, line)
    },
    warn(line) {
      clear()
      writeWarning(stream, line)
    },
    done: clear,
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
    note: (line) => writeNote(stream, line),
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
 * Seconds left of the whole work: as told, or by the pace since the first word of progress, because a resumed run starts in
 * the middle. Undefined while less than a hundredth has been done, when it would be noise.
 */
function remaining(): (state: ProgressState, time: number) => number | undefined {
  let first: { fraction: number; time: number } | undefined
  return ({ fraction, secondsLeft }, time) => {
    first ??= { fraction, time }
    if (secondsLeft !== undefined) return secondsLeft ?? undefined
    const since = fraction - first.fraction
    return since >= 0.01 && fraction < 1 ? ((time - first.time) / 1000 / since) * (1 - fraction) : undefined
  }
}

function message({ stage, detail }: ProgressState, elapsed: number, left: number | undefined): string {
  const remainder = left === undefined ? '' : `, ${formatSeconds(left)} left`
  return printable(`${formatSeconds(elapsed)}${remainder}  ${stage}${detail ? `: ${detail}` : ''}`)
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
