/** The kinds of things that a file may be of: a new one is a file in this folder and a line in each of these two lists. */
import type { CharacterContactField } from '../../learned/character-contact.js'
import type { CharacterField } from '../../learned/character-field.js'
import type { PartsContactField } from '../../learned/parts-contact.js'
import type { SelfContactField } from '../../learned/self-contact.js'
import type { ElasticField, TrainedField } from '../../learned/trained-field.js'
import type { CharacterArtifact } from './character.js'
import type { CharacterContactArtifact } from './character-contact.js'
import type { BodyArtifact } from './elastic-body.js'
import { linearModes, type ModesArtifact } from './linear-modes.js'
import type { ModelKind } from './model-kind.js'
import type { SelfContactArtifact } from './self-contact.js'
import type { ShapeContactArtifact } from './shape-contact.js'

/** What the file of each kind decodes to, and the field that it loads as. */
export interface Kinds {
  /** An object that bends by a few modes. */
  'linear-modes': { artifact: ModesArtifact; field: TrainedField }
  /** A body that a simulation moves. */
  'elastic-body': { artifact: BodyArtifact; field: ElasticField }
  /** A skinned character. */
  character: { artifact: CharacterArtifact; field: CharacterField }
  /** A body that tells how near its shapes are to touching themselves: it answers codes, not points. */
  'self-contact': { artifact: SelfContactArtifact; field: SelfContactField }
  /** A skinned character that tells how near its poses are to touching themselves. */
  'character-contact': { artifact: CharacterContactArtifact; field: CharacterContactField }
  /** Shapes of one mesh, such as a sequence of meshes has, that tell how near they are to touching themselves. */
  'shape-contact': { artifact: ShapeContactArtifact; field: PartsContactField }
}

type KindOf<Name extends keyof Kinds> = ModelKind<Kinds[Name]['artifact'], Kinds[Name]['field']>

/** All but the ordinary object are loaded when a file first needs them: pages load no more than what they show. */
const KINDS: { [Name in keyof Kinds]: () => Promise<{ kind: KindOf<Name> }> } = {
  'linear-modes': async () => ({ kind: linearModes }),
  'elastic-body': () => import('./elastic-body.js'),
  character: () => import('./character.js'),
  'self-contact': () => import('./self-contact.js'),
  'character-contact': () => import('./character-contact.js'),
  'shape-contact': () => import('./shape-contact.js'),
}

/** Name of what a file may be of. */
export type KindName = keyof Kinds

/** Name of a kind whose files answer points. */
export type PointKindName = {
  [Name in KindName]: Kinds[Name]['field'] extends TrainedField ? Name : never
}[KindName]

export const KIND_NAMES = Object.keys(KINDS) as KindName[]

/** What knows the things of a kind that is registered. */
export async function modelKind(name: KindName): Promise<ModelKind> {
  return (await KINDS[name]()).kind as unknown as ModelKind
}
