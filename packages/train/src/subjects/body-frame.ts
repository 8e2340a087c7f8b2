/**
 * The frame that a body's network is trained in: the cube around all shapes, and a code in one unit for all its entries,
 * the spread of the widest. Soft modes are wide and stiff ones narrow, and it is in metres, not in shares of their own
 * range, that they move the surface.
 */
import { boxOfPoints, type NeuralFrame } from 'pliant'
import { boxUnion } from 'pliant/unstable'
import { frameAround } from '../poses/frame.js'
import type { PosedShapes } from '../poses/posed-shapes.js'

/** Range of a code beyond what was seen, as a share of it. */
const SLACK = 0.05

/** @param truncation as a share of the cube's half-size */
export function bodyFrame(name: string, shapes: PosedShapes, truncation: number): NeuralFrame {
  const positions = Float64Array.from(shapes.mesh.positions)
  let reach = boxOfPoints(positions)
  const size = shapes.codes[0].length
  const lower = new Array<number>(size).fill(0)
  const upper = new Array<number>(size).fill(0)
  const squares = new Array<number>(size).fill(0)
  for (const [pose, code] of shapes.codes.entries()) {
    shapes.positions(pose, positions)
    reach = boxUnion(reach, boxOfPoints(positions))
    for (let i = 0; i < size; i++) {
      lower[i] = Math.min(lower[i], code[i])
      upper[i] = Math.max(upper[i], code[i])
      squares[i] += code[i] ** 2 / shapes.codes.length
    }
  }
  const spread = Math.sqrt(Math.max(...squares)) || 1
  const widened = (bounds: number[], way: number): number[] =>
    bounds.map((bound, i) => bound + way * Math.max(SLACK * (upper[i] - lower[i]), 1e-9 * spread))
  const { centre, scale, ...room } = frameAround(reach, truncation)
  return {
    name,
    code: { size, lower: widened(lower, -1), upper: widened(upper, 1) },
    normalisation: {
      centre,
      scale,
      codeOffset: new Array<number>(size).fill(0),
      codeScale: new Array<number>(size).fill(1 / spread),
    },
    ...room,
  }
}
