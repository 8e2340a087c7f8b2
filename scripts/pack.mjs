/**
 * Packs the public packages as npm publishes them, and says how large they are. Build first.
 *
 * Usage: node scripts/pack.mjs [FOLDER]    tarballs into FOLDER (default: out/packages)
 *        node scripts/pack.mjs --sizes     and what an empty project installs with each of them
 */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runNpm } from './run.mjs'

/** Folder of each, by name; each may need those before it. */
export const PACKAGES = {
  pliant: 'packages/pliant',
  '@pliant/train': 'packages/train',
  '@pliant/cli': 'packages/cli',
  '@pliant/bench': 'bench',
}

/** What people install, step by step. */
const INSTALLS = [['pliant'], ['@pliant/train', '@pliant/cli'], ['@pliant/bench']]

/**
 * @param {string} folder  receives the tarballs
 * @returns {Promise<Record<string, { tarball: string, files: string[], packed: number, unpacked: number }>>} by name;
 *   paths within the tarball, sizes in bytes
 * @throws Error in one line if something is missing that must be in them
 */
export async function packAll(folder) {
  for (const place of Object.values(PACKAGES)) removeStale(join(root, place))
  if (!existsSync(join(root, 'packages', 'cli', 'studio', 'index.html'))) {
    throw new Error('pack: packages/cli/studio is missing; run `npm run build` first.')
  }
  mkdirSync(folder, { recursive: true })
  const workspaces = Object.values(PACKAGES).flatMap((place) => ['--workspace', place])
  const words = ['pack', '--json', '--loglevel=error', '--pack-destination', folder, ...workspaces]
  const { code, output } = await runNpm(words, { capture: true })
  if (code !== 0) throw new Error(`pack: npm ended with code ${code}; see its message above.`)
  const packed = Object.values(JSON.parse(output)).map(({ name, filename, files, size, unpackedSize }) => [
    name,
    { tarball: join(folder, filename), files: files.map(({ path }) => path), packed: size, unpacked: unpackedSize },
  ])
  return Object.fromEntries(packed)
}

/**
 * Installs into a folder as a user does. Third-party packages come from npm's cache where it has them, which it does once
 * this repository is installed, and from the registry otherwise. They are installed and not linked from here, so that a
 * dependency that a package forgets to name is missing there too.
 * @param {string} folder        with a package.json
 * @param {string[]} packages    tarballs, or names
 */
export async function installInto(folder, packages) {
  const words = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // Started by `npm test`, npm would hand down what .npmrc says here and nowhere else.
  const env = { npm_config_legacy_peer_deps: 'false' }
  const { code } = await runNpm([...words, ...packages], { cwd: folder, env, capture: true })
  if (code !== 0) throw new Error(`pack: npm could not install ${packages.join(' ')}; see its message above.`)
}

/** Bytes of all files below a folder; links count as nothing. */
export function folderBytes(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? folderBytes(path) : entry.isFile() ? lstatSync(path).size : 0)
  }, 0)
}

/** 1.2 MB */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Deletes what was built from sources that are no longer there; the compiler leaves it, and npm would pack it. */
function removeStale(place) {
  const [built, sources] = [join(place, 'dist'), join(place, 'src')]
  if (!existsSync(built)) throw new Error(`pack: ${relative(root, built)} is missing; run \`npm run build\` first.`)
  for (const name of readdirSync(built, { recursive: true })) {
    const source = /\.(d\.ts|js|js\.map)$/.test(name) && join(sources, name.replace(/\.(d\.ts|js|js\.map)$/, '.ts'))
    if (source && !existsSync(source)) rmSync(join(built, name))
  }
}

/** A row for each step of INSTALLS: what is installed by then, and what that takes on disk. */
async function installSizes(packed) {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-sizes-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
    const rows = []
    for (const names of INSTALLS) {
      await installInto(
        folder,
        names.map((name) => packed[name].tarball),
      )
      const all = [...rows.map(({ name }) => name), names.at(-1)].join(' and ')
      rows.push({ name: names.at(-1), all, bytes: folderBytes(join(folder, 'node_modules')) })
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function main(words) {
  const sizes = words.includes('--sizes')
  const folder = words.find((word) => !word.startsWith('--')) ?? join(root, 'out', 'packages')
  const packed = await packAll(folder)
  for (const [name, { tarball, files, packed: small, unpacked }] of Object.entries(packed)) {
    const figures = `${files.length} files, ${megabytes(small)} packed, ${megabytes(unpacked)} unpacked`
    console.log(`${name}: ${figures}: ${relative(process.cwd(), tarball)}`)
  }
  if (!sizes) return
  console.log('\nAn empty project installs:')
  for (const { all, bytes } of await installSizes(packed)) console.log(`${all}: ${megabytes(bytes)}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
