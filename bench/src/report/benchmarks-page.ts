/** docs/benchmarks.md: every suite's figures, from the files that `pliant bench SUITE --save` wrote. Nobody types them. */
import type { Suite } from '../suite/suite.js'
import { benchCommand, originText, type ReadCells, type ReadResult, type ResultFile } from './result-file.js'

const PREAMBLE = `# Benchmarks

This page is written by \`node scripts/figures.mjs\` from the files in [bench/results](../bench/results), which \`npx pliant bench SUITE --save\` writes, and from those in bench/cells, which \`npx pliant reproduce\` does; a check of \`npm test\` keeps them in step.

How to read it: errors are of points never trained on, off the surface, **within the band**; points beyond it are told apart. A *gain* is over the **fastest** rival of the row, our own exact field among them, that gives the **same output**; rivals may stop their search at the band, too. Where there are several clips the **hardest** is quoted, and where there are several seeds their mean with its 95% interval; the largest error stands beside the mean. All rows are medians of at least seven rounds in turns.`

/** The whole page, with a closing newline; a suite that has saved nothing is left out. */
export function benchmarksPage(suites: readonly Suite[], read: ReadResult, readCells: ReadCells): string {
  const sections = suites.flatMap((suite) => {
    const file = read(suite.name)
    const cells = suite.cells ? readCells(suite.name) : []
    return [
      ...(file ? [section(suite, file)] : []),
      ...(suite.cells && cells.length > 0 ? [suite.cells.markdown(cells)] : []),
    ]
  })
  return `${[PREAMBLE, ...sections].join('\n\n')}\n`
}

/** Below it, of which run it is; or below each of its parts, if they are of several. */
function section(suite: Suite, file: ResultFile): string {
  const all = `[all figures](../bench/results/${suite.name}.json)`
  const origins = Object.entries(file.origins ?? {})
  if (new Set(origins.map(([, run]) => originText(run))).size < 2) {
    return `${suite.markdown(file.result)}\n\n*${originText(file)}; \`${benchCommand(suite.name)}\`, ${all}.*`
  }
  const lines = new Map(
    origins.map(([part, run]) => [part, `*${originText(run)}; \`${benchCommand(suite.name, part)}\`.*`]),
  )
  return `${suite.markdown(file.result, (part) => lines.get(part)!)}\n\n*Parts of several runs: ${all}.*`
}
