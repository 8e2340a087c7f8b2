/** Writes docs/cli.md from the verbs' declarations. Build first. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderCliDocs } from '../packages/cli/dist/index.js'
import { root } from './run.mjs'

writeFileSync(join(root, 'docs', 'cli.md'), renderCliDocs())
