/** Subject: how near a character's poses are to touching themselves, by its joint angles. */
import type { Artifact, Progress } from 'pliant'
import type { CharacterContactArtifact, Clip, PosedGapsNetwork, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { characterAsStored, clipFingerprint, createCharacter, describeCharacter, FORMAT_VERSION } from 'pliant/unstable'
import { contactFault } from '../evaluate/contact-verdict.js'
import { asBadInput, BadInput } from '../input/bad-input.js'
import { evaluateSelfContact } from '../kinds/evaluate.js'
import { ContactPool } from '../label/contact-pool.js'
import { posedContacts } from '../label/posed-contacts.js'
import type { LearnedNetwork } from '../learn/learned-network.js'
import {
  CLEARANCE_LEARNING,
  type ClearanceLearning,
  type LearnedClearances,
  learnClearances,
} from '../learn/posed-contact/learn-clearances.js'
import type { JobRun } from '../plan/planned-job.js'
import { CONTACT_STAGES } from '../plan/stages.js'
import { clipFrames } from '../poses/clip-poses.js'
import { codesOfPoses } from '../poses/codes-of-poses.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { loadCharacter, type ReadCharacter } from '../subjects/character.js'
import { CHARACTER_CONTACT_MODEL, type CharacterContactModel, neighboursOf } from '../subjects/character-contact.js'
import { checkCharacter } from '../subjects/check-character.js'
import { hashCharacter } from '../subjects/hash-character.js'
import { AXES } from './character.js'
import type { Judged, LoadedSubject, PreparedTraining, StartOptions, Subject, Training } from './subject.js'

export type LoadedCharacterContact = LoadedSubject & ReadCharacter

export const CHARACTER_CONTACT: Subject<CharacterContactModel> = {
  model: CHARACTER_CONTACT_MODEL,
  async load(spec, model, files): Promise<LoadedCharacterContact> {
    if (spec.method === 'paper') {
      throw new BadInput(
        "self-contact: of a character's joint angles it is learned by our own method alone; leave the method out.",
      )
    }
    const read = await loadCharacter(spec, model, files)
    const subject = await asBadInput(() => contactCharacter(read, neighboursOf(model)))
    return { ...read, kind: 'character-contact', start: async (starting) => startContact(spec, subject, starting) }
  },
}

/** Poses of clips that codes are drawn around, at most: evenly from all. */
const MOST_POSES = 4000
const FRAMES_PER_SECOND = 30

interface ContactCharacter {
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

/** @throws Error if the clips do not move it, or move it beyond reason */
function contactCharacter(
  { rig, clips, heldOut }: ReadCharacter,
  neighbours: ContactCharacter['neighbours'],
): ContactCharacter {
  // Whatever moves may run into the body: nothing is left out of the code by name.
  const given = createCharacter(rig, clips, { extremities: true })
  if (given.codeSize === 0) {
    throw new Error(`character: its ${clips.length} clips move no joint of the body; add others, or a .bvh motion.`)
  }
  checkCharacter(given, [...clips, ...heldOut])
  const character = characterAsStored(given)
  const posesOf = (of: readonly Clip[]): SkeletonPose[] =>
    thinned(
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
    judges: thinned(judges, MOST_JUDGES),
  }
}
/** Poses in the file that codes to judge by are drawn around. */
const MOST_JUDGES = 240

function thinned<T>(all: readonly T[], most: number): T[] {
  const every = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * every)])
}

interface Prepared extends PreparedTraining {
  learned?: LearnedClearances
}

