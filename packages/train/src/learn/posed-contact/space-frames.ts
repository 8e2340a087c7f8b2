/** A learned space of shapes as a shape that follows frames: those of its patches, which a network tells. */
import type { TriangleMesh } from 'pliant'
import { FRAME_SIZE, LearnedFrames } from 'pliant/unstable'
import { createDenseNetwork, type DenseShape, denseTensors } from 'pliant/unstable/dense'
import { constant } from '../../graph/index.js'
import { patchMiddles } from '../../label/frame-tasks.js'
import type { SurfacePatches } from '../../surface/surface-patches.js'
import { denseGraph } from '../dense-graph.js'
import type { Weights } from '../rounds/index.js'
import type { Place } from '../self-contact/choose-places.js'
import type { FramedShape, FrameGraph } from './framed-shape.js'
import type { FrameNetwork } from './learn-frames.js'

/**
 * @param rest     the mesh that shapes are compared with
 * @param network  from a code to the frames of its patches
 */
export async function spaceFrames(
  { positions, triangles }: TriangleMesh,
  patches: SurfacePatches,
  { shape, tensors }: Pick<FrameNetwork, 'shape' | 'tensors'>,
): Promise<FramedShape> {
  const rest = Float64Array.from(positions)
  const { middles } = patchMiddles(patches, rest)
  const network = await createDenseNetwork(shape, new Map(tensors), { backend: 'scalar' })
  const { count, ofVertex, ofTriangle } = patches
  return {
    codeSize: shape.inputs,
    rest,
    triangles,
    partOf: ofTriangle,
    frameCount: count,
    endOf(place) {
      const patch = patchOf(ofVertex, count, place)
      const at = (axis: number): number => place.reduce((sum, [v, weight]) => sum + weight * rest[3 * v + axis], 0)
      return [patch, ...[0, 1, 2].map((axis) => at(axis) - middles[3 * patch + axis])]
    },
    frames: () => new LearnedFrames(network),
    frameGraph: () => denseFrames(shape, tensors),
  }
}

/** Frames that a dense network tells, all of which move, as a graph. */
export function denseFrames(shape: DenseShape, tensors: Weights): FrameGraph {
  const dimensions = denseTensors(shape)
  const count = shape.outputs / FRAME_SIZE
  return {
    moving: Uint32Array.from({ length: count }, (_, frame) => frame),
    still: new Float64Array(16 * count),
    matrices: (codes) => denseGraph(shape, (name) => constant(tensors.get(name)!, dimensions.get(name)!), codes),
  }
}

/** The one that has most of a place. */
function patchOf(ofVertex: Uint16Array, count: number, place: Place): number {
  const weights = new Float64Array(count)
  for (const [vertex, weight] of place) weights[ofVertex[vertex]] += weight
  return weights.indexOf(Math.max(...weights))
}

/** How far vertices of each patch are from its middle at rest, root mean square [m]. */
export function patchRadii({ positions }: TriangleMesh, patches: SurfacePatches): Float64Array {
  const rest = Float64Array.from(positions)
  const { vertices, middles } = patchMiddles(patches, rest)
  return Float64Array.from(vertices, (own, patch) => {
    const squares = [...own].map((vertex) =>
      [0, 1, 2].reduce((sum, axis) => sum + (rest[3 * vertex + axis] - middles[3 * patch + axis]) ** 2, 0),
    )
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / own.length)
  })
}
