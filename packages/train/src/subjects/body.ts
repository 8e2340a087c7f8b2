/** An elastic body by its file or its preset: tetrahedra, or a closed surface, which is filled with them. */

import { boxOfPoints, type TetMesh } from 'pliant'
import { trianglesOf } from 'pliant/files'
import { boxDiagonal } from 'pliant/unstable'
import { z } from 'zod'
import { BadInput } from '../input/bad-input.js'
import type { NamedFiles } from '../input/named-files.js'
import {
  BODY_PRESETS,
  CONTACT_PRESETS,
  findBodyPreset,
  findCharacterPreset,
  findContactPreset,
  findPreset,
} from '../presets/index.js'
import type { SpecModel } from '../spec/spec-model.js'
import { count, EVALUATION, METHOD_DEFAULTS, type TrainSpec, WHOLE_NETWORK } from '../spec/train-spec.js'
import { cleanTetBody } from '../tets/clean-body.js'
import { fillOnThread } from '../tets/fill-on-thread.js'
import type { TetrahedraliseReport } from '../tets/tetrahedralise.js'
import { elasticObject } from './elastic-object.js'
import { inMetres, scale } from './in-metres.js'
import type { LoadOptions, TrainingObject } from './training-object.js'

const schema = z.strictObject({
  /** A file of tetrahedra, or a closed surface, which is filled with them. */
  body: z.string().min(1),
  /** Tetrahedra's nodes to aim for, of a surface. */
  nodes: count(30, 200_000).optional(),
  /** What to do with a surface that passes through itself: refuse it (default), or fill all that it winds round. */
  selfIntersecting: z.enum(['refuse', 'fill']).optional(),
  /** Modes in the code. */
  modes: count(1, 1024).optional(),
  /** Where modes come from: the training poses, or the body's vibrations as in the paper. */
  basis: z.enum(['poses', 'vibrations']).optional(),
  /** How nodes count in the code: by mass, or all alike as in Eq. 1 of the paper. */
  weighting: z.enum(['mass', 'plain']).optional(),
  scale,
})

export type BodyModel = z.infer<typeof schema>

/** Where elastic bodies depart from other objects: the paper's own numbers, and more poses of fewer points (docs/notes/prototypes.md). */
const DEFAULTS = {
  pliant: { poses: 1500, pointsPerPose: 2000, steps: 6000 },
  paper: { poses: 1000, pointsPerPose: 10_000, steps: 60_000 },
} as const

const IN_PARTS = ['parts', 'resolution']
const TETRAHEDRA_FILE = /\.(msh|mesh|node|ele)$/i

export const BODY_MODEL: SpecModel = {
  learn: 'distance',
  key: 'body',
  schema,
  // Files of tetrahedra are bodies unless a spec calls them a mesh.
  takes: (source) =>
    (findBodyPreset(source) ?? findContactPreset(source)) !== undefined || TETRAHEDRA_FILE.test(source),
  network: (method) =>
    method === 'pliant'
      ? { fields: IN_PARTS, advice: `an elastic body takes ${IN_PARTS.join(' and ')}` }
      : WHOLE_NETWORK,
  defaults: (method) => ({ ...METHOD_DEFAULTS[method], ...DEFAULTS[method], evaluation: EVALUATION }),
}

/** What a body may be given as. */
export const BODIES = `a tetrahedral mesh, a closed surface, or one of ${[...BODY_PRESETS, ...CONTACT_PRESETS].map(({ name }) => name).join(', ')}`

/** @throws Error in one line if it is no body, or its surface cannot be filled */
export async function loadBody(
  spec: TrainSpec,
  source: BodyModel,
  files: NamedFiles,
  options: LoadOptions,
): Promise<TrainingObject> {
  const { mesh, warnings, filling } = await readBody(source, files, options)
  const moved = filling && {
    mean: (filling.meanDistance / 100) * boxDiagonal(boxOfPoints(mesh.positions)),
    max: (filling.maxDistance / 100) * boxDiagonal(boxOfPoints(mesh.positions)),
  }
  return { ...elasticObject(mesh, spec, { ...source, moved }), warnings, filling }
}

/** Tetrahedra by a file or a preset, or those that fill a closed surface. @throws BadInput if it is a preset of another kind */
export async function readBody(
  { body, scale: metres, nodes, selfIntersecting }: Pick<BodyModel, 'body' | 'scale' | 'nodes' | 'selfIntersecting'>,
  files: NamedFiles,
  options: LoadOptions,
): Promise<{ mesh: TetMesh; warnings?: string[]; filling?: TetrahedraliseReport }> {
  const preset = findBodyPreset(body) ?? findContactPreset(body)
  if (preset) return { mesh: await preset.make() }
  const other = findPreset(body) ? 'an object with linear modes' : findCharacterPreset(body) && 'a character'
  if (other) throw new BadInput(`${body} is no body but ${other}; give ${BODIES}.`)
  const file = await files.mesh(body)
  if (file.kind !== 'tetrahedra') {
    const { secondsToFill: seconds = Infinity, ...thread } = options
    const input = { surface: inMetres(trianglesOf(file), metres), options: { nodes, selfIntersecting }, seconds }
    const { mesh, report } = await fillOnThread(input, thread)
    return { mesh, filling: report }
  }
  const { mesh, droppedNodes } = cleanTetBody(inMetres(file.mesh, metres), body)
  return { mesh, warnings: droppedNodes > 0 ? [`${droppedNodes} nodes that no tetrahedron uses are left out`] : [] }
}
