import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { suites } from '../../src/index.js'

const folder = new URL('../../src/suites/', import.meta.url)

describe('the suites', () => {
  it('are all registered, each under the name of its folder', () => {
    const folders = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    )
    expect(suites.map(({ name }) => name)).toEqual(folders.sort())
  })

  it.each(suites)('$name says what it is and what it takes, in one line each', ({ summary, inputs, page }) => {
    const options = { ...inputs.options, ...page?.inputs?.options }
    const texts = [summary, ...Object.values(options).map(({ help }) => help), ...(page ? [page.summary] : [])]
    for (const text of texts) expect(text).toMatch(/^\S[^\n]*\S$/)
    for (const [name, { value }] of Object.entries(options)) {
      expect(name).toMatch(/^[a-z-]+$/)
      if (value !== undefined) expect(value).toMatch(/^[A-Z]+$/)
    }
  })
})
