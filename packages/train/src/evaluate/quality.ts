/** How good the field of an object or an elastic body is, on shapes that it was never trained on. */

import { boxOfPoints, type CodeState, type MovingField, type NodeState, type Quality } from 'pliant'
import { boxDiagonal, progressWithin } from 'pliant/unstable'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { type JudgedPoses, type MeasureOptions, measureFields } from './measure-fields.js'

/** Nodes, where there are any, move fields that take them. */
type ShapeState = CodeState & Partial<NodeState>

/** @param shapes  with codes that were never trained on; those with inverted tetrahedra are told apart */
export async function measureQuality(
  field: MovingField<ShapeState>,
  shapes: PosedShapes,
  { onProgress, ...options }: MeasureOptions,
): Promise<Quality> {
  const { inverted } = shapes
  const whole = shapes.codes.length
  const share = whole / (whole + (inverted?.codes.length ?? 0))
  const { field: quality } = await measureFields({ field }, judgedShapes(shapes), {
    ...options,
    onProgress: progressWithin(onProgress, 0, share),
  })
  if (!inverted) return quality
  const { field: apart } = await measureFields({ field }, judgedShapes(inverted), {
    ...options,
    onPose: undefined,
    firstStream: whole,
    onProgress: progressWithin(onProgress, share, 1),
  })
  const { bandError, poses } = apart
  const withThem = (whole * quality.bandError.mean + poses * bandError.mean) / (whole + poses)
  return { ...quality, inverted: { poses, share: 1 - share, mean: bandError.mean, max: bandError.max, withThem } }
}

function judgedShapes({ mesh, codes, positions, nodes, groups }: PosedShapes): JudgedPoses<ShapeState> {
  return {
    size: boxDiagonal(boxOfPoints(mesh.positions)),
    sizeOf: 'diagonal',
    mesh,
    codes,
    positions,
    state: (pose) => (nodes ? { code: codes[pose], nodes: nodes(pose) } : { code: codes[pose] }),
    groups,
  }
}
