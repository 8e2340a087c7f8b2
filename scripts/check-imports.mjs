/**
 * Holds the house to its plan (docs/architecture.md): imports go one way along the flow, the runtime entry reaches no
 * package at all, the trainer stays behind the runtime, the command starts without other packages, and no file waits for itself.
 *
 * Usage: node scripts/check-imports.mjs [ROOT]
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readImportGraph } from './import-graph.mjs'
import { root as ownRoot } from './run.mjs'

const RUNTIME = 'packages/pliant/src/'
const TRAINER = 'packages/train/src/'

/** The runtime's flow. A room imports from itself and from rooms before it. */
const FLOW = [
  ...['math', 'mesh', 'files', 'field', 'exact', 'model', 'net', 'learned'],
  ...['artifact', 'detect', 'sim', 'respond', 'blocks'],
]

/** Rooms beside the flow, and all they may import from. */
const SIDE_ROOMS = {
  three: ['math', 'field', 'model', 'net', 'learned', 'artifact', 'detect', 'sim', 'respond', 'files'],
}

/** Made of what the entries export, so that a user could write it: its files import other rooms by their entries alone. */
const BUILT_ON_ENTRIES = ['blocks']

/** The trainer's flow: tools, then shapes, then the stages of a training in their order. */
const TRAIN_FLOW = [
  ...['input', 'graph', 'pool', 'streams', 'plan', 'resume'],
  ...['surface', 'tets', 'modes', 'presets', 'spec'],
  ...['poses', 'sample', 'label', 'subjects', 'learn', 'evaluate', 'export', 'kinds', 'train', 'text'],
]

/**
 * Against the trainer's flow, known and to be mended; this list only gets shorter: `unneededExceptions` finds those that
 * are no longer there.
 */
const TRAIN_EXCEPTIONS = [
  // The hash of a body's spec covers the sizes of its network, which are stated where it is learned.
  { from: `${TRAINER}subjects/elastic-object.ts`, target: `${TRAINER}learn/frames/learn-parts.ts` },
]

/** The one thing the runtime entry may ask the host for, at run time and only if it is there: threads in Node. */
const REACH_EXCEPTIONS = [{ within: `${RUNTIME}net/`, specifier: 'node:worker_threads' }]

/** Which of our packages a package may import. The runtime imports none; the page never pulls in the trainer. */
const PACKAGE_ORDER = {
  'packages/pliant': [],
  'packages/train': ['packages/pliant'],
  bench: ['packages/pliant', 'packages/train'],
  'packages/cli': ['packages/pliant', 'packages/train', 'bench'],
  'apps/studio': ['packages/pliant'],
}

/** One folder for each suite; what suites share lies beside them. */
const SUITES = 'bench/src/suites/'
/** What the `pliant` command loads before it knows what it is asked for. */
const COMMAND = 'packages/cli/src/main.ts'

/** @returns {string[]} one line per broken rule */
export function checkImports(root) {
  const graph = readImportGraph(root)
  return [
    ...roomViolations(graph, entryFiles(root)),
    ...trainerViolations(graph).flatMap(({ line, known }) => (known ? [] : [line])),
    ...packageViolations(graph),
    ...runtimeReach(graph),
    ...suiteViolations(graph),
    ...commandViolations(graph),
    ...cycles(graph),
  ]
}

/** @returns {string[]} one line per exception that nobody needs any more */
export function unneededExceptions(root, exceptions = TRAIN_EXCEPTIONS) {
  const found = trainerViolations(readImportGraph(root), exceptions)
  return exceptions
    .filter((exception) => !found.some(({ known }) => known === exception))
    .map(({ from, target }) => `${from}: no longer imports ${target}; take it out of TRAIN_EXCEPTIONS.`)
}

function roomViolations(graph, entries) {
  const found = []
  for (const [file, imports] of graph) {
    const room = roomOf(file)
    if (room === undefined) continue
    const allowed = SIDE_ROOMS[room] ?? (FLOW.includes(room) ? FLOW.slice(0, FLOW.indexOf(room)) : undefined)
    if (allowed === undefined) {
      found.push(`${file}: room '${room}' has no place in the flow; give it one in scripts/check-imports.mjs.`)
      continue
    }
    for (const { target, line } of imports) {
      const targetRoom = target && roomOf(target)
      if (!targetRoom || targetRoom === room) continue
      if (!allowed.includes(targetRoom)) {
        found.push(`${file}:${line}: ${room} imports ${targetRoom} (${target}), against the flow.`)
      } else if (BUILT_ON_ENTRIES.includes(room) && !entries.has(target)) {
        found.push(`${file}:${line}: ${room} imports ${target}, past its entry; import what entries export.`)
      }
    }
  }
  return found
}

/** What the trainer imports against its flow, and the exception that allows it, if one does. */
function trainerViolations(graph, exceptions = TRAIN_EXCEPTIONS) {
  const found = []
  for (const [file, imports] of graph) {
    const room = roomOf(file, TRAINER)
    if (room === undefined) continue
    const place = TRAIN_FLOW.indexOf(room)
    if (place < 0) {
      const line = `${file}: room '${room}' has no place in the trainer's flow; give it one in scripts/check-imports.mjs.`
      found.push({ line })
      continue
    }
    for (const { target, line: at } of imports) {
      const targetRoom = target && roomOf(target, TRAINER)
      if (!targetRoom || TRAIN_FLOW.indexOf(targetRoom) <= place) continue
      const line = `${file}:${at}: ${room} imports ${targetRoom} (${target}), against the trainer's flow.`
      found.push({ line, known: exceptions.find((one) => one.from === file && one.target === target) })
    }
  }
  return found
}

