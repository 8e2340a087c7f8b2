/** Characters that tell self-contact, on the command line: they answer joint angles. */
import type { LoadedCharacterContact } from '@pliant/train/unstable'
import { selfContactTable } from '@pliant/train/unstable/text'
import { load } from 'pliant'
import { type CharacterContactArtifact, characterShape } from 'pliant/character'
import { inspectCharacterContact } from '../inspect/character-contact.js'
import { motionsReport } from '../train-character.js'
import type { KindCommands, MotionCommand, RepairCommand } from './kind-commands.js'
import { evaluatedContact } from './self-contact.js'

const CODES: RepairCommand<CharacterContactArtifact> & MotionCommand<CharacterContactArtifact> = {
  open: (artifact, options) => load(artifact, options),
  shapeOf: ({ character, manifest }) => characterShape(character, manifest.model.neighbours),
  modelOf: ({ character }) => character,
  // The paper's network tells no clearances, and motions are refused with that reason.
  reachOf: ({ manifest: { model, networks } }) =>
    networks.distance.kind === 'posed-gaps' ? networks.distance.shape.far * model.metres : Number.POSITIVE_INFINITY,
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
