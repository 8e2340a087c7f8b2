/**
 * A trained file from ordinary poses to violent ones, such as nobody trains on: does the field know where it is wrong?
 * Bodies are bent, twisted, stretched, squashed and posed by random codes; characters' joints are turned at random;
 * objects of a few modes leave the range of their code.
 */
import {
  type Artifact,
  boxOfPoints,
  type FieldOf,
  load,
  type ObjectArtifact,
  type Random,
  type TrainedField,
  type TriangleMesh,
} from 'pliant'
import type { CharacterArtifact } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { boxDiagonal } from 'pliant/unstable'
import { type Bending, bendNodes, LARGEST_BENDINGS } from '../poses/bent-nodes.js'
import { drawCodes } from '../poses/codes.js'
import { withJointNoise } from '../poses/joint-noise.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { streamOf } from '../streams/random-streams.js'
import { shapesOfPoses } from '../subjects/body-shapes.js'
import { judgePoses, runTimeMaterial } from '../subjects/elastic-object.js'
import { hiddenPoints } from './hidden-points.js'
import { type EvaluateOptions, evaluateSettings } from './judge.js'
import { bandOf, drawJudgedPoints, NEAR_ALONE } from './judged-points.js'
import { type OwnErrorReport, ownErrorReport } from './own-error.js'
import type { PoseError } from './tally.js'

export interface ViolentReport extends OwnErrorReport {
  /** Mean error that the file says it has [m]. */
  ownError: number
  /** Length that percentages refer to [m]. */
  size: number
  /** Of ordinary poses alone: such as the file is judged by. */
  ordinary: { poses: number; flagged: number }
  kinds: { kind: string; poses: number; error: number; expected: number; flagged: number }[]
}

/** A shape, and a field posed like it. */
interface ViolentPose {
  kind: string
  positions(out: Float64Array): void
  pose(): void
}

interface Subject {
  field: TrainedField
  mesh: TriangleMesh
  /** Length that percentages refer to, and half-width of the band [m]. */
  size: number
  band: number
  ownError: number
  /** Ordinary ones first. */
  poses: ViolentPose[]
}

const ORDINARY = 'ordinary'

