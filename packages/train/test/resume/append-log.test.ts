import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AppendLog } from '../../src/resume/append-log.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-log-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'a.log')
const own = { kind: 'words', key: 'k1', others: 'another speaker' }

const blocks = ['first', '', 'the third of them'].map((text) => new TextEncoder().encode(text))
function write(): Buffer {
  const log = AppendLog.open(path, { ...own, resume: false })
  for (const block of blocks) log.add(block)
  log.close()
  return readFileSync(path)
}
function texts(resume = true): string[] {
  const log = AppendLog.open(path, { ...own, resume })
  const found = Array.from({ length: log.count }, (_, block) => new TextDecoder().decode(log.read(block)))
  log.close()
  return found
}

describe('an append-only log', () => {
  it('gives back what was added, and takes more', () => {
    const whole = write()
    expect(texts()).toEqual(['first', '', 'the third of them'])
    expect(readFileSync(path)).toEqual(whole)
    const log = AppendLog.open(path, { ...own, resume: true })
    log.add(blocks[0])
    log.sync()
    log.close()
    expect(texts()).toEqual(['first', '', 'the third of them', 'first'])
  })

  it('cut anywhere keeps the whole blocks, and added to again has the same bytes as unbroken', () => {
    const whole = write()
    const seen = new Set<number>()
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length))
      const log = AppendLog.open(path, { ...own, resume: true })
      seen.add(log.count)
      for (const block of blocks.slice(log.count)) log.add(block)
      log.close()
      expect(readFileSync(path).equals(whole)).toBe(true)
    }
    expect([...seen].sort()).toEqual([0, 1, 2])
  })

  it('changed by any bit of a block ends before it', () => {
    const whole = write()
    const header = whole.indexOf('\n') + 1
    const ends = blocks.map(
      (_, k) => header + blocks.slice(0, k + 1).reduce((sum, block) => sum + 16 + block.length, 0),
    )
    for (let at = header; at < whole.length; at++) {
      const damaged = Buffer.from(whole)
      damaged[at] ^= 1 << (at % 8)
      writeFileSync(path, damaged)
      expect(texts()).toHaveLength(ends.findIndex((end) => at < end))
    }
  })

  it('starts anew unless resumed, and is refused to another key or kind', () => {
    write()
    const open = (more: object) => () => AppendLog.open(path, { ...own, resume: true, ...more })
    expect(open({ key: 'k2' })).toThrow(/^resume: the words in .* are of another speaker; pass those of that run/)
    expect(open({ kind: 'poses' })).toThrow(/another speaker/)
    expect(texts()).toHaveLength(3)
    writeFileSync(path, 'a note')
    expect(open({})).toThrow(/another speaker/)
    expect(texts(false)).toEqual([])
  })

  it('leaves no file if nothing was added, but never takes away what is of others', () => {
    expect(texts(false)).toEqual([])
    expect(existsSync(path)).toBe(false)
    write()
    expect(() => AppendLog.open(path, { ...own, resume: true, key: 'k2' })).toThrow()
    expect(existsSync(path)).toBe(true)
  })
})
