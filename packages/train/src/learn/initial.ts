/** First values of a network's tensors: seeded, one random stream per tensor, so that adding one leaves others alone. */
import { type NetworkShape, networkTensors } from 'pliant/unstable'
import { type Activation, type DenseShape, denseTensors } from 'pliant/unstable/dense'
import { streamOf } from '../streams/random-streams.js'

export function initialTensors(shape: NetworkShape, seed: number): Map<string, Float32Array> {
  const tensors = drawTensors(networkTensors(shape), shape.activation, seed)
  startFromCode(shape, tensors)
  return tensors
}

/** Networks of one run need seeds of their own: of the same seed and shape, all would begin alike. */
export function initialDenseTensors(shape: DenseShape, seed: number): Map<string, Float32Array> {
  return drawTensors(denseTensors(shape), shape.activation, seed)
}

function drawTensors(
  dimensions: ReadonlyMap<string, number[]>,
  activation: Activation,
  seed: number,
): Map<string, Float32Array> {
  const tensors = new Map<string, Float32Array>()
  let tensor = 0
  for (const [name, dims] of dimensions) {
    const size = dims.reduce((product, n) => product * n, 1)
    const random = streamOf('initialValues', seed, tensor++)
    const spread = spreadOf(name, dims, activation)
    tensors.set(
      name,
      Float32Array.from({ length: size }, () => (spread === 0 ? 0 : spread * random.normal())),
    )
  }
  return tensors
}

/** Standard deviation of a tensor's first values. */
function spreadOf(name: string, dims: number[], activation: Activation): number {
  if (name.endsWith('.bias') || name === 'code.offset') return 0
  // A basis at zero leaves the coefficients without effect at first but not without gradient.
  if (name.startsWith('warp.') || name.endsWith('.basis')) return 0
  if (name.startsWith('grid.')) return 0.01
  if (name === 'code.hidden.weight') return 1
  if (name === 'code.output') return 1 / Math.sqrt(dims[0])
  // He et al. 2015 for the rectifier family, Glorot's for tanh.
  return Math.sqrt((activation === 'tanh' ? 1 : 2) / dims[0])
}

/** The first coefficients are the code itself: for linear modes the warp they drive is nearly the answer. */
function startFromCode(shape: NetworkShape, tensors: Map<string, Float32Array>): void {
  if (shape.conditioning.kind !== 'blend') return
  const linear = tensors.get('code.linear') as Float32Array
  const { coefficients } = shape.conditioning
  linear.fill(0)
  for (let i = 0; i < Math.min(shape.code, coefficients); i++) linear[i * coefficients + i] = 1
}
