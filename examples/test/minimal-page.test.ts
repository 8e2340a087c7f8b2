import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ARTIFACTS, examplePage, expectNoOverflow, hasChromium } from './example-page.js'

describe.skipIf(!hasChromium)('the smallest page', () => {
  const example = examplePage('minimal-page')
  const answerTo = async (file: string): Promise<string> => {
    await example.page.setInputFiles('#file', fileURLToPath(new URL(file, ARTIFACTS)))
    await example.page.waitForFunction(() => document.querySelector('#answer')!.textContent !== '')
    return (await example.page.textContent('#answer'))!
  }

  it('tells the distance in the middle of an object', async () => {
    expect(await answerTo('bar.safetensors')).toMatch(/^bar: -0\.\d{4} m at \(/)
    await expectNoOverflow(example.page)
  })

  it('tells it of a soft body, too', async () => {
    expect(await answerTo('bunny.safetensors')).toMatch(/^bunny: -?0\.\d{4} m at \(/)
  })

  it('says in one line what is wrong with another file', async () => {
    const answer = await answerTo('humanoid.glb')
    expect(answer).toMatch(/^[a-z]+: .+; .+\.$/)
    expect(answer).not.toContain('undefined')
  })
})
