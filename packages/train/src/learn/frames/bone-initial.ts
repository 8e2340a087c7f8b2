/**
 * First values of a network in bone frames: each part's grid holds the rest shape's own distances, and the logit says
 * how near the bone is, so that training starts from what rigid grids per bone would answer.
 */
import { type BoneNetworkShape, boneTensors, gridStarts, LEAST_SQUARE } from 'pliant/unstable'
import { streamOf } from '../../streams/random-streams.js'
import type { RestField } from './rest-field.js'

/**
 * @param matrices   joint to root frame at rest, column-major 4x4 each
 * @param restField  of the rest shape in the root frame [m]
 */
export function initialBoneTensors(
  shape: BoneNetworkShape,
  matrices: Float64Array,
  restField: RestField,
  truncation: number,
  seed: number,
): Map<string, Float32Array> {
  const tensors = new Map<string, Float32Array>()
  let tensor = 0
  for (const [name, dims] of boneTensors(shape)) {
    const random = streamOf('initialValues', seed, tensor++)
    const spread = SPREAD[name] ?? Math.sqrt(2 / dims[0])
    const size = dims.reduce((product, n) => product * n, 1)
    tensors.set(
      name,
      Float32Array.from({ length: size }, () => (spread === 0 ? 0 : spread * random.normal())),
    )
  }
  startFromDrivers(shape, tensors)
  startFromRest(shape, matrices, restField, truncation, tensors.get('grid')!)
  return tensors
}

/** Standard deviations; the head's first layer takes He's. */
const SPREAD: Record<string, number> = {
  'code.linear': 0,
  'code.offset': 0,
  'code.hidden.weight': 2,
  'code.hidden.bias': 0,
  'code.output': 0.25,
  'warp.base': 0,
  'warp.basis': 0,
  grid: 0.003,
  'head.0.bias': 0,
  'head.1.weight': 0.02,
  'head.1.bias': 0,
}

/** The first coefficients are the first drivers themselves. */
function startFromDrivers(shape: BoneNetworkShape, tensors: Map<string, Float32Array>): void {
  const [bones, inputs, coefficients] = boneTensors(shape).get('code.linear')!
  const linear = tensors.get('code.linear')!
  for (let b = 0; b < bones; b++) {
    for (let i = 0; i < Math.min(inputs, coefficients); i++) linear[(b * inputs + i) * coefficients + i] = 1
  }
}

function startFromRest(
  shape: BoneNetworkShape,
  matrices: Float64Array,
  restField: RestField,
  truncation: number,
  grid: Float32Array,
): void {
  const channels = 2 + shape.grid.features
  const starts = gridStarts(shape.bones)
  shape.bones.forEach((bone, b) => {
    const m = 16 * bone.joint
    const nodes = starts[b + 1] - starts[b]
    const [nx, ny] = bone.nodes
    const points = new Float64Array(3 * nodes)
    const distances = new Float64Array(nodes)
    for (let n = 0; n < nodes; n++) {
      const at = [n % nx, Math.floor(n / nx) % ny, Math.floor(n / (nx * ny))]
      const local = at.map((i, axis) => {
        return bone.centre[axis] + bone.half[axis] * ((2 * i) / (bone.nodes[axis] - 1) - 1)
      })
      for (let axis = 0; axis < 3; axis++) {
        points[3 * n + axis] =
          matrices[m + axis] * local[0] +
          matrices[m + 4 + axis] * local[1] +
          matrices[m + 8 + axis] * local[2] +
          matrices[m + 12 + axis]
      }
      grid[(starts[b] + n) * channels + 1] = (-shape.sharpness * segmentDistance(bone, local)) / shape.scale
    }
    restField.query(points, nodes, distances)
    for (let n = 0; n < nodes; n++) {
      const distance = distances[n] / shape.scale
      grid[(starts[b] + n) * channels] = Math.min(Math.max(distance, -truncation), truncation)
    }
  })
}

/** To the bone's segment less its radius [m], as the choice of bones measures it. */
function segmentDistance({ start, end, radius }: BoneNetworkShape['bones'][number], p: number[]): number {
  const d = [end[0] - start[0], end[1] - start[1], end[2] - start[2]]
  const v = [p[0] - start[0], p[1] - start[1], p[2] - start[2]]
  const along = (v[0] * d[0] + v[1] * d[1] + v[2] * d[2]) / (d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + LEAST_SQUARE)
  const t = Math.min(Math.max(along, 0), 1)
  return Math.hypot(v[0] - t * d[0], v[1] - t * d[1], v[2] - t * d[2]) - radius
}
