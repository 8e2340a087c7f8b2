/** A rigged character whose self-contact is learned, by its joint angles: its own meshes, as they are. */
import { NEIGHBOUR_DEFAULTS } from 'pliant/exact'
import { z } from 'zod'
import type { SpecModel } from '../spec/spec-model.js'
import { METHOD_DEFAULTS } from '../spec/train-spec.js'
import { CHARACTER_FIELDS } from './character.js'
import { CONTACT_NETWORK, neighbours } from './contact-fields.js'

const schema = z.strictObject({
  ...CHARACTER_FIELDS,
  neighbours,
})

export type CharacterContactModel = z.infer<typeof schema>

/** How far neighbours reach, with what is not said. */
export function neighboursOf({ neighbours: said }: CharacterContactModel): { along: number; near: number } {
  return { ...NEIGHBOUR_DEFAULTS, ...said }
}

/** Unseen poses that a file is evaluated on; distances in the space of codes are not looked up. */
const EVALUATION = { poses: 20_000, points: 10 } as const

/** Steps at most: of the paper's network as many as its epochs take over so many poses, of ours all. */
const LEARNING = { pliant: { steps: 6000, learningRate: 2e-3 }, paper: { steps: 20_000, learningRate: 1e-3 } }

export const CHARACTER_CONTACT_MODEL: SpecModel = {
  learn: 'self-contact',
  key: 'rig',
  schema,
  takes: () => false,
  fields: ['name', 'learn', 'method', 'seed', 'poses', 'steps', 'learningRate', 'network', 'evaluation'],
  network: (method) => ({
    fields: CONTACT_NETWORK[method],
    advice: `self-contact of a character takes ${CONTACT_NETWORK[method].join(', ')}`,
  }),
  defaults: (method) => ({
    ...METHOD_DEFAULTS[method],
    ...LEARNING[method],
    poses: 24_000,
    pointsPerPose: 1,
    evaluation: EVALUATION,
  }),
}
