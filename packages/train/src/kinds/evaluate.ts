/** Judges trained files as a stranger would: unseen codes, compared with exact geometry. */
import { type Artifact, decode, type PointKindName, type Quality, type SelfContactQuality } from 'pliant'
import { progressWithin } from 'pliant/unstable'
import { type EvaluateOptions, Judge } from '../evaluate/judge.js'
import { filesOfOneObject } from '../evaluate/same-object.js'
import { type EvaluateSelfContactOptions, measureSelfContact } from '../evaluate/self-contact.js'
import type { PoseError } from '../evaluate/tally.js'
import { measureViolent, type ViolentReport } from '../evaluate/violent.js'
import { kindsWith, toolOf } from './index.js'

/**
 * Measures a trained object against exact geometry on poses that were never trained on.
 * @throws Error in one line if the bytes are not an artifact
 */
export async function evaluateArtifact(bytes: Uint8Array, options: EvaluateOptions = {}): Promise<Quality> {
  return (await evaluateArtifacts([await decode(bytes, ...kindsWith('sideBySide'))], options))[0].quality
}

export interface ObjectJudgement {
  quality: Quality
  /** What the field said of its own error at these poses. */
  told: PoseError[]
}

/**
 * Files of one object on the same poses and points; of an elastic body, `evaluateBodies` says more.
 * @throws BadInput if they are of different objects, or of a kind whose files are not judged side by side
 */
export async function evaluateArtifacts(
  [first, ...others]: readonly Artifact[],
  options: EvaluateOptions = {},
): Promise<ObjectJudgement[]> {
  const { differenceOf, unseenShapes } = toolOf(first, 'sideBySide')
  const artifacts = filesOfOneObject(first, others, differenceOf)
  // Shapes to judge on are of kinds that answer points.
  const judge = await Judge.of(artifacts as Artifact<PointKindName>[], options)
  try {
    const shapesOf = await unseenShapes(first, options)
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

/**
 * From ordinary poses to violent ones: whether the file's field knows where it is wrong.
 * @throws BadInput if its kind has no violent poses, Error if the file was never judged
 */
export async function evaluateViolent(artifact: Artifact, options: EvaluateOptions = {}): Promise<ViolentReport> {
  return measureViolent(await toolOf(artifact, 'violent')(artifact, options), options)
}

/**
 * Measures a file that tells self-contact against the exact test: on codes drawn evenly from its box, or, of a character, on
 * poses as they come in use, around those that were held out.
 * @throws BadInput if it does not tell self-contact, RangeError if its surface is broken; the signal's reason when aborted
 */
export async function evaluateSelfContact(
  artifact: Artifact,
  options: EvaluateSelfContactOptions = {},
): Promise<SelfContactQuality> {
  return measureSelfContact(await toolOf(artifact, 'contacts')(artifact), options)
}
