import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { expect, it } from 'vitest'
import { readSuiteInputs } from '../src/suite-inputs.js'

it("files of ours are named from where the command runs, not by this machine's folders", async () => {
  const seen: string[] = []
  const suite = {
    name: 'a',
    summary: '',
    inputs: {
      options: {},
      read: async (_values: unknown, reader: { builtIn(name: string): string }) => {
        seen.push(reader.builtIn('bar.safetensors'))
        return { given: {} }
      },
    },
    run: async () => ({}),
    table: () => '',
    markdown: () => '',
  }
  await readSuiteInputs(suite, {}, { leastMatched: 0 } as never)
  expect(seen.map(isAbsolute)).toEqual([false])
  expect(readFileSync(seen[0]).length).toBeGreaterThan(0)
})
