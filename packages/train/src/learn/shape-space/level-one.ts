/**
 * Level 1: few components of the whole surface, each of which the prior on its attention makes local, so that every entry
 * of the code moves one near-rigid domain (Tan et al. 2022, section 3.1; losses of algorithms.md 2.1):
 *
 *   mean |x - C z|^2  +  l1 / K  sum over k, v of |C_vk| price(v, c_k)  +  l2 mean over k of max(0, max |z_k| - 5),
 *
 * squares summed over vertices and channels, z = E x, c_k the place where component k is largest, and the price of a
 * vertex by its geodesic distance from there (`priceOfDistance`).
 *
 * Against the published block: E is not the transpose of C, as otherwise the bound on z would be one on what a component
 * can explain; no convolution and no tanh around C, as features are fits over rings already; E sees shapes along the
 * directions in which they differ, and squares are computed there (|x - Cz|^2 = |x|^2 - 2 z Cx + z CC^T z), so that a step
 * costs the same for any number of shapes' vertices but those of C.
 */
import { ACAP_CHANNELS } from 'pliant/unstable'
import {
  abs,
  adam,
  add,
  compileTrainingStep,
  constant,
  gather,
  input,
  intConstant,
  matmul,
  max,
  maximum,
  mean,
  mul,
  neg,
  norm,
  parameter,
  reshape,
  smallestIndices,
  stopGradient,
  sub,
  sum,
  type Tensor,
  transpose,
} from '../../graph/index.js'
import { along, type Directions } from '../../modes/principal.js'
import { type RunStepsOptions, runSteps } from '../run-steps.js'
import { cosineRate } from '../schedule.js'
import type { CentreDistances } from './centre-distances.js'
import { firstComponents } from './first-components.js'
import { priceGraph } from './price-of-distance.js'
import { shapeBatches, takeShapes } from './shape-batches.js'
import type { ShapeSpaceOptions } from './shape-space-options.js'

/** Codes beyond this cost. */
export const CODE_RANGE = 5

export interface LevelOne {
  /** E, [9V, K]. */
  encoder: Float32Array
  /** C, [K, 9V]. */
  components: Float32Array
}

/** @param rows  numbers of each shape, about zero */
export async function learnLevelOne(
  rows: readonly Float32Array[],
  directions: Directions,
  centres: CentreDistances,
  options: ShapeSpaceOptions,
  seed: number,
  running: RunStepsOptions & { threads: number },
): Promise<LevelOne> {
  const { domains, reach, steps, learningRate } = options
  const { count: width, length: size } = directions
  // Along the first direction, shapes have a root mean square of one.
  const unit = directions.spreads[0]
  const seen = Float32Array.from(
    rows.flatMap((row) => [...along(directions, row)]),
    (value) => value / unit,
  )
  const squares = Float32Array.from(rows, (row) => row.reduce((total, value) => total + value * value, 0))
  const first = firstComponents(rows, domains, centres, reach)
  const parameters = {
    components: parameter('components', [domains, size], first),
    encoder: parameter('encoder', [width, domains], firstEncoder(first, directions, domains)),
  }
  const take = shapeBatches(rows.length, options.batch, seed, 1)
  const batch = take(0).length
  const parts = {
    loss: lossGraph(parameters, directions, centres, batch, options),
    parameters: Object.values(parameters),
    optimiser: adam(),
  }
  const step = await compileTrainingStep(parts, { threads: running.threads })
  const feeds = { shapes: new Float32Array(batch * width), squares: new Float32Array(batch) }
  const plan = {
    steps,
    draw: (at: number) => {
      const drawn = take(at)
      takeShapes(seen, width, drawn, feeds.shapes)
      takeShapes(squares, 1, drawn, feeds.squares)
      return feeds
    },
    rate: (at: number, all: number) => cosineRate(at, all, learningRate),
  }
  const { tensors } = await runSteps(step, plan, running)
  return {
    components: tensors.get('components')!,
    encoder: wholeEncoder(tensors.get('encoder')!, directions, domains),
  }
}

/** Each entry by its own component, which are far apart at first. */
function firstEncoder(components: Float32Array, directions: Directions, domains: number): Float32Array {
  const out = new Float32Array(directions.count * domains)
  for (let k = 0; k < domains; k++) {
    const component = components.subarray(k * directions.length, (k + 1) * directions.length)
    const square = component.reduce((total, value) => total + value * value, 0)
    if (square === 0) continue
    along(directions, component).forEach((value, d) => {
      out[d * domains + k] = (directions.spreads[0] * value) / square
    })
  }
  return out
}

function lossGraph(
  { components, encoder }: { components: Tensor; encoder: Tensor },
  directions: Directions,
  { centres, distances }: CentreDistances,
  batch: number,
  { domains, sparsity, codeRange, reach }: ShapeSpaceOptions,
): Tensor {
  const { count: width, length: size } = directions
  const vertexCount = size / ACAP_CHANNELS
  const shapes = input('shapes', [batch, width])
  const squares = input('squares', [batch])
  const codes = matmul(shapes, encoder)
  const table = constant(directions.rows, [width, size])
  const onto = mul(matmul(table, transpose(components)), directions.spreads[0])
  const explained = sum(mul(codes, matmul(shapes, onto)), 1)
  const own = sum(mul(codes, matmul(codes, matmul(components, transpose(components)))), 1)
  const left = mean(add(sub(squares, mul(explained, 2)), own))

  const lengths = norm(reshape(components, [domains, vertexCount, ACAP_CHANNELS]), 2)
  const atCentres = gather(transpose(stopGradient(lengths)), intConstant(centres))
  const strongest = reshape(smallestIndices(neg(transpose(atCentres)), 1), [domains])
  const away = gather(constant(distances, [centres.length, vertexCount]), strongest)
  const attention = mul(sum(mul(lengths, priceGraph(away, reach))), 1 / domains)
  const beyond = mean(maximum(sub(max(abs(codes), 0), CODE_RANGE), 0))
  return add(left, add(mul(attention, sparsity), mul(beyond, codeRange)))
}

/** The same on all numbers of a shape. */
function wholeEncoder(encoder: Float32Array, directions: Directions, domains: number): Float32Array {
  const { count, length, rows, spreads } = directions
  const out = new Float32Array(length * domains)
  for (let i = 0; i < length; i++) {
    for (let k = 0; k < domains; k++) {
      let total = 0
      for (let d = 0; d < count; d++) total += rows[d * length + i] * encoder[d * domains + k]
      out[i * domains + k] = total / spreads[0]
    }
  }
  return out
}
