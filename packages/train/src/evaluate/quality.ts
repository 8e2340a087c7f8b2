/**
 * How good a posed field is, against exact geometry, on codes it was never trained on. Points on the surface are
 * counted apart: a field that answers zero everywhere would shine on them.
 */
import {
  type Box,
  boxDiagonal,
  boxOfPoints,
  type LinearModes,
  type PosedField,
  type Quality,
  randomStream,
} from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { drawCodes } from '../poses/codes.js'
import { samplePoints } from '../sample/points.js'
import { meanOf, quantile } from './statistics.js'

export interface QualityOptions {
  poses: number
  /** Points of each pose: a quarter on the surface, half in the band, a quarter anywhere in the domain. */
  points: number
  seed: number
  /** Where points may lie [m]. */
  domain: Box
  /** Half-width of the band [m]. */
  truncation: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}

/** Random streams of evaluation points start here: beyond those of any training pose. */
const FIRST_STREAM = 500_000_000
const MIX = { surface: 0.25, near: 0.5, uniform: 0.25 }
/** Signs are judged beyond this share of the diagonal from the surface. */
const SIGN_DISTANCE = 0.005
const WORST_POSES = 5
const MARGIN_QUANTILE = 0.995

export async function measureQuality(field: PosedField, model: LinearModes, options: QualityOptions): Promise<Quality> {
  const { points: count, domain, truncation } = options
  const diagonal = boxDiagonal(boxOfPoints(model.rest))
  const exact = new ExactMeshField({ positions: model.rest, triangles: model.triangles })
  const positions = new Float64Array(model.rest.length)
  const points = new Float32Array(3 * count)
  const truth = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
  const learned = { distances: new Float64Array(count), gradients: new Float64Array(3 * count) }
  const surfaceCount = Math.round(MIX.surface * count)

  const band: number[] = []
  const surface: number[] = []
  const angles: number[] = []
  const overestimates: number[] = []
  const poseErrors: { code: number[]; meanError: number }[] = []
  let signsJudged = 0
  let signsRight = 0

  const codes = drawCodes(model, options.poses, options.seed, 'evaluate')
  for (const [pose, code] of codes.entries()) {
    options.signal?.throwIfAborted()
    model.positions(code, positions)
    exact.update(positions)
    field.pose(code)
    // Half the truncation as spread puts most near points inside the band and some beyond its edge.
    const random = randomStream(options.seed, FIRST_STREAM + pose)
    samplePoints({ positions, triangles: model.triangles }, domain, MIX, truncation / 2, count, random, points)
    exact.query(points, count, truth)
    field.gradient(points, count, learned.distances, learned.gradients)

    let poseSum = 0
    let poseCount = 0
    for (let i = 0; i < count; i++) {
      const d = truth.distances[i]
      const error = learned.distances[i] - d
      if (i < surfaceCount) {
        surface.push(Math.abs(error))
        overestimates.push(error)
        continue
      }
      if (Math.abs(d) > SIGN_DISTANCE * diagonal) {
        signsJudged++
        if (learned.distances[i] < 0 === d < 0) signsRight++
      }
      if (Math.abs(d) > truncation) continue
      band.push(Math.abs(error))
      overestimates.push(error)
      angles.push(angleBetween(learned.gradients, truth.normals, 3 * i))
      poseSum += Math.abs(error)
      poseCount++
    }
    if (poseCount > 0) poseErrors.push({ code: [...code], meanError: poseSum / poseCount })
    options.onProgress?.((pose + 1) / codes.length)
    // Lets Ctrl-C and other work in between poses.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }

  const [bandErrors, surfaceErrors, normalErrors] = [band, surface, angles].map((list) => Float64Array.from(list))
  poseErrors.sort((a, b) => b.meanError - a.meanError)
  return {
    poses: options.poses,
    points: options.poses * count,
    diagonal,
    bandError: {
      mean: meanOf(bandErrors),
      p50: quantile(bandErrors, 0.5),
      p95: quantile(bandErrors, 0.95),
      p99: quantile(bandErrors, 0.99),
      max: quantile(bandErrors, 1),
    },
    surfaceError: {
      mean: meanOf(surfaceErrors),
      p95: quantile(surfaceErrors, 0.95),
      max: quantile(surfaceErrors, 1),
    },
    signAccuracy: signsJudged > 0 ? signsRight / signsJudged : 1,
    normalError: { p50: quantile(normalErrors, 0.5), p95: quantile(normalErrors, 0.95) },
    worstPoses: poseErrors.slice(0, WORST_POSES),
    safetyMargin: Math.max(0, quantile(Float64Array.from(overestimates), MARGIN_QUANTILE)),
  }
}

/** Degrees between two vectors of xyz arrays at the same offset; 90 if the first has no direction. */
function angleBetween(a: Float64Array, b: Float64Array, at: number): number {
  const lengths = Math.hypot(a[at], a[at + 1], a[at + 2]) * Math.hypot(b[at], b[at + 1], b[at + 2])
  if (!(lengths > 0)) return 90
  const cosine = (a[at] * b[at] + a[at + 1] * b[at + 1] + a[at + 2] * b[at + 2]) / lengths
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI
}
