/** Suite bar in documents: quality, and the time of a frame against the exact rivals. */
import type { Quality } from 'pliant'
import { queryCells } from '../../report/headline-table.js'
import { markdownTable, meanText, percent, rightShare, round, whole } from '../../report/markdown.js'
import { gainCell } from '../../report/rival-names.js'
import type { Headline } from '../../suite/suite.js'
import { fastestOf, type Gain, gainOver } from '../../timing/best-rival.js'
import { BAR_RIVALS } from './rivals.js'
import type { BarBenchResult, BarBenchRow } from './run.js'

export function barMarkdown(result: BarBenchResult): string {
  const { quality } = result
  const { error } = result as Partial<BarBenchResult>
  const rows = result.rows.map((row) => {
    const time = timesOf(row)
    return [
      whole(row.count),
      row.points,
      `${round(time.learned)} us`,
      `${round(fastestOf(time.exact, time.exactPseudonormal, time.exactStop))} us`,
      `${round(fastestOf(time.threeMeshBvh, time.threeMeshBvhStop))} us`,
      gainCell(gainOf(row)),
    ]
  })
  const seeds = error ? ` with each of ${error.seeds.length} seeds (in brackets: 95% interval)` : ''
  return `## The built-in bar, bent in every frame
Learned from ${whole(result.triangles)} triangles and 3 modes into ${round(result.artifactBytes / 1000)} kB and ${whole(result.multiplications)} multiplications per query. On ${quality.poses} poses never trained on${seeds}, within the band (${bandText(quality)}): mean error ${meanError(result)} of the diagonal off the surface, 95% of points below ${percent(quality.bandError.p95, quality.size)}, the largest ${percent(quality.bandError.max, quality.size)}; sign right on ${signText(quality)} of points further than 0.5% away; normals off by ${round(quality.normalError.p50, 2)} degrees in the median and ${round(quality.normalError.p95, 2)} at 95%.${beyondText(quality)}

${markdownTable(['points', 'where', 'learned', 'our exact field', 'three-mesh-bvh refit', 'gain over the fastest'], rows)}

One frame: the change of shape and all queries with sign and normal, one thread; learned and our exact field run on SIMD, three-mesh-bvh in JavaScript, each at its fastest setting in the row.`
}

export function barHeadline(result: BarBenchResult): Headline {
  const { quality, triangles } = result
  return {
    subject: `a bar, bent: ${whole(triangles)} triangles`,
    error: `${meanError(result)} (${percent(quality.bandError.max, quality.size)})`,
    sign: signText(quality),
    normals: `${round(quality.normalError.p50, 2)} / ${round(quality.normalError.p95, 2)} degrees`,
    ...queryCells(result.rows, { microseconds: (row) => timesOf(row).learned, gain: gainOf }),
  }
}

/** The first results had the times beside the count. */
function timesOf(row: BarBenchRow): BarBenchRow['microseconds'] {
  return row.microseconds ?? (row as unknown as BarBenchRow['microseconds'])
}

function gainOf(row: BarBenchRow): Gain {
  return gainOver(timesOf(row), 'learned', BAR_RIVALS)
}

/** Over seeds, where there were several. */
function meanError({ quality, error }: BarBenchResult): string {
  return meanText(error ?? quality.bandError, quality.size)
}

function signText({ signAccuracy }: Quality): string {
  return rightShare(100 * signAccuracy)
}

function bandText({ beyond, size }: Quality): string {
  return beyond ? `${percent(beyond.from, size)} of the diagonal from the surface` : 'about 5% of the size'
}

function beyondText({ beyond, size }: Quality): string {
  if (!beyond) return ''
  return ` Beyond the band, where ${round(100 * beyond.share, 2)}% of points anywhere in the domain lie: ${percent(beyond.mean, size)} off in the mean, and up to ${percent(beyond.maxTooFar, size)} too far away.`
}
