/** Where a body to repair comes from: served with the studio, or one's own file; motions go to the one on show. */
import type { FileSource } from '../../shell/files/object-opener.js'
import type { ListedEntry } from '../../shell/files/object-picker.js'
import type { ServedFiles } from '../../shell/files/served-files.js'
import type { PoseSimulation } from './pose-protocol.js'

export interface ListedPose extends ListedEntry {
  /** Files with clips for it. */
  motions: readonly string[]
  /** Shown at first, as an address has it. */
  pose?: string
}

type Files = PoseSimulation['files']

const ARTIFACT = /\.safetensors$/i
const MOTION = /\.(bvh|glb)$/i

export class PoseFiles implements FileSource<ListedPose, Files> {
  readonly list = 'poses.json'
  readonly accept = '.safetensors,.bvh,.glb'
  readonly multiple = true
  readonly hint =
    'A body or character with self-contact that `pliant train` made, or a .bvh or .glb motion for the one on show; or drop them on the page'
  /** On show: motions that come alone are for it. */
  #shown: Pick<Files, 'name' | 'bytes'> | undefined

  shown({ name, bytes }: Files): void {
    this.#shown = { name, bytes }
  }

  async load({ file, motions, pose }: ListedPose, served: ServedFiles): Promise<Files> {
    const [bytes, ...clips] = await Promise.all([file, ...motions].map((name) => served.bytes(name)))
    return { name: file, bytes, motions: motions.map((name, i) => ({ name, bytes: clips[i] })), pose }
  }

  async read(files: readonly File[], served: ServedFiles, listed: readonly ListedPose[]): Promise<Files> {
    const artifact = files.find(({ name }) => ARTIFACT.test(name))
    const motions = files.filter(({ name }) => MOTION.test(name))
    if (!artifact && motions.length === 0) {
      throw new Error(
        'pose repair: neither .safetensors nor a motion among the files; open what `pliant train humanoid --learn self-contact` made, or a .bvh or .glb.',
      )
    }
    const { name, bytes } = artifact
      ? { name: artifact.name, bytes: await bytesOf(artifact) }
      : (this.#shown ?? (await this.load(listed[0], served)))
    return {
      ...{ name, bytes },
      motions: await Promise.all(motions.map(async (file) => ({ name: file.name, bytes: await bytesOf(file) }))),
    }
  }
}

async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
}
