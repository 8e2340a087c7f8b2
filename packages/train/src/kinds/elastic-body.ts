/** Trained elastic bodies: posed by drops, and violently by bending, twisting, stretching, squashing and random codes. */
import { type BodyArtifact, load, type Random } from 'pliant'
import { PartMotions, takeParts } from 'pliant/unstable'
import { differenceOfBodies } from '../evaluate/elastic-body.js'
import { type EvaluateOptions, evaluateSettings } from '../evaluate/judge.js'
import { ORDINARY, posesOfCodes, type ViolentPose, violentObject, widened } from '../evaluate/violent.js'
import { boneAnswer, exportPointField, wholeAnswer } from '../export/onnx.js'
import { partsGraph } from '../export/parts-graph.js'
import { type Bending, bendNodes, LARGEST_BENDINGS } from '../poses/bent-nodes.js'
import { drawCodes } from '../poses/codes.js'
import type { DropPoses } from '../poses/drop-poses.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { streamOf } from '../streams/random-streams.js'
import { shapesOfPoses } from '../subjects/body-shapes.js'
import { judgePoses, runTimeMaterial } from '../subjects/elastic-object.js'
import type { TrainedKind } from './trained-kind.js'

export const ELASTIC_BODY: TrainedKind<BodyArtifact> = {
  sideBySide: {
    differenceOf: differenceOfBodies,
    async unseenShapes(first, options) {
      const dropped = await dropUnseen(first, options)
      return ({ body }) => shapesOfPoses(body, dropped)
    },
  },
  async violent(artifact, options) {
    const { body, manifest, model } = artifact
    const { poses: count, seed } = evaluateSettings(options)
    const field = await load(artifact)
    const byNodes = (kind: string, shapes: PosedShapes): ViolentPose[] =>
      shapes.codes.map((_, i) => ({
        kind,
        positions: (out) => shapes.positions(i, out),
        pose: () => field.update({ nodes: shapes.nodes!(i) }),
      }))
    const poses = byNodes(ORDINARY, shapesOfPoses(body, await dropUnseen(artifact, options)))
    const random = streamOf('bentPoses', seed)
    const each = Math.ceil(count / 5)
    for (const kind of Object.keys(LARGEST_BENDINGS) as Bending[]) {
      const bent = bentPoses(body.mesh.positions, kind, each, random)
      poses.push(...byNodes(`${kind} ${LARGEST_TEXT[kind]}`, shapesOfPoses(body, { count: each, positions: bent })))
    }
    const codes = shrunk(drawCodes(model, each, seed, 'evaluate'), manifest.code)
    poses.push(...posesOfCodes('random codes of their range, of a part or all of it', artifact, field, codes))
    return violentObject(artifact, field, poses)
  },
  onnx({ manifest, networks, body }) {
    const network = manifest.networks.distance
    const tensors = networks.distance
    return exportPointField(manifest.code.size, (asked) => {
      if (network.kind === 'whole') return wholeAnswer(manifest, network, tensors, asked)
      const parts = takeParts(tensors)
      const bones = partsGraph(network.shape, parts, new PartMotions(body.modal, parts.weights), asked.code!)
      return boneAnswer(network.shape, bones, tensors, asked.points)
    })
  },
}

/** Dropped again, in the material of run time. */
function dropUnseen({ body, manifest }: BodyArtifact, options: EvaluateOptions): Promise<DropPoses> {
  const { poses, seed } = evaluateSettings(options)
  return judgePoses(body.mesh, runTimeMaterial(manifest.model.material), poses, seed, {
    signal: options.signal,
    onProgress: () => options.onProgress?.({ fraction: 0, stage: 'dropping poses' }),
  })
}

const LARGEST_TEXT: Readonly<Record<Bending, string>> = {
  bend: 'by up to 60 degrees',
  twist: 'by up to 90 degrees',
  stretch: 'by up to 30%',
  squash: 'by up to 30%',
}

/** Of growing amounts, the last one the largest. */
function bentPoses(rest: ArrayLike<number>, kind: Bending, count: number, random: Random): Float32Array {
  const all = new Float32Array(count * rest.length)
  for (let i = 0; i < count; i++) {
    all.set(bendNodes(rest, kind, (LARGEST_BENDINGS[kind] * (i + 1)) / count, random), i * rest.length)
  }
  return all
}

/** Codes drawn towards the middle of their range, the last one not at all. */
function shrunk(codes: Float64Array[], { lower, upper }: { lower: number[]; upper: number[] }): Float64Array[] {
  return codes.map((code, k) => code.map((value, i) => widened(value, lower[i], upper[i], (k + 1) / codes.length)))
}
