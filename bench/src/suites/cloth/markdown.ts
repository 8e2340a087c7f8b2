/** Suite cloth in documents: error beside time, query time against the number of queries, crowd, step and drape. */
import type { DrapeResult } from '../../drape/drape.js'
import { queryCells } from '../../report/headline-table.js'
import { markdownTable, meanText, percent, rightShare, round, whole } from '../../report/markdown.js'
import { gainCell, rivalName } from '../../report/rival-names.js'
import type { Headline } from '../../suite/suite.js'
import { fastestOf, type Gain, gainOver } from '../../timing/best-rival.js'
import type { FieldFigures } from './fields.js'
import { CROWD_RIVALS, EXACT_RIVALS, RIVAL_NAMES } from './rivals.js'
import type { ClothBenchResult, QueryRow } from './run.js'

/** A result as files have it: earlier ones know one clip, one drape, no seeds and nothing of points beyond the band. */
type SavedResult = Omit<ClothBenchResult, 'drapes'> & { drapes?: DrapeResult[]; drape?: DrapeResult | null }

export function clothMarkdown(result: ClothBenchResult): string {
  const { endurance } = result
  const saved: SavedResult = result
  const drapes = saved.drapes ?? (saved.drape ? [saved.drape] : [])
  const parts = [
    fieldPart(result),
    queryPart(result),
    [
      crowdLine(result),
      stepLine(result),
      ...hardestFirst(drapes).map(drapeLine),
      ...(endurance
        ? [
            `- Coordinates that were not finite in ${round(endurance.seconds / 60)} minutes of a garment at ${endurance.speed}x: ${endurance.notFinite}.`,
          ]
        : []),
    ].join('\n'),
  ]
  return `## A character, posed in every frame\n${parts.join('\n\n')}`
}

export function clothHeadline({ character, fields, queries }: ClothBenchResult): Headline {
  const learned = fields.rows.find(({ field }) => field === 'learned')!
  return {
    subject: `a character, posed: ${whole(character.triangles)} triangles`,
    error: `${meanText(learned.error)}${largest(learned, (text) => ` (${text})`)}`,
    sign: rightShare(learned.sign),
    normals: `${normalsText(learned)} degrees`,
    ...queryCells(queries, { microseconds: (row) => row.microseconds.learned, gain: gainOf, names: RIVAL_NAMES }),
  }
}

function fieldPart({ character, network, fields }: ClothBenchResult): string {
  const hasBeyond = fields.rows[0].beyond !== undefined
  const rows = fields.rows.map((row) => [
    row.field === 'exact' ? 'our exact field' : row.field,
    meanText(row.error),
    largest(row, (text) => text),
    rightShare(row.sign),
    normalsText(row),
    ...(hasBeyond ? [`${percent(row.beyond.mean)} / ${percent(row.beyond.maxTooFar)}`] : []),
    microseconds(row.uniform),
    microseconds(row.near),
  ])
  const easier = (fields.clips ?? [])
    .filter(({ clip }) => clip !== fields.clip)
    .map(({ clip, rows: [learned] }) => `on ${clip} ours has ${percent(learned.error.mean)}`)
  const judges = fields.clips
    ? `${fields.poses} poses of ${fields.clip}, never trained on, with each of ${fields.seeds.length} seeds${easier.length > 0 ? ` (the harder clip: ${easier.join(', ')})` : ''}`
    : `${fields.poses} poses of ${character.heldOut.join(', ')}, never trained on`
  const band = hasBeyond
    ? ` within ${percent(fields.band.width)} of it from the surface; mean with its 95% interval, and the largest; beyond that band, where ${percent(fields.band.beyond)} of points anywhere near the body lie: mean error, and how much too far away at most`
    : ', within 5% of it from the surface'
  const head = ['field', 'mean error', 'largest', 'right sign', 'normals', ...(hasBeyond ? ['beyond the band'] : [])]
  return `${whole(character.triangles)} triangles, ${character.bones} bones, ${whole(network.multiplications)} multiplications per query. Error on ${judges}, in % of the height${band}; normals in degrees, median / 95%; time of a pose and ${whole(fields.queries)} queries. Learned runs on SIMD; exact fields too, but for skinning; grids and capsules are plain JavaScript, which a SIMD version of theirs would beat:

${markdownTable([...head, 'uniform', 'near'], rows)}`
}

