/**
 * Poses of an elastic body as shapes to train on or to judge by: laid onto the rest shape without their rigid motion,
 * each with its code. What the modes cannot follow stays in the shape: the network is to answer for the body as it is.
 */
import { type BodyOfModes, surfaceOfTets } from 'pliant'
import type { DropPoses } from '../poses/drop-poses.js'
import type { PosedShapes } from '../poses/posed-shapes.js'

/** @param poses  node positions of all poses, as the simulation left them */
export function shapesOfPoses(body: BodyOfModes, poses: SomePoses & Pick<Partial<DropPoses>, 'turned'>): PosedShapes {
  const { turned } = poses
  return { ...ownShapes(body, poses), ...(turned && turned.count > 0 ? { inverted: ownShapes(body, turned) } : {}) }
}

type SomePoses = Pick<DropPoses, 'count' | 'positions'> & Pick<Partial<DropPoses>, 'runOf'>

function ownShapes({ mesh, modal }: BodyOfModes, { count, positions, runOf }: SomePoses): PosedShapes {
  const { nodeOfVertex, positions: rest, triangles } = surfaceOfTets(mesh)
  const nodeValues = mesh.positions.length
  const frame = new Float64Array(16)
  const aligned = new Float32Array(count * nodeValues)
  const codes = Array.from({ length: count }, (_, pose) => {
    const code = new Float64Array(modal.codeSize)
    const nodes = positions.subarray(pose * nodeValues, (pose + 1) * nodeValues)
    modal.encode(nodes, code, frame)
    for (let at = 0; at < nodeValues; at += 3) intoFrame(frame, nodes, at, aligned, pose * nodeValues + at)
    return code
  })
  return {
    mesh: { positions: rest, triangles },
    codes,
    groups: runOf,
    positions(pose, out) {
      for (let v = 0; v < nodeOfVertex.length; v++) {
        const at = pose * nodeValues + 3 * nodeOfVertex[v]
        for (let axis = 0; axis < 3; axis++) out[3 * v + axis] = aligned[at + axis]
      }
    },
    nodes: (pose) => aligned.subarray(pose * nodeValues, (pose + 1) * nodeValues),
  }
}

/** R^T (x - t) of a column-major 4x4. */
function intoFrame(frame: Float64Array, from: Float32Array, at: number, out: Float32Array, to: number): void {
  const x = from[at] - frame[12]
  const y = from[at + 1] - frame[13]
  const z = from[at + 2] - frame[14]
  for (let axis = 0; axis < 3; axis++) {
    out[to + axis] = frame[4 * axis] * x + frame[4 * axis + 1] * y + frame[4 * axis + 2] * z
  }
}
