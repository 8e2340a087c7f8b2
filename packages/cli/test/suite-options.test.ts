import type { Suite } from '@pliant/bench'
import { expect, it } from 'vitest'
import { Arguments } from '../src/arguments.js'
import { suitesHelp } from '../src/bench-package.js'
import { motionsKey, suiteOptions, suiteValues } from '../src/suite-options.js'

/** A suite that takes these options and does nothing. */
function suite(name: string, options: Record<string, string>, readsMotions = false): Suite {
  const declared = Object.entries(options).map(([option, help]) => [option, { value: 'FILE', help }])
  return {
    name,
    summary: `measures ${name}`,
    inputs: { options: Object.fromEntries(declared), readsMotions, read: async () => ({ given: {} }) },
    run: async () => ({}),
    table: () => '',
    markdown: () => '',
  }
}
const ALL = [
  suite('a', { file: 'an object', motion: 'how it moves' }, true),
  suite('b', { file: 'an object' }),
  suite('c', { file: 'a body' }),
  suite('d', {}),
]
const call = (values: Record<string, string>): Arguments =>
  new Arguments('bench', ['a'], new Map(Object.entries(values)))

it('what suites take alike is said once, and after whose it is', () => {
  const options = suiteOptions(ALL)
  expect(Object.keys(options)).toEqual(['file', 'motion', 'aliases', 'reference', 'min-matched'])
  expect(options['file']).toEqual({ value: 'FILE', help: 'a and b: an object; c: a body' })
  expect(options['motion'].help).toBe('a: how it moves')
  expect(options['aliases'].help).toMatch(/^a: /)
  expect(suitesHelp(ALL.slice(0, 2))).toBe('a: measures a; b: measures b')
  expect(motionsKey(ALL)['motions']).toMatch(/^a: /)
  expect(motionsKey(ALL.slice(1))).toEqual({})
})

it('a suite may take a switch, which is an empty text where it is given', () => {
  const [a, , , d] = ALL
  const again = { ...d, inputs: { ...d.inputs, options: { again: { help: 'once more' } } } }
  const given = new Arguments('bench', ['d'], new Map([['again', true]]))
  expect(suiteOptions([a, again])['again']).toEqual({ help: 'd: once more' })
  expect(suiteValues('bench', again, [a, again], given)).toEqual({ again: '' })
  expect(suiteValues('bench', again, [a, again], call({}))).toEqual({ again: undefined })
  expect(() => suiteValues('bench', a, [a, again], given)).toThrow('--again is given, but it is for d only; drop it.')
})

it('a suite gets what it takes, and refuses what is for others', () => {
  const [a, b, , d] = ALL
  expect(suiteValues('bench', a, ALL, call({ file: 'x', motion: 'y', aliases: 'z' }))).toEqual({
    file: 'x',
    motion: 'y',
  })
  expect(() => suiteValues('bench', b, ALL, call({ motion: 'y' }))).toThrow(
    'bench: --motion is y, but it is for a only; drop it.',
  )
  expect(() => suiteValues('bench', d, ALL, call({ file: 'x' }))).toThrow('it is for a, b and c only')
  expect(() => suiteValues('bench', b, ALL, call({ reference: 'first' }))).toThrow('--reference is first')
})
