/** Sight of bodies that are linear in their code: gaps between points that move with it (pliant's gap-shape.ts). */
import { denseOfGaps, type GapShape, gapTensors } from 'pliant/unstable'
import type { LinearShape } from 'pliant/unstable/exact'
import { initialDenseTensors } from '../initial.js'
import { chooseGaps } from './choose-gaps.js'
import type { ContactOptions } from './contact-options.js'
import type { ContactGraph, ContactSight } from './contact-sight.js'
import { gapGraph } from './gap-graph.js'

export type SightOptions = Pick<ContactOptions, 'gaps' | 'hidden' | 'activation'>

/** @param body  whose gaps are seen; without one the network sees the code alone */
export function gapSight(
  codeSize: number,
  body: LinearShape | undefined,
  { gaps: most, hidden, activation }: SightOptions,
): ContactSight<GapShape> {
  const shapeWith = (gaps: number): GapShape => ({ codeSize, gaps, hidden: [...hidden], activation })
  const shapeOf: ContactSight<GapShape>['shapeOf'] = (weights) => shapeWith(weights.get('gap.softening')?.length ?? 0)
  return {
    begin(contacts, codes, seed) {
      const { gaps, tensors } = body
        ? chooseGaps(body, contacts, most, codes)
        : { gaps: 0, tensors: new Map<string, Float32Array>() }
      return new Map([...tensors, ...initialDenseTensors(denseOfGaps(shapeWith(gaps)), seed)])
    },
    shapeOf,
    graphOf: (weights) => graphOfGaps(shapeOf(weights)),
  }
}

export function graphOfGaps(shape: GapShape): ContactGraph {
  return {
    codeSize: shape.codeSize,
    tensors: gapTensors(shape),
    values: (tensor, codes, rows) => gapGraph(shape, tensor, codes, rows),
  }
}
