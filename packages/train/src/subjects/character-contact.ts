/** A rigged character whose self-contact is learned, by its joint angles: its own meshes, as they are. */
import { NEIGHBOUR_DEFAULTS } from 'pliant/exact'
import { z } from 'zod'
import type { SpecModel } from '../spec/spec-model.js'
import { METHOD_DEFAULTS } from '../spec/train-spec.js'
import { CHARACTER_FIELDS } from './character.js'

const schema = z.strictObject({
  ...CHARACTER_FIELDS,
  /** Which triangles may touch, as shares of the diagonal at rest: near along the surface, or nearly touching there. */
  neighbours: z
    .strictObject({ along: z.number().min(0).max(1).optional(), near: z.number().min(0).max(1).optional() })
    .optional(),
})

export type CharacterContactModel = z.infer<typeof schema>

/** How far neighbours reach, with what is not said. */
export function neighboursOf({ neighbours }: CharacterContactModel): { along: number; near: number } {
  return { ...NEIGHBOUR_DEFAULTS, ...neighbours }
}

/** Unseen poses that a file is evaluated on; distances in the space of codes are not looked up. */
const EVALUATION = { poses: 20_000, points: 10 } as const

const NETWORK = ['hidden', 'activation']

export const CHARACTER_CONTACT_MODEL: SpecModel = {
  learn: 'self-contact',
  key: 'rig',
  schema,
  takes: () => false,
  fields: ['name', 'learn', 'method', 'seed', 'poses', 'steps', 'learningRate', 'network', 'evaluation'],
  network: () => ({ fields: NETWORK, advice: `self-contact of a character takes ${NETWORK.join(', ')}` }),
  defaults: (method) => ({
    ...METHOD_DEFAULTS[method],
    poses: 60_000,
    steps: 10_000,
    learningRate: 2e-3,
    pointsPerPose: 1,
    evaluation: EVALUATION,
  }),
}
