/**
 * Where the error of an elastic body comes from, one file or two beside each other: the material of run time against that
 * of training, and the body as it moved against the same poses exactly in the modes.
 */
import type { BodyEvaluation, BodyJudgement } from '@pliant/train'
import { formatCount, formatNumber, table } from './format.js'
import { QUALITY_HEADING, qualityCells } from './quality-table.js'

const MATERIALS = { runTime: 'run time', training: 'training' } as const

export function bodyTable(files: readonly { file: string; body: BodyEvaluation }[]): string {
  const materials = Object.keys(MATERIALS) as (keyof typeof MATERIALS)[]
  const rows = materials.flatMap((material) =>
    (['quality', 'inModes'] as const).flatMap((shapes) =>
      files.map(({ file, body }) => [
        MATERIALS[material],
        shapes === 'quality' ? 'as it moved' : 'in the modes',
        ...(files.length > 1 ? [file] : []),
        ...qualityCells(body[material][shapes]),
      ]),
    ),
  )
  const [{ body }] = files
  return [
    '',
    table(['material of', 'shapes', ...(files.length > 1 ? ['file'] : []), ...QUALITY_HEADING], rows),
    ...materials.map((material) => dropsLine(MATERIALS[material], body[material])),
    ...files.map(({ file, body }) => rangeLine(file, body)),
    '',
  ].join('\n')
}

/** What the poses are, and what the modes leave out of them. */
function dropsLine(material: string, { drops, projection, quality }: BodyJudgement): string {
  const percent = (length: number): string => `${formatNumber((100 * length) / quality.diagonal)}%`
  const { count, runs, inverted, dropped, crossing } = drops
  return (
    `material of ${material}: ${formatCount(count)} poses of ${runs} drops, ${crossing} of which pass through themselves; ` +
    `left out ${inverted.poses} with inverted tetrahedra and ${dropped} like others; ` +
    `the modes leave nodes ${percent(projection.mean)} off in the mean, ${percent(projection.rms)} rms`
  )
}

function rangeLine(file: string, { runTime, training }: BodyEvaluation): string {
  const of = ({ inRange, drops }: BodyJudgement): string => `${inRange} of ${drops.count}`
  return `${file}: ${of(runTime)} poses of run time and ${of(training)} of training lie in the trained range of the code`
}
