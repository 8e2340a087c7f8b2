/** A rigged character by its glTF file or its preset: its own clips, motions from other files, ranges of its joints. */
import { type Clip, type Rig, rigFromScene } from 'pliant/character'
import type { JointAliases } from 'pliant/unstable'
import { z } from 'zod'
import { asBadInput, BadInput } from '../input/bad-input.js'
import type { NamedFiles } from '../input/named-files.js'
import { type ClipChoice, chooseClips } from '../poses/choose-clips.js'
import type { RangeFile } from '../poses/joint-ranges.js'
import { type ReadMotion, readAliases, readMotions, USUAL_MOTIONS } from '../poses/read-motions.js'
import { type RangeMotion, readRanges } from '../poses/read-ranges.js'
import { findCharacterPreset } from '../presets/index.js'
import type { SpecModel } from '../spec/spec-model.js'
import { METHOD_DEFAULTS, type TrainSpec } from '../spec/train-spec.js'

/** What a spec says of a character, whatever is learned of it. */
export const CHARACTER_FIELDS = {
  /** A glTF file with a skin, or a preset's name. */
  rig: z.string().min(1),
  /** More clips: .bvh recordings, or glTF files with animations. */
  motion: z.array(z.string()).optional(),
  /** Names of clips never to train on but to judge by; a share of all if not given. */
  heldOut: z.array(z.string()).optional(),
  /** Names of clips to pass over. */
  leaveOut: z.array(z.string()).optional(),
  /** How far joints bend [degrees], or the path of a file that says it; with clips, adds random motion to them. */
  ranges: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  /** From joints of motions to the character's, or the path of a file that says it; null: moves nothing. */
  aliases: z.union([z.string(), z.record(z.string(), z.string().nullable())]).optional(),
  /** Of recordings, what stands as the character at rest: 'auto', 'first', 'none', or a time [s]. */
  reference: z.union([z.string(), z.number()]).optional(),
  /** Share of the surface that a motion must move. */
  minMatched: z.number().min(0).max(1).optional(),
}
const schema = z.strictObject(CHARACTER_FIELDS)

export type CharacterModel = z.infer<typeof schema>

/**
 * Ours is measured in docs/notes/character.md. The paper's: 400 poses of 10,000 samples as in section 4.2; it does not
 * say how long it trained.
 */
const DEFAULTS = {
  pliant: { poses: 1500, pointsPerPose: 2000, steps: 7000 },
  paper: { poses: 400, pointsPerPose: 10_000, steps: 20_000 },
} as const
const EVALUATION = { poses: 60, points: 2000 } as const

export const CHARACTER_MODEL: SpecModel = {
  learn: 'distance',
  key: 'rig',
  schema,
  // Not every glTF file: those without a skin are objects, and so is a character that a spec calls a mesh.
  takes: (source) => findCharacterPreset(source) !== undefined,
  // Its samples, truncation and rate are in heights of the body and stated where they are learned from.
  fields: ['name', 'method', 'seed', 'poses', 'pointsPerPose', 'steps', 'network', 'evaluation'],
  network: (method) =>
    method === 'pliant'
      ? { fields: ['resolution'], advice: 'a character takes resolution' }
      : { fields: [], advice: "the paper's network of a character has its own sizes" },
  defaults: (method) => ({ ...METHOD_DEFAULTS[method], ...DEFAULTS[method], evaluation: EVALUATION }),
}

/** As much of a rig as is trained on. */
export type BareRig = Pick<Rig, 'skeleton' | 'surface' | 'clips' | 'height'>

export interface TrainingCharacter<R extends BareRig = BareRig> {
  rig: R
  /** To train on. */
  clips: readonly Clip[]
  /** Never trained on; what it is judged by. Without any: clips that were trained on, with noise on all joints. */
  heldOut: readonly Clip[]
  /** Of its static grids, where it departs from the default. */
  resolution?: number
}

/** With what became of the files that the spec names. */
export interface ReadCharacter extends TrainingCharacter<Rig> {
  motions: ReadMotion[]
  /** Of a character that is trained within joint ranges. */
  ranges?: RangeMotion
  /** Its own clips and motions, as they were chosen from; ranges come on top. */
  choice: ClipChoice
}

/** @throws BadInput if the rig or a motion cannot be read, or no clips are left to train on */
export async function loadCharacter(spec: TrainSpec, model: CharacterModel, files: NamedFiles): Promise<ReadCharacter> {
  const { seed } = spec
  const preset = findCharacterPreset(model.rig)
  const rig = preset ? await preset.make() : await readRig(model.rig, files)
  const motions = await readMotions(model.motion ?? [], rig, await motionSettings(model, files), files)
  const all = [...rig.clips, ...motions.map(({ clip }) => clip)]
  const { leaveOut, heldOut = preset?.heldOut } = model
  if (heldOut && all.length === 0) {
    const [field, motion] = ['heldOut', 'motion'].map((name) => files.naming.field(name))
    throw new BadInput(`train: it has no clips to hold any out of; leave ${field} away, or pass ${motion}.`)
  }
  const choice = await asBadInput(() => chooseClips(rig.skeleton, all, { heldOut, leaveOut, seed }))
  // Without clips, ranges say how it moves; with both, they add to the clips, which it is still judged by.
  const ranges =
    model.ranges !== undefined || choice.train.length === 0
      ? await readRanges(model.ranges as string | RangeFile | undefined, rig, seed, files)
      : undefined
  return {
    rig,
    motions,
    ranges,
    choice,
    clips: [...choice.train, ...(ranges?.train ?? [])],
    heldOut: choice.train.length === 0 && ranges ? ranges.heldOut : choice.heldOut,
    resolution: spec.network.resolution ?? preset?.resolution,
  }
}

async function readRig(path: string, files: NamedFiles): Promise<Rig> {
  const file = await asBadInput(() => files.mesh(path), path)
  if (file.kind !== 'gltf' || !file.scene.meshes.some((mesh) => mesh.skin >= 0)) {
    throw new BadInput(`${path} is no rigged character; pass a glTF file whose meshes have a skin.`)
  }
  return asBadInput(() => rigFromScene(file.scene), path)
}

async function motionSettings({ aliases = {}, reference, minMatched }: CharacterModel, files: NamedFiles) {
  return {
    aliases: typeof aliases === 'string' ? await readAliases(aliases, files) : (aliases as JointAliases),
    reference: String(reference ?? USUAL_MOTIONS.reference),
    leastMatched: minMatched ?? USUAL_MOTIONS.leastMatched,
  }
}
