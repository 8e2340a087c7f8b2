/** A trained character, motions of it, and the paper's network of it: what suites of cloth measure. */
import type { Clip } from 'pliant/character'
import { bodyLandmarks, garmentKinds, type LimbEnds } from 'pliant/sim'
import { wasTrainedOn } from 'pliant/unstable'
import type { InputReader, OptionValues, ReadInputs } from '../suite/inputs.js'
import { readLimbEnds } from './limb-ends.js'

export interface CharacterGiven {
  /** A trained character's bytes. */
  artifact?: Uint8Array
  /** Motions of it to play. */
  clips?: readonly Clip[]
  /** Motions that it was trained on, for rivals that are fitted. */
  trainingClips?: readonly Clip[]
  /** Hands and feet, where the joints' names do not tell. */
  joints?: LimbEnds
  /** The paper's network of the same character: bytes of what `train --method paper` wrote. */
  paper?: Uint8Array
}

/**
 * Without `file` the built-in humanoid and its clips are taken.
 * @param plays  motions that it was not trained on, or all, for what judges no network
 * @throws Error if a file is missing or of another kind, or a joint is none of the character's
 */
export async function readCharacter(
  { file, motion, paper, joints: limbs }: OptionValues,
  reader: InputReader,
  plays: 'unseen' | 'all',
): Promise<ReadInputs<CharacterGiven>> {
  const { bytes, artifact } = await reader.ofKind(file ?? reader.builtIn('humanoid.safetensors'), 'character')
  const { character, manifest } = artifact
  const joints = limbs === undefined ? undefined : readLimbEnds(limbs)
  const isDressed = garmentKinds(bodyLandmarks(character.skeleton, joints)).length > 0
  const paths = motion ?? (file === undefined ? reader.builtIn('humanoid.glb') : undefined)
  const read = paths === undefined ? [] : await reader.motions(paths, character)
  const motions = read.map((each) => ({ ...each, trained: wasTrainedOn(manifest, character.skeleton, each.clip) }))
  const unseen = motions.filter((each) => plays === 'all' || !each.trained)
  // Without any that it was not trained on, one of those serves as the motion, and the file's own poses judge.
  const played = unseen.length > 0 ? unseen : motions.slice(0, 1)
  return {
    given: {
      artifact: bytes,
      clips: played.map(({ clip }) => clip),
      trainingClips: motions.filter((each) => each.trained).map(({ clip }) => clip),
      joints,
      paper: paper === undefined ? undefined : await reader.trained(paper),
    },
    motions: played,
    notes: isDressed ? [] : ["no garment fits: no hands and feet by the joints' names; name them with --joints"],
  }
}
