import { existsSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { checkWritable } from '../../src/files.js'
import { pageIn } from '../../src/verbs/reproduce.js'
import { temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)

it('makes the folder that pages go to unless told otherwise, and does not mind that it is there', async () => {
  const out = folder.file('out')
  for (let time = 0; time < 2; time++) {
    const page = await pageIn(out, 'cloth')
    expect(page).toBe(folder.file('out/reproduce-cloth.html'))
    await expect(checkWritable([page])).resolves.toBeUndefined()
  }
  expect(existsSync(out)).toBe(true)
})
