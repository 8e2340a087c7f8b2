import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TetMesh } from 'pliant'
import { afterAll, describe, expect, it } from 'vitest'
import { DropLog, dropLogPath } from '../../src/poses/drop-log.js'
import { dropSettings } from '../../src/poses/drop-options.js'
import type { DropRun } from '../../src/poses/drop-run.js'

const mesh: TetMesh = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tetrahedra: Uint32Array.of(0, 1, 2, 3),
}
const settings = dropSettings(mesh, { snapshots: 2 })

const runOf = (run: number): DropRun => ({
  run,
  unconverged: run % 3,
  inverted: Uint32Array.of(0, run),
  crossings: Uint32Array.of(run + 1, 0),
  positions: Float32Array.from({ length: 24 }, (_, i) => run + i / 7),
})

describe('finished drops on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-drops-'))
  const path = dropLogPath(join(folder, 'a.checkpoint'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const write = (...runs: number[]): void => {
    const log = DropLog.open(path, mesh, settings, false)
    for (const run of runs) log.add(runOf(run))
    log.close()
  }
  const runsFound = (most = 10): number[] => {
    const log = DropLog.open(path, mesh, settings, true)
    const found = Array.from({ length: most }, (_, run) => run).filter((run) => log.find(run) !== undefined)
    log.close()
    return found
  }

  it('come back as they were, in whatever order they were finished', () => {
    write(3, 0, 2)
    const log = DropLog.open(path, mesh, settings, true)
    expect([3, 0, 2].map((run) => log.find(run))).toEqual([3, 0, 2].map(runOf))
    expect(log.find(1)).toBeUndefined()
    log.add(runOf(1))
    expect(log.find(1)).toEqual(runOf(1))
    log.close()
    expect(runsFound()).toEqual([0, 1, 2, 3])
  })

  it('are whole or not there: a record cut short or damaged ends the list, and is written over', () => {
    for (const damage of [
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 5),
      (bytes: Buffer) => bytes.fill(7, bytes.length - 40, bytes.length - 36),
    ]) {
      write(0, 1, 2)
      const whole = readFileSync(path)
      writeFileSync(path, damage(Buffer.from(whole)))
      const log = DropLog.open(path, mesh, settings, true)
      expect(log.find(2)).toBeUndefined()
      log.add(runOf(2))
      log.close()
      expect(readFileSync(path).equals(whole)).toBe(true)
    }
    // Killed before there was a header.
    writeFileSync(path, 'pliant-')
    expect(runsFound()).toEqual([])
  })

  it('start anew unless resumed, and are refused to another body or other settings', () => {
    write(0, 1)
    const softer = dropSettings(mesh, { snapshots: 2, stiffness: [0.5, 1] })
    expect(() => DropLog.open(path, mesh, softer, true)).toThrow(/another body or of other options; .* --resume/)
    const moved = { ...mesh, positions: mesh.positions.with(0, 0.1) }
    expect(() => DropLog.open(path, moved, settings, true)).toThrow(/another body/)
    expect(runsFound()).toEqual([0, 1])
    write()
    expect(runsFound()).toEqual([])
  })
})
