/** The main job for characters: from a rig and its clips to one file, judged on clips that were held out. */
import {
  type CharacterArtifact,
  type CharacterManifest,
  type Clip,
  createCharacter,
  encodeCharacter,
  FORMAT_VERSION,
  loadCharacter,
  type Quality,
  type Rig,
  randomStream,
} from 'pliant'
import { measureCharacter } from '../evaluate/character.js'
import { clipFrames } from '../poses/clip-poses.js'
import { LEARN_BONES_DEFAULTS } from './learn-bones.js'
import { TRAIN_CHARACTER_DEFAULTS, type TrainCharacterOptions, trainCharacter } from './train-character.js'

export interface CharacterFileOptions extends TrainCharacterOptions {
  name: string
  /** What to train on; the rig's own clips if left out. */
  clips?: readonly Clip[]
  /** Never trained on; the quality in the file is measured on these, or else on none and left out. */
  heldOut?: readonly Clip[]
  /** Poses of the held-out clips to judge on, and points of each. */
  evaluation?: { poses: number; points: number }
}

export interface CharacterFile {
  bytes: Uint8Array<ArrayBuffer>
  quality: Quality | null
  seconds: number
}

/** @throws Error if there are no clips to train on; the signal's reason when aborted */
export async function trainCharacterFile(
  rig: Pick<Rig, 'skeleton' | 'surface' | 'clips' | 'height'>,
  options: CharacterFileOptions,
): Promise<CharacterFile> {
  const began = performance.now()
  const clips = options.clips ?? rig.clips
  const character = createCharacter(rig, clips)
  const { shape, tensors } = await trainCharacter(character, clips, options)
  const { seed, steps, poses, pointsPerPose } = { ...TRAIN_CHARACTER_DEFAULTS, ...options }
  const { code, surface, skeleton } = character
  const manifest: CharacterManifest = {
    format: FORMAT_VERSION,
    kind: 'character',
    name: options.name,
    code: {
      size: code.size,
      names: Array.from(code.joints, (joint, entry) => `${skeleton.names[joint]} ${AXES[code.axes[entry]]}`),
      lower: [...code.bounds.lower],
      upper: [...code.bounds.upper],
      how: 'rotation vectors of joints from rest over pi, then slides over the height; see SkinnedCharacter.encodePose',
      largestAngle: code.largestAngle,
    },
    skeleton: { names: [...skeleton.names], root: skeleton.root },
    surface: {
      vertices: character.vertexCount,
      triangles: surface.triangles.length / 3,
      influences: surface.influenceBones.length,
      bones: surface.bones.joints.length,
      skinning: character.skinning,
    },
    truncation: LEARN_BONES_DEFAULTS.truncation * character.height,
    network: shape,
    training: {
      method: 'pliant',
      seed,
      steps,
      poses,
      labels: poses * pointsPerPose,
      clips: clips.map(({ name }) => name),
    },
    quality: null,
  }
  const artifact: CharacterArtifact = { manifest, character, network: tensors }
  manifest.quality = await judge(artifact, options)
  return { bytes: encodeCharacter(artifact), quality: manifest.quality, seconds: (performance.now() - began) / 1000 }
}

const AXES = ['x', 'y', 'z', 'slide x', 'slide y', 'slide z']
/** Random stream by which poses to judge on are drawn. */
const JUDGE_STREAM = 800_000_000

async function judge(artifact: CharacterArtifact, options: CharacterFileOptions): Promise<Quality | null> {
  if (!options.heldOut || options.heldOut.length === 0) return null
  const { poses, points } = options.evaluation ?? { poses: 40, points: 2000 }
  const seed = options.seed ?? TRAIN_CHARACTER_DEFAULTS.seed
  const frames = clipFrames(artifact.character, options.heldOut, 30)
  const random = randomStream(seed, JUDGE_STREAM)
  const drawn = Array.from({ length: poses }, () => frames[random.below(frames.length)].pose)
  const field = await loadCharacter(artifact)
  try {
    const judged = await measureCharacter({ field }, artifact.character, drawn, {
      points,
      seed,
      signal: options.signal,
    })
    return judged.field
  } finally {
    field.dispose()
  }
}
