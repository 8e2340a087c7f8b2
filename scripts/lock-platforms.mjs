/**
 * Completes package-lock.json with the binaries of all platforms. npm writes entries only for what the registry at hand
 * carries (mirrors often have one platform), and `npm ci` then fails on every other machine: "Missing: ... from lock
 * file". A package says by its name, once its maker's prefix is off, where it runs; the version stands where it is asked
 * for. Such entries have no checksum: npm takes the one of the registry.
 *
 * Usage: node scripts/lock-platforms.mjs [--check]   after every change of dependencies
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']
const LIBRARIES = { gnu: 'glibc', musl: 'musl' }

/** @returns {string[]} optional dependencies that have no entry, as `name@version` */
export function missingPlatforms({ packages }) {
  return optionalOf(packages)
    .filter(({ name }) => packages[`node_modules/${name}`] === undefined)
    .map(({ name, version }) => `${name}@${version}`)
}

/** @returns {string[]} places of entries that name a host to fetch from */
export function namedHosts({ packages }) {
  return Object.entries(packages)
    .filter(([, { resolved, link }]) => resolved !== undefined && !link)
    .map(([place]) => place)
}

/** A lock with an entry for every platform; what is there stays as it is. */
export function withAllPlatforms(lock) {
  const packages = { ...lock.packages }
  for (const { name, version, by } of optionalOf(packages)) {
    packages[`node_modules/${name}`] ??= {
      version,
      ...whereItRuns(name),
      ...(packages[by].dev ? { dev: true } : {}),
      optional: true,
    }
  }
  const [own, ...others] = Object.keys(packages)
  const ordered = [own, ...others.sort((a, b) => (a < b ? -1 : 1))]
  return { ...lock, packages: Object.fromEntries(ordered.map((place) => [place, packages[place]])) }
}

/** All optional dependencies of packages at the top, which is where npm puts binaries. */
function optionalOf(packages) {
  return Object.entries(packages).flatMap(([by, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ name, version, by })),
  )
}

/** `@rolldown/binding-linux-arm64-musl` -> os, cpu and libc. @throws Error if the name does not say */
function whereItRuns(name) {
  const words = name.split(/[/-]/)
  const os = SYSTEMS.filter((system) => words.includes(system))
  const cpu = PROCESSORS.filter((processor) => words.includes(processor))
  const libc = Object.entries(LIBRARIES).flatMap(([word, library]) => (words.includes(word) ? [library] : []))
  if (cpu.length !== 1 || os.length > 1) {
    throw new Error(`lock: ${name} does not say where it runs; add its entry to package-lock.json by hand.`)
  }
  return { cpu, ...(libc.length > 0 ? { libc } : {}), ...(os.length > 0 ? { os } : {}) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  if (process.argv.includes('--check')) {
    const missing = missingPlatforms(lock)
    const hosts = namedHosts(lock)
    if (missing.length > 0) console.error(`lock: no entries for ${missing.join(', ')}; run scripts/lock-platforms.mjs.`)
    if (hosts.length > 0) console.error(`lock: a host is named for ${hosts.join(', ')}; remove 'resolved'.`)
    process.exitCode = missing.length + hosts.length > 0 ? 1 : 0
  } else writeFileSync(path, `${JSON.stringify(withAllPlatforms(lock), null, 2)}\n`)
}
