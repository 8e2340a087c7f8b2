/** Subject: how near a character's poses are to touching themselves, by its joint angles. */
import type { Artifact } from 'pliant'
import type { CharacterContactNetwork, Clip, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import {
  characterAsStored,
  clipFingerprint,
  createCharacter,
  describeCharacter,
  describeJointCode,
  FORMAT_VERSION,
} from 'pliant/unstable'
import { asBadInput } from '../input/bad-input.js'
import { ContactPool } from '../label/contact-pool.js'
import { posedContacts } from '../label/posed-contacts.js'
import type { LearnedNetwork } from '../learn/learned-network.js'
import { characterFrames } from '../learn/posed-contact/character-frames.js'
import { learnClearances } from '../learn/posed-contact/learn-clearances.js'
import type { ContactRun } from '../learn/self-contact/learned-contact.js'
import { clipFrames } from '../poses/clip-poses.js'
import { codesOfPoses } from '../poses/codes-of-poses.js'
import { evenlyFrom } from '../poses/evenly-from.js'
import { carriedAlong } from '../poses/joint-axes.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { loadCharacter, type ReadCharacter } from '../subjects/character.js'
import { CHARACTER_CONTACT_MODEL, type CharacterContactModel, neighboursOf } from '../subjects/character-contact.js'
import { checkCharacter } from '../subjects/check-character.js'
import { hashCharacter } from '../subjects/hash-character.js'
import {
  clearanceLearning,
  collisionLearning,
  contactTraining,
  learnByCollisionState,
  type Told,
} from './contact-learning.js'
import type { LoadedSubject, PreparedTraining, StartOptions, Subject, Training } from './subject.js'

export type LoadedCharacterContact = LoadedSubject & ReadCharacter

export const CHARACTER_CONTACT: Subject<CharacterContactModel> = {
  model: CHARACTER_CONTACT_MODEL,
  async load(spec, model, files): Promise<LoadedCharacterContact> {
    const read = await loadCharacter(spec, model, files)
    const subject = await asBadInput(() => contactCharacter(read, neighboursOf(model)))
    return { ...read, kind: 'character-contact', start: async (starting) => startContact(spec, subject, starting) }
  },
}

/** Poses of clips that codes are drawn around, at most: evenly from all. */
const MOST_POSES = 4000
const FRAMES_PER_SECOND = 30

export interface ContactCharacter {
  /** As it comes back from its file. */
  character: SkinnedCharacter
  neighbours: { along: number; near: number }
  clips: readonly Clip[]
  heldOut: readonly Clip[]
  /** Of clips to learn from. */
  poses: SkeletonPose[]
  /** Never learned from; without any clip that is held out, every other one of the poses. */
  judges: SkeletonPose[]
}

/** What is learned of a rig. @throws Error if the clips do not move it, or move it beyond reason */
export function contactCharacter(
  { rig, clips, heldOut }: Pick<ReadCharacter, 'rig' | 'clips' | 'heldOut'>,
  neighbours: ContactCharacter['neighbours'],
): ContactCharacter {
  // Whatever moves may run into the body: nothing is left out of the code by name.
  const given = createCharacter(rig, clips, { extremities: true, ...carriedAlong(rig.skeleton) })
  if (given.codeSize === 0) {
    throw new Error(`character: its ${clips.length} clips move no joint of the body; add others, or a .bvh motion.`)
  }
  checkCharacter(given, [...clips, ...heldOut])
  const character = characterAsStored(given)
  const posesOf = (of: readonly Clip[]): SkeletonPose[] =>
    evenlyFrom(
      clipFrames(character, of, FRAMES_PER_SECOND).map(({ pose }) => pose),
      MOST_POSES,
    )
  const poses = posesOf(clips)
  const judges = heldOut.length > 0 ? posesOf(heldOut) : poses.filter((_, i) => i % 2 === 1)
  return {
    character,
    neighbours,
    clips,
    heldOut,
    poses: heldOut.length > 0 ? poses : poses.filter((_, i) => i % 2 === 0),
    judges: evenlyFrom(judges, MOST_JUDGES),
  }
}

/** Poses in the file that codes to judge by are drawn around. */
const MOST_JUDGES = 240

interface Prepared extends PreparedTraining {
  tells?: Told
}

function startContact(
  spec: TrainSpec,
  subject: ContactCharacter,
  options: StartOptions,
): Training<Prepared, CharacterContactNetwork> {
  const { threads, signal } = options
  const { character, neighbours, poses } = subject
  const { carriers } = character.code
  return contactTraining(spec, options, {
    // Without carriers as before there were any: runs that were stopped go on.
    specHash: hashCharacter(character, poses, { ...spec, neighbours, carriers: carriers && [...carriers] }),
    roundsOf: 'a character',
    async learn(prepared, run) {
      const source = posedContacts(character, codesOfPoses(character, poses), neighbours)
      const pool = new ContactPool(source, { threads, signal })
      try {
        const { tells, ...learned } = await LEARNERS[spec.method](spec, character, pool, run)
        prepared.tells = tells
        return learned
      } finally {
        await pool.dispose()
      }
    },
    artifact: (prepared, learned) => artifactOf(spec, subject, prepared, learned),
  })
}

/** Places of a bone that the network of a pair sees, two of them as the bones next to it carry them (posed-gaps.ts). */
const SEEN = 6

type Learner = (
  spec: TrainSpec,
  character: SkinnedCharacter,
  pool: ContactPool,
  run: ContactRun,
) => Promise<LearnedNetwork<CharacterContactNetwork> & { tells: Told }>

export const LEARNERS: Record<TrainSpec['method'], Learner> = {
  async pliant(spec, character, pool, run) {
    const options = { ...clearanceLearning(spec), seen: SEEN }
    const learned = await learnClearances(characterFrames(character), pool, options, run)
    const { shape, weights, labels, steps, pairs, metres } = learned
    return { network: { kind: 'posed-gaps', shape }, tensors: weights, steps, poses: labels, tells: { pairs, metres } }
  },
  paper: (spec, _character, pool, run) => learnByCollisionState(pool, collisionLearning(spec), run),
}

export function artifactOf(
  spec: TrainSpec,
  { character, neighbours, clips, heldOut, judges }: ContactCharacter,
  { specHash, tells }: Prepared,
  { network, tensors, steps, poses }: LearnedNetwork<CharacterContactNetwork>,
): Artifact {
  return {
    kind: 'character-contact',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'self-distance',
      name: spec.name,
      code: describeJointCode(character),
      model: {
        kind: 'character-contact',
        ...describeCharacter(character),
        clips: clips.map((clip) => ({ name: clip.name, fingerprint: clipFingerprint(character.skeleton, clip) })),
        heldOut: { poses: judges.length, clips: heldOut.map(({ name }) => name) },
        neighbours,
        metres: tells!.metres,
      },
      networks: { distance: network },
      training: { method: spec.method, seed: spec.seed, specHash, steps, poses, labels: poses },
      quality: null,
    },
    networks: { distance: tensors },
    character,
    pairs: Uint32Array.from(tells!.pairs),
    heldOut: judges,
  }
}
