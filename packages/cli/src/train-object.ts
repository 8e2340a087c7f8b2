/** What `pliant train` tells of an object: what is odd about its mesh, its filling and its drops. */
import type { DropReport, Trained } from '@pliant/train'
import type { LoadedObject, TetrahedraliseReport } from '@pliant/train/unstable'
import { qualityTable } from '@pliant/train/unstable/text'
import { type MeshIssueKind, type TriangleMesh, validateMesh } from 'pliant'
import { formatCount, formatNumber } from './format.js'
import type { TrainedReport } from './training-report.js'

/** @param asked poses that were wanted */
export function objectReport(object: LoadedObject, { quality, drops }: Trained, asked: number): TrainedReport {
  const { filling } = object
  return {
    warnings: [
      ...meshWarnings(object.surface, CONSEQUENCES),
      ...(object.warnings ?? []),
      ...(filling ? fillingWarnings(filling) : []),
      ...(drops ? dropWarnings(drops, asked) : []),
    ],
    json: { drops, filling },
    lines: [qualityTable(quality), ...(filling ? [fillingText(filling)] : [])],
    on: 'trained',
    judged: '',
  }
}

/** What each fault of a mesh does to a field that is trained on it. */
const CONSEQUENCES: Partial<Record<MeshIssueKind, string>> = {
  'open-boundary': 'inside is where its winding number exceeds one half',
  'inconsistent-winding': 'inside is where its winding number exceeds one half',
  'unreferenced-vertex': 'they count for the box that is trained, which may be far larger than the surface',
}

/** @param consequences  what a fault does to what is learned; faults that it does not name do no harm */
export function meshWarnings(mesh: TriangleMesh, consequences: Partial<Record<MeshIssueKind, string>>): string[] {
  return validateMesh(mesh).flatMap(({ kind, message }) =>
    consequences[kind] ? [`${message}; ${consequences[kind]}`] : [],
  )
}

/** What became of a surface that was filled with tetrahedra. */
function fillingText({ nodes, tetrahedra, meanDistance, maxDistance }: TetrahedraliseReport): string {
  const off = `${formatNumber(meanDistance)}% of the diagonal off the given one in the mean, ${formatNumber(maxDistance)}% at most`
  return `filled with ${formatCount(nodes)} nodes, ${formatCount(tetrahedra)} tetrahedra; its surface lies ${off}`
}

/** Beyond these, more nodes are worth their time [% of the diagonal]. */
const FILLED_WELL = { mean: 0.03, max: 0.5 } as const

function fillingWarnings({ nodes, meanDistance, maxDistance, dropped }: TetrahedraliseReport): string[] {
  const warnings: string[] = []
  if (!(meanDistance <= FILLED_WELL.mean && maxDistance <= FILLED_WELL.max)) {
    warnings.push(
      `errors are counted from the filled body's surface, which lies ${formatNumber(meanDistance)}% off the given one in the mean and ${formatNumber(maxDistance)}% at most; more than ${formatCount(nodes)} "nodes" beside "body" in a spec bring it nearer`,
    )
  }
  if (dropped.bodies > 0) {
    warnings.push(
      `${formatCount(dropped.bodies)} crumbs of the surface are left out (${formatNumber(100 * dropped.volume)}% of the volume)`,
    )
  }
  return warnings
}

function dropWarnings({ count, inverted, dropped }: DropReport, asked: number): string[] {
  const warnings: string[] = []
  if (count < asked) {
    warnings.push(
      `drops gave only ${formatCount(count)} of ${formatCount(asked)} poses before they repeated themselves`,
    )
  }
  if (inverted.poses > 0) {
    const tetrahedra = `${formatCount(inverted.tetrahedra)} inverted tetrahedra in all`
    warnings.push(`${formatCount(inverted.poses)} poses left out for ${tetrahedra}`)
  }
  if (dropped > 0) warnings.push(`${formatCount(dropped)} poses left out that were like others`)
  return warnings
}
