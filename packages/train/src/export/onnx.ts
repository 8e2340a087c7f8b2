/**
 * A trained field of points as plain ONNX, for every other engine: inputs `points` [n, 3] in metres and `code` [c] as
 * the user has it, outputs `distance` [n] and `gradient` [n, 3]. Normalisation, the rule outside the domain and, of
 * networks in frames, what poses these (which each kind gives, ../kinds) are part of the graph, so the file answers what
 * `pliant query` answers.
 */
import type { Manifest, NeuralFrame, WholeNetwork } from 'pliant'
import { type BoneNetworkShape, boneTensors, frameOfManifest, networkTensors } from 'pliant/unstable'
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

type Tensors = ReadonlyMap<string, Float32Array>

/** What a graph makes of points and code, [n, 1] or [n] and [n, 3]. */
interface Answer {
  distance: Tensor
  gradient: Tensor
}

/** What a network is asked for in a graph. */
interface Asked {
  points: Tensor
  /** Null if there is none: of a static object. */
  code: Tensor | null
}

/** @param answer  makes the graph of the network */
export function exportPointField(codeSize: number, answer: (asked: Asked) => Answer): Uint8Array<ArrayBuffer> {
  const points = input('points', ['n', 3])
  const code = codeSize > 0 ? input('code', [codeSize]) : null
  const { distance, gradient } = answer({ points, code })
  return exportOnnx({
    inputs: code ? [points, code] : [points],
    outputs: { distance: reshape(distance, ['n']), gradient },
    parametersAsConstants: true,
  })
}

/** Of one network of the whole object. */
export function wholeAnswer(
  manifest: Manifest,
  network: WholeNetwork,
  tensors: Tensors,
  { points, code }: Asked,
): Answer {
  const frame = frameOfManifest(manifest, network)
  const { shape } = network
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

/** Of a network in frames. @param bones  where these are at the code */
export function boneAnswer(shape: BoneNetworkShape, bones: PosedBones, tensors: Tensors, points: Tensor): Answer {
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
