/**
 * Cloth on a skinned character (Zesch et al. section 4.2), all that we claim of it in one run: how good the learned field
 * is beside what a game would use instead, query time against the number of queries (Fig. 6), a crowd, the whole cloth
 * step against Rapier's soft bodies, and how a garment hangs on the body over a clip.
 */
import { type RigidRivals, rigidRivals } from '@pliant/train'
import { ExactMeshField } from 'pliant/exact'
import { bodyLandmarks, exactField, garmentKinds } from 'pliant/sim'
import { type Answer, answerByField, answerByStaticGeometry, answerByTree } from './cloth-answers.js'
import { type CrowdResult, timeCrowd } from './cloth-crowd.js'
import { type EnduranceResult, measureEndurance } from './cloth-endurance.js'
import { compareFields, FIELD_QUERIES, type FieldFigures, fieldsOf } from './cloth-fields.js'
import { PAPER_CLOTH } from './cloth-paper.js'
import { timeAnswers } from './cloth-queries.js'
import { type StepResult, timeStep } from './cloth-step.js'
import { type ClothSubject, disposeSubject, loadSubject } from './cloth-subject.js'
import { type DrapeResult, measureDrape } from './drape.js'
import { POINT_KINDS, type PointKind } from './query-points.js'
import type { SuiteOptions } from './suite.js'

export type QueryMethod =
  | 'learned'
  | 'learnedTwoThreads'
  | 'paper'
  | 'exact'
  | 'threeMeshBvh'
  | 'staticGeometry'
  | 'boneGrids'
  | 'capsules'

export interface QueryRow {
  points: PointKind
  count: number
  /** Median time of one frame [microseconds]: a new pose, then all queries with sign and normal. */
  microseconds: Record<QueryMethod, number>
  /** threeMeshBvh / learned: above 1 the learned field is faster. */
  ratio: number
}

export interface ClothBenchResult {
  character: {
    name: string
    /** [m] */
    height: number
    vertices: number
    triangles: number
    bones: number
    /** Clips that the held-out poses are of; none: clips that were trained on, with noise. */
    heldOut: string[]
    /** The motion of crowd, step and drape. */
    clip: string
  }
  network: { multiplications: number; backend: string; artifactBytes: number; paperTrained: boolean }
  /** What the paper says of its own, for comparison. */
  paper: typeof PAPER_CLOTH
  /** Error and time of each, in frames of so many queries. */
  fields: { queries: number; poses: number; rows: FieldFigures[] }
  queries: QueryRow[]
  crowd: CrowdResult<'learned' | 'learnedTwoThreads' | 'threeMeshBvh'> & { ratio: number }
  step: StepResult
  /** Null for a body that no garment is cut for. */
  drape: DrapeResult | null
  endurance: EnduranceResult | null
}

const COUNTS = [1, 16, 128, 512, 2048, 8192, 16384]
const GRID_NODES = [16, 24, 32, 48]
const FULL = {
  counts: COUNTS,
  nodes: GRID_NODES,
  /** About how long each method is timed in each row [s]. */
  seconds: 0.3,
  /** Held-out poses to judge by, and points of each. */
  poses: 60,
  points: 2000,
  /** Of the sheet against Rapier. */
  frames: 90,
  /** [s] */
  drape: 20,
  endurance: 600,
}
const QUICK: typeof FULL = {
  counts: [1, 128, 2048],
  nodes: [16, 24],
  seconds: 0.05,
  poses: 5,
  points: 500,
  frames: 6,
  drape: 2,
  endurance: 5,
}

export async function benchCloth({
  artifact: bytes,
  clip,
  paper,
  signal,
  onProgress,
  quick,
}: SuiteOptions): Promise<ClothBenchResult> {
  if (!bytes) throw new Error('bench cloth: no artifact; train a character and pass it with --file.')
  const effort = quick ? QUICK : FULL
  const subject = await loadSubject(bytes, clip, paper)
  const { artifact, bones, learned } = subject
  const { manifest, character } = artifact
  const poses = evenly(subject.judges.poses, effort.poses)
  const stage = (name: string, from: number, to: number) => (fraction: number, detail?: string) => {
    signal?.throwIfAborted()
    onProgress?.({ fraction: from + (to - from) * fraction, stage: name, ...(detail !== undefined && { detail }) })
  }
  try {
    const rivals = rigidRivals(character, bones)
    const rows = await compareFields(fieldsOf(subject, rivals, effort.nodes), character, poses, {
      points: effort.points,
      seconds: effort.seconds,
      signal,
      onProgress: stage('quality', 0, 0.2),
    })
    const answers = answersOf(subject, rivals)
    const queries: QueryRow[] = []
    const report = stage('queries', 0.2, 0.5)
    for (const points of POINT_KINDS) {
      for (const count of effort.counts) {
        const microseconds = timeAnswers(answers, character, poses, points, count, effort.seconds)
        queries.push({ points, count, microseconds, ratio: microseconds.threeMeshBvh / microseconds.learned })
        report(queries.length / (2 * effort.counts.length), `${count} ${points} points`)
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
    stage('crowd', 0.5, 0.55)(0)
    const { learnedTwoThreads, threeMeshBvh } = answers
    const crowd = timeCrowd(
      { learned: answers.learned, learnedTwoThreads, threeMeshBvh },
      character,
      subject.clip,
      effort.seconds,
    )
    stage('step', 0.55, 0.6)(0)
    const step = await timeStep(character, bones, learned, subject.clip, effort.frames)
    const [garment] = garmentKinds(bodyLandmarks(character.skeleton))
    const drape =
      garment &&
      (await measureDrape(artifact, subject.clip, {
        garment,
        seconds: effort.drape,
        signal,
        onProgress: stage('drape', 0.6, 0.8),
      }))
    const endurance =
      garment &&
      (await measureEndurance(artifact, bones, learned, subject.clip, {
        garment,
        seconds: effort.endurance,
        signal,
        onProgress: stage('endurance', 0.8, 1),
      }))
    const { methods } = crowd
    return {
      character: {
        name: manifest.name,
        height: character.height,
        vertices: character.vertexCount,
        triangles: character.triangles.length / 3,
        bones: bones.length,
        heldOut: subject.judges.clips,
        clip: subject.clip.name,
      },
      network: {
        multiplications: subject.multiplications,
        backend: learned.network.backend,
        artifactBytes: bytes.length,
        paperTrained: subject.paper.trained,
      },
      paper: PAPER_CLOTH,
      fields: { queries: FIELD_QUERIES, poses: poses.length, rows },
      queries,
      crowd: { ...crowd, ratio: methods.threeMeshBvh.frame / methods.learned.frame },
      step,
      drape: drape ?? null,
      endurance: endurance ?? null,
    }
  } finally {
    disposeSubject(subject)
  }
}

/** So many of a list, from all over it. */
function evenly<Item>(list: readonly Item[], count: number): Item[] {
  return list.filter((_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length))
}

function answersOf(subject: ClothSubject, { boneGrids, capsules }: RigidRivals): Record<QueryMethod, Answer> {
  const { character } = subject.artifact
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, positions)
  const mesh = new ExactMeshField({ positions, triangles: character.triangles })
  return {
    learned: answerByField(character, subject.learned),
    learnedTwoThreads: answerByField(character, subject.learnedTwoThreads),
    paper: answerByField(character, subject.paper.field),
    exact: answerByField(character, exactField(character, mesh)),
    threeMeshBvh: answerByTree(character),
    staticGeometry: answerByStaticGeometry(character),
    boneGrids: answerByField(character, boneGrids),
    capsules: answerByField(character, capsules),
  }
}
