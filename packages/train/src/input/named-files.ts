/**
 * Files that somebody names, in a spec or on a command line: read from where the names count from, and what is wrong is
 * said in the words of whoever wrote them.
 */
import { readdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { companionName, type MeshFile, readMeshFile } from 'pliant/files'
import { asBadInput, BadInput } from './bad-input.js'
import { fileKind } from './file-kind.js'
import { InputFileError, readCompanion, readInputFile } from './input-file.js'

/** What messages call things: fields of a spec, or options that were made into one. */
export interface Naming {
  /** @param name of a field of `model`, such as minMatched */
  field(name: string): string
  /** @param path as it was written */
  unreadable(path: string, error: InputFileError): string
}

export const SPEC_NAMING: Naming = {
  field: (name) => `model.${name}`,
  unreadable: (path, { code, problem }) =>
    code === 'ENOENT'
      ? `spec: cannot read ${path} (there is no such file); paths are relative to the spec's folder.`
      : `spec: cannot read ${path}: ${problem}`,
}

export class NamedFiles {
  constructor(
    /** What relative paths count from. */
    private readonly folder = '.',
    readonly naming: Naming = SPEC_NAMING,
  ) {}

  /** @throws BadInput if it is not there, may not be read, is no regular file or too large */
  bytes(path: string): Promise<Uint8Array> {
    return this.#named(path, () => readInputFile(this.#place(path)))
  }

  /** @throws BadInput as `bytes`, or if it is no JSON */
  async json(path: string): Promise<unknown> {
    const bytes = await this.bytes(path)
    return asBadInput(() => JSON.parse(new TextDecoder().decode(bytes)), path)
  }

  /** @throws BadInput as `bytes`, or if it is an artifact or an array; Error of the format's reader */
  async mesh(path: string): Promise<MeshFile> {
    const bytes = await this.bytes(path)
    const kind = fileKind(bytes)
    if (kind === 'artifact') {
      throw new BadInput(`${path} is a trained artifact, not a mesh; ask it with 'pliant query', or pass a mesh file.`)
    }
    if (kind === 'array') {
      throw new BadInput(`${path} is a .npy array, not a mesh; pass an OBJ, PLY, STL, OFF or glTF file.`)
    }
    // Some formats are two files: TetGen's .node and .ele, a .gltf and its .bin.
    const beside = companionName(path, bytes)
    const companion =
      beside === undefined
        ? undefined
        : await this.#named(join(dirname(path), beside), () => readCompanion(this.#place(path), beside))
    return readMeshFile(path, bytes, { companion })
  }

  /**
   * Files of one folder by a name with * for any letters and ? for one, as people count: 2 before 10.
   * @throws BadInput if the folder cannot be read
   */
  async matching(pattern: string): Promise<string[]> {
    const folder = dirname(pattern)
    const letters = basename(pattern).replace(/[.+^${}()|[\]\\]/g, '\\$&')
    const known = new RegExp(`^${letters.replaceAll('*', '.*').replaceAll('?', '.')}$`)
    const names = await readdir(this.#place(folder)).catch((error: NodeJS.ErrnoException) => {
      throw new BadInput(`spec: cannot read the folder ${folder} of ${pattern} (${error.code}); check the path.`)
    })
    const found = names.filter((name) => known.test(name))
    return found.sort(new Intl.Collator('en', { numeric: true }).compare).map((name) => join(folder, name))
  }

  async #named<T>(path: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof InputFileError)) throw error
      throw new BadInput(this.naming.unreadable(path, error), { cause: error })
    }
  }

  /** As it was written where that will do: messages name it. */
  #place(path: string): string {
    return this.folder === '.' || isAbsolute(path) ? path : join(this.folder, path)
  }
}
