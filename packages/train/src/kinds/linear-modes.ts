/** Trained objects that bend by a few modes: posed by codes, and violently by such that leave their range. */
import { load, type ModesArtifact } from 'pliant'
import { evaluateSettings } from '../evaluate/judge.js'
import { sameNumbers } from '../evaluate/same-object.js'
import { ORDINARY, posesOfCodes, type ViolentPose, violentObject, widened } from '../evaluate/violent.js'
import { exportPointField, wholeAnswer } from '../export/onnx.js'
import { drawCodes } from '../poses/codes.js'
import { drawShapes } from '../poses/drawn-shapes.js'
import type { TrainedKind } from './trained-kind.js'

/** Times their range, to which violent codes go. */
const BEYOND = [1.25, 1.5, 2, 3]

export const LINEAR_MODES: TrainedKind<ModesArtifact> = {
  sideBySide: {
    differenceOf,
    async unseenShapes({ model }, options) {
      const { poses, seed } = evaluateSettings(options)
      return () => drawShapes(model, poses, seed, 'evaluate')
    },
  },
  async violent(artifact, options) {
    const { manifest, model } = artifact
    const { poses: count, seed } = evaluateSettings(options)
    const field = await load(artifact)
    const poses: ViolentPose[] = posesOfCodes(ORDINARY, artifact, field, drawCodes(model, count, seed, 'evaluate'))
    for (const [k, times] of BEYOND.entries()) {
      const codes = drawCodes(model, Math.ceil(count / BEYOND.length), seed + 1000 * (k + 1), 'evaluate')
      const { lower, upper } = manifest.code
      const wide = codes.map((code) => code.map((value, i) => widened(value, lower[i], upper[i], times)))
      poses.push(...posesOfCodes(`codes of ${times} times their range`, artifact, field, wide))
    }
    return violentObject(artifact, field, poses)
  },
  onnx: ({ manifest, networks }) =>
    exportPointField(manifest.code.size, (asked) =>
      wholeAnswer(manifest, manifest.networks.distance, networks.distance, asked),
    ),
}

/** The code is what is posed, so the modes must be the same. */
function differenceOf({ model }: ModesArtifact, { model: other }: ModesArtifact): string | undefined {
  if (!sameNumbers(model.triangles, other.triangles)) {
    return `it has ${other.triangles.length / 3} triangles of its own, not the ${model.triangles.length / 3} of the first`
  }
  if (!sameNumbers(model.rest, other.rest)) return 'its vertices lie elsewhere'
  if (!sameNumbers(model.modes, other.modes)) {
    return `its ${other.codeSize} modes are not the ${model.codeSize} of the first`
  }
  const { bounds } = model
  const same = sameNumbers(bounds.lower, other.bounds.lower) && sameNumbers(bounds.upper, other.bounds.upper)
  return same ? undefined : 'its code has another range'
}
