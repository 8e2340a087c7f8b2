/**
 * Files that people hand in, and files that those name beside them: regular ones only and of bounded size, so that a
 * pipe cannot make us wait for ever, nor a device fill the memory; and what a file names lies in its own folder, so
 * that a model from a stranger cannot read what else is on the disk. Links are followed first.
 */

import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/** The message is one line: `cannot read PATH: why; what to do.` */
export class InputFileError extends Error {
  override name = 'InputFileError'

  constructor(
    readonly path: string,
    /** Why, and what to do. */
    readonly problem: string,
    /** The system's, such as ENOENT, if the problem came from there. */
    readonly code?: string,
    options?: ErrorOptions,
  ) {
    super(`cannot read ${path}: ${problem}`, options)
  }
}

/** Larger than any mesh, motion or array that we can work with [bytes]. */
export const LARGEST_INPUT = 2 ** 30

/** @throws InputFileError if it is not there, may not be read, is no regular file or too large */
export async function readInputFile(path: string, limit = LARGEST_INPUT): Promise<Uint8Array> {
  let handle: FileHandle | undefined
  try {
    // Looked at before it is opened: opening alone makes some devices act.
    requireRegular(path, await stat(path), limit)
    // And again once it is open, without waiting: another file may have taken its place.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = await handle.stat()
    requireRegular(path, found, limit)
    return await readWhole(handle, found.size)
  } catch (error) {
    if (error instanceof InputFileError) throw error
    const code = String((error as NodeJS.ErrnoException).code ?? '')
    throw new InputFileError(path, remedy(code, error), code, { cause: error })
  } finally {
    await handle?.close()
  }
}

/**
 * The file beside another that it names.
 * @param path  of the file that names it
 * @param name  relative to that file's folder
 * @throws InputFileError as `readInputFile`, or if links lead out of the folder
 */
export async function readCompanion(path: string, name: string, limit = LARGEST_INPUT): Promise<Uint8Array> {
  const beside = join(dirname(path), name)
  const place = await realpath(beside).catch(() => beside)
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  const way = relative(folder, place)
  if (way === '..' || way.startsWith(`..${sep}`) || way.startsWith(sep) || /^[a-z]:/i.test(way)) {
    throw new InputFileError(beside, `it lies outside the folder of ${path}; put it there.`)
  }
  return readInputFile(beside, limit)
}

function requireRegular(path: string, found: Stats, limit: number): void {
  if (found.isDirectory()) throw new InputFileError(path, 'it is a folder; name a file in it.', 'EISDIR')
  if (!found.isFile()) throw new InputFileError(path, `it is a ${kindOf(found)}; pass a regular file.`)
  if (found.size > limit) {
    const gigabytes = (bytes: number) => (bytes / 1e9).toPrecision(3)
    throw new InputFileError(
      path,
      `it has ${gigabytes(found.size)} GB, at most ${gigabytes(limit)} are read; split it.`,
    )
  }
}

function kindOf(found: Stats): string {
  if (found.isFIFO()) return 'pipe'
  return found.isSocket() ? 'socket' : 'device'
}

/** As many bytes as it had when it was opened: what is added meanwhile is not waited for. */
async function readWhole(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let filled = 0
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, Math.min(size - filled, LARGEST_READ), filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/** Bytes at a time, so that Ctrl-C gets a word in. */
const LARGEST_READ = 2 ** 26

function remedy(code: string, error: unknown): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file; check the path.'
  if (code === 'EISDIR') return 'it is a folder; name a file in it.'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied; make it readable.'
  return `${error instanceof Error ? error.message : String(error)}; check the path and the disk.`
}
