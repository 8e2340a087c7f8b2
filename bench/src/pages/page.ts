/** A reproduction as one HTML file that opens anywhere: no script, no font, no file beside it. */
import type { ReproduceOptions } from '../suite/suite.js'

export interface PageSection {
  title: string
  /** HTML of the section. */
  body: string
}

export interface PageOptions {
  title: string
  /** One paragraph under the title, as HTML. */
  lead: string
  sections: readonly PageSection[]
  /** What was run, when and on what. */
  footer: string
}

export function renderPage({ title, lead, sections, footer }: PageOptions): string {
  const parts = sections.map(({ title, body }) => `<section><h2>${escapeHtml(title)}</h2>${body}</section>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="lead">${lead}</p>
${parts.join('\n')}
<footer>${escapeHtml(footer)}</footer>
</main>
</body>
</html>
`
}

/** @param head names of the columns; the first column is left-aligned, the others are numbers */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[], caption?: string): string {
  const cells = (row: readonly string[], tag: string): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const title = caption ? `<caption>${escapeHtml(caption)}</caption>` : ''
  return `<div class="wide"><table>${title}<thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`
}

export function renderFigure(content: string, caption: string): string {
  return `<figure>${content}<figcaption>${escapeHtml(caption)}</figcaption></figure>`
}

export function renderPng(png: Buffer, alternative: string): string {
  return `<img src="data:image/png;base64,${png.toString('base64')}" alt="${escapeHtml(alternative)}">`
}

/** What was run on, and when. */
export function runLine({ date, machine }: ReproduceOptions): string {
  return `${date}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, Node ${machine.node}, ${machine.platform}`
}

export function count(value: number): string {
  return value.toLocaleString('en')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const STYLE = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c2330; background: #fff }
main { max-width: 1180px; margin: 0 auto; padding: 32px 24px 64px }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px }
h2 { font-size: 20px; margin: 44px 0 8px }
.lead { max-width: 76ch; color: #465063 }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; margin: 8px 0 }
caption { text-align: left; color: #465063; padding-bottom: 4px }
th, td { text-align: right; padding: 4px 12px; border-bottom: 1px solid #e3e7ee; white-space: nowrap }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
thead th { border-bottom: 2px solid #9aa4b5; font-weight: 600; white-space: normal; vertical-align: bottom; max-width: 130px }
.groups th, .groups td { padding: 4px 8px }
.groups td { white-space: normal }
.groups th.group { text-align: center; max-width: none; border-bottom: 1px solid #9aa4b5 }
.groups tr:nth-child(2) th:first-child { text-align: right; padding-left: 8px }
.groups .first { border-left: 1px solid #c9d0dc }
.groups td:first-child, .groups tr:first-child th:first-child { position: sticky; left: 0; background: #fff }
figure { margin: 16px 0 }
figure img, figure svg { max-width: 100%; height: auto }
figcaption { font-size: 14px; color: #465063; max-width: 76ch }
.row { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-end }
.row figure { margin: 0; max-width: 100% }
.row figcaption { width: 0; min-width: 100% }
.row img, .row svg { max-height: 400px; width: auto }
.legend { font-size: 14px } .legend span { display: inline-block; margin-right: 16px }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; vertical-align: -1px }
footer { margin-top: 48px; font-size: 13px; color: #66708a }
`
