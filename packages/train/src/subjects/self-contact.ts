/** A body whose self-contact is learned, by its file or its preset: tetrahedra, or a closed surface, which is filled with them. */
import { z } from 'zod'
import { CONTACT_MODES, findContactPreset } from '../presets/index.js'
import type { SpecModel } from '../spec/spec-model.js'
import { count, METHOD_DEFAULTS } from '../spec/train-spec.js'
import { BODIES } from './body.js'
import { scale } from './in-metres.js'

const schema = z.strictObject({
  /** A file of tetrahedra, or a closed surface, which is filled with them. */
  body: z.string().min(1),
  /** Tetrahedra's nodes to aim for, of a surface. */
  nodes: count(30, 200_000).optional(),
  /** What to do with a surface that passes through itself: refuse it (default), or fill all that it winds round. */
  selfIntersecting: z.enum(['refuse', 'fill']).optional(),
  /** Modes in the code: its softest vibrations. */
  modes: count(1, 64).optional(),
  /** How far somebody pulls at it, as a share of its diagonal: what one unit of the code is. */
  reach: z.number().positive().max(4).optional(),
  scale,
})

export type SelfContactModel = z.infer<typeof schema>

/** How far somebody pulls at a body unless it is said. */
export const REACH = 0.2

/** Unseen codes that a file is evaluated on, and how many of them have their distances measured exactly. */
export const CONTACT_EVALUATION = { poses: 50_000, points: 2000 } as const

const GAP_NETWORK = ['hidden', 'activation', 'gaps']
const PAPER_NETWORK = ['hidden']

export const SELF_CONTACT_MODEL: SpecModel = {
  learn: 'self-contact',
  key: 'body',
  schema,
  advice: `a body: ${BODIES}`,
  takes: (source) => findContactPreset(source) !== undefined,
  fields: ['name', 'learn', 'method', 'seed', 'poses', 'steps', 'learningRate', 'network', 'evaluation'],
  network: (method) =>
    method === 'pliant'
      ? { fields: GAP_NETWORK, advice: `self-contact takes ${GAP_NETWORK.join(', ')}` }
      : { fields: PAPER_NETWORK, advice: "the paper's network of self-contact takes hidden" },
  defaults: (method, model) => ({
    ...METHOD_DEFAULTS[method],
    ...sizesOf(Number(model['modes'] ?? CONTACT_MODES)),
    ...(method === 'paper' && { steps: PAPER_STEPS }),
    pointsPerPose: 1,
    evaluation: CONTACT_EVALUATION,
  }),
}

/** Two passes of 500 iterations, 10 steps each (Cai et al., section 6.2). */
const PAPER_STEPS = 10_000

/** More modes take more labels and steps, about twice as many each. */
function sizesOf(modes: number): { poses: number; steps: number; learningRate: number } {
  const times = Math.min(1, 2 ** (modes - 7))
  return {
    poses: Math.round(1_000_000 * times),
    steps: Math.round(Math.max(3000, 24_000 * times)),
    learningRate: 2e-3,
  }
}
