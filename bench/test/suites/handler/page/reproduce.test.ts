import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nameOfCell, parseCells, tableCells } from '../../../../src/suites/handler/cells/cell-name.js'
import type { HandlerResult } from '../../../../src/suites/handler/cells/cell-result.js'
import { cellsMarkdown } from '../../../../src/suites/handler/cells/markdown.js'
import { handler } from '../../../../src/suites/handler/index.js'
import { handlerPage, reproduceHandler } from '../../../../src/suites/handler/page/reproduce.js'
import { PAPER_TABLE_2 } from '../../../../src/suites/handler/paper.js'
import { committedCells } from '../../../report/saved.js'
import { madeCell } from '../made-cells.js'

const RUN = { date: '2026-01-02', machine: madeCell().machine }

function pageOf(cells: HandlerResult[], missing: string[] = []): string {
  return handlerPage({ printed: PAPER_TABLE_2, cells, trained: [], missing }, RUN)
}

/** Cells of the rows of a section's tables. */
function rowsOf(html: string, section: string): string[][] {
  const [, body] = html.split(`<h2>${section}`)
  return [...body.split('</section>')[0].matchAll(/<tr>(<td.*?)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text]) => text),
  )
}

const TABLE_2 = 'How good the detectors are (Table 2)'

describe('the page of cells', () => {
  it("has the paper's printed values beside what its methods come to here, and ours below", () => {
    const html = pageOf([madeCell(), madeCell({ method: 'ours' }, 2)])
    const rows = rowsOf(html, TABLE_2)
    const rest = ['1.11', '97.53', '96.54', '99.20', '99.30', '12.3', '10.0']
    expect(rows[0]).toEqual(['hand', 'Supv', '60,000', '95.58', '98.76', '3.73', '2.35', ...rest])
    expect(rows[3]).toEqual(['hand', 'ours', '60,002', '–', '98.56', '–', '2.35', ...rest])
    // Nobody has trained it.
    expect(rows[14].slice(0, 7)).toEqual(['skirt', 'Active+bd', '–', '98.17', '–', '1.81', '–'])
    expect(rows.find(([name]) => name === 'Swing')).toEqual([
      ...['Swing', '45,000', '94.60', '96.09', '96.38', '1.97', '1.77', '1.49'],
    ])
    expect(html).not.toMatch(/undefined|NaN|null/)
  })

  it('tells what handling came to, without and with the exact test', () => {
    const [row] = rowsOf(pageOf([madeCell()]), 'What they are worth to a handler')
    expect(row).toEqual([
      ...['hand', 'Supv', '1,000', '97.53', '86.42', '75.31', '0.123', '12.3', '87.42', '0.113', '12.3', '5.6'],
    ])
  })

  it('draws cells of other numbers of labels as curves, and keeps them out of the table', () => {
    const html = pageOf([madeCell(), madeCell({ budget: 20_000, labels: 20_000 }, 100)])
    const labels = [...html.matchAll(/<svg[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)
    expect(labels).toEqual(['hand, hybrid', 'hand, Fig. 4', 'hand, Fig. 5', 'hand, Fig. 6', 'hand, Fig. 7'])
    expect(rowsOf(html, TABLE_2)[0][2]).toBe('60,000')
  })

  it('names what is missing, with the command', () => {
    expect(pageOf([], ['hand-ours-1', 'body-supv-1'])).toContain('--cells hand-ours-1,body-supv-1</code>')
    expect(pageOf([], tableCells().map(nameOfCell))).toContain('--cells all</code>')
  })

  it('trains the cells that are asked for and have no result, and says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pliant-handler-'))
    try {
      const options = { ...RUN, results: folder, work: folder, cells: parseCells('hand-supv,hand-ours') }
      const train = async (cell: object): Promise<HandlerResult> => madeCell(cell)
      expect((await reproduceHandler(options, train)).notes[0]).toBe('trained hand-supv-1, hand-ours-1')
      expect(readdirSync(folder)).toEqual(['hand-ours-1.json', 'hand-supv-1.json'])
      const { result, notes } = await reproduceHandler(options, train)
      expect(result.cells).toEqual([madeCell({ method: 'ours' }), madeCell()])
      expect(result.missing).toHaveLength(14)
      expect(notes[0]).toBe('2 of 2 cells have their result already; --again trains them anew')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

it('cells that are committed are what their files are named, in full, of equally many labels', () => {
  const cells = committedCells('handler') as HandlerResult[]
  for (const { quality, handling } of cells) {
    expect(quality.codes).toBe(100_000)
    expect(handling.codes).toBe(1000)
  }
  const shares = new Map<string, Set<number>>()
  for (const { subject, seed, touchingShare } of cells) {
    const key = `${subject} ${seed}`
    shares.set(key, (shares.get(key) ?? new Set()).add(touchingShare))
  }
  expect([...shares].filter(([, different]) => different.size > 1)).toEqual([])
  expect(cellsMarkdown([...cells, madeCell()])).not.toMatch(/undefined|NaN|null/)
})

describe('what the page takes', () => {
  const read = (values: Record<string, string>) =>
    handler.page!.inputs!.read(values, { builtIn: (name: string) => name } as never)
  it.each([
    [{ cells: 'cat' }, "there is no cell 'cat'"],
    [{ again: '' }, '--again is given without --cells; name the cells to train again.'],
    [{ codes: '0' }, "--codes is '0'; pass a whole number from 1"],
    [{ repairs: 'x' }, "--repairs is 'x'; pass a whole number from 1"],
  ])('%j is refused', async (values, message) => {
    await expect(read(values)).rejects.toThrow(message)
  })
})
