/** Which network a spec trains: the paper's, or ours with grids fitted to the object's proportions. */
import type { Box, NeuralFrame, Vec3 } from 'pliant'
import { featureSize, type GridShape, type NetworkShape } from 'pliant/unstable'
import type { TrainSpec } from '../spec/train-spec.js'

/** Zesch et al. section 4: eight layers of 128, ReLU, tanh at the end, the code beside the point. */
const PAPER = { hidden: Array<number>(8).fill(128), activation: 'relu' } as const

/** Chosen in docs/notes/prototypes.md, sized for a few modes: measured in docs/notes/bar.md. */
const PLIANT = {
  hidden: [32, 32],
  activation: 'silu',
  coefficients: 16,
  blendedLayers: 0,
  warp: { resolution: 12, channels: 6 },
  grids: [
    { resolution: 16, channels: 4 },
    { resolution: 40, channels: 4 },
  ],
} as const

export function networkOf(spec: TrainSpec, frame: NeuralFrame): NetworkShape {
  const code = frame.code.size
  const asked = spec.network
  if (spec.method === 'paper') return paperNetwork(code, asked)
  const domain = normalisedDomain(frame)
  const grid = ({ resolution, channels }: { resolution: number; channels: number }): GridShape => ({
    resolution: resolutionOf(domain, resolution),
    channels,
    lower: domain.lower,
    upper: domain.upper,
  })
  // A static object needs no warp: its code is empty.
  const posed = code > 0
  const coefficients = asked.coefficients ?? Math.max(PLIANT.coefficients, code)
  const shape: NetworkShape = {
    code,
    conditioning: posed
      ? {
          kind: 'blend',
          coefficients,
          hidden: 2 * coefficients,
          layers: Math.min(asked.blendedLayers ?? PLIANT.blendedLayers, coefficients),
        }
      : { kind: 'input' },
    warp: posed ? grid(asked.warp ?? PLIANT.warp) : null,
    grids: (asked.grids ?? PLIANT.grids).map(grid),
    hidden: asked.hidden ?? [...PLIANT.hidden],
    activation: asked.activation ?? PLIANT.activation,
    output: 'linear',
  }
  if (featureSize(shape) > 512)
    throw new Error(`spec: network.grids give ${featureSize(shape)} features; use 512 or less.`)
  return shape
}

/** The paper's, for a code of this length. */
export function paperNetwork(
  code: number,
  {
    hidden = [...PAPER.hidden],
    activation = PAPER.activation,
  }: Partial<Pick<NetworkShape, 'hidden' | 'activation'>> = {},
): NetworkShape {
  return { code, conditioning: { kind: 'input' }, warp: null, grids: [], hidden, activation, output: 'tanh' }
}

/** The domain in normalised units. */
function normalisedDomain(frame: NeuralFrame): Box {
  const { centre, scale } = frame.normalisation
  const corner = (point: Vec3): Vec3 => [0, 1, 2].map((axis) => (point[axis] - centre[axis]) / scale) as unknown as Vec3
  return { lower: corner(frame.domain.lower), upper: corner(frame.domain.upper) }
}

/** Nodes along each axis for cells that are nearly cubes; at least 4, so that a thin object still has an inside. */
function resolutionOf(box: Box, longest: number): Vec3 {
  const sides = [0, 1, 2].map((axis) => box.upper[axis] - box.lower[axis])
  const cell = Math.max(...sides) / (longest - 1)
  return sides.map((side) => Math.max(Math.min(4, longest), Math.round(side / cell) + 1)) as unknown as Vec3
}
