/** `npm ci` on any machine: the lock knows the binaries of all platforms, and no host that only we can reach. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Entry {
  version?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
interface Lock {
  packages: Record<string, Entry>
}

const root = new URL('../../../../', import.meta.url)
const script = new URL('scripts/lock-platforms.mjs', root)
const { missingPlatforms, namedHosts, withAllPlatforms } = (await import(script.href)) as {
  missingPlatforms: (lock: Lock) => string[]
  namedHosts: (lock: Lock) => string[]
  withAllPlatforms: (lock: Lock) => Lock
}

describe('the committed package-lock.json', () => {
  const text = readFileSync(new URL('package-lock.json', root), 'utf8')
  const lock = JSON.parse(text) as Lock

  it('has an entry for every optional binary, so that npm ci misses none', () => {
    expect(missingPlatforms(lock)).toEqual([])
  })

  it.each(['darwin', 'linux', 'win32'])('has a linter and a bundler for %s', (system) => {
    for (const maker of ['@biomejs/cli-', '@rolldown/binding-']) {
      const found = Object.entries(lock.packages).filter(
        ([place, { os }]) => place.startsWith(`node_modules/${maker}`) && os?.includes(system),
      )
      expect(found.length).toBeGreaterThanOrEqual(2)
    }
  })

  it('names no host', () => {
    expect(namedHosts(lock)).toEqual([])
    expect(text).not.toMatch(/"resolved": "[a-z+]+:/)
  })
})

describe('a lock of one platform', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { '@t/cli-linux-x64-musl': '1.0.0', '@t/cli-win32-arm64-msvc': '1.0.0' },
      },
      'node_modules/@t/cli-linux-x64-musl': { version: '1.0.0', resolved: 'https://host/x.tgz', optional: true },
    },
  }

  it('is found wanting', () => {
    expect(missingPlatforms(lock)).toEqual(['@t/cli-win32-arm64-msvc@1.0.0'])
    expect(namedHosts(lock)).toEqual(['node_modules/@t/cli-linux-x64-musl'])
  })

  it('is completed from the names, in order, with what was there as it was', () => {
    const { packages } = withAllPlatforms(lock)
    expect(Object.keys(packages)).toEqual([
      '',
      'node_modules/@t/cli-linux-x64-musl',
      'node_modules/@t/cli-win32-arm64-msvc',
      'node_modules/tool',
    ])
    expect(packages['node_modules/@t/cli-win32-arm64-msvc']).toEqual({
      version: '1.0.0',
      cpu: ['arm64'],
      os: ['win32'],
      dev: true,
      optional: true,
    })
    expect(packages['node_modules/@t/cli-linux-x64-musl'].resolved).toBe('https://host/x.tgz')
  })

  it('with a binary that does not say where it runs is refused', () => {
    const odd = { packages: { '': { optionalDependencies: { fast: '1.0.0' } } } }
    expect(() => withAllPlatforms(odd)).toThrow(/^lock: fast does not say where it runs; /)
  })
})
