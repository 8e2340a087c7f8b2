/**
 * A trained artifact as plain ONNX, for every other engine: inputs `points` [n, 3] in metres and `code` [c] as the user
 * has it, outputs `distance` [n] and `gradient` [n, 3]. Normalisation, the rule outside the domain and, of a character,
 * the skeleton and the choice of bones (of an elastic body, its parts) are part of the graph, so the file answers what `pliant query` answers.
 */
import { decode, type ModalBody, type NeuralFrame } from 'pliant'
import type { CharacterArtifact } from 'pliant/character'
import {
  type BoneNetworkShape,
  boneTensors,
  frameOfManifest,
  type NetworkShape,
  networkTensors,
  PartMotions,
  takeParts,
} from 'pliant/unstable'
import {
  add,
  constant,
  div,
  exportOnnx,
  grad,
  greater,
  input,
  maximum,
  minimum,
  mul,
  reshape,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
  where,
} from '../graph/index.js'
import { boneGraph } from '../learn/frames/bone-graph.js'
import { networkGraph } from '../learn/network-graph.js'
import { boneView, type PosedBones } from './bone-view-graph.js'
import { partsGraph } from './parts-graph.js'
import { jointDrivers, skeletonGraph } from './skeleton-graph.js'

type Tensors = ReadonlyMap<string, Float32Array>

/** What a graph makes of points and code, [n, 1] or [n] and [n, 3]. */
interface Answer {
  distance: Tensor
  gradient: Tensor
}

/**
 * A trained object or character as ONNX, for other engines: points and code in, distance and gradient out, all in
 * metres.
 * @throws Error in one line if the bytes are not an artifact
 */
export async function exportArtifactOnnx(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const artifact = await decode(bytes)
  const tensors = artifact.networks.distance
  return exportField(artifact.manifest.code.size, (points, code) => {
    const { manifest } = artifact
    const network = manifest.networks.distance
    if (network.kind === 'whole') {
      return denseAnswer(frameOfManifest(manifest, network), network.shape, tensors, points, code)
    }
    const bones =
      artifact.kind === 'elastic-body'
        ? bonesOfParts(network.shape, tensors, artifact.body.modal, code!)
        : bonesOfJoints(network.shape, artifact as CharacterArtifact, code)
    return boneAnswer(network.shape, bones, tensors, points)
  })
}

function bonesOfParts(shape: BoneNetworkShape, network: Tensors, modal: ModalBody, code: Tensor): PosedBones {
  const data = takeParts(network)
  return partsGraph(shape, data, new PartMotions(modal, data.weights), code)
}

function bonesOfJoints(shape: BoneNetworkShape, { character }: CharacterArtifact, code: Tensor | null): PosedBones {
  const { matrices, vectors } = skeletonGraph(character.code, code)
  return { matrices, drivers: jointDrivers(shape, vectors) }
}

function exportField(
  codeSize: number,
  answer: (points: Tensor, code: Tensor | null) => Answer,
): Uint8Array<ArrayBuffer> {
  const points = input('points', ['n', 3])
  const code = codeSize > 0 ? input('code', [codeSize]) : null
  const { distance, gradient } = answer(points, code)
  return exportOnnx({
    inputs: code ? [points, code] : [points],
    outputs: { distance: reshape(distance, ['n']), gradient },
    parametersAsConstants: true,
  })
}

function denseAnswer(
  frame: NeuralFrame,
  shape: NetworkShape,
  tensors: Tensors,
  points: Tensor,
  code: Tensor | null,
): Answer {
  const { normalisation, domain, truncation } = frame
  const normalised = div(sub(points, row(normalisation.centre)), normalisation.scale)
  const value = networkGraph(shape, constants(networkTensors(shape), tensors), {
    points: normalised,
    codes: code && normaliseCode(code, frame),
    poses: 1,
    pointsPerPose: 'n',
  })
  const slope = grad(sum(value), [normalised])[0]

  // Outside the domain: the truncation plus the distance to its box (pliant's field/neural.ts).
  const clamped = minimum(maximum(points, row(domain.lower)), row(domain.upper))
  const beyond = sub(points, clamped)
  const reach = sqrt(sum(square(beyond), [1], true))
  const outside = greater(reach, 0)
  const safeReach = where(outside, reach, 1)
  return {
    distance: where(outside, add(reach, truncation), mul(value, normalisation.scale)),
    gradient: where(outside, div(beyond, safeReach), slope),
  }
}

function boneAnswer(shape: BoneNetworkShape, bones: PosedBones, tensors: Tensors, points: Tensor): Answer {
  // Where there are fewer bones than are asked to answer, all do.
  const answering = { ...shape, nearest: Math.min(shape.nearest, shape.bones.length) }
  const batch = boneView(answering, bones, points)
  const value = boneGraph(answering, constants(boneTensors(shape), tensors), batch)
  const distance = mul(value, shape.scale)
  return { distance, gradient: grad(distance, [points])[0] }
}

function constants(dimensions: ReadonlyMap<string, number[]>, tensors: Tensors): (name: string) => Tensor {
  return (name) => constant(tensors.get(name)!, dimensions.get(name)!)
}

function normaliseCode(code: Tensor, { normalisation, code: { size } }: NeuralFrame): Tensor {
  const scaled = mul(
    sub(code, constant(Float32Array.from(normalisation.codeOffset), [size])),
    constant(Float32Array.from(normalisation.codeScale), [size]),
  )
  return reshape(scaled, [1, size])
}

function row(values: ArrayLike<number>): Tensor {
  return constant(Float32Array.from(values), [1, 3])
}
