/** Options of the command line that every suite of cells has: which to train, whether again, by how many threads. */
import type { OptionValues, SuiteOption } from '../suite/inputs.js'

const MOST_THREADS = 256

export interface CellsGiven<Cell> {
  cells: Cell[] | undefined
  again: boolean
  threads: number | undefined
}

/**
 * @param names    what cells may be called
 * @param threads  how many there are if none are given
 */
export function cellOptions(
  names: string,
  threads: string,
): Readonly<Record<'cells' | 'again' | 'threads', SuiteOption>> {
  return {
    cells: { value: 'NAMES', help: `cells to train that have no result yet, comma-separated: ${names}` },
    again: { help: 'train cells that have a result, too' },
    threads: { value: 'N', help: `threads to train with (default ${threads}; another number rounds differently)` },
  }
}

/** @throws Error in one line if a value is wrong, or cells to train again are not named */
export function readCellOptions<Cell>(
  { cells, again, threads }: OptionValues,
  parse: (names: string) => Cell[],
): CellsGiven<Cell> {
  if (again !== undefined && cells === undefined) {
    throw new Error('reproduce: --again is given without --cells; name the cells to train again.')
  }
  return {
    cells: cells === undefined ? undefined : parse(cells),
    again: again !== undefined,
    threads: countOf('threads', threads, MOST_THREADS),
  }
}

/** @throws Error in one line if it is no count */
export function countOf(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new Error(`reproduce: --${name} is '${text}'; pass a whole number from 1 to ${most}.`)
}
