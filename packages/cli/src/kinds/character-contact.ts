/** Characters that tell self-contact, on the command line: they answer joint angles. */
import type { LoadedCharacterContact } from '@pliant/train/unstable'
import { selfContactTable } from '@pliant/train/unstable/text'
import { load } from 'pliant'
import { type CharacterContactArtifact, characterShape } from 'pliant/character'
import { inspectCharacterContact } from '../inspect/character-contact.js'
import { motionsReport } from '../train-character.js'
import type { CodesCommand, KindCommands, MotionCommand } from './kind-commands.js'
import { evaluatedContact } from './self-contact.js'

const CODES: CodesCommand<CharacterContactArtifact> & MotionCommand<CharacterContactArtifact> = {
  open: (artifact, options) => load(artifact, options),
  shapeOf: ({ character, manifest }) => characterShape(character, manifest.model.neighbours),
  hybridOf: ({ manifest }) => manifest.quality ?? undefined,
}

export const CHARACTER_CONTACT: KindCommands<CharacterContactArtifact> = {
  one: 'character with self-contact',
  many: 'characters with self-contact',
  madeBy: 'pliant train character.glb --learn self-contact',
  inspect: inspectCharacterContact,
  trained: (subject, { quality }) => ({
    ...motionsReport(subject as LoadedCharacterContact),
    lines: [selfContactTable(quality), ...motionsReport(subject as LoadedCharacterContact).lines],
  }),
  selfDistance: CODES,
  repair: CODES,
  repairMotion: CODES,
  evaluate: evaluatedContact,
}
