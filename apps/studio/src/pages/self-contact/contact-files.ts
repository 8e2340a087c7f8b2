/** Where a body with self-contact comes from: served with the studio, or one's own file. */
import type { FileSource } from '../../shell/files/object-opener.js'
import type { ListedEntry } from '../../shell/files/object-picker.js'
import type { ContactSimulation } from './contact-protocol.js'

export const contactFiles: FileSource<ListedEntry, ContactSimulation['files']> = {
  list: 'contacts.json',
  accept: '.safetensors',
  hint: 'A body with self-contact that `pliant train` made; or drop it on the page',
  async load({ file }, served) {
    return { name: file, bytes: await served.bytes(file) }
  },
  async read(files) {
    const file = files.find(({ name }) => /\.safetensors$/i.test(name))
    if (!file) {
      throw new Error('self-contact: no .safetensors among the files; open what `pliant train bracelet` made.')
    }
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  },
}
