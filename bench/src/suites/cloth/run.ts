/**
 * Cloth on a skinned character (Zesch et al. section 4.2), all that we claim of it in one run: how good the learned field
 * is beside what a game would use instead, query time against the number of queries (Fig. 6), a crowd, the whole cloth
 * step against Rapier's soft bodies, and how a garment hangs on the body over a clip.
 */
import { drawClipPoses, fitGrids, type RigidRivals, rigidRivals } from '@pliant/train/unstable'
import { type Clip, skinnedMeshField } from 'pliant/character'
import { ExactMeshField, type ExactMeshFieldOptions } from 'pliant/exact'
import { bodyLandmarks, garmentKinds } from 'pliant/sim'
import type { OnProgress } from 'pliant/unstable'
import { type DrapeResult, measureDrape } from '../../drape/drape.js'
import type { CharacterGiven } from '../../inputs/character.js'
import { POINT_KINDS, type PointKind } from '../../queries/query-points.js'
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { type Gain, gainOver } from '../../timing/best-rival.js'
import { type Answer, answerByField, answerByPaperOnnx, answerByTree } from './answers.js'
import { type CrowdResult, timeCrowd } from './crowd.js'
import { type EnduranceResult, measureEndurance } from './endurance.js'
import { compareFields, type FieldComparison, fieldsOf } from './fields.js'
import { PAPER_CLOTH } from './paper.js'
import { timeAnswers } from './queries.js'
import { CROWD_RIVALS, EXACT_RIVALS, type QueryMethod } from './rivals.js'
import { type StepResult, timeStep } from './step.js'
import { type ClothSubject, disposeSubject, loadSubject } from './subject.js'
import { answerBySkinnedTree, answerByStaticGeometry } from './three-answers.js'

export interface QueryRow {
  points: PointKind
  count: number
  /** Median time of one frame [microseconds]: a new pose, then all queries with sign and normal. */
  microseconds: Record<QueryMethod, number>
  rounds: number
  /** Of the fastest exact rival, against learned on one thread. */
  best: Gain
}

export interface ClothBenchResult {
  character: {
    name: string
    /** [m] */
    height: number
    vertices: number
    triangles: number
    bones: number
    /** What it is judged by. */
    heldOut: string[]
    /** The motion of crowd, step and endurance: the hardest. */
    clip: string
  }
  network: { multiplications: number; backend: string; artifactBytes: number; paperTrained: boolean }
  /** What the paper says of its own, for comparison. */
  paper: typeof PAPER_CLOTH
  /** Error and time of each. */
  fields: FieldComparison
  queries: QueryRow[]
  crowd: CrowdResult<'learned' | 'learnedTwoThreads' | (typeof CROWD_RIVALS)[number]> & { best: Gain }
  step: StepResult
  /** One of each clip; none for a body that no garment is cut for. */
  drapes: DrapeResult[]
  endurance: EnduranceResult | null
}

const COUNTS = [1, 16, 128, 512, 1024, 2048, 8192, 16384]
const GRID_NODES = [16, 24, 32, 48]
const FULL = {
  counts: COUNTS,
  nodes: GRID_NODES,
  /** About how long each method is timed in each row [s]. */
  seconds: 0.3,
  /** Seeds to judge by, poses of each clip and seed, points of each pose. Not the seeds of training or `evaluate`. */
  seeds: [3, 4, 5, 6, 7],
  poses: 40,
  points: 2000,
  /** Poses of training that the fitted rival sees. */
  fitted: 240,
  /** Of the sheet against Rapier. */
  frames: 90,
  /** Simulated time [s], from each of so many moments of a clip. */
  drape: 10,
  starts: 2,
  endurance: 600,
}
const QUICK: typeof FULL = {
  counts: [1, 128, 2048],
  nodes: [16, 24],
  seconds: 0.05,
  seeds: [3, 4],
  poses: 3,
  points: 300,
  fitted: 10,
  frames: 6,
  drape: 1,
  starts: 2,
  endurance: 5,
}

