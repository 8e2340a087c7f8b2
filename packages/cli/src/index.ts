/** The command line as a library: its entry, and its documentation for scripts/cli-docs.mjs. */
import { cliDocs } from './docs.js'
import { verbs } from './verbs/index.js'

export { main } from './main.js'
export { verbs } from './verbs/index.js'

/** The text of docs/cli.md. */
export function renderCliDocs(): string {
  return cliDocs(verbs)
}
