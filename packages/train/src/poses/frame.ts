/**
 * The frame that a network is trained in: points scaled to [-1, 1]^3 (Zesch et al. section 3.1), codes to [-1, 1]
 * each, and the box around everything the object reaches, with the truncation distance to spare.
 */
import {
  type Box,
  boxCentre,
  boxExpand,
  boxOfPoints,
  boxUnion,
  type LinearModes,
  type NeuralFrame,
  type Vec3,
} from 'pliant'
import { drawCodes } from './codes.js'

/** Codes whose shapes are boxed to find the domain; the corners of the code's range are among them. */
const PROBES = 512

export interface FrameOptions {
  /** Truncation as a share of the normalised half-size. */
  truncation: number
  seed: number
}

export function frameOf(name: string, model: LinearModes, options: FrameOptions): NeuralFrame {
  const reach = reachOf(model, options.seed)
  const half = Math.max(...[0, 1, 2].map((axis) => reach.upper[axis] - reach.lower[axis])) / 2
  // scale = half / (1 - truncation) leaves exactly the truncation between the object and the cube.
  const scale = half / (1 - options.truncation)
  const truncation = options.truncation * scale
  const { lower, upper } = model.bounds
  return {
    name,
    code: { size: model.codeSize, lower: [...lower], upper: [...upper] },
    normalisation: {
      centre: boxCentre(reach) as Vec3,
      scale,
      codeOffset: [...lower].map((low, i) => (low + upper[i]) / 2),
      codeScale: [...lower].map((low, i) => 2 / (upper[i] - low)),
    },
    domain: boxExpand(reach, truncation),
    truncation,
  }
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
