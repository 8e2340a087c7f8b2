/**
 * The frame that a network is trained in: points scaled to [-1, 1]^3 (Zesch et al. section 3.1), codes to [-1, 1]
 * each, and the box around everything the object reaches, with the truncation distance to spare.
 */
import { type Box, boxExpand, boxOfPoints, type LinearModes, type NeuralFrame, type Vec3 } from 'pliant'
import { boxCentre, boxUnion } from 'pliant/unstable'
import { drawCodes } from './codes.js'

/** Codes whose shapes are boxed to find the domain; the corners of the code's range are among them. */
const PROBES = 512

export interface FrameOptions {
  /** Truncation as a share of the normalised half-size. */
  truncation: number
  seed: number
}

export function frameOf(name: string, model: LinearModes, options: FrameOptions): NeuralFrame {
  const { centre, scale, domain, truncation } = frameAround(reachOf(model, options.seed), options.truncation)
  const { lower, upper } = model.bounds
  return {
    name,
    code: { size: model.codeSize, lower: [...lower], upper: [...upper] },
    normalisation: {
      centre,
      scale,
      codeOffset: [...lower].map((low, i) => (low + upper[i]) / 2),
      codeScale: [...lower].map((low, i) => 2 / (upper[i] - low)),
    },
    domain,
    truncation,
  }
}

/**
 * The cube around all that an object reaches, as [-1, 1]^3, with room of exactly the truncation on its longest side.
 * @param truncation as a share of the cube's half-size
 */
export function frameAround(
  reach: Box,
  truncation: number,
): { centre: Vec3; scale: number; domain: Box; truncation: number } {
  const half = Math.max(...[0, 1, 2].map((axis) => reach.upper[axis] - reach.lower[axis])) / 2
  const scale = half / (1 - truncation)
  const room = truncation * scale
  return { centre: boxCentre(reach) as Vec3, scale, domain: boxExpand(reach, room), truncation: room }
}

/** The box that the object can reach over its codes. */
function reachOf(model: LinearModes, seed: number): Box {
  const positions = new Float64Array(model.rest.length)
  let box = boxOfPoints(model.rest)
  for (const code of [...cornersOf(model), ...drawCodes(model, PROBES, seed, 'frame')]) {
    model.positions(code, positions)
    box = boxUnion(box, boxOfPoints(positions))
  }
  return box
}

/** Linear modes reach furthest at corners of the code's box; beyond nine entries there are too many to try. */
function cornersOf(model: LinearModes): Float64Array[] {
  if (model.codeSize > 9) return []
  return Array.from({ length: 2 ** model.codeSize }, (_, corner) =>
    Float64Array.from({ length: model.codeSize }, (_, i) =>
      corner & (1 << i) ? model.bounds.upper[i] : model.bounds.lower[i],
    ),
  )
}
