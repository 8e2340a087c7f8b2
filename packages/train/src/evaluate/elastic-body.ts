/**
 * Judges files of one elastic body side by side, by drops that none of them was trained on, and tells shares of their
 * error apart: in the material of run time and in that of training, what another material costs; posed by nodes, by codes,
 * and exactly in the modes, what the code leaves out and what the network does not know.
 */
import { type Artifact, type BodyArtifact, type BodyMaterial, type BodyOfModes, ModalBody, type Quality } from 'pliant'
import { expectKind, progressWithin } from 'pliant/unstable'
import { BadInput } from '../input/bad-input.js'
import { type DropPoses, type DropReport, dropReport } from '../poses/drop-poses.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { shapesOfPoses } from '../subjects/body-shapes.js'
import { judgePoses, runTimeMaterial } from '../subjects/elastic-object.js'
import { type EvaluateOptions, evaluateSettings, Judge } from './judge.js'
import { filesOfOneObject, sameNumbers } from './same-object.js'
import type { PoseError } from './tally.js'

/** What a file makes of the poses of one material. */
export interface BodyJudgement {
  /** What the poses were dropped in. */
  material: BodyMaterial
  drops: DropReport
  /** Poses whose code lies in the range that was trained. */
  inRange: number
  /** How far the modes leave nodes from where they are [m], over all nodes of all poses. */
  projection: { mean: number; rms: number }
  /** On the shapes as the simulation left them, the field posed by nodes if it can be. */
  quality: Quality
  /** What the field said of its own error at these poses. */
  told: PoseError[]
  /** The same, the field posed by the code: the code's share is the difference. The same numbers if codes are all it takes. */
  byCode: Quality
  /** On the shapes that the modes make of the same poses: the network's share alone. */
  inModes: Quality
}

export interface BodyEvaluation {
  runTime: BodyJudgement
  training: BodyJudgement
}

/** Of the time that a material takes, the share in which its poses are dropped; the rest goes to measuring. */
const DROPPING = 0.8

/**
 * @param artifacts files of one body, the first of which says what it is made of
 * @returns the judgement of each, on the same poses and points
 * @throws BadInput if they are not elastic, or not of one body
 */
export async function evaluateBodies(
  artifacts: readonly Artifact[],
  options: EvaluateOptions = {},
): Promise<BodyEvaluation[]> {
  const [first, ...others] = artifacts
  const bodies = filesOfOneObject(requireBody(first), others, differenceOfBodies)
  const { material } = bodies[0].manifest.model
  const judge = await Judge.of(bodies, options)
  const during = (from: number, name: string): EvaluateOptions => ({
    ...options,
    onProgress: progressWithin(options.onProgress, from, from + 0.5, { stage: name }),
  })
  try {
    const runTime = await inMaterial(judge, bodies, runTimeMaterial(material), during(0, 'material of run time'))
    const training = await inMaterial(judge, bodies, material, during(0.5, 'material of training'))
    return artifacts.map((_, file) => ({ runTime: runTime[file], training: training[file] }))
  } finally {
    judge.dispose()
  }
}