/** @throws Error if the file was never judged */
export async function evaluateViolent(
  trained: Artifact | CharacterArtifact,
  options: EvaluateOptions = {},
): Promise<ViolentReport> {
  const subject = 'character' in trained ? await ofCharacter(trained, options) : await ofObject(trained, options)
  const { field, mesh, size, band, ownError, poses } = subject
  const { points: count, seed } = evaluateSettings(options)
  const exact = new ExactMeshField(mesh)
  const positions = Float64Array.from(mesh.positions)
  const points = new Float64Array(3 * count)
  const truth = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
  const learned = new Float64Array(count)
  const told: (PoseError & { kind: string })[] = []
  try {
    for (const [i, pose] of poses.entries()) {
      options.signal?.throwIfAborted()
      pose.positions(positions)
      pose.pose()
      exact.update({ vertices: positions })
      const random = streamOf('violentPoses', seed, i)
      drawJudgedPoints({ positions, triangles: mesh.triangles }, band, count, random, points, NEAR_ALONE)
      exact.closest(points, count, truth)
      field.query(points, count, learned)
      const hidden = hiddenPoints(exact, points, count, truth, size)
      const error = meanBandError(truth.distances, learned, hidden, band)
      told.push({ kind: pose.kind, error, expected: field.expectedError, trusted: field.trusted })
      options.onProgress?.({ fraction: (i + 1) / poses.length, stage: 'ordinary to violent poses' })
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  } finally {
    field.dispose()
  }
  const kinds = [...new Set(told.map(({ kind }) => kind))].map((kind) => {
    const own = told.filter((one) => one.kind === kind)
    const mean = (of: (one: PoseError) => number): number => own.reduce((sum, one) => sum + of(one), 0) / own.length
    return {
      kind,
      poses: own.length,
      error: mean(({ error }) => error),
      expected: mean(({ expected }) => expected),
      flagged: own.filter(({ trusted }) => !trusted).length,
    }
  })
  const { poses: ordinary, flagged } = kinds.find(({ kind }) => kind === ORDINARY)!
  return { ...ownErrorReport(told, ownError), ownError, size, ordinary: { poses: ordinary, flagged }, kinds }
}

function meanBandError(truth: Float64Array, learned: Float64Array, hidden: Uint8Array, band: number): number {
  let sum = 0
  let judged = 0
  for (let i = 0; i < truth.length; i++) {
    if (Math.abs(truth[i]) > band || hidden[i] === 1) continue
    sum += Math.abs(learned[i] - truth[i])
    judged++
  }
  return sum / judged
}

/** Held-out poses; these with noise on every joint; codes drawn from their range, no two joints of which agree. */
const NOISE_DEGREES = [10, 20, 40, 60]

async function ofCharacter(artifact: CharacterArtifact, options: EvaluateOptions): Promise<Subject> {
  const { character, heldOut, manifest } = artifact
  const { seed } = evaluateSettings(options)
  const count = options.poses ?? heldOut.length
  if (heldOut.length === 0) throw new Error(`evaluate: ${manifest.name} holds no poses to judge by; train it again.`)
  const field = await load(artifact)
  const { skeleton, triangles, height } = character
  const poses: ViolentPose[] = []
  const add = (kind: string, pose: (typeof heldOut)[number]): void => {
    poses.push({
      kind,
      positions: (out) => character.positionsOfPose(pose, out),
      pose: () => field.update(skeleton.stateOf(pose)),
    })
  }
  const ordinary = Array.from({ length: count }, (_, i) => heldOut[i % heldOut.length])
  for (const pose of ordinary) add(ORDINARY, pose)
  for (const [k, degrees] of NOISE_DEGREES.entries()) {
    for (const [i, pose] of ordinary.slice(0, Math.ceil(count / NOISE_DEGREES.length)).entries()) {
      const random = streamOf('violentPoses', seed, 1_000_000 * (k + 1) + i)
      add(`joint noise of ${degrees} degrees`, withJointNoise(skeleton, pose, (degrees * Math.PI) / 180, random))
    }
  }
  for (const code of drawCodes(character, Math.ceil(count / NOISE_DEGREES.length), seed, 'evaluate')) {
    const pose = skeleton.createPose()
    character.code.decode(code, pose)
    add('random codes', pose)
  }
  const mesh = { positions: new Float64Array(3 * character.vertexCount), triangles }
  character.positionsOfPose(skeleton.rest, mesh.positions)
  return { field, mesh, size: height, band: bandOf(height, manifest.truncation), ownError: ownErrorOf(manifest), poses }
}

async function ofObject(artifact: ObjectArtifact, options: EvaluateOptions): Promise<Subject> {
  const { manifest, model } = artifact
  const { poses: count, seed } = evaluateSettings(options)
  const field = await load(artifact)
  const mesh = { positions: model.rest, triangles: model.triangles }
  const byCodes = (kind: string, codes: Float64Array[]): ViolentPose[] =>
    codes.map((code) => ({
      kind,
      positions: (out) => model.positions(code, out),
      pose: () => field.update({ code }),
    }))
  const poses: ViolentPose[] = []
  if (artifact.kind === 'elastic-body') {
    const { body } = artifact
    const elastic = field as FieldOf<'elastic-body'>
    const byNodes = (kind: string, shapes: PosedShapes): ViolentPose[] =>
      shapes.codes.map((_, i) => ({
        kind,
        positions: (out) => shapes.positions(i, out),
        pose: () => elastic.update({ nodes: shapes.nodes!(i) }),
      }))
    const dropped = await judgePoses(body.mesh, runTimeMaterial(artifact.manifest.model.material), count, seed, {
      signal: options.signal,
      onProgress: () => options.onProgress?.({ fraction: 0, stage: 'dropping poses' }),
    })
    poses.push(...byNodes(ORDINARY, shapesOfPoses(body, dropped)))
    const random = streamOf('bentPoses', seed)
    const each = Math.ceil(count / 5)
    for (const kind of Object.keys(LARGEST_BENDINGS) as Bending[]) {
      const bent = bentPoses(body.mesh.positions, kind, each, random)
      poses.push(...byNodes(`${kind} ${LARGEST_TEXT[kind]}`, shapesOfPoses(body, { count: each, positions: bent })))
    }
    const codes = drawCodes(model, each, seed, 'evaluate')
    poses.push(...byCodes('random codes of their range, of a part or all of it', shrunk(codes, manifest.code)))
  } else {
    poses.push(...byCodes(ORDINARY, drawCodes(model, count, seed, 'evaluate')))
    for (const [k, times] of BEYOND.entries()) {
      const codes = drawCodes(model, Math.ceil(count / BEYOND.length), seed + 1000 * (k + 1), 'evaluate')
      const { lower, upper } = manifest.code
      const wide = codes.map((code) => code.map((value, i) => widened(value, lower[i], upper[i], times)))
      poses.push(...byCodes(`codes of ${times} times their range`, wide))
    }
  }
  const size = boxDiagonal(boxOfPoints(mesh.positions))
  return { field, mesh, size, band: bandOf(size, manifest.truncation), ownError: ownErrorOf(manifest), poses }
}

const BEYOND = [1.25, 1.5, 2, 3]
const LARGEST_TEXT: Readonly<Record<Bending, string>> = {
  bend: 'by up to 60 degrees',
  twist: 'by up to 90 degrees',
  stretch: 'by up to 30%',
  squash: 'by up to 30%',
}

/** Of growing amounts, the last one the largest. */
function bentPoses(rest: ArrayLike<number>, kind: Bending, count: number, random: Random): Float32Array {
  const all = new Float32Array(count * rest.length)
  for (let i = 0; i < count; i++) {
    all.set(bendNodes(rest, kind, (LARGEST_BENDINGS[kind] * (i + 1)) / count, random), i * rest.length)
  }
  return all
}

/** Codes drawn towards the middle of their range, the last one not at all. */
function shrunk(codes: Float64Array[], { lower, upper }: { lower: number[]; upper: number[] }): Float64Array[] {
  return codes.map((code, k) => code.map((value, i) => widened(value, lower[i], upper[i], (k + 1) / codes.length)))
}

function widened(value: number, lower: number, upper: number, times: number): number {
  const middle = (lower + upper) / 2
  return middle + times * (value - middle)
}

function ownErrorOf({ name, quality }: Pick<Artifact['manifest'], 'name' | 'quality'>): number {
  if (!quality)
    throw new Error(`evaluate: ${name} was never judged, so it has no error to compare with; train it again.`)
  return quality.bandError.mean
}