function startContact(
  spec: TrainSpec,
  subject: ContactCharacter,
  options: StartOptions,
): Training<Prepared, PosedGapsNetwork> {
  const { threads, signal, checkpointPath, resume, onWarning, budgetMinutes } = options
  if (budgetMinutes !== undefined) {
    throw new BadInput(
      'self-contact: rounds of a character cannot be cut by a budget; leave --budget out, and pass --poses and --steps to do less.',
    )
  }
  const { character, neighbours, poses } = subject
  const specHash = hashCharacter(character, poses, { ...spec, neighbours })
  return {
    stages: CONTACT_STAGES,
    counts: { poses: spec.poses, steps: spec.steps, judges: spec.evaluation.poses },
    isRehearsed: false,
    keepsItself: true,
    prepare: async () => ({ specHash, made: spec.poses, toLabel: spec.poses }),
    async learn(prepared, { checkpointSeconds }, run): Promise<LearnedNetwork<PosedGapsNetwork>> {
      const source = posedContacts(character, codesOfPoses(character, poses), neighbours)
      const pool = new ContactPool(source, { threads, signal })
      const onProgress = ({ fraction, stage, detail = '' }: Progress): void =>
        run.report('learn', fraction, `${stage}: ${detail}`)
      const learning = { seed: spec.seed, specHash, threads, signal, onProgress, checkpointPath, resume, onWarning }
      try {
        prepared.learned = await learnClearances(character, pool, optionsOf(spec), { ...learning, checkpointSeconds })
        const { shape, weights, labels, steps } = prepared.learned
        return { network: { kind: 'posed-gaps', shape }, tensors: weights, steps, poses: labels }
      } finally {
        await pool.dispose()
      }
    },
    artifact: (prepared, learned) => artifactOf(spec, subject, prepared, learned),
    judge: (artifact, _, run) => judge(spec, artifact as CharacterContactArtifact, threads, signal, run),
  }
}

function optionsOf({ poses, steps, learningRate, network }: TrainSpec): ClearanceLearning {
  const { hidden, activation } = { ...CLEARANCE_LEARNING, ...network }
  const { pilot, tested } = CLEARANCE_LEARNING
  return {
    ...CLEARANCE_LEARNING,
    ...{ labels: poses, steps, learningRate, hidden, activation },
    // What comes before and after is worth less where little is learned.
    pilot: Math.min(pilot, poses),
    tested: Math.min(tested, poses),
  }
}

function artifactOf(
  spec: TrainSpec,
  { character, neighbours, clips, heldOut, judges }: ContactCharacter,
  { specHash, learned }: Prepared,
  { network, tensors, steps, poses }: LearnedNetwork<PosedGapsNetwork>,
): Artifact {
  const { code, skeleton } = character
  return {
    kind: 'character-contact',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'self-distance',
      name: spec.name,
      code: {
        size: code.size,
        names: Array.from(code.joints, (joint, entry) => `${skeleton.names[joint]} ${AXES[code.axes[entry]]}`),
        lower: [...code.bounds.lower],
        upper: [...code.bounds.upper],
        how: 'rotation vectors of joints from rest over pi, then slides over the height; see SkinnedCharacter.encodePose',
      },
      model: {
        kind: 'character-contact',
        ...describeCharacter(character),
        clips: clips.map((clip) => ({ name: clip.name, fingerprint: clipFingerprint(skeleton, clip) })),
        heldOut: { poses: judges.length, clips: heldOut.map(({ name }) => name) },
        neighbours,
        metres: learned!.metres,
      },
      networks: { distance: network },
      training: { method: spec.method, seed: spec.seed, specHash, steps, poses, labels: poses },
      quality: null,
    },
    networks: { distance: tensors },
    character,
    pairs: Uint32Array.from(learned!.pairs),
    heldOut: judges,
  }
}

async function judge(
  { evaluation: { poses: codes }, seed }: TrainSpec,
  artifact: CharacterContactArtifact,
  threads: number,
  signal: AbortSignal | undefined,
  run: JobRun,
): Promise<Judged> {
  const onProgress = ({ fraction }: Progress): void => run.report('evaluate', fraction, `${codes} unseen poses`)
  const quality = await evaluateSelfContact(artifact, { codes, seed, threads, signal, onProgress })
  return {
    quality,
    stored: Number.isFinite(quality.signAccuracy) ? quality : null,
    fault: contactFault(quality),
  }
}
