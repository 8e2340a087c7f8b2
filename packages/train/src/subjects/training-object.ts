/** What objects have in common, meshes with modes and elastic bodies: shapes to train on, and others to judge by. */
import type { BodyOfModes, LinearModes, NeuralFrame, ObjectArtifact, TriangleMesh } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import type { OwnThreadOptions } from '../pool/index.js'
import type { DropReport } from '../poses/drop-poses.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import type { ResumableRun } from '../resume/checkpoint.js'
import type { TetrahedraliseReport } from '../tets/tetrahedralise.js'

export interface TrainingObject {
  /** At rest. */
  surface: TriangleMesh & { positions: Float64Array }
  /** How a user gets the code. */
  how: string
  specHash: string
  /** What was made of the files otherwise than they say, one line each. */
  warnings?: string[]
  /** Of a surface that was filled with tetrahedra: what became of it. */
  filling?: TetrahedraliseReport
  /** Shapes of a stopped run that it would go on with. @throws BadInput if they are of another run */
  kept?(run: ResumableRun): number
  /** Shapes to train on, and what they settle. */
  prepare(options: PrepareOptions): Promise<PreparedObject>
}

/** Shapes that take long to make can be gone on with, too. */
export interface PrepareOptions extends ResumableRun {
  /** One per core unless told otherwise; shapes are the same for any number. */
  threads?: number
  /** How many shapes; as the spec says if not given. */
  poses?: number
  /** Shapes that are simulated are kept in memory for a run after this one. */
  isRehearsal?: boolean
  signal?: AbortSignal
  onProgress?: OnProgress
  /** Of an elastic body: how far its modes are. */
  onModes?: OnProgress
  /** Of a run with a budget: whether its share for shapes is used up. */
  timeIsUp?: () => boolean
}

export interface PreparedObject {
  model: LinearModes
  codeNames: string[]
  /** Of an elastic body. */
  body?: BodyOfModes
  sizes: ObjectArtifact['manifest']['model']
  frame: NeuralFrame
  shapes: PosedShapes
  /** What became of the drops that the shapes of an elastic body come from. */
  drops?: DropReport
  /** Shapes that were never trained on, to judge by. */
  judges(options: PrepareOptions): Promise<PosedShapes>
}

/** While what a spec names is read: a surface that is filled with tetrahedra takes a while. */
export interface LoadOptions extends OwnThreadOptions {
  /** After so long no body of more nodes is tried [s]. */
  secondsToFill?: number
}
