/** What `pliant evaluate` tells of a field of points, whatever it is of. */
import { qualityTable, sideBySide } from '@pliant/train/unstable/text'
import type { Artifact, PointKindName } from 'pliant'
import { bodyTable } from './body-table.js'
import { formatNumber } from './format.js'
import type { JudgedFile, JudgeOptions } from './judge-trained.js'
import type { Evaluated } from './kinds/kind-commands.js'
import { describeMotion, motionJson } from './motions.js'
import { ownErrorLine, violentTable } from './own-error-table.js'
import { qualityJson } from './quality-json.js'

/** Options of the verb that every field of points takes, */
export const POINT_OPTIONS = ['max-error', 'min-sign', 'max-normal', 'poses', 'points', 'violent'] as const
/** and those of objects. */
export const OBJECT_OPTIONS = [...POINT_OPTIONS, 'against'] as const

/** @param afterTable  lines that go with the first table */
export async function evaluatedPoints(
  artifact: Artifact<PointKindName>,
  judged: JudgedFile,
  { signal, onProgress, poses, points, violent: wantsViolent }: JudgeOptions,
  afterTable: readonly string[] = [],
): Promise<Evaluated> {
  const { method, quality, body, against, rivals, sequenceFit, motions = [], posesText } = judged
  const { ownErrorReport, evaluateViolent } = await import('@pliant/train/unstable')
  const ownError = ownErrorReport(judged.told, artifact.manifest.quality?.bandError.mean ?? quality.bandError.mean)
  const violent = wantsViolent ? await evaluateViolent(artifact, { signal, poses, points, onProgress }) : undefined
  return {
    method,
    json: {
      quality: qualityJson(quality),
      poses: posesText,
      motions: motions.map((motion) => ({ ...motionJson(motion), trained: motion.trained ?? null })),
      ownError: { ...ownError, told: judged.told },
      violent,
      body: qualityJson(body),
      against: qualityJson(against),
      rivals: qualityJson(rivals),
      sequenceFit,
    },
    lines: [
      qualityTable(quality, posesText),
      ...afterTable,
      ...motions.map(describeMotion),
      ownErrorLine(ownError),
      ...(violent ? [violentTable(violent)] : []),
      ...comparisons(judged),
      ...(sequenceFit === undefined
        ? []
        : [`poses found for recorded vertices: ${formatNumber(100 * sequenceFit)}% of the height off in the mean`]),
    ],
    figures: {
      'max-error': quality.bandError.p95,
      'min-sign': quality.signAccuracy,
      'max-normal': quality.normalError.p95,
    },
  }
}

const FIELD_NAMES: Record<string, string> = {
  boneGrids: 'rigid bone grids',
  softBoneGrids: 'rigid bone grids, soft minimum',
  capsules: 'capsules fitted to bones',
}

/** Where the error of an elastic body comes from; the file beside another, or beside what is used without learning. */
function comparisons({ file, quality, body, against, rivals }: JudgedFile): string[] {
  if (body) return [bodyTable([{ file, body }, ...(against?.body ? [{ file: against.file, body: against.body }] : [])])]
  if (against)
    return [
      sideBySide([
        [file, quality],
        [against.file, against.quality],
      ]),
    ]
  if (!rivals) return []
  const named = Object.entries(rivals).map(([name, other]) => [FIELD_NAMES[name], other] as const)
  return [sideBySide([['learned', quality], ...named])]
}
