/**
 * `npm run artifacts`: rebuilds the files that the studio and the examples use, from their presets and seeds: trained
 * objects and bodies, the tools that bodies are touched with, and characters with their glTF files.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNode } from './run.mjs'

const folder = join('apps', 'studio', 'public', 'artifacts')
const listed = (file) => JSON.parse(readFileSync(join(root, folder, file), 'utf8'))
const nameOf = (file) => file.replace(/\.[^.]*$/, '')

for (const { file } of listed('index.json')) await pliant(['train', nameOf(file), '--out', join(folder, file)])
for (const { file, collider } of listed('characters.json')) {
  await pliant(['presets', '--glb', nameOf(file), '--out', join(folder, file)])
  await pliant(['train', nameOf(collider), '--out', join(folder, collider)])
}

const bodies = listed('bodies.json')
for (const file of new Set(bodies.flatMap(({ file, tool }) => [file, tool]))) {
  if (file.endsWith('.safetensors')) await pliant(['train', nameOf(file), '--out', join(folder, file)])
  else await writeTetrahedra(file)
}

/** A tool without a network is its preset's tetrahedra. */
async function writeTetrahedra(file) {
  const { findBodyPreset } = await import('../packages/train/dist/index.js')
  const { writeMedit } = await import('../packages/pliant/dist/files/index.js')
  console.log(`${file}: tetrahedra`)
  writeFileSync(join(root, folder, file), writeMedit(await findBodyPreset(nameOf(file)).make()))
}

async function pliant(words) {
  console.log(`pliant ${words.join(' ')}`)
  const { code } = await runNode([join('packages', 'cli', 'bin', 'pliant.mjs'), ...words])
  if (code !== 0) process.exit(code)
}
