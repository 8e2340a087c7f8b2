/**
 * The Markdown that our documents use, as HTML: headings, paragraphs, fenced code, lists, tables, links, code, bold and
 * italic. Pictures are left out: the studio shows the things themselves.
 */

/** @param linkTo where a link leads; undefined leaves its text without a link */
export function markdownToHtml(text: string, linkTo: (target: string) => string | undefined): string {
  const lines = text.replace(/<!--[\s\S]*?-->/g, '').split('\n')
  const html: string[] = []
  const inline = (line: string): string => inlineHtml(line, linkTo)
  let at = 0
  const takeWhile = (matches: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && matches(lines[at])) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at]
    const heading = /^(#{1,6}) (.*)/.exec(line)
    if (line.trim() === '') at++
    else if (line.startsWith('```')) {
      at++
      const code = takeWhile((next) => !next.startsWith('```'))
      at++
      html.push(`<pre><code>${escaped(code.join('\n'))}</code></pre>`)
    } else if (heading) {
      at++
      const level = heading[1].length
      html.push(`<h${level} id="${anchorOf(heading[2])}">${inline(heading[2])}</h${level}>`)
    } else if (line.startsWith('|'))
      html.push(
        tableHtml(
          takeWhile((next) => next.startsWith('|')),
          inline,
        ),
      )
    else if (ITEM.test(line))
      html.push(
        listHtml(
          takeWhile((next) => ITEM.test(next) || /^\s+\S/.test(next)),
          inline,
        ),
      )
    else html.push(`<p>${inline(takeWhile((next) => next.trim() !== '' && !BLOCK.test(next)).join(' '))}</p>`)
  }
  return html.join('\n')
}

const ITEM = /^\s*([-*]|\d+\.) /
const BLOCK = /^(```|#{1,6} |\||\s*([-*]|\d+\.) )/

function tableHtml(rows: readonly string[], inline: (line: string) => string): string {
  const cells = (row: string): string[] =>
    row
      .replace(/^\||\|\s*$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll('\\|', '|')))
  const [head, , ...body] = rows
  const row = (tag: string, values: string[]): string =>
    `<tr>${values.map((value) => `<${tag}>${value}</${tag}>`).join('')}</tr>`
  return `<div class="table"><table>${row('th', cells(head))}${body.map((line) => row('td', cells(line))).join('')}</table></div>`
}

function listHtml(lines: readonly string[], inline: (line: string) => string): string {
  const items: string[] = []
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''))
    else items[items.length - 1] += ` ${line.trim()}`
  }
  const tag = /^\s*\d/.test(lines[0]) ? 'ol' : 'ul'
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`
}

function inlineHtml(line: string, linkTo: (target: string) => string | undefined): string {
  // What stands in code is not Markdown: set aside first, put back last.
  const codes: string[] = []
  const bare = line.replace(/`([^`]+)`/g, (_, code: string) => {
    codes.push(`<code>${escaped(code)}</code>`)
    return `\0${codes.length - 1}\0`
  })
  return escaped(bare)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, text: string, target: string) => {
      const href = linkTo(target)
      return href === undefined ? text : `<a href="${href}">${text}</a>`
    })
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[^\w*])\*([^*]+)\*/g, '$1<em>$2</em>')
    .replace(/\0(\d+)\0/g, (_, index: string) => codes[Number(index)])
}

/** As GitHub makes them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
