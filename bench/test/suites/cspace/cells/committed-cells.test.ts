/** The committed cells: all of one body and as many modes are of the same body, as they were evaluated on the same codes. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CELLS_FOLDER, readCells } from '../../../../src/suites/cspace/cells/cell-result.js'

const ROOT = join(import.meta.dirname, '../../../../..')

it('were trained on one body each, whatever the method: as many of the same codes touch themselves', async () => {
  const cells = await readCells(join(ROOT, CELLS_FOLDER))
  const shares = new Map<string, Set<number>>()
  for (const cell of cells) {
    if (cell.kind !== 'network') continue
    const key = `${cell.body}-${cell.modes}, ${cell.quality.codes} codes of seed ${cell.seed}`
    shares.set(key, (shares.get(key) ?? new Set()).add(cell.touchingShare))
  }
  expect([...shares].filter(([, different]) => different.size > 1)).toEqual([])
  expect(cells.every((cell) => cell.kind !== 'network' || cell.fault === null)).toBe(true)
})
