/** The network of clearances of a skinned character, as a graph (pliant's posed-gap-shape.ts): how it begins and is made. */
import type { SkinnedCharacter } from 'pliant/character'
import { denseOfPosedGaps, type PosedGapShape, posedGapTensors, TERM_SIZE } from 'pliant/unstable'
import { type Dimension, min, reshape, type Tensor } from '../../graph/index.js'
import { initialDenseTensors } from '../initial.js'
import { jointChain } from '../joints/joint-chain.js'
import type { Weights } from '../rounds/index.js'
import { type Contacts, choosePlaces } from '../self-contact/choose-places.js'
import type { ContactGraph } from '../self-contact/contact-sight.js'
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

export interface ClearanceSizes extends Pick<PosedGapShape, 'hidden' | 'activation' | 'pairs'> {
  /** Gaps that the network sees, at most. */
  gaps: number
}

/**
 * First weights.
 * @param contacts  where parts were seen near each other: gaps are spread over these
 * @param codes     as they come, to scale by
 */
export function firstWeights(
  character: SkinnedCharacter,
  contacts: Contacts,
  codes: Float32Array,
  sizes: ClearanceSizes,
  seed: number,
): Weights {
  const { triangles, vertexCount, codeSize } = character
  const rest = new Float64Array(3 * vertexCount)
  character.positions(new Float64Array(codeSize), rest)
  const tensors = posedGaps(character, choosePlaces({ rest, triangles }, contacts, sizes.gaps), codes)
  const shape = shapeOf(character, tensors, sizes)
  return new Map([...tensors, ...initialDenseTensors(denseOfPosedGaps(shape), seed)])
}

export function shapeOf(
  { codeSize, skeleton }: SkinnedCharacter,
  weights: Weights,
  { hidden, activation, pairs }: ClearanceSizes,
): PosedGapShape {
  return {
    codeSize,
    joints: skeleton.jointCount,
    gaps: weights.get('gap.softening')!.length,
    terms: weights.get('gap.terms')!.length / TERM_SIZE,
    pairs,
    hidden: [...hidden],
    activation,
  }
}

/** @param weights  of the network; which joints a place follows is not learned */
export function clearanceGraph(character: SkinnedCharacter, weights: Weights, sizes: ClearanceSizes): ClearanceGraph {
  const shape = shapeOf(character, weights, sizes)
  const terms = weights.get('gap.terms')!
  const named = terms.filter((_, i) => i % TERM_SIZE === 1)
  const chain = jointChain(character.skeleton, character.code, new Set(named))
  const tensors = posedGapTensors(shape)
  tensors.delete('gap.terms')
  return {
    codeSize: shape.codeSize,
    pairs: shape.pairs,
    tensors,
    values: (tensor, codes, rows) => posedGapGraph(shape, chain, terms, tensor, codes, rows),
  }
}

/** The least of all clearances of a network. */
export function leastClearanceGraph(
  character: SkinnedCharacter,
  weights: Weights,
  sizes: ClearanceSizes,
): ContactGraph {
  const { codeSize, tensors, values } = clearanceGraph(character, weights, sizes)
  return {
    codeSize,
    tensors,
    values: (tensor, codes, rows) => reshape(min(values(tensor, codes, rows), 1), [rows, 1]),
  }
}
