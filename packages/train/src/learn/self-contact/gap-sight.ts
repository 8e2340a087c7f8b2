/**
 * What networks of self-contact see beside the code, of bodies that are linear in it: gaps between points that move with the
 * body (pliant's gap-shape.ts). How such a network begins, and its graph.
 */
import { denseOfGaps, type GapShape, gapTensors } from 'pliant/unstable'
import type { LinearShape } from 'pliant/unstable/exact'
import { initialDenseTensors } from '../initial.js'
import type { Weights } from '../rounds/index.js'
import { chooseGaps } from './choose-gaps.js'
import type { Contacts } from './choose-places.js'
import type { ContactGraph } from './contact-graph.js'
import type { ContactOptions } from './contact-options.js'
import { gapGraph } from './gap-graph.js'

export type SightOptions = Pick<ContactOptions, 'gaps' | 'hidden' | 'activation'>

export class GapSight {
  /** @param body  whose gaps are seen; without one the network sees the code alone */
  constructor(
    private readonly codeSize: number,
    private readonly body: LinearShape | undefined,
    private readonly options: SightOptions,
  ) {}

  /**
   * First weights of a network, once contacts are known.
   * @param codes  as they come, to scale by
   */
  begin(contacts: Contacts, codes: Float32Array, seed: number): Map<string, Float32Array> {
    const { gaps, tensors } = this.body
      ? chooseGaps(this.body, contacts, this.options.gaps, codes)
      : { gaps: 0, tensors: new Map<string, Float32Array>() }
    return new Map([...tensors, ...initialDenseTensors(denseOfGaps(this.shapeWith(gaps)), seed)])
  }

  /** Of a network with these weights. */
  shapeOf(weights: Weights): GapShape {
    return this.shapeWith(weights.get('gap.softening')?.length ?? 0)
  }

  graphOf(weights: Weights): ContactGraph {
    return graphOfGaps(this.shapeOf(weights))
  }

  private shapeWith(gaps: number): GapShape {
    const { hidden, activation } = this.options
    return { codeSize: this.codeSize, gaps, hidden: [...hidden], activation }
  }
}

export function graphOfGaps(shape: GapShape): ContactGraph {
  return {
    codeSize: shape.codeSize,
    tensors: gapTensors(shape),
    values: (tensor, codes, rows) => gapGraph(shape, tensor, codes, rows),
  }
}
