/** Who imports whom, read from the sources of all packages with TypeScript's own parser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import ts from 'typescript'

/**
 * @typedef {object} Import
 * @property {string} specifier  as written
 * @property {string | undefined} target  the source file it leads to, relative to the root; undefined outside our sources
 * @property {boolean} typeOnly  gone after compilation
 * @property {boolean} dynamic  `import()` or `new URL(..., import.meta.url)`: reached at run time, if at all
 * @property {number} line
 */

/**
 * @param {string} root
 * @returns {Map<string, Import[]>} by source file, relative to the root, with forward slashes
 */
export function readImportGraph(root) {
  const packages = readPackages(root)
  const graph = new Map()
  for (const { folder } of packages) {
    for (const file of sourceFiles(join(root, folder, 'src'))) {
      const path = relative(root, file).split(sep).join('/')
      const imports = importsOf(file).map((found) => ({
        ...found,
        target: targetOf(root, path, found.specifier, packages),
      }))
      graph.set(path, imports)
    }
  }
  return graph
}

/** Name, folder and exports of every workspace that has sources. */
function readPackages(root) {
  const folders = ['bench']
  for (const parent of ['packages', 'apps']) {
    if (!existsSync(join(root, parent))) continue
    for (const name of readdirSync(join(root, parent)).sort()) folders.push(`${parent}/${name}`)
  }
  return folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')) && existsSync(join(root, folder, 'src')))
    .map((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      return { folder, name, exports }
    })
}

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function importsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true)
  const found = []
  const add = (node, literal, typeOnly, dynamic) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    found.push({ specifier: literal.text, typeOnly, dynamic, line })
  }
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      // `import { type A }` stays behind as `import {}` under verbatimModuleSyntax, so only `import type` counts.
      add(node, node.moduleSpecifier, node.importClause?.isTypeOnly === true, false)
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      add(node, node.moduleSpecifier, node.isTypeOnly, false)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node, node.argument.literal, true, false)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (node.arguments[0] && ts.isStringLiteralLike(node.arguments[0])) add(node, node.arguments[0], false, true)
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'URL') {
      const [path, base] = node.arguments ?? []
      if (path && ts.isStringLiteralLike(path) && base?.getText() === 'import.meta.url') add(node, path, false, true)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function targetOf(root, from, specifier, packages) {
  if (specifier.startsWith('.')) return sourceBehind(root, posix.join(dirname(from), specifier))
  const owner = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (!owner) return undefined
  const entry = owner.exports[`.${specifier.slice(owner.name.length)}`]
  const built = typeof entry === 'string' ? entry : entry?.default
  return built && sourceBehind(root, posix.join(owner.folder, built.replace('./dist/', './src/')))
}

/** The TypeScript file that a path to JavaScript is compiled from. */
function sourceBehind(root, path) {
  const candidates = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), `${path}/index.ts`]
  return candidates.find((candidate) => /\.tsx?$/.test(candidate) && existsSync(join(root, candidate)))
}
