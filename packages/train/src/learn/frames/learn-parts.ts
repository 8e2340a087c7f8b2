/**
 * Learns an elastic body's network in the frames of its parts: the same as a character's in the frames of its bones, with
 * the diagonal of the body at rest in place of the height. docs/notes/body.md has what it gains over one network of the
 * whole body.
 */
import { type BodyOfModes, boxOfPoints, surfaceOfTets } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { type BoneNetworkShape, boxDiagonal, PartFrames, tensorsOfParts } from 'pliant/unstable'
import type { TrainSpec } from '../../spec/train-spec.js'
import type { PreparedObject } from '../../subjects/training-object.js'
import type { LearnedNetwork, LearnNetworkOptions } from '../learned-network.js'
import { makeBoneData } from './bone-data.js'
import { initialBoneTensors } from './bone-initial.js'
import { fitParts, poseShape } from './fit-parts.js'
import { LEARN_BONES_DEFAULTS, learnBones } from './learn-bones.js'

/** Measured in docs/notes/body.md; `fade` in diagonals. */
export const PARTS_DEFAULTS = {
  parts: 24,
  resolution: 14,
  nearest: 3,
  fade: 0.03,
  sharpness: 60,
  coefficients: 8,
  codeHidden: 16,
  warp: { resolution: 5, features: 1 },
  grid: { features: 2 },
  hidden: 24,
} as const

export async function learnParts(
  spec: TrainSpec,
  { body, frame, shapes }: PreparedObject & { body: BodyOfModes },
  options: LearnNetworkOptions,
): Promise<LearnedNetwork> {
  const { parts: count, resolution, ...network } = PARTS_DEFAULTS
  const diagonal = boxDiagonal(boxOfPoints(body.mesh.positions))
  const { bones, frames } = fitParts(body, surfaceOfTets(body.mesh), shapes, {
    parts: spec.network.parts ?? count,
    resolution: spec.network.resolution ?? resolution,
    margin: frame.truncation,
  })
  const shape: BoneNetworkShape = { ...network, fade: network.fade * diagonal, scale: diagonal, bones }
  const parts = new PartFrames(shape, frames, body.modal)
  const restMatrices = parts.matrices.slice()
  const poses = {
    count: Math.min(options.labelled ?? Infinity, shapes.codes.length),
    mesh: shapes.mesh,
    positions: shapes.positions,
    bones(pose: number) {
      poseShape(parts, shapes, pose)
      return parts
    },
  }
  const { seed, pointsPerPose, mix, nearSigma, learningRate, posesPerBatch, pointsPerBatchPose } = spec
  const { threads, signal, onLabel, isOver, steps, onCheckpoint } = options
  const data = await makeBoneData(shape, poses, {
    pointsPerPose,
    mix,
    sigma: nearSigma * frame.normalisation.scale,
    margin: frame.truncation,
    seed,
    threads,
    signal,
    isOver,
    onProgress: onLabel,
  })
  const truncation = frame.truncation / diagonal
  const initial = initialBoneTensors(shape, restMatrices, new ExactMeshField(shapes.mesh), truncation, seed)
  const learning = { steps, learningRate, posesPerBatch, pointsPerBatchPose, truncation, seed }
  const learned = await learnBones(shape, initial, data, {
    ...LEARN_BONES_DEFAULTS,
    ...learning,
    ...options,
    onCheckpoint: onCheckpoint && ((all, state) => onCheckpoint(all, state, data.poses)),
    budgetSeconds: options.secondsLeft?.(),
  })
  const tensors = new Map([...learned.tensors, ...tensorsOfParts(frames)])
  return { network: { kind: 'parts', shape, domain: frame.domain }, tensors, steps: learned.steps, poses: data.poses }
}
