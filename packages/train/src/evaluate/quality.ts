/**
 * How good a posed field is, against exact geometry, on codes it was never trained on. Points on the surface are
 * counted apart: a field that answers zero everywhere would shine on them.
 */
import {
  type Box,
  boxDiagonal,
  boxOfPoints,
  type CodeState,
  type MovingField,
  type NodeState,
  type Quality,
} from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { samplePoints } from '../sample/points.js'
import { streamOf } from '../streams/random-streams.js'
import { hiddenPoints } from './hidden-points.js'
import { type PoseError, QualityTally } from './tally.js'

export interface QualityOptions {
  /** Points of each pose: a quarter on the surface, half in the band, a quarter anywhere in the domain. */
  points: number
  seed: number
  /** Where points may lie [m]. */
  domain: Box
  /** Half-width of the band [m]. */
  truncation: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
  /** Of each pose in turn, if the field tells its own error. */
  onPose?: (told: PoseError) => void
}

const MIX = { surface: 0.25, near: 0.5, uniform: 0.25 }

/**
 * @param shapes  with codes that were never trained on; their mesh is the shape at rest. Nodes, where there are any, move
 *   fields that take them; those with inverted tetrahedra are told apart
 */
export async function measureQuality(
  field: MovingField<CodeState & Partial<NodeState>>,
  shapes: PosedShapes,
  options: QualityOptions,
): Promise<Quality> {
  const { inverted } = shapes
  const whole = shapes.codes.length
  const share = whole / (whole + (inverted?.codes.length ?? 0))
  const { onProgress, ...rest } = options
  const quality = await tallyShapes(field, shapes, {
    ...rest,
    firstStream: 0,
    onProgress: (fraction) => onProgress?.(share * fraction),
  })
  if (!inverted) return quality
  const { bandError, poses } = await tallyShapes(field, inverted, {
    ...rest,
    onPose: undefined,
    firstStream: whole,
    onProgress: (fraction) => onProgress?.(share + (1 - share) * fraction),
  })
  const withThem = (whole * quality.bandError.mean + poses * bandError.mean) / (whole + poses)
  return { ...quality, inverted: { poses, share: 1 - share, mean: bandError.mean, max: bandError.max, withThem } }
}

async function tallyShapes(
  field: MovingField<CodeState & Partial<NodeState>>,
  { mesh, codes, positions: posedPositions, nodes, groups }: PosedShapes,
  options: QualityOptions & { firstStream: number },
): Promise<Quality> {
  const { points: count, domain, truncation } = options
  const { triangles } = mesh
  const diagonal = boxDiagonal(boxOfPoints(mesh.positions))
  const exact = new ExactMeshField(mesh)
  const positions = new Float64Array(mesh.positions.length)
  const points = new Float32Array(3 * count)
  const truth = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
  const learned = { distances: new Float64Array(count), gradients: new Float64Array(3 * count) }
  const kinds = { surfaceShare: MIX.surface, uniformShare: MIX.uniform }
  const tally = new QualityTally({ size: diagonal, sizeOf: 'diagonal', band: truncation, ...kinds })

  for (const [pose, code] of codes.entries()) {
    options.signal?.throwIfAborted()
    posedPositions(pose, positions)
    exact.update({ vertices: positions })
    field.update(nodes ? { code, nodes: nodes(pose) } : { code })
    // Half the truncation as spread puts most near points inside the band and some beyond its edge.
    const random = streamOf('evaluationPoints', options.seed, options.firstStream + pose)
    samplePoints({ positions, triangles }, domain, MIX, truncation / 2, count, random, points)
    exact.closest(points, count, truth)
    field.query(points, count, learned.distances, learned.gradients)
    const hidden = hiddenPoints(exact, points, count, truth, diagonal)
    const told = tally.addPose([...code], count, truth, learned, hidden, field, groups?.[pose])
    if (told) options.onPose?.(told)
    options.onProgress?.((pose + 1) / codes.length)
    // Lets Ctrl-C and other work in between poses.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return tally.quality()
}
