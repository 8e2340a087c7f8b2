/** Suite haptics in documents: error, query time by what is asked for, triangles, and whole frames of touch. */
import { queryCells } from '../../report/headline-table.js'
import { markdownTable, meanText, percent, rightShare, round, whole } from '../../report/markdown.js'
import { gainCell } from '../../report/rival-names.js'
import type { Headline } from '../../suite/suite.js'
import { fastestOf, type Gain, gainOver } from '../../timing/best-rival.js'
import type { QualityRow } from './quality.js'
import type { QueryRow } from './queries.js'
import { EQUAL_OUTPUT, type Output } from './rivals.js'
import type { HapticsBenchResult } from './run.js'

export function hapticsMarkdown(result: HapticsBenchResult): string {
  const parts = [qualityPart(result), queryPart(result), [NATIVE, triangleLine(result), touchLine(result)].join('\n')]
  return `## An elastic body, deformed in every step\n${parts.join('\n\n')}`
}

/** Of the field as it is used, posed by the nodes, in the material in which it errs more. */
export function hapticsHeadline({ body, quality, queries }: HapticsBenchResult): Headline {
  const worst = quality.rows
    .filter(({ field, shapes }) => field === 'learned' && shapes === 'simulated')
    .reduce((a, b) => (b.error.mean > a.error.mean ? b : a))
  return {
    subject: `a soft body, simulated: ${whole(body.triangles)} triangles`,
    error: `${meanText(worst.error)}${largest(worst, (text) => ` (${text})`)}`,
    sign: rightShare(worst.sign),
    normals: `${normalsText(worst)} degrees`,
    ...queryCells(queries, {
      microseconds: (row) => 1000 * row.milliseconds.learnedGradient,
      gain: (row) => gainAt(row, 'normals'),
    }),
  }
}

const FIELDS = { learned: 'learned', paper: "the paper's network" } as const

function qualityPart({ body, network, quality }: HapticsBenchResult): string {
  const hasBeyond = quality.rows[0].beyond !== undefined
  const rows = quality.rows.map((row) => [
    FIELDS[row.field],
    row.material,
    row.shapes,
    meanText(row.error),
    largest(row, (text) => text),
    percent(row.error.surface),
    rightShare(row.sign),
    normalsText(row),
    ...(hasBeyond ? [`${percent(row.beyond.mean)} / ${percent(row.beyond.maxTooFar)}`] : []),
  ])
  // The first results are of one seed, and say nothing of points beyond the band.
  const seeds = quality.seeds
    ? `${quality.rows[0].poses} poses of drops never trained on, by ${quality.seeds.length} seeds (in brackets: 95% interval by seeds)`
    : `${quality.rows[0].poses} poses of drops never trained on, of one seed`
  const band = hasBeyond
    ? `, within ${percent(quality.band.width)} of it from the surface; beyond that band, where ${percent(quality.band.beyond)} of points anywhere in the domain lie: mean error, and how much too far away at most`
    : ', within 5% of it from the surface'
  const head = ['field', 'material of', 'shapes', 'mean error', 'largest', 'on the surface', 'right sign', 'normals']
  return `${whole(body.nodes)} nodes, ${whole(body.tetrahedra)} tetrahedra, ${whole(body.triangles)} triangles outside; ${round(network.artifactBytes / 1000)} kB, ${whole(network.multiplications.learned.query)} multiplications per query (the paper's network: ${whole(network.multiplications.paper.query)}). Errors on ${seeds}, in % of the diagonal${band}; the material of run time is softer and lighter than the body's own. Ours was trained in many materials, among which it lies, the paper's network in the body's own alone, as in the paper:

${markdownTable([...head, ...(hasBeyond ? ['beyond the band'] : [])], rows)}`
}

function queryPart({ network, queries }: HapticsBenchResult): string {
  const rows = queries.map((row) => {
    const { points, count, milliseconds: time } = row
    return [
      whole(count),
      points,
      ...[time.learned, time.learnedGradient, time.learnedGradientTriangle].map(milliseconds),
      milliseconds(fastestOf(time.paper, time.paperOrt)),
      time.exact === undefined ? '' : milliseconds(fastestOf(time.exact, time.exactPseudonormal)),
      milliseconds(fastestOf(time.threeMeshBvh, time.threeMeshBvhRebuild)),
      ...(['distances', 'normals', 'triangles'] as const).map((output) => gainCell(gainAt(row, output))),
    ]
  })
  const paper = network.paperTrained ? "the paper's network, distances" : "the paper's 8 x 128, untrained, distances"
  const head = [
    ...['points', 'where', 'learned', 'with normals', 'with normals and triangles', paper],
    ...['our exact field, all', 'three-mesh-bvh, all', 'gain, distances', 'with normals', 'with triangles'],
  ]
  return `A step and N queries, one thread: nodes moved, the field posed or the tree refitted, distances found; each rival in its fastest engine and setting. Trees give distance, normal and triangle in one search. *Gain* is over the fastest rival that gives the same: distances alone, with normals, with normals and triangles:

${markdownTable(head, rows)}`
}

function gainAt({ milliseconds: time }: QueryRow, output: Output): Gain {
  const { ours, rivals } = EQUAL_OUTPUT[output]
  return gainOver(time, ours, rivals)
}

const NATIVE =
  '- Native libraries were measured apart ([notes](notes/haptics-bench.md)): Embree, whose refit of this body takes 17 us, is ahead of ours up to some 50 queries, and with triangle ids at every number; FCPW takes 1.2 to 2.7 times as long as ours with normals, 1.0 to 2.1 if it stops at the band.'

function triangleLine({ triangles: { equality } }: HapticsBenchResult): string {
  return `- Nearest triangles of ${whole(equality.queries)} queries beside the paper's scan of all triangles; ${whole(equality.sameTriangle.hinted)} the same triangle, ${whole(equality.sameDistance.hinted)} the same distance to the last bit.`
}

function touchLine({ touch }: HapticsBenchResult): string {
  const { learned, exact } = touch
  const { body, tool, pose, queries, triangles } = learned.parts
  return `- A soft hand that presses and slides, ${touch.frames} frames: **${milliseconds(learned.total)}** a frame for all of it (body ${milliseconds(body)}, hand ${milliseconds(tool)}, field and triangles ${milliseconds(pose + queries + triangles)}), ${milliseconds(exact.total)} with the exact field; deepest ${percent(learned.deepest)} of the diagonal inside the exact surface, ${percent(exact.deepest)} with the exact field; the force's jerk is ${round(touch.jerkRatio, 2)} of the exact field's.`
}

/** The first results have no largest error. */
function largest({ error }: QualityRow, write: (text: string) => string): string {
  return error.max === undefined ? '' : write(percent(error.max))
}

function normalsText({ normalError }: QualityRow): string {
  return `${round(normalError.median, 2)} / ${round(normalError.p95, 2)}`
}

function milliseconds(value: number): string {
  return `${round(value)} ms`
}
