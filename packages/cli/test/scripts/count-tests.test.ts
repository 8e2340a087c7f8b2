import { describe, expect, it } from 'vitest'

const script = new URL('../../../../scripts/count-tests.mjs', import.meta.url)
const { countTests, slowestFiles } = (await import(script.href)) as {
  slowestFiles: (report: unknown, most: number) => { name: string; seconds: number }[]
  countTests: (report: unknown, exitCode: number) => { passed: number; skipped: number; failures: string[] }
}

const file = (name: string, status: string, ...tests: string[]) => ({
  name,
  status,
  assertionResults: tests.map((test) => ({ status: test, fullName: `a ${test} test` })),
})

describe('the closing line of npm test', () => {
  it('counts tests, not files', () => {
    const report = {
      testResults: [file('a', 'passed', 'passed', 'passed', 'skipped'), file('b', 'passed', 'passed', 'todo')],
    }
    expect(countTests(report, 0)).toEqual({ passed: 3, skipped: 2, failures: [] })
  })

  it('names every failed test', () => {
    const report = { testResults: [file('a', 'failed', 'passed', 'failed')] }
    expect(countTests(report, 1)).toEqual({ passed: 1, skipped: 0, failures: ['a: a failed test'] })
  })

  it('does not miss a file that failed to load, an error outside all tests, or a crash', () => {
    expect(countTests({ testResults: [file('a', 'failed')] }, 1).failures).toEqual(['a'])
    expect(countTests({ testResults: [file('a', 'passed', 'passed')] }, 1).failures).toHaveLength(1)
    expect(countTests(undefined, 139).failures).toHaveLength(1)
  })
})

it('names the files that took longest, most first', () => {
  const took = (name: string, seconds: number) => ({ name, startTime: 5000, endTime: 5000 + 1000 * seconds })
  const report = { testResults: [took('a', 2), took('b', 9), took('c', 4)] }
  expect(slowestFiles(report, 2)).toEqual([
    { name: 'b', seconds: 9 },
    { name: 'c', seconds: 4 },
  ])
  expect(slowestFiles(undefined, 2)).toEqual([])
})
