import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Progress } from 'pliant'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ImageCell, nameOfCell, parseCells } from '../../../../src/suites/cspace/cells/cell-name.js'
import { type NetworkResult, readCells } from '../../../../src/suites/cspace/cells/cell-result.js'
import { runCells, type TrainCell } from '../../../../src/suites/cspace/cells/run-cells.js'
import { PRINTED_MEASURES, tableRows } from '../../../../src/suites/cspace/page/table-1.js'
import { madeGrid, madeImage, madeNetwork } from './made-cells.js'

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
      if (cell.kind === 'network') return madeNetwork(cell)
      return cell.kind === 'grid' ? madeGrid(cell) : madeImage(cell)
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

  it('of images are small files that are kept and left alone, each network its own', async () => {
    const { train } = trainer()
    const run = { results: folder, work: folder }
    const cells = parseCells('image-leaf')
    expect(await runCells(cells, run, train)).toEqual(['image-leaf-paper', 'image-leaf-ours', 'image-leaf-ours-2x70'])
    expect(await runCells(cells, run, train)).toEqual([])
    expect(await readCells(folder)).toContainEqual(madeImage(cells[2] as ImageCell))
    expect(statSync(join(folder, 'image-leaf-ours.json')).size).toBeLessThan(100_000)
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

describe('a cell that was stopped goes on where it was, and leaves nothing behind but its result', () => {
  it.each([
    // By the paper's method, whose rounds are few and short.
    ['bracelet-2-paper-1', 2, ['bracelet-2-paper-1.safetensors']],
    ['image-pear-paper-1x4', 3, []],
  ])('%s in round %i', async (name, stopIn, kept) => {
    const cells = parseCells(name)
    const [results, work] = [join(folder, 'results'), join(folder, 'work')]
    const run = { results, work, quick: true, threads: 1 }
    // Those that the log has are only told to be done.
    const rounds = (told: Progress[]): number[] =>
      told.flatMap(({ detail = '' }) => /round (\d+)\/\d+: iteration/.exec(detail)?.[1] ?? []).map(Number)
    const stopping = new AbortController()
    const first: Progress[] = []
    const onProgress = (progress: Progress): void => {
      first.push(progress)
      if (rounds(first).at(-1) === stopIn) stopping.abort()
    }
    await expect(runCells(cells, { ...run, signal: stopping.signal, onProgress })).rejects.toThrow(
      `interrupted in ${name}; the same command goes on there.`,
    )
    const second: Progress[] = []
    await runCells(cells, { ...run, onProgress: (progress) => second.push(progress) })
    expect(Math.min(...rounds(first))).toBe(1)
    expect(Math.min(...rounds(second))).toBe(stopIn)
    expect(readdirSync(work)).toEqual(kept)
    const [result] = await readCells(results)
    expect(nameOfCell(result)).toBe(name)
    if (result.kind === 'network') checkNetwork(result)
    else expect(result).toMatchObject({ kind: 'image', hidden: [4], activation: 'relu', points: 5000, steps: 400 })
  })
})

function checkNetwork(result: NetworkResult): void {
  expect(result.quality.codes).toBe(500)
  expect(result.slice.learned).toHaveLength(65)
  // At rest, in the middle, it is free; a ring that bends touches itself at some corner.
  expect(result.slice.exact[32][32]).toBe('.')
  expect(result.slice.exact.join('')).toContain('#')
  const row = tableRows([result], PRINTED_MEASURES).find(({ body, modes }) => body === 'bracelet' && modes === 2)
  expect(row?.cells.map(([, here]) => Number(here))).not.toContain(Number.NaN)
}
