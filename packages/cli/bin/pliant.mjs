#!/usr/bin/env node
/** The `pliant` command: a doorway to dist/main.js that says what to do when nothing has been built yet. */
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) {
  const { runMain } = await import(main.href)
  await runMain(process.argv.slice(2))
} else {
  process.stderr.write('pliant: dist/main.js is missing; run `npm run build` in the repository first.\n')
  process.exitCode = 2
}
