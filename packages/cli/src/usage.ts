/** Help texts, built from what the verbs declare. */
import { GENERAL_OPTIONS } from './arguments.js'
import type { Declaration, Option } from './declaration.js'
import { labelled } from './format.js'

/** `pliant distance MESH --points FILE --out FILE [--normals FILE]` */
export function usageLine(verb: Declaration): string {
  const operands = verb.operands.map((operand) => (operand.optional ? `[${operand.name}]` : operand.name))
  const options = Object.entries(verb.options).map(([name, option]) =>
    option.required ? flagWithValue(name, option) : `[${flagWithValue(name, option)}]`,
  )
  return ['pliant', verb.name, ...operands, ...options].join(' ')
}

/** What `pliant VERB --help` prints. */
export function verbHelp(verb: Declaration): string {
  const operands = verb.operands.map((operand) => [`  ${operand.name}`, operand.help] as const)
  const sections = [
    `${verb.name}: ${verb.summary}`,
    `Usage:\n  ${usageLine(verb)}`,
    operands.length > 0 ? `Arguments:\n${labelled(operands)}` : '',
    Object.keys(verb.options).length > 0 ? `Options:\n${optionTable(verb.options)}` : '',
    `General options:\n${optionTable(GENERAL_OPTIONS)}`,
    `${verb.examples.length > 1 ? 'Examples' : 'Example'}:\n${verb.examples.map((line) => `  ${line}`).join('\n')}`,
    `With --json:\n${labelled(Object.entries(verb.json).map(([key, help]) => [`  ${key}`, help] as const))}`,
    verb.notes ?? '',
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

/** What `pliant --help` prints. */
export function generalHelp(verbs: readonly Declaration[]): string {
  return [
    'pliant: collision detection for things that bend',
    'Usage:\n  pliant VERB [arguments] [options]',
    `Verbs:\n${labelled(verbs.map((verb) => [`  ${verb.name}`, verb.summary] as const))}`,
    `General options:\n${optionTable(GENERAL_OPTIONS)}`,
    "'pliant VERB --help' says more, with an example.",
  ].join('\n\n')
}

/** `--sign auto|pseudonormal|winding` */
export function flagWithValue(name: string, option: Option): string {
  if (!option.value) return `--${name}`
  return `--${name} ${option.choices ? option.choices.join('|') : option.value}`
}

function optionTable(options: Readonly<Record<string, Option>>): string {
  return labelled(
    Object.entries(options).map(([name, option]) => [
      `  --${name}${option.value ? ` ${option.value}` : ''}`,
      option.help,
    ]),
  )
}
