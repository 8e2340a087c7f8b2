/** Sight of skinned characters: gaps between places that follow joints (pliant's posed-gap-shape.ts). */
import type { SkinnedCharacter } from 'pliant/character'
import { denseOfGaps, type PosedGapShape, posedGapTensors, TERM_SIZE } from 'pliant/unstable'
import { initialDenseTensors } from '../initial.js'
import { jointChain } from '../joints/joint-chain.js'
import type { Weights } from '../rounds/index.js'
import { choosePlaces } from '../self-contact/choose-places.js'
import type { ContactSight } from '../self-contact/contact-sight.js'
import type { SightOptions } from '../self-contact/gap-sight.js'
import { posedGapGraph } from './posed-gap-graph.js'
import { posedGaps } from './posed-gaps.js'

export function posedSight(
  character: SkinnedCharacter,
  { gaps: most, hidden, activation }: SightOptions,
): ContactSight<PosedGapShape> {
  const { codeSize, skeleton, code, triangles, vertexCount } = character
  const shapeOf = (weights: Weights): PosedGapShape => ({
    codeSize,
    joints: skeleton.jointCount,
    gaps: weights.get('gap.softening')!.length,
    terms: weights.get('gap.terms')!.length / TERM_SIZE,
    hidden: [...hidden],
    activation,
  })
  return {
    begin(contacts, codes, seed) {
      const rest = new Float64Array(3 * vertexCount)
      character.positions(new Float64Array(codeSize), rest)
      const tensors = posedGaps(character, choosePlaces({ rest, triangles }, contacts, most), codes)
      return new Map([...tensors, ...initialDenseTensors(denseOfGaps(shapeOf(tensors)), seed)])
    },
    shapeOf,
    graphOf(weights) {
      const shape = shapeOf(weights)
      const terms = weights.get('gap.terms')!
      const named = terms.filter((_, i) => i % TERM_SIZE === 1)
      const chain = jointChain(skeleton, code, new Set(named))
      const tensors = posedGapTensors(shape)
      // Which joints a place follows is not learned.
      tensors.delete('gap.terms')
      return {
        codeSize,
        tensors,
        values: (tensor, codes, rows) => posedGapGraph(shape, chain, terms, tensor, codes, rows),
      }
    },
  }
}
