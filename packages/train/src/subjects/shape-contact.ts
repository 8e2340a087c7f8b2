/** Shapes of one mesh whose self-contact is learned: a folder of meshes, a vertex sequence, or a rig whose poses are baked. */
import { z } from 'zod'
import type { SpecModel } from '../spec/spec-model.js'
import { count, METHOD_DEFAULTS } from '../spec/train-spec.js'
import { CONTACT_NETWORK, neighbours } from './contact-fields.js'
import { scale } from './in-metres.js'

const schema = z.strictObject({
  /** Meshes of the same triangles: a name with * for many files, a vertex sequence (.anime), or a glTF file with a skin. */
  meshes: z.string().min(1),
  /** How many shapes to learn from, of a sequence or a rig: evenly from all. */
  shapes: count(4, 100_000).optional(),
  /** Vertices that finer meshes are thinned to. */
  vertices: count(100, 100_000).optional(),
  /** Near-rigid domains that shapes are split into, and numbers of the code for each of them, in the mean. */
  domains: count(1, 64).optional(),
  domainCode: count(1, 64).optional(),
  neighbours,
  scale,
})

export type ShapeContactModel = z.infer<typeof schema>

export const SHAPE_DEFAULTS = { shapes: 400, vertices: 2500, domains: 10, domainCode: 5 } as const

/**
 * Twice as far along the surface as for characters, of which joined bones are left alone as well: skin that folds at a joint
 * is no contact that a shape could be freed of.
 */
export const SHAPE_NEIGHBOURS = { along: 0.1, near: 0.005 } as const

const EVALUATION = { poses: 20_000, points: 10 } as const
const LEARNING = { pliant: { steps: 10_000, learningRate: 2e-3 }, paper: { steps: 20_000, learningRate: 1e-3 } }

export const SHAPE_CONTACT_MODEL: SpecModel = {
  learn: 'self-contact',
  key: 'meshes',
  schema,
  takes: (source) => /[*?]|\.anime$/i.test(source),
  fields: ['name', 'learn', 'method', 'seed', 'poses', 'steps', 'learningRate', 'network', 'evaluation'],
  network: (method) => ({
    fields: CONTACT_NETWORK[method],
    advice: `self-contact of shapes takes ${CONTACT_NETWORK[method].join(', ')}`,
  }),
  defaults: (method) => ({
    ...METHOD_DEFAULTS[method],
    ...LEARNING[method],
    poses: 40_000,
    pointsPerPose: 1,
    evaluation: EVALUATION,
  }),
}
