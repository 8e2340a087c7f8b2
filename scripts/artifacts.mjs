/** `npm run artifacts`: rebuilds the trained files that the studio and the examples use, from their presets and seeds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNode } from './run.mjs'

const folder = join('apps', 'studio', 'public', 'artifacts')
const artifacts = JSON.parse(readFileSync(join(root, folder, 'index.json'), 'utf8'))

for (const { file } of artifacts) {
  const preset = file.replace(/\.safetensors$/, '')
  console.log(`Training '${preset}' ...`)
  const { code } = await runNode([
    join('packages', 'cli', 'bin', 'pliant.mjs'),
    'train',
    preset,
    '--out',
    join(folder, file),
  ])
  if (code !== 0) process.exit(code)
}
