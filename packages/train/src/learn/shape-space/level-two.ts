/**
 * Level 2: one small autoencoder per domain on what level 1 leaves of the shapes, all of them trained together on the sum
 * of what they give back (Tan et al. 2022, section 3.1; algorithms.md 2.2):
 *
 *   mean |r - sum over i of a_i D_i(E_i(a_i r))|^2 / mean |r|^2  +  l2 mean over codes of max(0, max |z| - 5),
 *
 * the squares being those of features, and of the displacements that they make (`MovedByNumbers`), weighed alike by default.
 *
 * Residuals of a domain lie along some tens of directions B_i, and gradients would keep networks' outer layers in their
 * span. So networks are trained on amounts along them, squares by their products (|r - P y|^2 = |r|^2 - 2 y P^T r + y P^T P y,
 * P = a_i B_i of all domains side by side), and multiplied out in the end: a step is as cheap for any number of vertices.
 */
import type { TriangleMesh } from 'pliant'
import type { StoredNetwork, StoredPart } from 'pliant/unstable'
import type { DenseShape } from 'pliant/unstable/dense'
import {
  abs,
  adam,
  add,
  compileTrainingStep,
  concat,
  constant,
  input,
  matmul,
  max,
  maximum,
  mean,
  mul,
  parameter,
  slice,
  sub,
  sum,
  type Tensor,
} from '../../graph/index.js'
import { along, type Directions, principalDirections } from '../../modes/principal.js'
import { streamOf } from '../../streams/random-streams.js'
import { denseGraph } from '../dense-graph.js'
import { type RunStepsOptions, runSteps } from '../run-steps.js'
import { cosineRate } from '../schedule.js'
import { allotCodes } from './allot-codes.js'
import { type DomainSight, seenBy, spreadBy } from './attention.js'
import { CODE_RANGE } from './level-one.js'
import { linearStart } from './linear-start.js'
import { MovedByNumbers } from './seen-rows.js'
import { mixedPairs, mixShapes } from './shape-batches.js'
import type { ShapeNumbers } from './shape-numbers.js'
import type { ShapeSpaceOptions } from './shape-space-options.js'

/** What a domain sees of the shapes. */
interface Domain {
  sight: DomainSight
  directions: Directions
  /** Amounts are in units of this: the spread along the first direction. */
  unit: number
}

interface Learner extends Domain {
  encoder: DenseShape
  decoder: DenseShape
}

/** Mixtures of two shapes go this far beyond them. */
const BEYOND = 0.2

/** @param residuals  numbers of each shape less what level 1 makes of them */
export async function learnLevelTwo(
  reference: TriangleMesh,
  numbers: Pick<ShapeNumbers, 'mean' | 'scale'>,
  residuals: readonly Float32Array[],
  sights: readonly DomainSight[],
  options: ShapeSpaceOptions,
  seed: number,
  running: RunStepsOptions & { threads: number },
): Promise<StoredPart[]> {
  const domains = sights.map((sight) => domainOf(sight, residuals, options.domainDirections))
  const data = dataOf(reference, numbers, residuals, domains, options)
  const codeSizes = allotCodes(needsOf(domains, data), options)
  const learners = domains.map((domain, i) => learnerOf(domain, codeSizes[i], options.hidden))
  const parameters = new Map<string, Tensor>()
  learners.forEach((learner, i) => {
    for (const [name, values] of firstValues(learner, seed, i)) {
      parameters.set(name, parameter(name, values.dims, values.data))
    }
  })
  const { batch } = options
  const parts = {
    loss: lossGraph(learners, parameters, data, batch, options),
    parameters: [...parameters.values()],
    optimiser: adam(),
  }
  const step = await compileTrainingStep(parts, { threads: running.threads })
  const { width } = data
  const feeds = { amounts: new Float32Array(batch * width), products: new Float32Array(batch * width) }
  const pairs = mixedPairs(residuals.length, batch, BEYOND, seed)
  const plan = {
    steps: options.steps,
    draw: (at: number) => {
      const drawn = pairs(at)
      mixShapes(data.amounts, width, drawn, feeds.amounts)
      mixShapes(data.products, width, drawn, feeds.products)
      return feeds
    },
    rate: (at: number, all: number) => cosineRate(at, all, options.learningRate),
  }
  const { tensors } = await runSteps(step, plan, running)
  return learners.map((learner, i) => ({
    ...learner.sight,
    codeSize: learner.encoder.outputs,
    encoder: wholeEncoder(learner, tensors, i),
    decoder: wholeDecoder(learner, tensors, i),
  }))
}

