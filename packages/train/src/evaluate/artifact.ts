/** Judges trained files as a stranger would: unseen codes, compared with exact geometry. */
import { decode, type ObjectArtifact, type Quality } from 'pliant'
import { progressWithin } from 'pliant/unstable'
import { drawShapes } from '../poses/drawn-shapes.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { shapesOfPoses } from '../subjects/body-shapes.js'
import { judgePoses, runTimeMaterial } from '../subjects/elastic-object.js'
import { type EvaluateOptions, evaluateSettings, Judge } from './judge.js'
import type { PoseError } from './tally.js'

/**
 * Measures a trained object against exact geometry on poses that were never trained on.
 * @throws Error in one line if the bytes are not an artifact
 */
export async function evaluateArtifact(bytes: Uint8Array, options: EvaluateOptions = {}): Promise<Quality> {
  return (await evaluateArtifacts([await decode(bytes, 'linear-modes', 'elastic-body')], options))[0].quality
}

export interface ObjectJudgement {
  quality: Quality
  /** What the field said of its own error at these poses. */
  told: PoseError[]
}

/**
 * Files of one object on the same poses and points; of an elastic body, `evaluateBodies` says more.
 * @throws BadInput if they are of different objects
 */
export async function evaluateArtifacts(
  artifacts: readonly ObjectArtifact[],
  options: EvaluateOptions = {},
): Promise<ObjectJudgement[]> {
  const judge = await Judge.of(artifacts, options)
  try {
    const shapesOf = await unseenShapes(artifacts[0], options)
    const judged: ObjectJudgement[] = []
    for (const [file, artifact] of artifacts.entries()) {
      const report = progressWithin(options.onProgress, file / artifacts.length, (file + 1) / artifacts.length)
      const told: PoseError[] = []
      const quality = await judge.measure(file, shapesOf(artifact), report, (one) => told.push(one))
      judged.push({ quality, told })
    }
    return judged
  } finally {
    judge.dispose()
  }
}

/** Of an elastic body they come from new drops, in the material of run time; of others drawn from the code's range. */
async function unseenShapes(
  artifact: ObjectArtifact,
  options: EvaluateOptions,
): Promise<(artifact: ObjectArtifact) => PosedShapes> {
  const { poses, seed } = evaluateSettings(options)
  if (artifact.kind === 'linear-modes') return () => drawShapes(artifact.model, poses, seed, 'evaluate')
  const material = runTimeMaterial(artifact.manifest.model.material)
  const dropped = await judgePoses(artifact.body.mesh, material, poses, seed, {
    signal: options.signal,
    onProgress: () => options.onProgress?.({ fraction: 0, stage: 'dropping poses' }),
  })
  return (other) =>
    other.kind === 'elastic-body'
      ? shapesOfPoses(other.body, dropped)
      : drawShapes(other.model, poses, seed, 'evaluate')
}
