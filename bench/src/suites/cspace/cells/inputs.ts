/** What `pliant reproduce cspace` takes: which cells to train before the page is drawn. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { cellOptions, readCellOptions } from '../../../cells/cell-options.js'
import type { SuiteInputs } from '../../../suite/inputs.js'
import type { BinaryImage } from '../images/binary-image.js'
import type { CspacePageGiven } from '../page/reproduce.js'
import { parseCells } from './cell-name.js'

export const CELL_INPUTS: SuiteInputs<CspacePageGiven> = {
  options: {
    ...cellOptions(
      'all (Table 1), or such as bracelet-7-paper, snake-3 (by both methods), bunny-5-ours-2 (of seed 2), grid-snake-5-2x70 (Fig. 5), image-leaf-ours (Fig. 6); cut short: all that begin so',
      '2, images 1',
    ),
    image: {
      value: 'FILE',
      help: 'a picture of yours (PNG), learned by both methods now and shown beside Fig. 6; nothing of it is kept',
    },
  },
  async read({ image, ...values }) {
    return {
      given: {
        ...readCellOptions(values, parseCells),
        image: image === undefined ? undefined : await readImage(image),
      },
    }
  },
}

async function readImage(path: string): Promise<BinaryImage> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`reproduce: cannot read --image ${path} (${error.code}); check the path.`, { cause: error })
  })
  const { readPng } = await import('../images/read-png.js')
  return readPng(bytes, basename(path))
}