function packageViolations(graph) {
  const found = []
  for (const [file, imports] of graph) {
    const own = packageOf(file)
    const allowed = PACKAGE_ORDER[own]
    if (allowed === undefined) {
      found.push(`${file}: package '${own}' has no place in the order; give it one in scripts/check-imports.mjs.`)
      continue
    }
    for (const { target, specifier, line } of imports) {
      const other = target && packageOf(target)
      if (!other || other === own) continue
      if (specifier.startsWith('.'))
        found.push(`${file}:${line}: '${specifier}' leaves its package; import it by name.`)
      else if (!allowed.includes(other)) found.push(`${file}:${line}: ${own} imports ${other}, against the order.`)
    }
  }
  return found
}

/** Everything outside our own sources that loading or using the "." entry can reach. */
function runtimeReach(graph) {
  const found = []
  const start = `${RUNTIME}index.ts`
  const from = new Map([[start, undefined]])
  const queue = graph.has(start) ? [start] : []
  for (const file of queue) {
    for (const { target, specifier, typeOnly, dynamic, line } of graph.get(file) ?? []) {
      if (typeOnly) continue
      if (target) {
        if (!from.has(target)) {
          from.set(target, file)
          queue.push(target)
        }
      } else if (!specifier.startsWith('.') && !isReachException(file, specifier, dynamic)) {
        found.push(`${file}:${line}: the runtime entry reaches '${specifier}' by ${trail(from, file)}.`)
      }
    }
  }
  return found
}

function isReachException(file, specifier, dynamic) {
  return dynamic && REACH_EXCEPTIONS.some((one) => file.startsWith(one.within) && specifier === one.specifier)
}

function trail(from, file) {
  const steps = []
  for (let step = file; step !== undefined; step = from.get(step)) steps.unshift(step.replace(RUNTIME, ''))
  return steps.join(' > ')
}

/** Suites know nothing of each other, nobody knows them but their list, and that list is cheap to load: help reads it. */
function suiteViolations(graph) {
  const found = []
  const list = `${SUITES}index.ts`
  for (const [file, imports] of graph) {
    for (const { target, line } of imports) {
      const suite = target && suiteOf(target)
      if (!suite || suite === suiteOf(file) || file === list) continue
      found.push(`${file}:${line}: imports suite ${suite} (${target}); what suites share lies beside them.`)
    }
  }
  for (const { file, line, specifier } of packagesLoadedBy(graph, list)) {
    found.push(`${file}:${line}: the list of suites loads '${specifier}'; import it when the suite runs.`)
  }
  return found
}

/** Every call of the command loads all verbs, help and mistakes included: other packages wait until one of them runs. */
function commandViolations(graph) {
  return packagesLoadedBy(graph, COMMAND).map(
    ({ file, line, specifier }) =>
      `${file}:${line}: every call of pliant loads '${specifier}'; import it when it is used.`,
  )
}

/** Packages that are not ours and that a file loads with itself. */
function packagesLoadedBy(graph, start) {
  const found = []
  const loaded = new Set(graph.has(start) ? [start] : [])
  for (const file of loaded) {
    for (const { target, specifier, typeOnly, dynamic, line } of graph.get(file) ?? []) {
      if (typeOnly || dynamic) continue
      if (target) loaded.add(target)
      else if (!/^(\.|node:)/.test(specifier)) found.push({ file, line, specifier })
    }
  }
  return found
}

/** Files that wait for each other while loading. Types do not wait, and `import()` comes after loading. */
function cycles(graph) {
  const found = []
  const state = new Map()
  const path = []
  const visit = (file) => {
    state.set(file, 'open')
    path.push(file)
    for (const { target, dynamic, typeOnly } of graph.get(file) ?? []) {
      if (!target || dynamic || typeOnly) continue
      if (state.get(target) === 'open') {
        found.push(`${file}: import cycle ${[...path.slice(path.indexOf(target)), target].join(' > ')}.`)
      } else if (!state.has(target)) visit(target)
    }
    path.pop()
    state.set(file, 'done')
  }
  for (const file of graph.keys()) if (!state.has(file)) visit(file)
  return found
}

/** Sources of the runtime's entries, public and not. */
function entryFiles(root) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, RUNTIME, '../package.json'), 'utf8'))
  const built = Object.values(exports).flatMap((target) => target.default ?? [])
  return new Set(built.map((path) => path.replace(/^\.\/dist\//, RUNTIME).replace(/\.js$/, '.ts')))
}

function packageOf(file) {
  return file.slice(0, file.indexOf('/src/'))
}

/** Name of the suite whose folder a file lies in, if it does. */
function suiteOf(file) {
  const [suite, ...rest] = file.startsWith(SUITES) ? file.slice(SUITES.length).split('/') : []
  return rest.length > 0 ? suite : undefined
}

/** The folder of a house a file lives in; undefined for entries and for other packages. */
function roomOf(file, house = RUNTIME) {
  if (!file.startsWith(house)) return undefined
  const rest = file.slice(house.length).split('/')
  return rest.length > 1 ? rest[0] : undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(process.argv[2] ?? ownRoot)
  const violations = [...checkImports(root), ...(root === resolve(ownRoot) ? unneededExceptions(root) : [])]
  for (const line of violations) console.error(line)
  if (violations.length > 0) process.exitCode = 1
  else console.log('imports follow the flow')
}
