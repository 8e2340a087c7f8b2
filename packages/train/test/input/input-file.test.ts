/** What stands for a file and is none: pipes hang, devices never end, links lead elsewhere. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCompanion, readInputFile } from '../../src/input/index.js'

const top = mkdtempSync(join(tmpdir(), 'pliant-input-'))
const folder = join(top, 'models')
const model = join(folder, 'a.gltf')
const hasPipes = process.platform !== 'win32'

beforeAll(() => {
  mkdirSync(join(folder, 'sub'), { recursive: true })
  writeFileSync(model, '{}')
  writeFileSync(join(folder, 'sub', 'a.bin'), 'numbers')
  writeFileSync(join(top, 'secret'), 'secret')
  symlinkSync(join(folder, 'sub', 'a.bin'), join(folder, 'inner.bin'))
  symlinkSync(join(top, 'secret'), join(folder, 'outer.bin'))
  symlinkSync(top, join(folder, 'up'))
  if (hasPipes) execFileSync('mkfifo', [join(folder, 'pipe.bin')])
})
afterAll(() => rmSync(top, { recursive: true }))

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a companion', () => {
  it.each(['sub/a.bin', 'inner.bin', './sub/../inner.bin'])('%s is read from the folder', async (name) => {
    expect(text(await readCompanion(model, name))).toBe('numbers')
  })

  it.each(['outer.bin', 'up/secret', '../secret'])('%s, which lies outside the folder, is refused', async (name) => {
    await expect(readCompanion(model, name)).rejects.toThrow(
      /^cannot read .+: it lies outside the folder of .+; put it there\.$/,
    )
  })

  it.skipIf(!hasPipes)('that is a pipe is refused at once', async () => {
    await expect(readCompanion(model, 'pipe.bin')).rejects.toThrow(/: it is a pipe; pass a regular file\.$/)
  })
})

describe('an input', () => {
  it.skipIf(!existsSync('/dev/zero'))('that is a device is refused', async () => {
    await expect(readInputFile('/dev/zero')).rejects.toThrow(
      'cannot read /dev/zero: it is a device; pass a regular file.',
    )
  })

  it('larger than the limit is refused before it is read', async () => {
    const large = join(top, 'large')
    writeFileSync(large, '')
    truncateSync(large, 5_000_000_000)
    await expect(readInputFile(large)).rejects.toThrow(/: it has 5\.00 GB, at most 1\.07 are read; split it\.$/)
    await expect(readInputFile(model, 1)).rejects.toThrow(/at most 1\.00e-9 are read/)
  })

  it('that is a folder, or not there, is refused', async () => {
    await expect(readInputFile(folder)).rejects.toThrow(/: it is a folder; name a file in it\.$/)
    await expect(readInputFile(join(folder, 'none'))).rejects.toThrow(/: there is no such file; check the path\.$/)
  })
})
