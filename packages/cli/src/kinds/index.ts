/** All kinds of trained files on the command line: a new one is a file in this folder and a line here. */
import type { Artifact, KindName } from 'pliant'
import { UsageError } from '../errors.js'
import { CHARACTER } from './character.js'
import { CHARACTER_CONTACT } from './character-contact.js'
import { ELASTIC_BODY } from './elastic-body.js'
import type { KindCommands } from './kind-commands.js'
import { LINEAR_MODES } from './linear-modes.js'
import { SELF_CONTACT } from './self-contact.js'
import { SHAPE_CONTACT } from './shape-contact.js'

export type Kinds = { readonly [Kind in KindName]: KindCommands<Artifact<Kind>> }

export const KINDS: Kinds = {
  'linear-modes': LINEAR_MODES,
  'elastic-body': ELASTIC_BODY,
  character: CHARACTER,
  'self-contact': SELF_CONTACT,
  'character-contact': CHARACTER_CONTACT,
  'shape-contact': SHAPE_CONTACT,
}

/** Members that a kind may lack, and the call that needs each. */
const CALLS = {
  query: 'query',
  selfDistance: 'self-distance',
  repair: 'repair',
  repairMotion: 'repair --motion',
  evaluate: 'evaluate',
  gltf: 'export --gltf',
} as const
type Command = keyof typeof CALLS

export function commandsOf<A extends Artifact>(artifact: Pick<A, 'kind'>, kinds: Kinds = KINDS): KindCommands<A> {
  return kinds[artifact.kind] as unknown as KindCommands<A>
}

/** Of every kind, in the order of the registry. */
export function allCommands(kinds: Kinds = KINDS): KindCommands[] {
  return Object.values(kinds) as unknown as KindCommands[]
}

/**
 * What a verb needs of the file's kind.
 * @param remedy  what to do instead; the calls that the kind takes, if left out
 * @throws UsageError in one line that names the kinds which have it
 */
export function commandOf<A extends Artifact, Name extends Command>(
  path: string,
  artifact: A,
  name: Name,
  remedy?: string,
  kinds: Kinds = KINDS,
): NonNullable<KindCommands<A>[Name]> {
  const own = commandsOf<A>(artifact, kinds)
  const command = own[name]
  if (command !== undefined) return command as NonNullable<KindCommands<A>[Name]>
  const able = allCommands(kinds).flatMap((kind) => (kind[name] === undefined ? [] : [kind.one]))
  const calls = (Object.keys(CALLS) as Command[]).flatMap((other) => (own[other] === undefined ? [] : [CALLS[other]]))
  const instead = remedy ?? `it takes ${listText(['inspect', ...calls], 'and')}`
  throw new UsageError(`${CALLS[name]}: ${path} is no ${listText(able, 'or')} but ${withArticle(own.one)}; ${instead}.`)
}

/** What messages call kinds that have something: 'soft bodies and characters'. */
export function manyWith(has: (kind: KindCommands) => boolean, kinds: Kinds = KINDS): string {
  return listText(
    allCommands(kinds)
      .filter(has)
      .map(({ many }) => many),
    'and',
  )
}

/** 'a, b and c' */
export function listText(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
