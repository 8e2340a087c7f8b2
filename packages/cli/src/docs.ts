/** docs/cli.md, built from what the verbs declare, so that the page and the help cannot drift apart. */
import { GENERAL_OPTIONS } from './arguments.js'
import type { Declaration, Option } from './declaration.js'
import { flagWithValue, usageLine } from './usage.js'

const PREAMBLE = `# The command line

\`npx pliant VERB\`, where \`@pliant/cli\` is installed or from the root of the repository. This page is written by \`node scripts/cli-docs.mjs\` from the verbs' own
declarations in \`packages/cli/src/verbs\`; a test keeps the two in step.

- Results go to stdout, progress and errors to stderr.
- \`--json\` prints one object with the keys listed under each verb; keys are only ever added. A call that fails prints
  \`{ "error": "one line", "exitCode": N }\` instead.
- Arrays travel as \`.npy\`, float32 or float64, C order. Lengths are metres; distances are negative inside.
- Meshes are OBJ, PLY, STL, OFF, glTF or GLB; tetrahedra are Medit \`.mesh\`, Gmsh \`.msh\`, TetGen \`.node\`/\`.ele\`.
- Output files are written beside their place and renamed into it: all of a call's files appear, or none.

## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | the call was right and the run failed: a full disk, a missed quality gate, an engine that does not load |
| 2 | the call was wrong: a flag, a missing or malformed file, a wrong shape or kind, a place that cannot be written |
| 130 | interrupted by Ctrl-C or SIGTERM; a training run has saved its checkpoint and goes on with \`--resume\` |`

/** The whole page, with a closing newline. */
export function cliDocs(verbs: readonly Declaration[]): string {
  const sections = [PREAMBLE, `## General options\n\n${optionTable(GENERAL_OPTIONS)}`, ...verbs.map(verbSection)]
  return `${sections.join('\n\n')}\n`
}

function verbSection(verb: Declaration): string {
  const operands = verb.operands.map((operand) => `- \`${operand.name}\`: ${operand.help}`)
  const keys = Object.entries(verb.json).map(([key, help]) => `| \`${key}\` | ${help} |`)
  const parts = [
    `## ${verb.name}`,
    `${capitalised(verb.summary)}.`,
    `\`\`\`sh\n${usageLine(verb)}\n\`\`\``,
    operands.join('\n'),
    Object.keys(verb.options).length > 0 ? optionTable(verb.options) : '',
    `Example:\n\n\`\`\`sh\n${verb.examples.map((example) => `npx ${example}`).join('\n')}\n\`\`\``,
    `| \`--json\` key | meaning |\n|---|---|\n${keys.join('\n')}`,
    verb.notes ?? '',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function optionTable(options: Readonly<Record<string, Option>>): string {
  const rows = Object.entries(options).map(
    ([name, option]) => `| \`${flagWithValue(name, option).replaceAll('|', '\\|')}\` | ${option.help} |`,
  )
  return `| option | meaning |\n|---|---|\n${rows.join('\n')}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
