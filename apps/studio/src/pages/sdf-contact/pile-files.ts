/** Where a pile comes from: one of those served with the studio, or a body of one's own, written down or a mesh. */
import type { FileSource } from '../../shell/files/object-opener.js'
import type { ListedEntry } from '../../shell/files/object-picker.js'
import type { ServedFiles } from '../../shell/files/served-files.js'
import type { PileFiles } from './pile-protocol.js'

/** `file` is a name alone: what falls is in the entry, and scanned bodies are in files that other pages use, too. */
export interface ListedPile extends ListedEntry {
  /** Names of what falls, separated by commas. */
  kinds: string
  count: number
}

const SCANS = ['bunny.safetensors', 'armadillo.safetensors'] as const
/** Bodies that fall of one's own file. */
const OWN_COUNT = 8

export const pileFiles: FileSource<ListedPile, PileFiles> = {
  list: 'piles.json',
  accept: '.json,.obj,.ply,.stl,.off',
  hint: 'A shape as JSON, or a closed mesh (.obj, .ply, .stl, .off); or drop it on the page',
  async load({ kinds, count }, served) {
    return { ...(await scans(served)), kinds, count, own: undefined }
  },
  async read(files, served, [first]) {
    const file = files.find(({ name }) => /\.(json|obj|ply|stl|off)$/i.test(name))
    if (!file) {
      throw new Error(
        'SDF contact: neither a shape (.json) nor a mesh among the files; open a .json, .obj, .ply or .stl.',
      )
    }
    const own = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
    return { ...(await scans(served)), kinds: first.kinds, count: OWN_COUNT, own }
  },
}

async function scans(served: ServedFiles): Promise<Pick<PileFiles, 'bunny' | 'armadillo'>> {
  const [bunny, armadillo] = await Promise.all(SCANS.map((name) => served.bytes(name)))
  return { bunny, armadillo }
}
