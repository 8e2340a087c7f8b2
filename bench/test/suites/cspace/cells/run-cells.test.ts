import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Progress } from 'pliant'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nameOfCell, parseCells } from '../../../../src/suites/cspace/cells/cell-name.js'
import { readCells } from '../../../../src/suites/cspace/cells/cell-result.js'
import { runCells, type TrainCell } from '../../../../src/suites/cspace/cells/run-cells.js'
import { trainNetworkCell } from '../../../../src/suites/cspace/cells/train-cell.js'
import { madeGrid, madeNetwork } from './made-cells.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pliant-cells-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Gives made-up results, and says which it was asked for. */
function trainer(): { asked: string[]; train: TrainCell } {
  const asked: string[] = []
  return {
    asked,
    train: async (cell, { onProgress }) => {
      asked.push(nameOfCell(cell))
      onProgress?.({ fraction: 0.5, stage: 'learn', detail: 'half' })
      return cell.kind === 'network' ? madeNetwork(cell) : madeGrid(cell)
    },
  }
}
const CELLS = parseCells('snake-3,grid-snake-5-2x70')

describe('cells', () => {
  it('are each kept in a file of their name, which reads as it was written', async () => {
    const { train } = trainer()
    const told: Progress[] = []
    const done = await runCells(CELLS, { results: folder, work: folder, onProgress: (all) => told.push(all) }, train)
    expect(done).toEqual(['snake-3-paper-1', 'snake-3-ours-1', 'grid-snake-5-2x70'])
    expect(readdirSync(folder).sort()).toEqual([...done].sort().map((name) => `${name}.json`))
    const paper = (await readCells(folder)).find((cell) => nameOfCell(cell) === 'snake-3-paper-1')
    expect(paper).toEqual(madeNetwork({}))
    // One line for a row of a slice, or a file would have 4,000 lines.
    expect(readFileSync(join(folder, 'snake-3-paper-1.json'), 'utf8').split('\n').length).toBeLessThan(300)
    expect(told.map(({ stage }) => stage)).toContain('cell 2 of 3, snake-3-ours-1')
    expect(told.find(({ detail }) => detail === 'learn: half')?.fraction).toBeCloseTo(1 / 6)
  })

  it('that have a result are left alone, unless asked again', async () => {
    const { asked, train } = trainer()
    const run = { results: folder, work: folder }
    await runCells(parseCells('snake-3-ours'), run, train)
    await runCells(CELLS, run, train)
    expect(asked).toEqual(['snake-3-ours-1', 'snake-3-paper-1', 'grid-snake-5-2x70'])
    expect(await runCells(CELLS, run, train)).toEqual([])
    expect(await runCells(CELLS, { ...run, again: true }, train)).toHaveLength(3)
  })

  it('that were done before one failed, or was stopped, are kept', async () => {
    const { train } = trainer()
    const run = { results: folder, work: folder }
    const failing: TrainCell = async (cell, options) => {
      if (cell.kind === 'grid') throw new Error('no')
      return train(cell, options)
    }
    await expect(runCells(CELLS, run, failing)).rejects.toThrow('no')
    expect(readdirSync(folder)).toHaveLength(2)
    const stopping = new AbortController()
    const stopped: TrainCell = async () => {
      stopping.abort()
      throw stopping.signal.reason
    }
    const promise = runCells(CELLS, { ...run, signal: stopping.signal }, stopped)
    await expect(promise).rejects.toThrow('interrupted in grid-snake-5-2x70; the same command goes on there.')
    await expect(promise).rejects.toMatchObject({ name: 'AbortError' })
  })
})

it('a cell that was stopped goes on where it was, and leaves nothing behind but its trained file', async () => {
  const [cell] = parseCells('bracelet-2-ours')
  if (cell.kind !== 'network') throw new Error('no network')
  const origin = { date: '', machine: madeNetwork({}).machine, commit: null }
  const run = { work: folder, quick: true, origin, threads: 1 }
  const stopping = new AbortController()
  // Those that the log has are only told to be done.
  const rounds = (told: Progress[]): number[] =>
    told.flatMap(({ detail = '' }) => /round (\d+)\/\d+: (?:acquire|learn)/.exec(detail)?.[1] ?? []).map(Number)
  const first: Progress[] = []
  const onProgress = (progress: Progress): void => {
    first.push(progress)
    if (rounds(first).at(-1) === 3) stopping.abort()
  }
  await expect(trainNetworkCell(cell, { ...run, signal: stopping.signal, onProgress })).rejects.toThrow(/abort/)
  const second: Progress[] = []
  const result = await trainNetworkCell(cell, { ...run, onProgress: (progress) => second.push(progress) })
  expect(Math.min(...rounds(first))).toBe(1)
  expect(Math.min(...rounds(second))).toBe(3)
  expect(result).toMatchObject({ body: 'bracelet', modes: 2, method: 'ours', seed: 1, quality: { codes: 500 } })
  expect(result.slice.learned).toHaveLength(65)
  // At rest, in the middle, it is free; a ring that bends touches itself at some corner.
  expect(result.slice.exact[32][32]).toBe('.')
  expect(result.slice.exact.join('')).toContain('#')
  expect(readdirSync(folder)).toEqual(['bracelet-2-ours-1.safetensors'])
})
