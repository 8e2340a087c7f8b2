/**
 * What the command line does with a trained file, by what it is of: one file in this folder for each kind, registered in
 * ./index.ts. A kind has the members of the verbs that apply to it; a verb refuses one that lacks its own, in a line that
 * names those which have it (`commandOf`).
 */
import type { LoadedSubject, Trained } from '@pliant/train'
import type { Artifact, NetworkOptions, ReducedModel, SelfContactField } from 'pliant'
import type { CharacterContactField } from 'pliant/character'
import type { HybridQuality } from 'pliant/detect'
import type { BendingShape, LinearShape } from 'pliant/exact'
import type { GltfScene } from 'pliant/files'
import type { Arguments } from '../arguments.js'
import type { AskedState } from '../asked-state.js'
import type { JudgeOptions } from '../judge-trained.js'
import type { OpenedField } from '../learned-field.js'
import type { Report } from '../output.js'
import type { TrainedReport } from '../training-report.js'

export interface KindCommands<A extends Artifact = Artifact> {
  /** What messages call one, */
  readonly one: string
  /** several of them, */
  readonly many: string
  /** and the command that makes one. */
  readonly madeBy: string
  /** `pliant inspect`. */
  inspect(file: InspectedFile<A>): Report
  /** What `pliant train` tells of a result. @param asked poses that were wanted */
  trained(subject: LoadedSubject, trained: Trained<A['kind']>, asked: number): TrainedReport | Promise<TrainedReport>
  /** `pliant query`: of fields of points. */
  readonly query?: QueryCommand<A>
  /** `pliant self-distance`: of fields of codes. */
  readonly selfDistance?: CodesCommand<A>
  /** `pliant repair`. */
  readonly repair?: RepairCommand<A>
  /** `pliant repair --motion`. */
  readonly repairMotion?: MotionCommand<A>
  /** `pliant evaluate`. */
  readonly evaluate?: EvaluateCommand<A>
  /** `pliant export --gltf`. */
  readonly gltf?: GltfCommand<A>
}

export interface InspectedFile<A extends Artifact> {
  path: string
  /** Its size. */
  bytes: number
  artifact: A
  /** Parameters of all networks; a count. */
  parameters: number
  /** Of one query, once posed. */
  multiplications: number
}

/** Option that says the shape. */
export type Way = 'code' | 'nodes' | 'motion'

export interface QueryCommand<A extends Artifact> {
  /** By which options a shape is said, each with its reader; the first is what others are told to use. */
  readonly states: { readonly [Name in Way]?: (path: string, artifact: A, args: Arguments) => Promise<AskedState> }
  open(artifact: A, state: AskedState, options: NetworkOptions): Promise<OpenedField>
  /** Vertices of its surface, or nodes, at a shape [m], xyz triples in the field's own frame: for a box that holds it. */
  surfaceAt(artifact: A, state: AskedState): Float64Array
}

export interface CodesCommand<A extends Artifact> {
  open(artifact: A, options: NetworkOptions): Promise<SelfContactField>
  /** What an exact test looks at. */
  shapeOf(artifact: A): LinearShape | BendingShape
  /** What handing codes to the exact test was measured to give; undefined if it never was. */
  hybridOf(artifact: A): HybridQuality | undefined
}

export interface RepairCommand<A extends Artifact> extends CodesCommand<A> {
  /** What makes shapes of codes: vertices of `--target` are its own, and `--mesh` writes them. */
  modelOf(artifact: A): ReducedModel
}

export interface MotionCommand<A extends Artifact> {
  open(artifact: A, options: NetworkOptions): Promise<CharacterContactField>
  /** Clearances beyond it were not learned [m]: no margin can be kept there. */
  reachOf(artifact: A): number
  /** What an exact test looks at. */
  shapeOf(artifact: A): BendingShape
}

export interface EvaluateCommand<A extends Artifact> {
  /** Options of the verb, without dashes, that it takes and not every kind does; limits (`GATES`) among them. */
  readonly options: readonly string[]
  judge(file: string, artifact: A, options: JudgeOptions): Promise<Evaluated>
}

/** Limits that somebody may set. */
export const GATES = ['max-error', 'min-sign', 'max-normal', 'min-balanced', 'max-false-negatives'] as const
export type GateName = (typeof GATES)[number]

/** What `pliant evaluate` tells of a file. */
export interface Evaluated {
  /** How it was trained. */
  method: string
  /** Keys of `--json` beside those that all have. */
  json: object
  /** For people. */
  lines: readonly string[]
  /** The figure that each limit is held against. */
  figures: { readonly [Name in GateName]?: number }
}

export interface GltfCommand<A extends Artifact> {
  /**
   * A collider in the wrong file would be found out only in the page that loads it.
   * @param nodes  names of the GLB's nodes
   * @param scene  undefined if its meshes are compressed
   * @throws UsageError saying in what the two differ
   */
  requireFits(
    artifact: A,
    glb: { path: string; nodes: readonly string[]; readScene: () => Promise<GltfScene | undefined> },
  ): Promise<'geometry' | 'names'>
}
