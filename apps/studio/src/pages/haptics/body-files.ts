/** Where a soft body comes from: served with the studio, or one's own file. The tool is always a served one. */
import type { FileSource } from '../../shell/files/object-opener.js'
import type { ListedEntry } from '../../shell/files/object-picker.js'
import type { ServedFiles } from '../../shell/files/served-files.js'
import type { HapticsSimulation, NamedBytes } from './haptics-protocol.js'

export interface ListedBody extends ListedEntry {
  /** What it is touched with: a trained body, or tetrahedra alone. */
  tool: string
}

export const bodyFiles: FileSource<ListedBody, HapticsSimulation['files']> = {
  list: 'bodies.json',
  accept: '.safetensors',
  hint: 'A soft body that `pliant train` made; or drop it on the page',
  async load({ file, tool }, served) {
    const [body, held] = await Promise.all([named(served, file), named(served, tool)])
    return { body, tool: held }
  },
  async read(files, served, [first]) {
    const file = files.find(({ name }) => /\.safetensors$/i.test(name))
    if (!file) {
      throw new Error('haptics: no .safetensors among the files; train a body with `pliant train` and open that.')
    }
    const body = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
    return { body, tool: await named(served, first.tool) }
  },
}

async function named(served: ServedFiles, name: string): Promise<NamedBytes> {
  return { name, bytes: await served.bytes(name) }
}
