/**
 * The documentation as pages of the built studio, so that its links lead somewhere wherever it is served from: README.md
 * becomes docs/index.html; docs/NAME.md, docs/guides/NAME.md and docs/api/NAME.md become docs/NAME.html.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { markdownToHtml } from './markdown.js'

/** Pages for people who use Pliant, in the order of their links. */
const PAGES = [
  ['index', 'README.md', 'Overview'],
  ['cloth', 'docs/guides/cloth.md', 'Cloth'],
  ['hair', 'docs/guides/hair.md', 'Hair'],
  ['soft-body', 'docs/guides/soft-body.md', 'Soft bodies'],
  ['obj-distances', 'docs/guides/obj-distances.md', 'OBJ to distances'],
  ['onnx-python', 'docs/guides/onnx-python.md', 'ONNX and Python'],
  ['three', 'docs/three.md', 'Characters in three.js'],
  ['contact', 'docs/contact.md', 'Contact'],
  ['sdf-contact', 'docs/sdf-contact.md', 'Bodies in contact'],
  ['cli', 'docs/cli.md', 'Command line'],
  ['spec', 'docs/spec.md', 'Training specs'],
  ['artifact', 'docs/artifact.md', 'Artifacts'],
  ['architecture', 'docs/architecture.md', 'Architecture'],
  ['vocabulary', 'docs/vocabulary.md', 'Vocabulary'],
  ['benchmarks', 'docs/benchmarks.md', 'Benchmarks'],
  ['papers', 'docs/papers.md', 'Papers'],
  ['api', 'docs/api/index.md', 'API reference'],
] as const

const root = new URL('../../', import.meta.url)

/** One for each entry of the packages; the reference itself links to them. */
const API_PAGES = readdirSync(fileURLToPath(new URL('docs/api/', root)))
  .filter((file) => file !== 'index.md')
  .map((file) => {
    const name = basename(file, '.md')
    return [name, `docs/api/${file}`, name] as const
  })

const ALL_PAGES: readonly (readonly [name: string, file: string, title: string])[] = [...PAGES, ...API_PAGES]

export function docsPlugin(): Plugin {
  return {
    name: 'pliant-docs',
    generateBundle() {
      for (const [name] of ALL_PAGES) {
        this.emitFile({ type: 'asset', fileName: `docs/${name}.html`, source: docsPage(name) })
      }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const name = /^\/docs\/([\w-]+)\.html/.exec(request.url ?? '')?.[1]
        if (!ALL_PAGES.some(([known]) => known === name)) return next()
        response.setHeader('Content-Type', 'text/html')
        response.end(docsPage(name!))
      })
    },
  }
}

function docsPage(name: string): string {
  const [, file, title] = ALL_PAGES.find(([known]) => known === name)!
  const text = readFileSync(fileURLToPath(new URL(file, root)), 'utf8')
  const links = PAGES.map(([other, , shown]) =>
    other === name ? `<strong>${shown}</strong>` : `<a href="./${other}.html">${shown}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<title>${title} \u2013 Pliant</title>
<style>${STYLE}</style>
<nav><a href="../index.html">Pliant studio</a> ${links.join(' ')}</nav>
<main>
${markdownToHtml(text, linkTo)}
</main>
</html>
`
}

/** Where a link of the documents leads in the built studio; undefined for what is not part of it. */
function linkTo(target: string): string | undefined {
  if (/^(https?:|#)/.test(target)) return target
  const [path, anchor] = target.split('#', 2)
  const page = ALL_PAGES.find(([, file]) => basename(file) === basename(path) && !path.includes('notes/'))
  return page && `./${page[0]}.html${anchor ? `#${anchor}` : ''}`
}

const STYLE = `
:root { color-scheme: dark; font: 16px/1.6 "Inter", "Segoe UI", system-ui, sans-serif; }
body { margin: 0; background: #12161c; color: #dfe5ec; }
nav { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 12px 20px; background: #181d25; border-bottom: 1px solid #2c3541; font-size: 14px; }
main { max-width: 880px; margin: 0 auto; padding: 8px 20px 80px; overflow-wrap: break-word; }
a { color: #7ab0e2; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2em; border-bottom: 1px solid #2c3541; }
code { font: 0.86em ui-monospace, Menlo, Consolas, monospace; background: #1d242e; padding: 1px 4px; border-radius: 4px; }
pre { overflow-x: auto; padding: 14px; border-radius: 8px; background: #0d1116; }
pre code { padding: 0; background: none; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 5px 10px; border: 1px solid #2c3541; text-align: left; vertical-align: top; }
`
