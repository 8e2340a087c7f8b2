/**
 * A trained artifact as plain ONNX, for every other engine: inputs `points` [n, 3] in metres and `code` [c] as the user
 * has it, outputs `distance` [n] and `gradient` [n, 3]. Normalisation, and the rule outside the domain, are part of the
 * graph, so the file answers what `pliant query` answers.
 */
import { decodeArtifact, type Manifest, networkTensors } from 'pliant'
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
import { networkGraph } from '../learn/network-graph.js'

/** @throws Error in one line if the bytes are not an artifact */
export function exportArtifactOnnx(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { manifest, network } = decodeArtifact(bytes)
  const { normalisation, code } = manifest
  const points = input('points', ['n', 3])
  const rawCode = code.size > 0 ? input('code', [code.size]) : null
  const codes = rawCode && normaliseCode(rawCode, manifest)
  const normalised = div(sub(points, row(normalisation.centre)), normalisation.scale)
  const dims = networkTensors(manifest.network)
  const value = networkGraph(manifest.network, (name) => constant(network.get(name)!, dims.get(name)!), {
    points: normalised,
    codes,
    poses: 1,
    pointsPerPose: 'n',
  })
  const slope = grad(sum(value), [normalised])[0]

  // Outside the domain: the truncation plus the distance to its box (pliant's field/neural.ts).
  const clamped = minimum(maximum(points, row(manifest.domain.lower)), row(manifest.domain.upper))
  const beyond = sub(points, clamped)
  const reach = sqrt(sum(square(beyond), [1], true))
  const outside = greater(reach, 0)
  const safeReach = where(outside, reach, 1)
  const distance = where(outside, add(reach, manifest.truncation), mul(value, normalisation.scale))
  const gradient = where(outside, div(beyond, safeReach), slope)
  return exportOnnx({
    inputs: rawCode ? [points, rawCode] : [points],
    outputs: { distance: reshape(distance, ['n']), gradient },
    parametersAsConstants: true,
  })
}

function normaliseCode(code: Tensor, { normalisation, code: { size } }: Manifest): Tensor {
  const scaled = mul(
    sub(code, constant(Float32Array.from(normalisation.codeOffset), [size])),
    constant(Float32Array.from(normalisation.codeScale), [size]),
  )
  return reshape(scaled, [1, size])
}

function row(values: ArrayLike<number>): Tensor {
  return constant(Float32Array.from(values), [1, 3])
}
