/**
 * Trained characters: violent are joints turned at random. They are judged in their own way, on poses of a skeleton
 * (`evaluateCharacter`), and beside rivals instead of other files.
 */
import { load } from 'pliant'
import type { CharacterArtifact } from 'pliant/character'
import { type EvaluateOptions, evaluateSettings } from '../evaluate/judge.js'
import { bandOf } from '../evaluate/judged-points.js'
import { ORDINARY, ownErrorOf, type ViolentPose, type ViolentSubject } from '../evaluate/violent.js'
import { boneAnswer, exportPointField, wholeAnswer } from '../export/onnx.js'
import { jointDrivers, skeletonGraph } from '../export/skeleton-graph.js'
import { drawCodes } from '../poses/codes.js'
import { withJointNoise } from '../poses/joint-noise.js'
import { streamOf } from '../streams/random-streams.js'
import type { TrainedKind } from './trained-kind.js'

export const CHARACTER: TrainedKind<CharacterArtifact> = {
  violent,
  onnx({ manifest, networks, character }) {
    const network = manifest.networks.distance
    const tensors = networks.distance
    return exportPointField(manifest.code.size, (asked) => {
      if (network.kind === 'whole') return wholeAnswer(manifest, network, tensors, asked)
      const { matrices, vectors } = skeletonGraph(character.code, asked.code)
      const bones = { matrices, drivers: jointDrivers(network.shape, vectors) }
      return boneAnswer(network.shape, bones, tensors, asked.points)
    })
  },
}

/** Held-out poses; these with noise on every joint; codes drawn from their range, no two joints of which agree. */
const NOISE_DEGREES = [10, 20, 40, 60]

async function violent(artifact: CharacterArtifact, options: EvaluateOptions): Promise<ViolentSubject> {
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
