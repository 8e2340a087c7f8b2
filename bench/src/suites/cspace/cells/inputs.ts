/** What `pliant reproduce cspace` takes: which cells to train before the page is drawn. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SuiteInputs } from '../../../suite/inputs.js'
import type { BinaryImage } from '../images/binary-image.js'
import type { CspacePageGiven } from '../page/reproduce.js'
import { parseCells } from './cell-name.js'

const MOST_THREADS = 256

export const CELL_INPUTS: SuiteInputs<CspacePageGiven> = {
  options: {
    cells: {
      value: 'NAMES',
      help: 'cells to train that have no result yet, comma-separated: all (Table 1), or such as bracelet-7-paper, snake-3 (by both methods), bunny-5-ours-2 (of seed 2), grid-snake-5-2x70 (Fig. 5), image-leaf-ours (Fig. 6); cut short: all that begin so',
    },
    again: { help: 'train cells that have a result, too' },
    threads: { value: 'N', help: 'threads to train with (default 2, images 1; another number rounds differently)' },
    image: {
      value: 'FILE',
      help: 'a picture of yours (PNG), learned by both methods now and shown beside Fig. 6; nothing of it is kept',
    },
  },
  async read({ cells, again, threads, image }) {
    if (again !== undefined && cells === undefined) {
      throw new Error('reproduce: --again is given without --cells; name the cells to train again.')
    }
    return {
      given: {
        cells: cells === undefined ? undefined : parseCells(cells),
        again: again !== undefined,
        threads: threads === undefined ? undefined : threadsOf(threads),
        image: image === undefined ? undefined : await readImage(image),
      },
    }
  },
}

function threadsOf(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= MOST_THREADS) return count
  throw new Error(`reproduce: --threads is '${text}'; pass a whole number from 1 to ${MOST_THREADS}.`)
}

async function readImage(path: string): Promise<BinaryImage> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`reproduce: cannot read --image ${path} (${error.code}); check the path.`, { cause: error })
  })
  const { readPng } = await import('../images/read-png.js')
  return readPng(bytes, basename(path))
}
