/**
 * Level 2: one small autoencoder per domain on what level 1 leaves of the shapes, all of them trained together on the sum
 * of what they give back (Tan et al. 2022, section 3.1; algorithms.md 2.2):
 *
 *   mean |r - sum over i of a_i D_i(E_i(a_i r))|^2 / mean |r|^2  +  l2 mean over codes of max(0, max |z| - 5),
 *
 * the squares being those of features, and of the displacements that they make (`MovedByNumbers`), weighed alike by default.
 *
 * Residuals of a domain lie along some tens of directions B_i, and plain descent would keep networks' outer layers in their
 * span. So networks are trained on amounts along them, squares by their products (|r - P y|^2 = |r|^2 - 2 y P^T r + y P^T P y,
 * P = a_i B_i of all domains side by side), and multiplied out in the end: a step is as cheap for any number of vertices.
 */
import type { TriangleMesh } from 'pliant'
import type { StoredNetwork, StoredPart } from 'pliant/unstable'
import { type DenseShape, denseTensors } from 'pliant/unstable/dense'
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
import { streamOf } from '../../streams/random-streams.js'
import { denseGraph } from '../dense-graph.js'
import { type RunStepsOptions, runSteps } from '../run-steps.js'
import { cosineRate } from '../schedule.js'
import { allotCodes } from './allot-codes.js'
import type { DomainSight } from './attention.js'
import { type Domain, type DomainData, domainData, domainOf, needsOf } from './domain-data.js'
import { CODE_RANGE } from './level-one.js'
import { linearStart } from './linear-start.js'
import { mixedPairs, mixShapes } from './shape-batches.js'
import type { ShapeNumbers } from './shape-numbers.js'
import type { ShapeSpaceOptions } from './shape-space-options.js'
import { wholeDecoder, wholeEncoder } from './whole-networks.js'

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
  const data = domainData(reference, numbers, residuals, domains, options)
  const codeSizes = allotCodes(needsOf(domains, data), options)
  const learners = domains.map((domain, i) => learnerOf(domain, codeSizes[i], options.hidden))
  const parameters = new Map(learners.flatMap((learner, i) => firstParameters(learner, seed, i)))
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
    encoder: wholeEncoder(learner, networkOf(learner.encoder, tensors, encoderName(i))),
    decoder: wholeDecoder(learner, networkOf(learner.decoder, tensors, decoderName(i))),
  }))
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

function lossGraph(
  learners: readonly Learner[],
  parameters: ReadonlyMap<string, Tensor>,
  { width, gram }: DomainData,
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
    const code = denseGraph(encoder, (name) => parameters.get(encoderName(i) + name)!, own)
    codes.push(code)
    return denseGraph(decoder, (name) => parameters.get(decoderName(i) + name)!, code)
  })
  const all = concat(given, 1)
  const own = sum(mul(all, matmul(all, constant(gram, [width, width]))), 1)
  // |r|^2 but for what lies along no direction.
  const squares = sum(mul(amounts, products), 1)
  const left = mean(add(sub(squares, mul(sum(mul(all, products), 1), 2)), own))
  const beyond = mean(maximum(sub(max(abs(concat(codes, 1)), 0), CODE_RANGE), 0))
  return add(left, mul(beyond, codeRange))
}

const encoderName = (domain: number): string => `domain${domain}.encoder.`
const decoderName = (domain: number): string => `domain${domain}.decoder.`

/** Principal components of the domain: codes have a root mean square of about 1. */
function firstParameters(
  { directions, unit, encoder, decoder }: Learner,
  seed: number,
  domain: number,
): [string, Tensor][] {
  const spreads = Array.from(directions.spreads.subarray(0, encoder.outputs), (spread) => spread / unit)
  const inwards = spreads.map((spread) => (spread > 0 ? 1 / spread : 0))
  const begin = (shape: DenseShape, factors: number[], prefix: string, stream: number): [string, Tensor][] => {
    const first = linearStart(shape, factors, streamOf('shapeSpaceValues', seed, stream))
    return [...denseTensors(shape)].map(([name, dims]) => [
      prefix + name,
      parameter(prefix + name, dims, first.get(name)!),
    ])
  }
  return [
    ...begin(encoder, inwards, encoderName(domain), 2 * domain),
    ...begin(decoder, spreads, decoderName(domain), 2 * domain + 1),
  ]
}

function networkOf(shape: DenseShape, learned: ReadonlyMap<string, Float32Array>, prefix: string): StoredNetwork {
  const names = [...denseTensors(shape).keys()]
  return { shape, tensors: new Map(names.map((name) => [name, learned.get(prefix + name)!])) }
}
