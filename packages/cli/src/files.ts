/**
 * Files in and out. Input errors come as one line with a remedy. Output is written beside its place and renamed into
 * it, so that a full disk, a crash or Ctrl-C never leaves a half-written file or destroys the old one.
 */
import { rmSync } from 'node:fs'
import { constants, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { NamedFiles, type Naming, readInputFile } from '@pliant/train/unstable/input'
import { asBadInput, FailedRun, UsageError } from './errors.js'

export interface OutputFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Messages name options, and files as they were typed. */
export const OPTION_NAMING: Naming = {
  field: (name) => OPTION_OF_FIELD[name] ?? `--${name}`,
  unreadable: (_, error) => error.message,
}
/** Where an option is not called as the field of a spec that it fills. */
const OPTION_OF_FIELD: Readonly<Record<string, string>> = {
  minMatched: '--min-matched',
  heldOut: '--hold-out',
  leaveOut: '--leave-out',
}
/** Files that were typed on the command line, for readers of the trainer. */
export const TYPED_FILES = new NamedFiles('.', OPTION_NAMING)

/** @throws UsageError if the file is not there, is no regular file, is too large, or may not be read */
export function readInput(path: string): Promise<Uint8Array> {
  return asBadInput(() => readInputFile(path))
}

/**
 * Checks before long work that its result will find a place: makes and removes an empty file beside each path.
 * @param inputs  files that are read in the same call; none of them may be overwritten
 * @throws UsageError naming the path and the remedy
 */
export async function checkWritable(outputs: readonly string[], inputs: readonly string[] = []): Promise<void> {
  const taken = new Map<string, string>()
  for (const path of inputs) taken.set(await placeOf(path), 'is also read')
  for (const path of outputs) {
    const place = await placeOf(path)
    const clash = taken.get(place)
    if (clash) throw new UsageError(`cannot write ${path}: it ${clash} in the same call; choose another name.`)
    taken.set(place, 'is written twice')
    if (await isSpecial(place)) continue
    const { handle, temporary } = await openBeside(place, path)
    await handle.close()
    await discard(temporary)
  }
}

/** Writes one file; see `writeAllBeside`. */
export function writeBeside(path: string, bytes: Uint8Array): Promise<void> {
  return writeAllBeside([{ path, bytes }])
}

/**
 * Writes all files in full beside their places, then renames them one after the other: either all appear or none.
 * @throws UsageError if a place cannot be written, FailedRun if the disk is full or breaks on the way
 */
export async function writeAllBeside(files: readonly OutputFile[]): Promise<void> {
  const staged: { temporary: string; place: string }[] = []
  try {
    for (const file of files) {
      const place = await placeOf(file.path)
      // A device or a pipe (/dev/null, /dev/stdout) must never be replaced by a regular file.
      if (await isSpecial(place)) await writeThrough(place, file)
      else staged.push({ temporary: await writeTemporary(place, file), place })
    }
    for (const { temporary, place } of staged) {
      await rename(temporary, place)
      unfinished.delete(temporary)
    }
  } catch (error) {
    for (const { temporary } of staged) await discard(temporary)
    throw error instanceof UsageError || error instanceof FailedRun ? error : writeError(files[0].path, error)
  }
}

/** Temporary files that exist right now; a second Ctrl-C exits at once and still removes them. */
const unfinished = new Set<string>()
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true })
})

async function writeTemporary(place: string, file: OutputFile): Promise<string> {
  const { handle, temporary } = await openBeside(place, file.path)
  try {
    await handle.writeFile(file.bytes)
    // Without this a power cut after the rename can leave an empty file under the final name.
    await handle.sync()
    await handle.close()
    return temporary
  } catch (error) {
    await handle.close().catch(() => {})
    await discard(temporary)
    throw writeError(file.path, error)
  }
}

async function openBeside(place: string, path: string): Promise<{ handle: FileHandle; temporary: string }> {
  const folder = dirname(place)
  const existing = await stat(place).catch(() => undefined)
  if (existing?.isDirectory()) throw new UsageError(`cannot write ${path}: it is a folder; name a file in it.`)
  const temporary = join(folder, `.${basename(place).slice(0, 200)}.${process.pid}.part`)
  try {
    const handle = await open(temporary, constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY, 0o666)
    unfinished.add(temporary)
    return { handle, temporary }
  } catch (error) {
    throw writeError(path, error)
  }
}

async function writeThrough(place: string, file: OutputFile): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(place, 'w')
    await handle.writeFile(file.bytes)
  } catch (error) {
    throw writeError(file.path, error)
  } finally {
    await handle?.close()
  }
}

async function discard(temporary: string): Promise<void> {
  await rm(temporary, { force: true })
  unfinished.delete(temporary)
}

/** The absolute path behind symbolic links: renaming over a link would cut it. */
export async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const absolute = resolve(path)
    const folder = await realpath(dirname(absolute)).catch(() => dirname(absolute))
    return join(folder, basename(absolute))
  })
}

/** A device or a pipe. */
export async function isSpecial(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined)
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

function writeError(path: string, error: unknown): Error {
  const code = errorCode(error)
  const where = `cannot write ${path}`
  if (code === 'ENOENT') return usage(`${where}: the folder ${dirname(path)} does not exist; create it first.`, error)
  if (code === 'ENOTDIR') return usage(`${where}: ${dirname(path)} is not a folder; choose another place.`, error)
  if (code === 'EISDIR') return usage(`${where}: it is a folder; name a file in it.`, error)
  if (code === 'EACCES' || code === 'EPERM') {
    return usage(`${where}: permission denied; make the folder writable or choose another.`, error)
  }
  if (code === 'EROFS') return usage(`${where}: the disk is read-only; choose another place.`, error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new FailedRun(`${where}: the disk is full; free some space or choose another disk.`, { cause: error })
  }
  return new FailedRun(`${where}: ${messageOf(error)}; check the disk.`, { cause: error })
}

function usage(message: string, cause: unknown): UsageError {
  return new UsageError(message, { cause })
}

function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
