import { expect, it } from 'vitest'
import { suites } from '../../src/index.js'
import { benchmarksPage } from '../../src/report/benchmarks-page.js'
import type { ResultFile } from '../../src/report/result-file.js'
import { savedRun } from '../../src/report/saved-run.js'
import { contactResult } from '../suites/results.js'
import { savedNow } from './saved.js'

const machine = { cpu: 'a', cores: 2, memoryGB: 1, node: 'v20', platform: 'b' }
const runOf = (day: number, result: object, quick = false): ResultFile => ({
  suite: 'contact',
  ...{ date: `2026-01-0${day}T00:00:00Z`, machine: { ...machine, cores: day }, commit: `${day}`.repeat(40), quick },
  result,
})
const PARTS = ['pairs', 'curves', 'races']

it('replaces the parts that were measured, keeps the others, and tells of which run each is', () => {
  // A file of the time before parts had origins.
  const first = runOf(1, { machine: 'one', pairs: 1, curves: 2, races: 3 })
  const second = savedRun(runOf(2, { machine: 'two', curves: 20 }), PARTS, first)
  expect(second.result).toEqual({ machine: 'two', pairs: 1, curves: 20, races: 3 })
  expect(second).toMatchObject({ date: '2026-01-02T00:00:00Z', commit: '2'.repeat(40) })
  const third = savedRun(runOf(3, { machine: 'three', races: 30 }, true), PARTS, second)
  expect(third.result).toEqual({ machine: 'three', pairs: 1, curves: 20, races: 30 })
  const origin = ({ date, machine, commit, quick }: ResultFile) => ({ date, machine, commit, quick })
  expect(third.origins).toEqual({
    pairs: origin(first),
    curves: origin(runOf(2, {})),
    races: origin(runOf(3, {}, true)),
  })
})

it('is the run alone where nothing was saved, and where a suite has no parts', () => {
  const run = runOf(1, { curves: 2 })
  expect(Object.keys(savedRun(run, PARTS).origins!)).toEqual(['curves'])
  expect(savedRun(run, [], runOf(2, { pairs: 1 }))).toEqual(run)
})

it('drops what no part is called any more', () => {
  expect(savedRun(runOf(2, { curves: 20 }), PARTS, runOf(1, { gone: 1, pairs: 1 })).result).toEqual({
    pairs: 1,
    curves: 20,
  })
})

it('has its run below each part in documents, and one line for all where they are of one', () => {
  const page = (file: ResultFile): string =>
    benchmarksPage(
      suites,
      (name) => (name === 'contact' ? file : undefined),
      () => [],
    )
  const { parts } = suites.find(({ name }) => name === 'contact')!
  const first = savedRun(savedNow('contact'), parts)
  const one =
    '\n\n*2026-01-02, commit abababa with changes, a, 2 cores, Node v20; `npx pliant bench contact`, [all figures]'
  expect(page(first)).toContain(one)
  expect(page(first).match(/^\*2026/gm)).toHaveLength(1)
  const both = page(savedRun(runOf(7, { curves: contactResult.curves }, true), parts, first))
  expect(both).not.toContain(one)
  expect(both).not.toMatch(/undefined/)
  const lines = both.split('\n\n').map((text) => text.trim())
  const below = (start: string): string => lines[lines.findIndex((text) => text.startsWith(start)) + 1]
  expect(lines.filter((text) => text.startsWith('*2026'))).toHaveLength(3)
  expect(lines.filter((text) => text.startsWith('*2026-01-07'))).toEqual([
    '*2026-01-07, commit 7777777, a, 7 cores, Node v20, a quick run; `npx pliant bench contact --parts curves`.*',
  ])
  expect(below('**Two curves')).toMatch(/^\*2026-01-07/)
  expect(lines.at(-1)).toBe('*Parts of several runs: [all figures](../bench/results/contact.json).*')
})
