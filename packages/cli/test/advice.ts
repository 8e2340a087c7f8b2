/** What the sources and documents tell users to type: strings of messages, commands of documents, and names in them. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface Said {
  /** `path:line` from the root. */
  where: string
  /** With `\u2026` for what is filled in. */
  text: string
}

/** Files below folders, from the root. */
export function filesIn(folders: readonly string[], extension: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => extension.test(path) && !/node_modules|\/dist\//.test(path)),
  )
}

/** Every string of more than one word that a TypeScript file holds; comments are not among them. */
export function stringsOf(path: string): Said[] {
  const source = ts.createSourceFile(path, readFileSync(`${ROOT}${path}`, 'utf8'), ts.ScriptTarget.Latest)
  const said: Said[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    if (text?.includes(' ')) said.push({ where: `${path}:${line + 1}`, text })
    // What is filled in can hold messages, too.
    if (!ts.isStringLiteral(node)) ts.forEachChild(node, visit)
  }
  visit(source)
  return said
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('\u2026')
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined && right === undefined ? undefined : `${left ?? '\u2026'}${right ?? '\u2026'}`
}

/** Names of properties, methods, functions, classes and constants that a TypeScript file declares. */
export function namesDeclaredIn(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(`${ROOT}${path}`, 'utf8'), ts.ScriptTarget.Latest)
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node }
    if (name && ts.isIdentifier(name)) names.push(name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** Code of a document: lines of its blocks, and what stands in backquotes. */
export function codeOf(path: string): Said[] {
  let isBlock = false
  return readFileSync(`${ROOT}${path}`, 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      const where = `${path}:${i + 1}`
      if (line.startsWith('```')) {
        isBlock = !isBlock
        return []
      }
      if (isBlock) return [{ where, text: line }]
      return [...line.matchAll(/`([^`]+)`/g)].map(([, text]) => ({ where, text }))
    })
}

/** Options in a text, without their dashes; not the variables of style sheets. */
export function optionsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w-]|var\()--([a-z][a-z-]*)/g)].map(([, name]) => name)
}
