/**
 * Parts of an elastic body as bones for its network (pliant's net/bones/part-frames.ts): which nodes each follows, its
 * axes and box, the segment by which points choose it, and the neighbours that bend it.
 */
import type { BodyOfModes, TetSurface, Vec3 } from 'pliant'
import { type BoneFrame, MAX_NEIGHBOURS, PartFrames, type PartFramesData, weightsAsStored } from 'pliant/unstable'
import { symmetricEigen } from '../../modes/symmetric-eigen.js'
import type { PosedShapes } from '../../poses/posed-shapes.js'
import { boxOf, meanDistance, withGrids } from './bone-boxes.js'
import { partRegions } from './part-regions.js'

export interface FitPartsOptions {
  parts: number
  /** Nodes along a side of each grid on the average (bone-boxes.ts). */
  resolution: number
  /** Room around each part's vertices [m]. */
  margin: number
}

export interface FittedParts {
  bones: BoneFrame[]
  frames: PartFramesData
}

/** A vertex belongs to a part with at least this weight, to several if need be. */
const BELONGS = 0.2
/** Poses that boxes are made for, and the share of vertices' places on either side that may lie outside of them. */
const BOXED_POSES = 200
const LEFT_OUT = 0.005

export function fitParts(
  { mesh, modal }: BodyOfModes,
  { nodeOfVertex, positions: rest }: TetSurface,
  shapes: PosedShapes,
  { parts, resolution, margin }: FitPartsOptions,
): FittedParts {
  const regions = partRegions(mesh, modal.masses, parts)
  const verticesOf = (weight: Float64Array): number[] =>
    [...nodeOfVertex.keys()].filter((vertex) => weight[nodeOfVertex[vertex]] >= BELONGS)
  // A part deep inside has no surface to answer for.
  const outer = [...regions.weights.keys()].filter((part) => verticesOf(regions.weights[part]).length > 0)
  const weights = outer.map((part) => regions.weights[part])
  const between = outer.map((part) => outer.map((other) => regions.between[part][other]))
  const vertices = weights.map(verticesOf)
  const frames = framesOf(modal, weights.map(thinned))
  const bare = weights.map((_, part) => ({
    name: `part ${part + 1}`,
    joint: part,
    drivers: neighboursOf(between[part], part),
  }))
  const posed = new PartFrames({ bones: bare as BoneFrame[] }, frames, modal)
  const local = localPlaces(posed, rest, vertices)
  const ranges = placesOverPoses(posed, shapes, vertices)
  const bones = bare.map((bone, part) => {
    const own = local[part]
    const box = boxOf([...own, ...ranges[part]], margin)
    const reach = [0, 1].map((axis) => Math.sqrt(own.reduce((sum, p) => sum + p[axis] ** 2, 0) / own.length))
    // A ball has no direction; a rod's segment ends where its round ends begin.
    const half = Math.max(0, Math.sqrt(3) * (reach[0] - reach[1]))
    const [start, end]: [Vec3, Vec3] = [
      [-half, 0, 0],
      [half, 0, 0],
    ]
    return { ...bone, ...box, start, end, radius: meanDistance(own, start, end) }
  })
  return { bones: withGrids(bones, resolution), frames }
}

/** By the body's nodes if the shapes have them, as at run time. */
export function poseShape(frames: PartFrames, shapes: PosedShapes, pose: number): void {
  if (shapes.nodes) frames.poseNodes(shapes.nodes(pose), [0, 0, 0])
  else frames.pose(shapes.codes[pose])
}

/** The nearest through the body. */
function neighboursOf(ways: number[], part: number): number[] {
  return [...ways.keys()]
    .filter((other) => other !== part)
    .sort((a, b) => ways[a] - ways[b])
    .slice(0, MAX_NEIGHBOURS)
}

/** Nodes that one part follows: more of them do not tell its motion better, and each is a sum in every step. */
const MOST_NODES = 64

/** Some of the nodes, spread evenly over their numbers, and none of the others. */
function thinned(weight: Float64Array): Float64Array {
  const nodes = [...weight.keys()].filter((node) => weight[node] > 0)
  const kept = Math.min(nodes.length, MOST_NODES)
  const thin = new Float64Array(weight.length)
  for (let k = 0; k < kept; k++) {
    const node = nodes[Math.floor(((k + 0.5) * nodes.length) / kept)]
    thin[node] = weight[node]
  }
  return thin
}

/** Weights of all nodes in all parts, and the parts' axes: the directions in which their nodes spread. */
function framesOf({ rest, masses }: BodyOfModes['modal'], weights: Float64Array[]): PartFramesData {
  const data = {
    weights: weightsAsStored(Float32Array.from(weights.flatMap((weight) => [...weight]))),
    axes: new Float32Array(9 * weights.length),
  }
  weights.forEach((weight, part) => {
    const nodes = [...weight.keys()].filter((node) => weight[node] > 0)
    const total = nodes.reduce((sum, node) => sum + weight[node] * masses[node], 0)
    const shares = nodes.map((node) => (weight[node] * masses[node]) / total)
    const centre = [0, 1, 2].map((axis) => nodes.reduce((sum, node, n) => sum + shares[n] * rest[3 * node + axis], 0))
    const spread = new Float64Array(9)
    nodes.forEach((node, n) => {
      const arm = centre.map((c, axis) => rest[3 * node + axis] - c)
      for (let i = 0; i < 9; i++) spread[i] += shares[n] * arm[Math.floor(i / 3)] * arm[i % 3]
    })
    data.axes.set(rightHanded(symmetricEigen(spread, 3).vectors), 9 * part)
  })
  return data
}

/** Longest axis first, as columns of a rotation, row by row. @param vectors rows, shortest first */
function rightHanded(vectors: Float64Array): Float64Array {
  const [x, y] = [vectors.subarray(6, 9), vectors.subarray(3, 6)]
  const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
  return Float64Array.from([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
}

/** Vertices of each part, seen from it. */
function localPlaces(frames: PartFrames, positions: ArrayLike<number>, vertices: number[][]): Vec3[][] {
  return vertices.map((own, part) => {
    const m = frames.matrices.subarray(16 * part, 16 * part + 16)
    return own.map((vertex) => {
      const d = [0, 1, 2].map((axis) => positions[3 * vertex + axis] - m[12 + axis])
      return [0, 4, 8].map((c) => m[c] * d[0] + m[c + 1] * d[1] + m[c + 2] * d[2]) as unknown as Vec3
    })
  })
}

/** Two opposite corners for each part: of nearly all places that its vertices have in poses. */
function placesOverPoses(frames: PartFrames, shapes: PosedShapes, vertices: number[][]): Vec3[][] {
  const every = Math.max(1, Math.floor(shapes.codes.length / BOXED_POSES))
  const places: Vec3[][] = vertices.map(() => [])
  const positions = Float64Array.from(shapes.mesh.positions)
  for (let pose = 0; pose < shapes.codes.length; pose += every) {
    shapes.positions(pose, positions)
    poseShape(frames, shapes, pose)
    localPlaces(frames, positions, vertices).forEach((own, part) => {
      for (const place of own) places[part].push(place)
    })
  }
  return places.map((own) => {
    const sorted = [0, 1, 2].map((axis) => Float64Array.from(own, (place) => place[axis]).sort())
    const out = Math.floor(LEFT_OUT * own.length)
    return [out, own.length - 1 - out].map((at) => sorted.map((values) => values[at]) as unknown as Vec3)
  })
}
