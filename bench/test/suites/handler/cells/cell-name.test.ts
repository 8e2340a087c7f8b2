import { describe, expect, it } from 'vitest'
import { nameOfCell, parseCells, tableCells } from '../../../../src/suites/handler/cells/cell-name.js'

const named = (text: string): string[] => parseCells(text).map(nameOfCell)

describe('names of cells', () => {
  it.each([
    ['hand-joints-supv-bd-1', ['hand-joints-supv-bd-1']],
    ['hand-supv', ['hand-supv-1']],
    ['hand', ['hand-supv-1', 'hand-supv-bd-1', 'hand-active-bd-1', 'hand-ours-1']],
    ['skirt-ours-3-20000', ['skirt-ours-3-20000']],
    ['body-ours, body-ours-1,body-ours-2', ['body-ours-1', 'body-ours-2']],
  ])('%s', (text, names) => {
    expect(named(text)).toEqual(names)
  })

  it('all are those of Table 2, and each is read back from its name', () => {
    expect(named('all')).toHaveLength(16)
    for (const cell of tableCells()) expect(parseCells(nameOfCell(cell))).toEqual([cell])
  })

  it.each(['cat', 'hand-bd', 'hand-ours-1-5', 'hand-ours-1-200-3', ''])("'%s' is refused", (text) => {
    expect(() => parseCells(text)).toThrow(`there is no cell '${text}'; --cells takes all, SUBJECT`)
  })
})
