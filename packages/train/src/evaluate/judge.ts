/**
 * Trained files of one object, judged alike: the same points of the same shapes, in the part of the band that all of
 * them were trained on.
 */
import {
  type Artifact,
  type CodeState,
  load,
  type MovingField,
  type PointKindName,
  type Progress,
  type Quality,
} from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { measureQuality } from './quality.js'
import type { PoseError } from './tally.js'

/** On how many poses and points a file is evaluated. */
export interface EvaluateOptions {
  /** How many poses, none of them trained on. */
  poses?: number
  /** How many points of each pose; a count. */
  points?: number
  /** Another seed draws other codes and points. */
  seed?: number
  /** Stops the evaluation. */
  signal?: AbortSignal
  /** Told how far it has come. */
  onProgress?: (progress: Progress) => void
}
/** Seed 2: another than the default seed of training, whose evaluation is stored in the file. */
export const EVALUATE_DEFAULTS = { poses: 100, points: 2000, seed: 2 } as const

export function evaluateSettings({ poses, points, seed }: EvaluateOptions): {
  poses: number
  points: number
  seed: number
} {
  return {
    poses: poses ?? EVALUATE_DEFAULTS.poses,
    points: points ?? EVALUATE_DEFAULTS.points,
    seed: seed ?? EVALUATE_DEFAULTS.seed,
  }
}

type LoadedField = MovingField<CodeState> & { dispose(): void }

export class Judge {
  private constructor(
    private readonly fields: readonly LoadedField[],
    private readonly truncation: number,
    private readonly options: EvaluateOptions,
  ) {}

  /** @param artifacts of one object (`filesOfOneObject`) */
  static async of(artifacts: readonly Artifact<PointKindName>[], options: EvaluateOptions): Promise<Judge> {
    const truncation = Math.min(...artifacts.map(({ manifest }) => manifest.truncation))
    const fields: LoadedField[] = []
    for (const artifact of artifacts) fields.push(await load(artifact))
    return new Judge(fields, truncation, options)
  }

  /** @param file number of the file */
  measure(
    file: number,
    shapes: PosedShapes,
    onProgress: OnProgress,
    onPose?: (told: PoseError) => void,
  ): Promise<Quality> {
    const { truncation } = this
    const { points, seed } = evaluateSettings(this.options)
    const { signal } = this.options
    return measureQuality(this.fields[file], shapes, { points, seed, truncation, signal, onProgress, onPose })
  }

  dispose(): void {
    for (const field of this.fields) field.dispose()
  }
}
