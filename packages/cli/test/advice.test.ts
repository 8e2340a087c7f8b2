/**
 * Advice that does not work is worse than none: every option, verb, key and document that a message, a help text or a
 * document names must be there. `selfIntersecting: 'fill'` once was an unrecognised key, and `--aliases` no option.
 */
import { existsSync, readFileSync } from 'node:fs'
import { verbs } from '@pliant/cli'
import { readSpec, specJsonSchema } from '@pliant/train'
import { describe, expect, it } from 'vitest'
import { GENERAL_OPTIONS } from '../src/arguments.js'
import { codeOf, filesIn, namesDeclaredIn, optionsIn, ROOT, type Said, stringsOf } from './advice.js'

const SOURCES = filesIn(
  ['packages/pliant/src', 'packages/train/src', 'packages/cli/src', 'bench/src', 'apps/studio/src'],
  /\.tsx?$/,
)
const DOCUMENTS = ['README.md', ...filesIn(['docs', 'examples'], /\.md$/)]
const strings = SOURCES.flatMap(stringsOf)
const code = DOCUMENTS.flatMap(codeOf)

const optionsOf = (verb: string): string[] => [
  ...Object.keys(verbs.find(({ name }) => name === verb)?.options ?? {}),
  ...Object.keys(GENERAL_OPTIONS),
]
const verbNames = verbs.map(({ name }) => name)

describe('advice in messages, help and documents', () => {
  it('names options that the verb has which the message is of or speaks of', () => {
    const wrong = strings.flatMap(({ where, text }) => {
      const named = verbNames.filter(
        (verb) => new RegExp(`(^|/)${verb}[./]`).test(where) || new RegExp(`(^|[^\\w-])${verb}($|[^\\w-])`).test(text),
      )
      const known = (named.length > 0 ? named : verbNames).flatMap(optionsOf)
      return unknownIn(optionsIn(text), known, where)
    })
    expect(wrong).toEqual([])
  })

  it('shows commands with verbs that there are, and options and choices of theirs', () => {
    const wrong = [...strings, ...code].flatMap(commandsIn).flatMap(({ where, text }) => {
      const [verb] = text.split(/\s/)
      if (!verbNames.includes(verb)) return /^[a-z-]+$/.test(verb) ? [`${where}: pliant ${verb}`] : []
      const { options } = verbs.find(({ name }) => name === verb)!
      const choices = Object.entries(options).flatMap(([name, option]) => {
        const given = new RegExp(`--${name} ([a-z]+)(\\s|$)`).exec(text)?.[1]
        return given && option.choices && !option.choices.includes(given) ? [`${where}: --${name} ${given}`] : []
      })
      return [...unknownIn(optionsIn(text), optionsOf(verb), where), ...choices]
    })
    expect(wrong).toEqual([])
  })

  it('names options in documents that some verb has', () => {
    const all = verbNames.flatMap(optionsOf)
    const wrong = code.flatMap(({ where, text }) =>
      text.startsWith('--') ? unknownIn(optionsIn(text), all, where) : [],
    )
    expect(wrong).toEqual([])
  })

  it('names keys that a spec may have, and documents all of them', () => {
    const keys = specKeys(specJsonSchema())
    const lastNames = keys.map((key) => key.split('.').at(-1)!)
    const wrong = strings.flatMap(({ where, text }) => {
      const dotted = /^spec: /.test(text) ? [...text.matchAll(/\b((?:model|network|mix|evaluation)\.\w+)/g)] : []
      const quoted = /\bspec\b/.test(text) ? [...text.matchAll(/"(\w+)":/g)] : []
      return [
        ...unknownIn(
          dotted.map(([, key]) => key),
          keys,
          where,
        ),
        ...unknownIn(
          quoted.map(([, key]) => key),
          lastNames,
          where,
        ),
        ...unknownIn(
          [...text.matchAll(/beside "(\w+)"/g)].map(([, key]) => key),
          lastNames,
          where,
        ),
      ]
    })
    expect(wrong).toEqual([])
    const page = readFileSync(`${ROOT}docs/spec.md`, 'utf8')
    const fields = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`([\w.]+)`/g)])
    const documented = fields.map(([, field]) => field)
    const inTable = keys.filter((key) => !/^(mix|evaluation|network\.(warp|grids))\./.test(key))
    expect(inTable.filter((key) => !documented.some((each) => `${each}.`.startsWith(`${key}.`)))).toEqual([])
    expect(documented.filter((key) => key.includes('.') && !keys.includes(key))).toEqual([])
  })

  it('shows specs that are read', () => {
    const blocks = DOCUMENTS.flatMap((path) => [
      ...readFileSync(`${ROOT}${path}`, 'utf8').matchAll(/```json\n(\{\s*"model"[\s\S]*?)```/g),
    ])
    expect(blocks.length).toBeGreaterThan(0)
    for (const [, spec] of blocks) expect(() => readSpec(spec)).not.toThrow()
    expect(() => readSpec('{ "model": { "body": "x.obj", "selfIntersecting": "fill" } }')).not.toThrow()
  })

  it('names options and members of the library that are declared', () => {
    const declared = new Set(SOURCES.flatMap(namesDeclaredIn))
    const wrong = strings.flatMap(({ where, text }) => {
      if (!/; /.test(text) || !/\.$/.test(text)) return []
      const names = [...text.matchAll(/(?<![\w./-])[a-z]+(?:[A-Z][a-z]+)+(?![\w./-])|(?<=`)\w+(?=`)/g)]
      return unknownIn(
        names.map(([name]) => name),
        declared,
        where,
      )
    })
    expect(wrong).toEqual([])
  })

  it('names documents that exist', () => {
    const wrong = strings.flatMap(({ where, text }) =>
      [...text.matchAll(/\bdocs\/[\w/-]+\.md/g)]
        .filter(([path]) => !existsSync(ROOT + path))
        .map(([path]) => `${where}: ${path}`),
    )
    expect(wrong).toEqual([])
  })
})

/** What follows `pliant `, up to the end of the command. */
function commandsIn({ where, text }: Said): Said[] {
  return [...text.matchAll(/(?:^|[\s'`"(])pliant ([a-z][^'`"<>;()|#]*)/g)].map(([, command]) => ({
    where,
    text: command,
  }))
}

function unknownIn(names: readonly string[], known: Iterable<string>, where: string): string[] {
  const all = new Set(known)
  return names.filter((name) => !all.has(name)).map((name) => `${where}: ${name}`)
}

/** Dotted paths of all that a JSON Schema lets an object hold. */
function specKeys(schema: object, prefix = ''): string[] {
  const {
    properties = {},
    anyOf = [],
    items,
  } = schema as {
    properties?: Record<string, object>
    anyOf?: object[]
    items?: object
  }
  const own = Object.entries(properties).flatMap(([key, value]) => [
    prefix + key,
    ...specKeys(value, `${prefix}${key}.`),
  ])
  return [...own, ...anyOf.flatMap((each) => specKeys(each, prefix)), ...(items ? specKeys(items, prefix) : [])]
}
