/** The paper's network (Zesch et al. section 4): 8 layers of 128, ReLU, tanh, the code an input beside the point. */
import type { NetworkShape } from 'pliant/unstable'

export function paperShape(code: number): NetworkShape {
  return {
    code,
    conditioning: { kind: 'input' },
    warp: null,
    grids: [],
    hidden: Array<number>(8).fill(128),
    activation: 'relu',
    output: 'tanh',
  }
}
