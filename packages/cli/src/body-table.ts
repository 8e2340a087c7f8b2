/**
 * Where the error of an elastic body comes from, one file or two beside each other: the material of run time against that
 * of training, and the body as it moved against the same poses told by their codes alone, and exactly in the modes.
 */
import type { BodyEvaluation, BodyJudgement } from '@pliant/train/unstable'
import { QUALITY_HEADING, qualityCells } from '@pliant/train/unstable/text'
import { formatCount, formatNumber, table } from './format.js'

const MATERIALS = { runTime: 'run time', training: 'training' } as const
const SHAPES = { quality: 'as it moved', byCode: 'posed by its code', inModes: 'in the modes' } as const

export function bodyTable(files: readonly { file: string; body: BodyEvaluation }[]): string {
  const materials = Object.keys(MATERIALS) as (keyof typeof MATERIALS)[]
  const rows = materials.flatMap((material) =>
    (['quality', 'byCode', 'inModes'] as const).flatMap((shapes) =>
      files.map(({ file, body }) => [
        MATERIALS[material],
        SHAPES[shapes],
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
    ...files.flatMap(({ file, body }) =>
      materials.map((material) => codeLine(file, MATERIALS[material], body[material])),
    ),
    '',
  ].join('\n')
}

function dropsLine(material: string, { drops }: BodyJudgement): string {
  const { count, runs, inverted, dropped, crossing } = drops
  return (
    `material of ${material}: ${formatCount(count)} poses of ${runs} drops, ${crossing} of which pass through themselves; ` +
    `evaluated apart ${inverted.poses} with inverted tetrahedra, left out ${dropped} like others`
  )
}

/** What a file's code makes of the poses. */
function codeLine(file: string, material: string, { drops, inRange, projection, quality }: BodyJudgement): string {
  const percent = (length: number): string => `${formatNumber((100 * length) / quality.size)}%`
  return (
    `${file}, ${material}: ${inRange} of ${drops.count} codes lie in the trained range; ` +
    `the modes leave nodes ${percent(projection.mean)} off in the mean, ${percent(projection.rms)} rms`
  )
}
