/** The network of clearances of a shape, as a graph (pliant's posed-gap-shape.ts): how it begins and is made. */
import { END_SIZE, type PosedGapShape, posedGapTensors } from 'pliant/unstable'
import { constant, type Dimension, min, reshape, type Tensor } from '../../graph/index.js'
import { streamOf } from '../../streams/random-streams.js'
import type { Weights } from '../rounds/index.js'
import { type Contacts, choosePlaces, type Place } from '../self-contact/choose-places.js'
import type { ContactGraph } from '../self-contact/contact-graph.js'
import type { FramedShape } from './framed-shape.js'
import { posedGapGraph } from './posed-gap-graph.js'
import { posedGaps } from './posed-gaps.js'

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

export interface ClearanceSizes extends Pick<PosedGapShape, 'hidden' | 'activation'> {
  /** Places of each part that gaps are measured between, all with all of the other part. */
  places: number
}

/**
 * First weights.
 * @param pairs     parts of each pair, two numbers
 * @param contacts  where parts were seen near each other: places are spread over these
 * @param codes     as they come, to scale by
 */
export function firstWeights(
  framed: FramedShape,
  pairs: Uint16Array,
  contacts: Contacts,
  codes: Float32Array,
  sizes: ClearanceSizes,
  seed: number,
): Weights {
  const places = placesOf(framed, pairs, contacts, sizes.places)
  const tensors = posedGaps(framed, places, codes)
  const shape = shapeOf(framed, tensors, pairs.length / 2, sizes)
  const layers = [...posedGapTensors(shape)].filter(([name]) => /^pair\.\d/.test(name))
  return new Map([
    ...tensors,
    // While it is learned, every pair is looked at.
    ['pair.far', new Float32Array(shape.pairs).fill(NEVER)],
    ['pair.slack', new Float32Array(shape.pairs).fill(NEVER)],
    ...layers.map(([name, dims], i): [string, Float32Array] => {
      const random = streamOf('initialValues', seed, i)
      // He et al. 2015: every pair's network begins as one by itself would.
      const spread = name.endsWith('.bias') ? 0 : Math.sqrt(2 / dims[1])
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => (spread === 0 ? 0 : spread * random.normal()))]
    }),
  ])
}

/** Longer than any gap, squared [m^2]. */
const NEVER = 1e30

/** Weight that every corner of a triangle has at least. */
const INTO = 0.1

/** Of each pair, places of the one part and as many of the other. */
function placesOf(
  { rest, triangles, partOf }: FramedShape,
  pairs: Uint16Array,
  contacts: Contacts,
  count: number,
): (readonly [Place[], Place[]])[] {
  const ofPair = new Map<string, number[]>()
  for (let contact = 0; contact < contacts.triangles.length / 2; contact++) {
    const [a, b] = [0, 1].map((side) => partOf[contacts.triangles[2 * contact + side]])
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`
    ofPair.set(key, [...(ofPair.get(key) ?? []), contact])
  }
  return Array.from({ length: pairs.length / 2 }, (_, pair) => {
    const own = ofPair.get(`${pairs[2 * pair]} ${pairs[2 * pair + 1]}`) ?? []
    const seen = {
      triangles: Uint32Array.from(own.flatMap((i) => [...contacts.triangles.subarray(2 * i, 2 * i + 2)])),
      // A little into the triangle: from a corner, the way into the body would end in the triangle next to it.
      weights: Float32Array.from(
        own.flatMap((i) => [...contacts.weights.subarray(6 * i, 6 * i + 6)]),
        (w) => {
          return (1 - 3 * INTO) * w + INTO
        },
      ),
    }
    const chosen = choosePlaces({ rest, triangles }, seen, count)
    // Of parts that were seen near each other in fewer places, some come more than once.
    return [0, 1].map((side) => Array.from({ length: count }, (_, i) => chosen[i % chosen.length][side])) as [
      Place[],
      Place[],
    ]
  })
}

export function shapeOf(
  { codeSize, frameCount }: FramedShape,
  weights: Weights,
  pairs: number,
  { hidden, activation }: Pick<ClearanceSizes, 'hidden' | 'activation'>,
): PosedGapShape {
  const gaps = weights.get('gap.softening')!.length / pairs
  return { codeSize, frames: frameCount, pairs, gaps, hidden: [...hidden], activation, far: 1, perMetre: 0 }
}

/** @param weights  of the network; its gaps are not learned */
export function clearanceGraph(
  framed: Pick<FramedShape, 'frameGraph'>,
  shape: PosedGapShape,
  weights: Weights,
): ClearanceGraph {
  const [ends, middles] = [weights.get('gap.ends')!, weights.get('pair.middles')!]
  const named = [ends, middles].flatMap((rows) => [...rows.filter((_, i) => i % (END_SIZE / 2) === 0)])
  const frames = framed.frameGraph(new Set(named))
  const all = [...posedGapTensors(shape)]
  const fixed = new Map(
    all.filter(([name]) => !/^pair\.\d/.test(name)).map(([name, dims]) => [name, constant(weights.get(name)!, dims)]),
  )
  return {
    codeSize: shape.codeSize,
    pairs: shape.pairs,
    tensors: new Map(all.filter(([name]) => !fixed.has(name))),
    values: (tensor, codes, rows) =>
      posedGapGraph(shape, frames, { ends, middles }, (name) => fixed.get(name) ?? tensor(name), codes, rows),
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