function queryPart({ network, queries }: ClothBenchResult): string {
  // Raced later than the rest.
  const hasSkinned = queries.some(({ microseconds: time }) => time.skinnedMeshBvhStop !== undefined)
  const rows = queries.map((row) => {
    const { points, count, microseconds: time } = row
    return [
      whole(count),
      points,
      microseconds(time.learned),
      microseconds(fastestOf(time.paper, time.paperOrt)),
      microseconds(time.boneGrids),
      microseconds(time.capsules),
      microseconds(fastestOf(time.exact, time.exactPseudonormal, time.exactStop)),
      microseconds(fastestOf(time.threeMeshBvh, time.threeMeshBvhStop)),
      ...(hasSkinned ? [microseconds(time.skinnedMeshBvhStop)] : []),
      gainCell(gainOf(row), RIVAL_NAMES),
    ]
  })
  const paper = network.paperTrained ? "the paper's network" : "the paper's 8 x 128, untrained"
  const head = [
    ...['points', 'where', 'learned', paper, 'bone grids', 'capsules'],
    ...['skinning + our exact field', 'skinning + three-mesh-bvh refit'],
    ...(hasSkinned ? ["three-mesh-bvh's SkinnedMeshBVH"] : []),
    'gain',
  ]
  return `A pose and N queries with sign and normal, one thread, each rival in its fastest engine and setting; *gain* is over the fastest that is as exact as ours, which bone grids and capsules are not:

${markdownTable(head, rows)}`
}

function gainOf({ microseconds: time }: QueryRow): Gain {
  return gainOver(time, 'learned', EXACT_RIVALS)
}

function crowdLine({ crowd }: ClothBenchResult): string {
  const times: Record<string, number> = {}
  for (const [name, { frame }] of Object.entries(crowd.methods)) times[name] = frame
  const { rival, gain } = gainOver(times, 'learned', CROWD_RIVALS)
  return `- A crowd of ${crowd.characters}, each with its own pose and ${crowd.queriesEach} queries: **${round(times['learned'])} ms** a frame, clips included; the fastest rival, skinning + ${rivalName(rival)}, ${round(times[rival])} ms, ${round(gain, 2)}x.`
}

function stepLine({ step }: ClothBenchResult): string {
  return `- A whole cloth step, ${whole(step.clothVertices)} vertices on the moving body, clip and all contacts: **${round(step.learned.median)} ms** (${round(step.learned.max)} at most); Rapier 0.21 soft bodies ${round(step.rapier.median)} ms (${round(step.rapier.max)}), ${round(step.ratio, 2)}x.`
}

const DRAPED: Readonly<Record<string, string>> = {
  learned: 'learned',
  exact: 'exact',
  boneGrids: 'bone grids',
  fittedGrids: 'fitted bone grids',
  capsules: 'capsules',
}

function drapeLine(drape: DrapeResult): string {
  const depths = Object.entries(drape.methods).map(([name, { penetration, margin }]) => {
    const kept = margin === undefined ? '' : margin > 0 ? `, kept ${percent(margin)} off` : ', no margin'
    const frames = `${penetration.longestRun} ${penetration.longestRun === 1 ? 'frame' : 'frames'}`
    return `${DRAPED[name] ?? name} ${percent(penetration.deepest)} (${frames}${kept})`
  })
  const times = drape.starts > 1 ? ` from each of ${drape.starts} moments` : ''
  const margins =
    drape.starts === undefined
      ? ''
      : ', each field without a margin or with the one that its own error asks for, whichever does better'
  return `- A ${drape.garment} over ${round(drape.frames / 60)} s of ${drape.clip}${times}: deepest vertex inside the exact body in % of the height, and the longest that one stays deeper than 1%${margins}: ${depths.join(', ')}.`
}

function hardestFirst(drapes: readonly DrapeResult[]): DrapeResult[] {
  const deepest = ({ methods }: DrapeResult): number => methods.learned!.penetration.deepest
  return [...drapes].sort((a, b) => deepest(b) - deepest(a))
}

/** The first results have no largest error. */
function largest({ error }: FieldFigures, write: (text: string) => string): string {
  return error.max === undefined ? '' : write(percent(error.max))
}

function normalsText({ normalError }: FieldFigures): string {
  return `${round(normalError.median, 2)} / ${round(normalError.p95, 2)}`
}

function microseconds(value: number): string {
  return `${round(value)} us`
}
