/**
 * One training to one output: two would overwrite each other's checkpoint, and whoever ends last wins. A file beside
 * the output names the process; one that a killed process left behind is taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { UsageError } from './errors.js'
import { isSpecial, placeOf } from './files.js'

/**
 * Holds the lock until the process ends.
 * @throws UsageError if another training, here or on another machine, writes to the same place
 */
export async function lockOutput(out: string): Promise<void> {
  const place = await placeOf(out)
  // Two may write to /dev/null.
  if (await isSpecial(place)) return
  const lock = `${place}.lock`
  if (!create(lock)) {
    takeOver(lock, out)
    if (!create(lock)) throw taken(lock, out)
  }
  process.on('exit', () => {
    if (holder(lock) === OURS) rmSync(lock, { force: true })
  })
}

const OURS = `${process.pid} ${hostname()}\n`

/** @returns false if it is there already */
function create(lock: string): boolean {
  try {
    writeFileSync(lock, OURS, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a lock whose process is no more. @throws UsageError if it lives, or lives elsewhere */
function takeOver(lock: string, out: string): void {
  const found = holder(lock)
  if (found === undefined) return
  if (!isStale(found)) throw taken(lock, out)
  // Of several that find it stale only one can move it away; one that comes too late moves the new one, and back.
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
  } catch {
    return
  }
  const moved = holder(aside)
  if (moved !== undefined && moved !== found) {
    try {
      linkSync(aside, lock)
    } catch {
      // A third has locked it meanwhile.
    }
  }
  rmSync(aside, { force: true })
}

/** What the lock says, or undefined if it is gone. */
function holder(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

/** A process of this machine that is no more, or this very one: numbers are used again. */
function isStale(found: string): boolean {
  const [pid, host] = found.trim().split(' ')
  if (!/^\d+$/.test(pid) || host === undefined) return true
  if (host !== hostname()) return false
  if (Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM'
  }
}

function taken(lock: string, out: string): UsageError {
  const [pid, host] = (holder(lock) ?? '').trim().split(' ')
  const who = host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
  return new UsageError(
    `train: another training (${who}) writes to ${out}; wait for it or choose another --out, or remove ${lock} if it is gone.`,
  )
}
