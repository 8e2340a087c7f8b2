import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { FailedRun, UsageError } from '../src/errors.js'
import { checkWritable, readInput, writeAllBeside, writeBeside } from '../src/files.js'
import { temporaryFolder } from './run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)
const bytes = new TextEncoder().encode('new')
const isRoot = process.getuid?.() === 0

describe('writing beside and renaming', () => {
  it('replaces the old file and leaves nothing else behind', async () => {
    mkdirSync(folder.file('replace'))
    writeFileSync(folder.file('replace/a'), 'old')
    await writeBeside(folder.file('replace/a'), bytes)
    expect(readFileSync(folder.file('replace/a'), 'utf8')).toBe('new')
    expect(readdirSync(folder.file('replace'))).toEqual(['a'])
  })

  it('writes all files of a call or none of them', async () => {
    mkdirSync(folder.file('all'))
    writeFileSync(folder.file('all/a'), 'old')
    const files = [
      { path: folder.file('all/a'), bytes },
      { path: folder.file('all/missing/b'), bytes },
    ]
    await expect(writeAllBeside(files)).rejects.toThrow(/missing does not exist; create it/)
    expect(readFileSync(folder.file('all/a'), 'utf8')).toBe('old')
    expect(readdirSync(folder.file('all'))).toEqual(['a'])
  })

  it('follows a symbolic link instead of cutting it', async () => {
    writeFileSync(folder.file('target'), 'old')
    symlinkSync(folder.file('target'), folder.file('link'))
    await writeBeside(folder.file('link'), bytes)
    expect(readFileSync(folder.file('target'), 'utf8')).toBe('new')
  })

  it('never replaces a device by a file', async () => {
    await writeBeside('/dev/null', bytes)
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  it.skipIf(!existsSync('/dev/full'))('says that the disk is full, as a failed run', async () => {
    const failure = await writeBeside('/dev/full', bytes).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(FailedRun)
    expect((failure as Error).message).toBe(
      'cannot write /dev/full: the disk is full; free some space or choose another disk.',
    )
  })

  it.skipIf(!isRoot || !canMount())('removes its temporary file when the disk fills up on the way', async () => {
    const disk = folder.file('disk')
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk])
    try {
      writeFileSync(`${disk}/out`, 'old')
      await expect(writeBeside(`${disk}/out`, new Uint8Array(200_000))).rejects.toThrow(/the disk is full/)
      expect(readdirSync(disk)).toEqual(['out'])
      expect(readFileSync(`${disk}/out`, 'utf8')).toBe('old')
    } finally {
      execFileSync('umount', [disk])
    }
  })
})

describe('places that cannot be written', () => {
  it('are found before the work, each with its remedy', async () => {
    writeFileSync(folder.file('plain'), '')
    const cases: [string, RegExp][] = [
      [folder.path, /it is a folder; name a file in it/],
      [folder.file('nowhere/out.npy'), /nowhere does not exist; create it/],
      [folder.file('plain/out.npy'), /plain is not a folder; choose another place/],
    ]
    for (const [path, message] of cases) {
      const failure = await checkWritable([path]).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(UsageError)
      expect((failure as Error).message).toMatch(message)
    }
  })

  it.skipIf(isRoot)('include folders without permission', async () => {
    mkdirSync(folder.file('locked'))
    chmodSync(folder.file('locked'), 0o500)
    await expect(checkWritable([folder.file('locked/out')])).rejects.toThrow(/permission denied/)
  })

  it('include the inputs of the same call and one name given twice', async () => {
    writeFileSync(folder.file('mesh.obj'), 'precious')
    await expect(checkWritable([folder.file('./mesh.obj')], [folder.file('mesh.obj')])).rejects.toThrow(/also read/)
    await expect(checkWritable([folder.file('x'), folder.file('../x/../x')])).resolves.toBeUndefined()
    await expect(checkWritable([folder.file('x'), folder.file('x')])).rejects.toThrow(/written twice/)
  })

  it('leave no trace of having been tried', async () => {
    mkdirSync(folder.file('probe'))
    await checkWritable([folder.file('probe/out')])
    expect(readdirSync(folder.file('probe'))).toEqual([])
  })
})

describe('reading', () => {
  it('names the file and the remedy', async () => {
    await expect(readInput(folder.file('absent'))).rejects.toThrow(/absent: there is no such file; check the path/)
    await expect(readInput(folder.path)).rejects.toThrow(/it is a folder; name a file in it/)
  })
})

/** Root in a container may still be forbidden to mount. */
function canMount(): boolean {
  const place = folder.file('mount-trial')
  mkdirSync(place)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' })
    execFileSync('umount', [place], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
