/**
 * Writes docs/api: one page an entry, from the doc comments of what it exports.
 *
 * Usage: node scripts/api-reference.mjs [--check]   (--check writes nothing and fails if a page is out of date)
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readApi } from './api-surface.mjs'
import { root } from './run.mjs'

/** File name -> Markdown of every page, an overview included. @param {import('./api-surface.mjs').Entry[]} entries */
export function renderApi(entries) {
  const places = new Map()
  for (const entry of entries) for (const one of entry.names) places.set(one.name, { entry, one })
  const pages = new Map([['index.md', overview(entries)]])
  for (const entry of entries) pages.set(pageOf(entry), renderEntry(entry, linker(entry, places)))
  return pages
}

/** Pages of a folder that are not what they should be: changed, missing, or left over. */
export function stalePages(folder, pages) {
  const there = existsSync(folder) ? readdirSync(folder) : []
  const names = new Set([...there, ...pages.keys()])
  return [...names].filter(
    (name) => !there.includes(name) || !pages.has(name) || readFileSync(join(folder, name), 'utf8') !== pages.get(name),
  )
}

function pageOf({ name }) {
  return `${name.replace('@', '').replaceAll('/', '-')}.md`
}

function overview(entries) {
  const rows = entries.map(
    (entry) =>
      `| [\`${entry.name}\`](${pageOf(entry)}) | ${entry.names.length} | ${cell(firstSentence(entry.intro))} |`,
  )
  return `# API reference

Every name that is public, by the entry that it is imported from. Written by \`npm run docs\` from the doc comments in the sources; do not edit it here.

| entry | names | for |
|---|---|---|
${rows.join('\n')}

Units are metres, seconds, kilograms and radians unless a name says otherwise; frames are right-handed with +Y up, matrices column-major 4 x 4, quaternions xyzw. Points are flat arrays of xyz triples. Distances are negative inside. Errors are one line: what is wrong, which value, what to do.

Entries under \`pliant/unstable\` and \`@pliant/train/unstable\` are what Pliant's own packages share. They may change in any release, patches included, and are not described here.
`
}

function renderEntry(entry, link) {
  const rows = entry.names.map(
    (one) => `| [\`${one.name}\`](#${anchorOf(one)}) | ${cell(link(firstSentence(one.doc.text)))} |`,
  )
  return `# ${entry.name}

${link(entry.intro)}

| name | what it is |
|---|---|
${rows.join('\n')}

${entry.names.map((one) => renderName(one, link)).join('\n')}`
}

function renderName(one, link) {
  const methods = one.members.filter(({ isCallable }) => isCallable)
  const properties = one.members.filter(({ isCallable }) => !isCallable)
  const parts = [`## ${titleOf(one)}`, link(one.doc.text), code(one.signatures), renderTags(one.doc, link)]
  if (one.making) parts.push(link(one.making.text), renderTags(one.making, link))
  const list = properties.map((member) => propertyLine(member, link)).join('\n')
  parts.push(one.kind === 'class' && list ? `Properties:\n\n${list}` : list)
  if (one.inherited.length > 0) parts.push(link(inheritedLine(one)))
  for (const { name, signature, doc } of methods) {
    parts.push(`### ${one.name}.${name}`, code([signature]), link(doc.text), renderTags(doc, link))
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** What a class does as its interfaces say is described once, with them. */
function inheritedLine({ interfaces, inherited }) {
  const all = inherited.map((name) => `\`${name}\``)
  const last = all.length > 1 ? ` and ${all.at(-1)}` : ''
  const named = interfaces.map((one) => `\`${one}\``).join(' and ')
  return `As ${named} ${interfaces.length > 1 ? 'describe' : 'describes'} them: ${all.slice(0, last ? -1 : 1).join(', ')}${last}.`
}

function propertyLine({ signature, doc }, link) {
  const text = doc.text.replaceAll('\n\n', ' ')
  return `- \`${signature}\`${text ? `: ${link(text)}` : ''}`
}

function renderTags({ params, returns, throws }, link) {
  const lines = params.map(({ name, text }) => `- \`${name}\`: ${link(text.replaceAll('\n\n', ' '))}`)
  if (returns) lines.push(`- returns ${link(returns)}`)
  for (const one of throws) lines.push(`- throws ${link(one)}`)
  return lines.join('\n')
}

function code(lines) {
  return lines.length > 0 ? `\`\`\`ts\n${lines.join('\n')}\n\`\`\`` : ''
}

/** The kind is part of it: `rigidMotion` and `RigidMotion` would share an anchor. */
function titleOf({ kind, name }) {
  return `${kind} ${name}`
}

function anchorOf(one) {
  return titleOf(one).toLowerCase().replaceAll(' ', '-')
}

/** Public names in backticks become links to where they are described. */
function linker(from, places) {
  return (text) =>
    text.replace(/(?<!\[)`(\w+)`/g, (written, name) => {
      const place = places.get(name)
      if (!place) return written
      return `[\`${name}\`](${place.entry === from ? '' : pageOf(place.entry)}#${anchorOf(place.one)})`
    })
}

function firstSentence(text) {
  return /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text
}

/** Within a table a bar must not end its cell. */
function cell(text) {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|')
}

/** @returns {number} exit code */
function main(isCheck) {
  const folder = join(root, 'docs', 'api')
  const { entries, gaps } = readApi(root)
  const pages = renderApi(entries)
  const stale = stalePages(folder, pages)
  for (const gap of gaps) console.error(gap)
  if (isCheck) {
    for (const name of stale) console.error(`docs/api/${name}: is out of date; run npm run docs.`)
    return gaps.length + stale.length > 0 ? 1 : 0
  }
  mkdirSync(folder, { recursive: true })
  for (const name of stale) {
    if (pages.has(name)) writeFileSync(join(folder, name), pages.get(name))
    else rmSync(join(folder, name))
  }
  const names = entries.reduce((sum, entry) => sum + entry.names.length, 0)
  console.log(
    `docs/api: ${names} names in ${entries.length} entries, ${stale.length} pages written, ${gaps.length} gaps`,
  )
  return gaps.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = main(process.argv.includes('--check'))
