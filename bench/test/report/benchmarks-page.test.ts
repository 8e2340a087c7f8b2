import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { suites } from '../../src/index.js'
import { benchmarksPage } from '../../src/report/benchmarks-page.js'
import { madeGrid, madeImage, madeNetwork } from '../suites/cspace/cells/made-cells.js'
import { drapedResult } from '../suites/results.js'
import { committed, committedCells, root, savedNow } from './saved.js'

it('can be made of the results that are committed, and those match', () => {
  const text = benchmarksPage(suites, committed, committedCells)
  expect(text).not.toMatch(/undefined|NaN|null/)
  expect(readFileSync(new URL('docs/benchmarks.md', root), 'utf8')).toBe(text)
})

it('has a section of every suite that has saved a result, and leaves the others out', () => {
  const saved = suites.filter(({ name }) => committed(name))
  expect(saved.length).toBeGreaterThan(5)
  expect(benchmarksPage(suites, committed, () => []).match(/^## /gm)).toHaveLength(saved.length)
  expect(
    benchmarksPage(
      suites,
      () => undefined,
      () => [],
    ),
  ).not.toMatch(/^## /m)
})

it('names the fastest rival of equal output, our own exact field among them, and the commit', () => {
  const text = benchmarksPage(suites, savedNow, () => [])
  expect(text).not.toMatch(/undefined|NaN|null/)
  expect(text).toContain('2026-01-02, commit abababa with changes')
  expect(text).toMatch(/^\| 1,024 \| uniform \| 10 us \| 30 us \| 80 us \| 3x \(our exact, stopping at the band\) \|$/m)
  // Gain of distances, of normals, of triangles: each beside what gives as much.
  expect(text).toMatch(
    /^\| 128 \| near \| 0\.25 ms \| 0\.3 ms \| 0\.55 ms \| 0\.8 ms \| 0\.65 ms \| 2 ms \| 2\.4x \(our exact, distances alone\) \| 2\.1x \(our exact, stopping at the band\) \| 1\.2x \(our exact, sign by pseudonormal\) \|$/m,
  )
  expect(text).toMatch(
    /^\| 1,024 \| near \| 1,000 us \| 3,900 us \| 1,100 us \| 400 us \| 3,000 us \| 8,000 us \| 45,700 us \| 3x/m,
  )
  expect(text).toMatch(/the fastest rival, skinning \+ our exact, 150 ms, 12x\./)
})

it('leaves out a rival that was raced only later than a result was saved', () => {
  const { skinnedMeshBvhStop: _later, ...microseconds } = drapedResult.queries[0].microseconds
  const older = { ...drapedResult, queries: [{ ...drapedResult.queries[0], microseconds }] }
  const text = benchmarksPage(
    suites,
    (name) => (name === 'cloth' ? { ...savedNow(name), result: older } : undefined),
    () => [],
  )
  expect(text).not.toMatch(/undefined|NaN|SkinnedMeshBVH/)
  expect(text).toMatch(/\| 3,000 us \| 8,000 us \| 3x/)
  expect(benchmarksPage(suites, savedNow, () => [])).toContain("| three-mesh-bvh's SkinnedMeshBVH |")
})

it('is of the harder clip and of several seeds, with interval, largest error, band and what is beyond it', () => {
  const text = benchmarksPage(suites, savedNow, () => [])
  expect(text).toMatch(
    /40 poses of dance, never trained on, with each of 2 seeds \(the harder clip: on turn ours has 0\.04%\)/,
  )
  expect(text).toMatch(
    /^\| learned \| 0\.052% \(0\.05% to 0\.054%\) \| 1\.2% \| 99\.96% \| 4\.8 \/ 24 \| 1\.4% \/ 18% \|/m,
  )
  expect(text).toMatch(/within 5% of it from the surface; .*where 60% of points anywhere near the body lie/)
  expect(text).toMatch(/^\| learned \| run time \| simulated \| 0\.1% \(0\.09% to 0\.11%\) \| 2\.5% \|/m)
  expect(text).toMatch(
    /Beyond the band, where 70% of points anywhere in the domain lie: 1\.5% off in the mean, and up to 5% too far away/,
  )
  expect(text).toMatch(/from each of 2 moments: .* learned 0\.7% \(2 frames, kept 0\.13% off\), capsules 1\.5%/)
  expect(text).toMatch(/^\| 15 m\/s \| exact \| 3\.4% \(squat\) \| 0\.25% \(squat\) \| 811 \| 0 \|$/m)
})

it('has a section of cells that were trained one at a time, with or without a result of their suite', () => {
  const cells = [madeNetwork({}), madeNetwork({ method: 'ours' }, 2), madeGrid({})]
  const text = benchmarksPage(
    suites,
    () => undefined,
    (name) => (name === 'cspace' ? cells : []),
  )
  expect(text.match(/^## .*/gm)).toEqual([
    "## Self-contact: the paper's Table 1 (`reproduce cspace`)",
    "## How large the paper's network must be: its Fig. 5 (`reproduce cspace`)",
  ])
  expect(text).toContain(
    '| snake | 3 | 99.77 | 98.76 | 98.56 | 0.0139 | 0.0432 | 0.0452 | 0.0866 | 0.1593 | 0.1613 | 0.1192 | 0.2604 | 0.2624 |',
  )
  expect(text).toContain('| snake | 3 | 12.3 | 1, 1 | 97.53 | 97.33 | 91.35 | 91.15 |')
  expect(text).not.toMatch(/undefined|NaN|null/)
})

it('has images beside the table, or without it', () => {
  const cells = [madeImage({ method: 'ours' }, 1), madeImage({})]
  const text = benchmarksPage(
    suites,
    () => undefined,
    (name) => (name === 'cspace' ? cells : []),
  )
  expect(text.match(/^## .*/gm)).toEqual([
    "## Signed distance of binary images: the paper's Fig. 6 (`reproduce cspace`)",
  ])
  expect(text.match(/^\| pear .*/gm)).toEqual([
    "| pear | the paper's method | 2 x 70 ReLU | 1,250,000 | 10,000 | 97.53 | 86.42 | 0.0123 | 0.1739 | 0.1128 | 0.1604 |",
    '| pear | ours | 2 x 70 ReLU | 1,250,001 | 10,000 | 97.43 | 86.32 | 0.0133 | 0.1749 | 0.1138 | 0.1614 |',
  ])
})
