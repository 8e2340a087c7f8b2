/** Shapes of a reduced model at codes drawn from its range: to train on, or to judge by. */
import type { LinearModes } from 'pliant'
import { drawCodes } from './codes.js'
import type { PosedShapes } from './posed-shapes.js'

export function drawShapes(
  model: LinearModes,
  count: number,
  seed: number,
  purpose: Parameters<typeof drawCodes>[3],
): PosedShapes {
  const codes = drawCodes(model, count, seed, purpose)
  return {
    mesh: { positions: model.rest, triangles: model.triangles },
    codes,
    positions: (pose, out) => model.positions(codes[pose], out),
  }
}
