import { describe, expect, it } from 'vitest'
import { createProgress, silentProgress } from '../src/progress.js'

/** A stream that keeps what it is given, and a clock that stands until moved. */
function stage(terminal: boolean) {
  const written: string[] = []
  const clock = { now: 0 }
  const stream = {
    isTTY: terminal,
    columns: 70,
    write: (text: string | Uint8Array) => {
      written.push(String(text))
      return true
    },
  }
  const timer = { tick: () => {}, stopped: false }
  const every = (tick: () => void) => {
    timer.tick = tick
    return () => {
      timer.stopped = true
    }
  }
  return { written, clock, timer, progress: createProgress(stream, () => clock.now, every) }
}

describe('progress', () => {
  it('stays silent for work that is over in a blink', () => {
    const { written, clock, progress } = stage(true)
    for (clock.now = 0; clock.now < 500; clock.now += 50) progress.update({ fraction: clock.now / 500, stage: 'work' })
    progress.done()
    expect(written).toEqual([])
  })

  it('redraws one line on a terminal, with percentage, elapsed and remaining time, and clears it', () => {
    const { written, clock, progress } = stage(true)
    progress.update({ fraction: 0, stage: 'learn' })
    clock.now = 10_000
    progress.update({ fraction: 0.25, stage: 'learn', detail: 'step 1' })
    expect(written.join('')).not.toContain('\n')
    expect(written[0]).toMatch(/25%.*10\.0 s.*30\.0 s left/)
    progress.done()
    expect(written.at(-1)).toBe('\r\x1b[2K')
  })

  it('judges the remaining time of a resumed run by its own pace', () => {
    const { written, clock, progress } = stage(true)
    progress.update({ fraction: 0.5, stage: 'learn' })
    clock.now = 10_000
    progress.update({ fraction: 0.6, stage: 'learn' })
    expect(written[0]).toMatch(/40\.0 s left/)
  })

  it('tells the time left as whoever does the work knows it, not by the pace so far', () => {
    const { written, clock, progress } = stage(true)
    progress.update({ fraction: 0, stage: 'poses' })
    clock.now = 10_000
    progress.update({ fraction: 0.1, stage: 'poses', secondsLeft: 25, detail: '5' })
    expect(written[0]).toMatch(/ 10% {2}10\.0 s, 25\.0 s left {2}poses: 5/)
  })

  it('says nothing of the time left where the pace tells nothing', () => {
    const { written, clock, progress } = stage(true)
    progress.update({ fraction: 0, stage: 'estimate', secondsLeft: null })
    clock.now = 10_000
    progress.update({ fraction: 0.5, stage: 'estimate', secondsLeft: null })
    expect(written[0]).toMatch(/10\.0 s {2}estimate/)
  })

  it('goes on saying the last word while there is no new one, and stops when it is done', () => {
    const { written, clock, timer, progress } = stage(false)
    progress.update({ fraction: 0.1, stage: 'filling', detail: 'a lattice', secondsLeft: 100 })
    for (clock.now = 1000; clock.now <= 15_000; clock.now += 1000) timer.tick()
    expect(written).toEqual([
      ' 10%  5.00 s, 1 min 35 s left  filling: a lattice\n',
      ' 10%  10.0 s, 1 min 30 s left  filling: a lattice\n',
      ' 10%  15.0 s, 1 min 25 s left  filling: a lattice\n',
    ])
    progress.done()
    expect(timer.stopped).toBe(true)
    clock.now = 30_000
    timer.tick()
    expect(written).toHaveLength(3)
  })

  it('notes a line that stays, clearing the bar first; silent progress shows warnings alone', () => {
    const { written, clock, progress } = stage(true)
    clock.now = 10_000
    progress.update({ fraction: 0.1, stage: 'poses' })
    progress.note('about 14 min')
    expect(written.slice(1)).toEqual(['\r\x1b[2K', 'pliant: about 14 min\n'])
    const told: string[] = []
    const silent = silentProgress({ write: (text: string | Uint8Array) => told.push(String(text)) > 0 })
    silent.note('about 14 min')
    silent.warn('too short')
    expect(told).toEqual(['pliant: warning: too short\n'])
  })

  it('never draws a line wider than the terminal, which could not be redrawn', () => {
    const { written, clock, progress } = stage(true)
    clock.now = 10_000
    progress.update({ fraction: 0.5, stage: 'x'.repeat(500) })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
    const visible = written[0].replace(/\x1b\[[0-9;]*[mK]|\r/g, '')
    expect(visible.length).toBeLessThan(70)
  })

  it('writes plain lines every few seconds where nobody looks on', () => {
    const { written, clock, progress } = stage(false)
    for (clock.now = 0; clock.now <= 20_000; clock.now += 100)
      progress.update({ fraction: clock.now / 20_000, stage: 'work' })
    progress.done()
    expect(written).toHaveLength(4)
    expect(written.join('')).not.toContain('\x1b')
    for (const line of written) expect(line).toMatch(/^ *\d+%.* work\n$/)
  })
})
