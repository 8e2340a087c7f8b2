/**
 * `npm run artifacts`: rebuilds the files that the studio and the examples use, from their presets, meshes and seeds: trained
 * objects and bodies, the tools that bodies are touched with, bodies and characters with self-contact, and characters with their
 * glTF files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNode } from './run.mjs'

const folder = join('apps', 'studio', 'public', 'artifacts')
const meshes = join('apps', 'studio', 'meshes')
const listed = (file) => JSON.parse(readFileSync(join(root, folder, file), 'utf8'))
const nameOf = (file) => file.replace(/\.[^.]*$/, '')

for (const { file } of listed('index.json')) await pliant(['train', nameOf(file), '--out', join(folder, file)])
for (const mesh of readdirSync(join(root, meshes)).filter((name) => !name.endsWith('.md'))) {
  await pliant(['train', join(meshes, mesh), '--out', join(folder, `${nameOf(mesh)}.safetensors`)])
}
for (const { file, collider } of listed('characters.json')) {
  await pliant(['presets', '--glb', nameOf(file), '--out', join(folder, file)])
  await pliant(['train', nameOf(collider), '--out', join(folder, collider)])
}

const bodies = listed('bodies.json')
for (const file of new Set(bodies.flatMap(({ file, tool }) => [file, tool]))) {
  await pliant(['train', nameOf(file), '--out', join(folder, file)])
}
// Bodies among those to repair that have no `body` are some of the first list.
for (const { file, body } of [...listed('contacts.json'), ...listed('poses.json').filter(({ body }) => body)]) {
  await pliant(['train', body, '--learn', 'self-contact', '--out', join(folder, file)])
}

async function pliant(words) {
  console.log(`pliant ${words.join(' ')}`)
  const { code } = await runNode([join('packages', 'cli', 'bin', 'pliant.mjs'), ...words])
  if (code !== 0) process.exit(code)
}
