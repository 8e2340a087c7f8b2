/** What a vitest JSON report amounts to. */

/**
 * @param {{ testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] } | undefined} report
 *   undefined if vitest did not live to write one
 * @param {number} exitCode  vitest's own
 * @returns {{ passed: number, skipped: number, failures: string[] }} failures: one line each
 */
export function countTests(report, exitCode) {
  const count = { passed: 0, skipped: 0, failures: [] }
  for (const { name, status, assertionResults } of report?.testResults ?? []) {
    for (const test of assertionResults) {
      if (test.status === 'passed') count.passed++
      else if (test.status === 'failed') count.failures.push(`${name}: ${test.fullName}`)
      else count.skipped++
    }
    // A file that does not even load has no tests to fail.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) count.failures.push(name)
  }
  // An error outside any test, or no report at all.
  if (exitCode !== 0 && count.failures.length === 0)
    count.failures.push(`vitest ended with code ${exitCode}; see above`)
  return count
}

/**
 * The files that took longest, most first.
 * @param {{ testResults: { name: string, startTime: number, endTime: number }[] } | undefined} report
 * @param {number} most  how many
 * @returns {{ name: string, seconds: number }[]}
 */
export function slowestFiles(report, most) {
  return (report?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, most)
}