function domainOf(sight: DomainSight, residuals: readonly Float32Array[], most: number): Domain {
  const seen = residuals.map((row) => seenBy(sight, row))
  const directions = principalDirections(seen, most)
  return { sight, directions, unit: directions.spreads[0] || 1 }
}

function learnerOf(domain: Domain, codeSize: number, hidden: number): Learner {
  const { count } = domain.directions
  const layers = (): Pick<DenseShape, 'hidden' | 'activation' | 'output'> => ({
    hidden: hidden > 0 ? [hidden] : [],
    activation: 'tanh',
    output: 'linear',
  })
  return {
    ...domain,
    encoder: { ...layers(), inputs: count, outputs: codeSize },
    decoder: { ...layers(), inputs: codeSize, outputs: count },
  }
}

/** Of each domain, what each direction explains of all squares. */
function needsOf(domains: readonly Domain[], { gram, width }: LevelTwoData): number[][] {
  let column = 0
  return domains.map(({ directions, unit }) =>
    Array.from(directions.spreads, (spread) => {
      const own = gram[column * width + column]
      column++
      return own * (spread / unit) ** 2
    }),
  )
}

/** What steps are fed with, over all directions of all domains side by side. */
interface LevelTwoData {
  width: number
  /** Of each shape: of its residual along each direction, in units of the domain. */
  amounts: Float32Array
  /** And P^T r; all squares are over the mean of |r|^2. */
  products: Float32Array
  /** P^T P. */
  gram: Float32Array
}

function dataOf(
  reference: TriangleMesh,
  numbers: Pick<ShapeNumbers, 'mean' | 'scale'>,
  residuals: readonly Float32Array[],
  domains: readonly Domain[],
  { fitWeight, vertexWeight }: ShapeSpaceOptions,
): LevelTwoData {
  const moved = new MovedByNumbers(reference, numbers, fitWeight)
  const displacements = residuals.map((row) => moved.displacements(row))
  const [inFeatures, inVertices] = [residuals, displacements].map((rows) => meanOf(rows.map(squareOf)))
  const weight = inVertices > 0 ? Math.sqrt((vertexWeight * inFeatures) / inVertices) : 0
  const unit = inFeatures > 0 ? 1 / Math.sqrt((1 + vertexWeight) * inFeatures) : 1
  const measured = (row: Float32Array, by: Float32Array): Float32Array => {
    const out = new Float32Array(row.length + by.length)
    for (let i = 0; i < row.length; i++) out[i] = unit * row[i]
    for (let i = 0; i < by.length; i++) out[row.length + i] = unit * weight * by[i]
    return out
  }
  const columns = domains.flatMap(({ sight, directions, unit: amount }) =>
    Array.from({ length: directions.count }, (_, d) => {
      const { length, rows } = directions
      const column = spreadBy(sight, rows.subarray(d * length, (d + 1) * length), residuals[0].length)
      for (let i = 0; i < column.length; i++) column[i] *= amount
      return measured(column, moved.displacements(column))
    }),
  )
  const width = columns.length
  const products = new Float32Array(residuals.length * width)
  residuals.forEach((row, s) => {
    const whole = measured(row, displacements[s])
    columns.forEach((column, c) => {
      products[s * width + c] = dot(column, whole)
    })
  })
  const gram = new Float32Array(width * width)
  for (let a = 0; a < width; a++) {
    for (let b = 0; b <= a; b++) gram[a * width + b] = gram[b * width + a] = dot(columns[a], columns[b])
  }
  const amounts = Float32Array.from(
    residuals.flatMap((row) =>
      domains.flatMap(({ sight, directions, unit: amount }) =>
        Array.from(along(directions, seenBy(sight, row)), (value) => value / amount),
      ),
    ),
  )
  return { width, amounts, products, gram }
}

