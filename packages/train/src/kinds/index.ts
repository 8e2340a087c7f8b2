/** All kinds of trained files: a new one is a file in this folder and a line here. */
import type { Artifact, KindName } from 'pliant'
import { BadInput } from '../input/bad-input.js'
import { CHARACTER } from './character.js'
import { CHARACTER_CONTACT } from './character-contact.js'
import { ELASTIC_BODY } from './elastic-body.js'
import { LINEAR_MODES } from './linear-modes.js'
import { SELF_CONTACT } from './self-contact.js'
import { SHAPE_CONTACT } from './shape-contact.js'
import type { TrainedKind } from './trained-kind.js'

export type TrainedKinds = { readonly [Kind in KindName]: TrainedKind<Artifact<Kind>> }

export const TRAINED_KINDS: TrainedKinds = {
  'linear-modes': LINEAR_MODES,
  'elastic-body': ELASTIC_BODY,
  character: CHARACTER,
  'self-contact': SELF_CONTACT,
  'character-contact': CHARACTER_CONTACT,
  'shape-contact': SHAPE_CONTACT,
}

/** What a kind without the tool cannot be. */
const DONE: { readonly [Tool in keyof TrainedKind]-?: string } = {
  sideBySide: 'judged beside others',
  violent: 'judged by violent poses',
  contacts: 'judged by self-contact',
  onnx: 'exported as ONNX',
}

/** Kinds that have a tool. */
export function kindsWith(tool: keyof TrainedKind, kinds: TrainedKinds = TRAINED_KINDS): KindName[] {
  return (Object.keys(kinds) as KindName[]).filter((kind) => kinds[kind][tool] !== undefined)
}

/**
 * A tool of the artifact's kind.
 * @throws BadInput in one line that names the kinds which have it
 */
export function toolOf<A extends Artifact, Tool extends keyof TrainedKind>(
  artifact: A,
  tool: Tool,
  kinds: TrainedKinds = TRAINED_KINDS,
): NonNullable<TrainedKind<A>[Tool]> {
  const found = (kinds[artifact.kind] as unknown as TrainedKind<A>)[tool]
  if (found !== undefined) return found
  const able = kindsWith(tool, kinds).map((kind) => `'${kind}'`)
  throw new BadInput(
    `${artifact.manifest.name} is of kind '${artifact.kind}', which cannot be ${DONE[tool]}; pass one of ${able.join(', ')}.`,
  )
}