async function inMaterial(
  judge: Judge,
  artifacts: readonly BodyArtifact[],
  material: BodyMaterial,
  options: EvaluateOptions,
): Promise<BodyJudgement[]> {
  const { poses, seed } = evaluateSettings(options)
  const { signal, onProgress } = options
  const dropped = await judgePoses(artifacts[0].body.mesh, material, poses, seed, {
    signal,
    onProgress: progressWithin(onProgress, 0, DROPPING),
  })
  const share = (1 - DROPPING) / (3 * artifacts.length)
  const measure = (
    file: number,
    shapes: PosedShapes,
    before: number,
    how: string,
    told?: PoseError[],
  ): Promise<Quality> =>
    judge.measure(
      file,
      shapes,
      progressWithin(onProgress, DROPPING + share * before, DROPPING + share * (before + 1), {
        detail: `comparing ${how} with exact geometry`,
      }),
      (one) => told?.push(one),
    )
  const judgements: BodyJudgement[] = []
  for (const [file, { body, manifest }] of artifacts.entries()) {
    const told: PoseError[] = []
    const shapes = shapesOfPoses(body, dropped)
    const projected = projectPoses(body, dropped)
    judgements.push({
      material,
      drops: dropReport(dropped),
      inRange: shapes.codes.filter((code) => isInRange(code, manifest.code)).length,
      projection: projected.error,
      quality: await measure(file, shapes, 3 * file, 'shapes', told),
      told,
      byCode: await measure(file, { ...shapes, nodes: undefined }, 3 * file + 1, 'shapes by their codes'),
      inModes: await measure(file, shapesOfPoses(body, projected), 3 * file + 2, 'shapes in the modes'),
    })
  }
  return judgements
}

function isInRange(code: Float64Array, { lower, upper }: BodyArtifact['manifest']['code']): boolean {
  return code.every((value, i) => value >= lower[i] && value <= upper[i])
}

/**
 * The shapes nearest to poses, in the norm of masses, that the modes can make.
 * @returns node positions in the frame of the rest shape, and the distances of nodes from where they were [m]
 */
function projectPoses(
  { modal }: BodyOfModes,
  { count, positions }: Pick<DropPoses, 'count' | 'positions'>,
): Pick<DropPoses, 'count' | 'positions'> & { error: BodyJudgement['projection'] } {
  const { rest, masses, modes } = modal
  // A code that does not count masses is no inverse of X + U z (model/modal-body.ts).
  const nearest = modal.weighting === 'mass' ? modal : new ModalBody({ rest, masses, modes, weighting: 'mass' })
  const code = new Float64Array(nearest.codeSize)
  const frame = new Float64Array(16)
  const shape = new Float64Array(rest.length)
  const projected = new Float32Array(count * rest.length)
  let sum = 0
  let squares = 0
  for (let pose = 0; pose < count; pose++) {
    const nodes = positions.subarray(pose * rest.length, (pose + 1) * rest.length)
    nearest.encode(nodes, code, frame)
    nearest.positions(code, shape)
    projected.set(shape, pose * rest.length)
    for (let i = 0; i < rest.length; i += 3) {
      const squared = squaredMiss(frame, shape, nodes, i)
      sum += Math.sqrt(squared)
      squares += squared
    }
  }
  const nodes = Math.max(1, (count * rest.length) / 3)
  return { count, positions: projected, error: { mean: sum / nodes, rms: Math.sqrt(squares / nodes) } }
}

/** Squared distance of a node from where a column-major 4x4 carries its place in the rest frame. */
function squaredMiss(frame: Float64Array, shape: Float64Array, nodes: Float32Array, at: number): number {
  let squared = 0
  for (let axis = 0; axis < 3; axis++) {
    const carried =
      frame[axis] * shape[at] + frame[4 + axis] * shape[at + 1] + frame[8 + axis] * shape[at + 2] + frame[12 + axis]
    squared += (carried - nodes[at + axis]) ** 2
  }
  return squared
}

function requireBody(artifact: Artifact): BodyArtifact {
  const { name } = artifact.manifest
  return expectKind(artifact, 'elastic-body', (kind) => new BadInput(`${name} is no elastic body but of kind ${kind}.`))
}

/** Modes and their number may differ: each file encodes nodes for itself. */
export function differenceOfBodies({ body: { mesh } }: BodyArtifact, { body }: BodyArtifact): string | undefined {
  const other = body.mesh
  if (!sameNumbers(mesh.tetrahedra, other.tetrahedra)) {
    return `it has ${other.tetrahedra.length / 4} tetrahedra of its own, not the ${mesh.tetrahedra.length / 4} of the first`
  }
  return sameNumbers(mesh.positions, other.positions) ? undefined : 'its nodes lie elsewhere'
}