function lossGraph(
  learners: readonly Learner[],
  parameters: ReadonlyMap<string, Tensor>,
  { width, gram }: LevelTwoData,
  batch: number,
  { codeRange }: ShapeSpaceOptions,
): Tensor {
  const amounts = input('amounts', [batch, width])
  const products = input('products', [batch, width])
  let at = 0
  const codes: Tensor[] = []
  const given = learners.map(({ encoder, decoder }, i) => {
    const own = slice(amounts, 1, at, at + encoder.inputs)
    at += encoder.inputs
    const code = denseGraph(encoder, (name) => parameters.get(encoderName(i, name))!, own)
    codes.push(code)
    return denseGraph(decoder, (name) => parameters.get(decoderName(i, name))!, code)
  })
  const all = concat(given, 1)
  const own = sum(mul(all, matmul(all, constant(gram, [width, width]))), 1)
  // |r|^2 but for what lies along no direction.
  const squares = sum(mul(amounts, products), 1)
  const left = mean(add(sub(squares, mul(sum(mul(all, products), 1), 2)), own))
  const beyond = mean(maximum(sub(max(abs(concat(codes, 1)), 0), CODE_RANGE), 0))
  return add(left, mul(beyond, codeRange))
}

const encoderName = (domain: number, name: string): string => `domain${domain}.encoder.${name}`
const decoderName = (domain: number, name: string): string => `domain${domain}.decoder.${name}`

/** Streams of the random values of one network. */
const STREAMS_PER_NETWORK = 8

/** Principal components of the domain: codes have a root mean square of about 1. */
function firstValues({ directions, unit, encoder, decoder }: Learner, seed: number, domain: number) {
  const spreads = Array.from(directions.spreads.subarray(0, encoder.outputs), (spread) => spread / unit)
  const random = (network: number) => (tensor: number) =>
    streamOf('shapeSpaceValues', seed, (2 * domain + network) * STREAMS_PER_NETWORK + tensor)
  const inwards = linearStart(
    encoder,
    spreads.map((spread) => (spread > 0 ? 1 / spread : 0)),
    random(0),
  )
  const outwards = linearStart(decoder, spreads, random(1))
  const named = (name: string, data: Float32Array, { inputs, outputs, hidden }: DenseShape) => {
    const widths = [inputs, ...hidden, outputs]
    const layer = Number(name.split('.')[1])
    return { data, dims: name.endsWith('weight') ? [widths[layer], widths[layer + 1]] : [widths[layer + 1]] }
  }
  return [
    ...[...inwards].map(([name, data]) => [encoderName(domain, name), named(name, data, encoder)] as const),
    ...[...outwards].map(([name, data]) => [decoderName(domain, name), named(name, data, decoder)] as const),
  ]
}

/** The encoder on numbers of the domain's vertices: its first layer times the directions. */
function wholeEncoder(
  { directions, unit, encoder }: Learner,
  learned: ReadonlyMap<string, Float32Array>,
  domain: number,
): StoredNetwork {
  const tensors = tensorsOf(encoder, learned, (name) => encoderName(domain, name))
  const first = tensors.get('dense.0.weight')!
  const { count, length, rows } = directions
  const units = first.length / count
  const whole = new Float32Array(length * units)
  for (let d = 0; d < count; d++) {
    for (let i = 0; i < length; i++) {
      const weight = rows[d * length + i] / unit
      for (let u = 0; u < units; u++) whole[i * units + u] += weight * first[d * units + u]
    }
  }
  tensors.set('dense.0.weight', whole)
  return { shape: { ...encoder, inputs: length }, tensors }
}

/** The decoder to numbers of the domain's vertices: its last layer times the directions. */
function wholeDecoder(
  { directions, unit, decoder }: Learner,
  learned: ReadonlyMap<string, Float32Array>,
  domain: number,
): StoredNetwork {
  const tensors = tensorsOf(decoder, learned, (name) => decoderName(domain, name))
  const layer = decoder.hidden.length
  const { count, length, rows } = directions
  for (const name of [`dense.${layer}.weight`, `dense.${layer}.bias`]) {
    const values = tensors.get(name)!
    const whole = new Float32Array((values.length / count) * length)
    for (let at = 0; at < values.length; at++) {
      const [row, d] = [Math.trunc(at / count), at % count]
      const weight = unit * values[at]
      for (let i = 0; i < length; i++) whole[row * length + i] += weight * rows[d * length + i]
    }
    tensors.set(name, whole)
  }
  return { shape: { ...decoder, outputs: length }, tensors }
}

function tensorsOf(
  { hidden }: DenseShape,
  learned: ReadonlyMap<string, Float32Array>,
  nameOf: (name: string) => string,
): Map<string, Float32Array> {
  const names = [...hidden, 0].flatMap((_, l) => [`dense.${l}.weight`, `dense.${l}.bias`])
  return new Map(names.map((name) => [name, learned.get(nameOf(name))!.slice()]))
}

function squareOf(row: Float32Array): number {
  return dot(row, row)
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += a[i] * b[i]
  return total
}

function meanOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}
