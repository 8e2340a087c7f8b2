/**
 * Parts of an elastic body as bones for its network (pliant's net/bones/part-frames.ts): which nodes each follows, its
 * axes and box, the segment by which points choose it, and the neighbours that bend it.
 */
import type { BodyOfModes, TetSurface, Vec3 } from 'pliant'
import { type BoneFrame, MAX_NEIGHBOURS, PartFrames, type PartFramesData } from 'pliant/character'
import { boxOf, meanDistance, withGrids } from '../bones/bone-boxes.js'
import { symmetricEigen } from '../modes/symmetric-eigen.js'
import type { PosedShapes } from '../sample/dataset.js'
import { partRegions } from './part-regions.js'

export interface FitPartsOptions {
  parts: number
  /** Nodes along a side of each grid on the average (bones/bone-boxes.ts). */
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
  const frames = framesOf(modal, weights)
  const bare = weights.map((_, part) => ({
    name: `part ${part + 1}`,
    joint: part,
    drivers: neighboursOf(between[part], part),
  }))
  const posed = new PartFrames({ bones: bare as BoneFrame[] }, frames)
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

/** The nearest through the body. */
function neighboursOf(ways: number[], part: number): number[] {
  return [...ways.keys()]
    .filter((other) => other !== part)
    .sort((a, b) => ways[a] - ways[b])
    .slice(0, MAX_NEIGHBOURS)
}

/** Affine motions by least squares over weighted masses: F = sum w x (X - c0)^T D^-1 with D = sum w (X - c0)(X - c0)^T. */
function framesOf({ rest, masses, modes, codeSize }: BodyOfModes['modal'], weights: Float64Array[]): PartFramesData {
  const data = {
    centres: new Float32Array(3 * weights.length),
    axes: new Float32Array(9 * weights.length),
    motions: new Float32Array(12 * weights.length * codeSize),
  }
  weights.forEach((weight, part) => {
    const nodes = [...weight.keys()].filter((node) => weight[node] > 0)
    const total = nodes.reduce((sum, node) => sum + weight[node] * masses[node], 0)
    const shares = nodes.map((node) => (weight[node] * masses[node]) / total)
    const centre = [0, 1, 2].map((axis) => nodes.reduce((sum, node, n) => sum + shares[n] * rest[3 * node + axis], 0))
    const arms = nodes.map((node) => centre.map((c, axis) => rest[3 * node + axis] - c))
    const spread = new Float64Array(9)
    arms.forEach((arm, n) => {
      for (let i = 0; i < 9; i++) spread[i] += shares[n] * arm[Math.floor(i / 3)] * arm[i % 3]
    })
    const { values, vectors } = symmetricEigen(spread, 3)
    const inverse = pseudoInverse(values, vectors)
    data.centres.set(centre, 3 * part)
    data.axes.set(rightHanded(vectors), 9 * part)
    const reaches = arms.map((arm) =>
      [0, 1, 2].map((j) => [0, 1, 2].reduce((s, k) => s + arm[k] * inverse[3 * k + j], 0)),
    )
    for (let mode = 0; mode < codeSize; mode++) {
      const motion = new Float64Array(12)
      nodes.forEach((node, n) => {
        for (let row = 0; row < 3; row++) {
          const moved = shares[n] * modes[mode * rest.length + 3 * node + row]
          for (let column = 0; column < 3; column++) motion[3 * row + column] += moved * reaches[n][column]
          motion[9 + row] += moved
        }
      })
      motion.forEach((value, entry) => {
        data.motions[(12 * part + entry) * codeSize + mode] = value
      })
    }
  })
  return data
}

/** Directions in which a part has next to no extent do not stretch. */
function pseudoInverse(values: Float64Array, vectors: Float64Array): Float64Array {
  const inverse = new Float64Array(9)
  for (let k = 0; k < 3; k++) {
    if (!(values[k] > 1e-6 * values[2])) continue
    for (let i = 0; i < 9; i++)
      inverse[i] += (vectors[3 * k + Math.floor(i / 3)] * vectors[3 * k + (i % 3)]) / values[k]
  }
  return inverse
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
    frames.pose(shapes.codes[pose])
    localPlaces(frames, positions, vertices).forEach((own, part) => {
      for (const place of own) places[part].push(place)
    })
  }
  frames.pose(new Float64Array(frames.codeSize))
  return places.map((own) => {
    const sorted = [0, 1, 2].map((axis) => Float64Array.from(own, (place) => place[axis]).sort())
    const out = Math.floor(LEFT_OUT * own.length)
    return [out, own.length - 1 - out].map((at) => sorted.map((values) => values[at]) as unknown as Vec3)
  })
}
