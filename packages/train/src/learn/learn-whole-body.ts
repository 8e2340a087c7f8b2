/**
 * The paper's network for a character (Zesch et al. 2022, sections 3.2 and 4.2): frames of the clips in the
 * root frame, one dense network of point and joint angles, clamped L1, a constant rate. What it is measured against:
 * docs/notes/character-paper.md.
 */
import { type Box, boxOfPoints, type WholeNetwork } from 'pliant'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { boxUnion, frameOfManifest } from 'pliant/unstable'
import { makeDataset } from '../label/dataset.js'
import { clipFrames } from '../poses/clip-poses.js'
import { frameAround } from '../poses/frame.js'
import { spreadPoses } from '../poses/joint-noise.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { METHOD_DEFAULTS } from '../spec/train-spec.js'
import type { ClosedCharacter } from '../subjects/closed-character.js'
import { hashCharacter } from '../subjects/hash-character.js'
import { learn } from './learn.js'
import type { LearnableCharacter, LearnCharacterSettings } from './learnable-character.js'
import { paperNetwork } from './network-default.js'

/** Samples 2 : 2 : 1 and Adam's rate of 1e-4 as for objects. */
const SAMPLING = { mix: METHOD_DEFAULTS.paper.mix, nearSigma: 0.02 }
const LEARNING = {
  method: 'paper',
  learningRate: METHOD_DEFAULTS.paper.learningRate,
  truncation: 0.1,
  // The paper names no batch size. 4,096 do in a quarter of the time what 16,384 do: loss .88% after 85 s, not 1.30.
  posesPerBatch: 64,
  pointsPerBatchPose: 64,
} as const
/** At which clips are looked at. */
const FRAMES_PER_SECOND = 30

/** @throws Error if there are no clips */
export function characterAsWhole(
  { character, clips }: ClosedCharacter,
  { seed, poses: count, pointsPerPose, steps }: LearnCharacterSettings,
): LearnableCharacter {
  const frames = clipFrames(character, clips, FRAMES_PER_SECOND).map(({ pose }) => pose)
  const poses = spreadPoses(character.skeleton, frames, count, 0)
  const { truncation, ...cube } = frameAround(reachOf(character, poses), LEARNING.truncation)
  const shape = { ...cube, dense: paperNetwork(character.codeSize) }
  const { size, bounds } = character.code
  const network: WholeNetwork = {
    kind: 'whole',
    shape: shape.dense,
    // The joint code is within [-1, 1] as it is.
    normalisation: {
      centre: cube.centre,
      scale: cube.scale,
      codeOffset: Array<number>(size).fill(0),
      codeScale: Array<number>(size).fill(1),
    },
    domain: cube.domain,
  }
  const code = { size, lower: [...bounds.lower], upper: [...bounds.upper] }
  const frame = frameOfManifest({ name: 'character', code, truncation }, network)
  const sampling = { ...SAMPLING, pointsPerPose }
  const learning = { ...LEARNING, steps }
  return {
    specHash: hashCharacter(character, poses, { shape, sampling, learning }),
    truncation,
    poses: poses.length,
    async learn(options) {
      const { threads, signal, onLabel, onCheckpoint, labelled = count } = options
      const some = spreadPoses(character.skeleton, poses, labelled, 0)
      // Not told when time is over: frames are in their order, and the last of them would be missing.
      const data = await makeDataset({ ...sampling, seed }, shapesOf(character, some), frame, {
        threads,
        signal,
        onProgress: onLabel,
      })
      const learned = await learn({ ...learning, seed, steps: options.steps }, shape.dense, data, {
        ...options,
        onCheckpoint: onCheckpoint && ((all, state) => onCheckpoint(all, state, data.poses)),
        budgetSeconds: options.secondsLeft?.(),
      })
      return { ...learned, network, poses: data.poses }
    },
  }
}

/** The box that all poses lie in. */
function reachOf(character: SkinnedCharacter, poses: readonly SkeletonPose[]): Box {
  const positions = new Float64Array(3 * character.vertexCount)
  return poses
    .map((pose) => {
      character.positionsOfPose(pose, positions)
      return boxOfPoints(positions)
    })
    .reduce(boxUnion)
}

function shapesOf(character: SkinnedCharacter, poses: readonly SkeletonPose[]): PosedShapes {
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, rest)
  return {
    mesh: { positions: rest, triangles: character.triangles },
    codes: poses.map((pose) => {
      const code = new Float64Array(character.codeSize)
      character.encodePose(pose, code)
      return code
    }),
    positions: (p, out) => character.positionsOfPose(poses[p], out),
  }
}