export async function benchCloth({
  artifact: bytes,
  clips,
  trainingClips = [],
  joints,
  paper,
  signal,
  onProgress,
  quick,
}: RunOptions & CharacterGiven): Promise<ClothBenchResult> {
  if (!bytes) throw new Error('bench cloth: no artifact; train a character and pass it with --file.')
  const effort = quick ? QUICK : FULL
  const subject = await loadSubject(bytes, clips, paper)
  const { artifact, bones, learned } = subject
  const { manifest, character } = artifact
  const stage = stagesOf({ signal, onProgress })
  try {
    const rivals = rigidRivals(character, bones)
    const fitted = await fitRival(subject, trainingClips, effort.fitted, signal, stage('fitting', 0, 0.1))
    const fields = await compareFields(fieldsOf(subject, rivals, effort.nodes, fitted), character, subject.judges, {
      ...effort,
      signal,
      onProgress: stage('quality', 0.1, 0.2),
    })
    const hardest = subject.clips.find(({ name }) => name === fields.clip) ?? subject.clips[0]
    const paperOnnx = await answerByPaperOnnx(character, subject.paper)
    const answers = answersOf(subject, rivals, paperOnnx.answer)
    const poses = subject.judges[0].poses(effort.seeds[0], effort.poses)
    const queries: QueryRow[] = []
    const report = stage('queries', 0.2, 0.45)
    for (const points of POINT_KINDS) {
      for (const count of effort.counts) {
        const { medians, rounds } = await timeAnswers(answers, character, poses, points, count, effort.seconds)
        queries.push({ points, count, microseconds: medians, rounds, best: gainOver(medians, 'learned', EXACT_RIVALS) })
        report({ fraction: queries.length / (2 * effort.counts.length), detail: `${count} ${points} points` })
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
    await paperOnnx.dispose()
    stage('crowd', 0.45, 0.5)({ fraction: 0 })
    const { exact, exactStop, threeMeshBvh, threeMeshBvhStop, learnedTwoThreads } = answers
    const crowd = timeCrowd(
      { learned: answers.learned, learnedTwoThreads, exact, exactStop, threeMeshBvh, threeMeshBvhStop },
      character,
      hardest,
      effort.seconds,
    )
    const frames: Record<string, number> = {}
    for (const [name, { frame }] of Object.entries(crowd.methods)) frames[name] = frame
    stage('step', 0.5, 0.55)({ fraction: 0 })
    const step = await timeStep(character, bones, learned, hardest, effort.frames)
    const [garment] = garmentKinds(bodyLandmarks(character.skeleton, joints))
    const drapes: DrapeResult[] = []
    for (const [n, clip] of (garment ? subject.clips : []).entries()) {
      const share = 0.3 / subject.clips.length
      const options = { garment, joints, seconds: effort.drape, starts: effort.starts, fitted, signal }
      const onDrape = stage('drape', 0.55 + share * n, 0.55 + share * (n + 1))
      drapes.push(await measureDrape(artifact, clip, { ...options, onProgress: onDrape }))
    }
    const endurance =
      garment &&
      (await measureEndurance(artifact, bones, learned, hardest, {
        garment,
        joints,
        seconds: effort.endurance,
        signal,
        onProgress: stage('endurance', 0.85, 1),
      }))
    return {
      character: {
        name: manifest.name,
        height: character.height,
        vertices: character.vertexCount,
        triangles: character.triangles.length / 3,
        bones: bones.length,
        heldOut: subject.judges.map(({ clip }) => clip),
        clip: hardest.name,
      },
      network: {
        multiplications: subject.multiplications,
        backend: learned.network.backend,
        artifactBytes: bytes.length,
        paperTrained: subject.paper.trained,
      },
      paper: PAPER_CLOTH,
      fields,
      queries,
      crowd: { ...crowd, best: gainOver(frames, 'learned', CROWD_RIVALS) },
      step,
      drapes,
      endurance: endurance ?? null,
    }
  } finally {
    disposeSubject(subject)
  }
}

/** Grids fitted to poses of the training clips; none if those are not known. */
async function fitRival(
  { artifact: { character }, bones }: ClothSubject,
  clips: readonly Clip[],
  count: number,
  signal: AbortSignal | undefined,
  onProgress: OnProgress,
) {
  if (clips.length === 0) return undefined
  const poses = drawClipPoses(character, clips, { count, seed: 1 }).map(({ pose }) => pose)
  return fitGrids(character, bones, poses, { signal, onProgress })
}

function answersOf(
  subject: ClothSubject,
  { boneGrids, capsules }: RigidRivals,
  paperOrt: Answer,
): Record<QueryMethod, Answer> {
  const { character, manifest } = subject.artifact
  const { truncation } = manifest
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, positions)
  const exact = (options?: ExactMeshFieldOptions): Answer => {
    const mesh = new ExactMeshField({ positions, triangles: character.triangles }, options)
    return answerByField(character, skinnedMeshField(character, mesh))
  }
  return {
    learned: answerByField(character, subject.learned),
    learnedTwoThreads: answerByField(character, subject.learnedTwoThreads),
    paper: answerByField(character, subject.paper.field),
    paperOrt,
    exact: exact(),
    exactPseudonormal: exact({ sign: 'pseudonormal' }),
    exactStop: exact({ maxDistance: truncation }),
    threeMeshBvh: answerByTree(character),
    threeMeshBvhStop: answerByTree(character, truncation),
    staticGeometry: answerByStaticGeometry(character),
    skinnedMeshBvhStop: answerBySkinnedTree(character, truncation),
    boneGrids: answerByField(character, boneGrids),
    capsules: answerByField(character, capsules),
  }
}
