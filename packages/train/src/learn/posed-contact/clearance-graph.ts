/** The network of clearances of a shape, as a graph (pliant's posed-gap-shape.ts): how it begins and is made. */
import { PLACE_SIZE, type PosedGapShape, posedGapTensors } from 'pliant/unstable'
import { constant, type Dimension, min, reshape, type Tensor } from '../../graph/index.js'
import { streamOf } from '../../streams/random-streams.js'
import type { Weights } from '../rounds/index.js'
import type { ContactGraph } from '../self-contact/contact-graph.js'
import type { FramedShape } from './framed-shape.js'
import type { PlacesOfPair } from './part-places.js'
import { posedGapGraph } from './posed-gap-graph.js'
import { type ClearanceRows, posedGaps } from './posed-gaps.js'

/** A network from codes to clearances of pairs of parts. */
export interface ClearanceGraph {
  codeSize: number
  pairs: number
  /** Name -> dimensions of what is learned. */
  tensors: ReadonlyMap<string, number[]>
  /**
   * @param tensor  of each of these names
   * @param codes   [rows, codeSize]
   * @returns [rows, pairs]
   */
  values(tensor: (name: string) => Tensor, codes: Tensor, rows: Dimension): Tensor
}

export interface ClearanceSizes extends Pick<PosedGapShape, 'hidden' | 'activation' | 'places' | 'seen'> {
  /** Clearances that differ by less than this count together, as a share of the reach. */
  softness: number
}

/**
 * First weights.
 * @param places  of each pair
 * @param reach   unit of clearances [m]
 */
export function firstWeights(
  framed: FramedShape,
  places: readonly PlacesOfPair[],
  rows: ClearanceRows,
  reach: number,
  sizes: ClearanceSizes,
  seed: number,
): Weights {
  const shape = shapeOf(framed, places.length, reach, sizes)
  const layers = [...posedGapTensors(shape)].filter(([name]) => /^pair\.\d/.test(name))
  const last = sizes.hidden.length
  return new Map([
    ...posedGaps(framed, places, rows, shape),
    // While it is learned, every pair is looked at.
    ['pair.far', new Float32Array(shape.pairs).fill(NEVER)],
    ...layers.map(([name, dims], i): [string, Float32Array] => {
      const random = streamOf('initialValues', seed, i)
      // He et al. 2015: every pair's network begins as one by itself would, but that at first it hardly corrects the balls.
      const spread = name.endsWith('.bias') ? 0 : Math.sqrt(2 / dims[1]) * (name === `pair.${last}.weight` ? FAINT : 1)
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => (spread === 0 ? 0 : spread * random.normal()))]
    }),
  ])
}

/** Of the last layer, beside the usual. */
const FAINT = 0.01

/** Names of what is learned. */
const LEARNED = /^pair\.\d|^gap\.radius$/

/** Longer than any gap, squared [m^2]. */
export const NEVER = 1e30

export function shapeOf(
  { codeSize, frameCount }: FramedShape,
  pairs: number,
  reach: number,
  { hidden, activation, places, seen, softness }: ClearanceSizes,
): PosedGapShape {
  const sizes = { codeSize, frames: frameCount, pairs, places, seen, hidden: [...hidden], activation }
  return { ...sizes, far: 1, perMetre: 1 / reach, softness }
}

/** @param weights  of the network; its places are not learned */
export function clearanceGraph(
  framed: Pick<FramedShape, 'frameGraph'>,
  shape: PosedGapShape,
  weights: Weights,
): ClearanceGraph {
  const [places, middles] = [weights.get('pair.places')!, weights.get('pair.middles')!]
  const named = [places, middles].flatMap((rows) => [...rows.filter((_, i) => i % PLACE_SIZE === 0)])
  const frames = framed.frameGraph(new Set(named))
  const { learned, fixed } = clearanceTensors(shape, weights)
  // Known better with every round.
  fixed.delete('pair.far')
  return {
    codeSize: shape.codeSize,
    pairs: shape.pairs,
    tensors: new Map([...learned, ['pair.far', [shape.pairs]]]),
    values: (tensor, codes, rows) =>
      posedGapGraph(shape, frames, { places, middles }, (name) => fixed.get(name) ?? tensor(name), codes, rows),
  }
}

/** Tensors of a network: name -> dimensions of those that are learned, and the others as they are. */
export function clearanceTensors(
  shape: PosedGapShape,
  weights: Weights,
): { learned: Map<string, number[]>; fixed: Map<string, Tensor> } {
  const all = [...posedGapTensors(shape)]
  return {
    learned: new Map(all.filter(([name]) => LEARNED.test(name))),
    fixed: new Map(
      all.filter(([name]) => !LEARNED.test(name)).map(([name, dims]) => [name, constant(weights.get(name)!, dims)]),
    ),
  }
}

/** The least of all clearances of a network. */
export function leastClearanceGraph(
  framed: Pick<FramedShape, 'frameGraph'>,
  shape: PosedGapShape,
  weights: Weights,
): ContactGraph {
  const { codeSize, tensors, values } = clearanceGraph(framed, shape, weights)
  return {
    codeSize,
    tensors,
    values: (tensor, codes, rows) => reshape(min(values(tensor, codes, rows), 1), [rows, 1]),
  }
}
