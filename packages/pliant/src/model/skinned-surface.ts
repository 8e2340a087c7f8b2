/** A surface bound to a skeleton: who moves which vertex, and by how much. All its meshes are one vertex array. */
import { multiplyAffine } from '../math/mat4.js'

/** A shape that a mesh may be drawn towards, such as a smile. */
export interface MorphTarget {
  /** Mesh and target, such as `face/smile`. */
  name: string
  /** The vertices it moves. */
  vertices: Uint32Array
  /** What it adds to them at weight 1 [m], xyz triples, before skinning. */
  offsets: Float64Array
}

/** A joint together with where a mesh was bound to it. Two meshes may be bound to one joint in different poses. */
export interface Bones {
  /** Each bone's joint in the skeleton. */
  joints: Uint16Array
  /** From the space that vertices are bound in to the joint's frame (skeleton.ts), column-major, 16 per bone. */
  inverseBind: Float64Array
}

/** A surface whose vertices follow the joints of a skeleton. */
export interface SkinnedSurface {
  /** Positions in bind space [m], xyz triples, morph targets not applied. */
  bound: Float64Array
  /** Vertex index triples, counter-clockwise from outside. */
  triangles: Uint32Array
  /** The joints that move it, and where it was bound to them. */
  bones: Bones
  /** Where each vertex's influences begin in the two arrays below; one more at the end. */
  influenceStarts: Uint32Array
  /** The bones that move a vertex, the heaviest first; none has weight 0. */
  influenceBones: Uint16Array
  /** Sum 1 over a vertex. */
  influenceWeights: Float32Array
  /** Shapes that are blended in before skinning. */
  morphTargets: MorphTarget[]
  /** The morph targets' weights at rest. */
  morphWeights: Float64Array
  /** Which vertices came from which mesh, in order. */
  meshes: { name: string; vertexStart: number; vertexCount: number; triangleStart: number; triangleCount: number }[]
}

/**
 * What to apply to bound vertices.
 * @param jointMatrices  from joint frames to the space that posed vertices are wanted in, 16 per joint
 * @param out            16 per bone, column-major
 */
export function skinMatrices(bones: Bones, jointMatrices: Float64Array, out: Float64Array): void {
  for (let bone = 0; bone < bones.joints.length; bone++) {
    multiplyAffine(jointMatrices, 16 * bones.joints[bone], bones.inverseBind, 16 * bone, out, 16 * bone)
  }
}

/** Bound positions with the morph targets added, each by its weight. */
export function applyMorphTargets(surface: SkinnedSurface, weights: ArrayLike<number>, out: Float64Array): void {
  out.set(surface.bound)
  surface.morphTargets.forEach(({ vertices, offsets }, target) => {
    const weight = weights[target]
    if (weight === 0) return
    for (let i = 0; i < vertices.length; i++) {
      for (let axis = 0; axis < 3; axis++) out[3 * vertices[i] + axis] += weight * offsets[3 * i + axis]
    }
  })
}

/** Some of a surface's vertices, in this order, one as often as it is named, with morph targets at rest and no triangles. */
export function pickVertices(surface: SkinnedSurface, vertices: Uint32Array): SkinnedSurface {
  const { influenceStarts: starts, influenceBones, influenceWeights } = surface
  const all = new Float64Array(surface.bound.length)
  applyMorphTargets(surface, surface.morphWeights, all)
  const bound = new Float64Array(3 * vertices.length)
  const influences: number[] = []
  const pickedStarts = new Uint32Array(vertices.length + 1)
  vertices.forEach((vertex, i) => {
    bound.set(all.subarray(3 * vertex, 3 * vertex + 3), 3 * i)
    for (let k = starts[vertex]; k < starts[vertex + 1]; k++) influences.push(k)
    pickedStarts[i + 1] = influences.length
  })
  return {
    ...surface,
    bound,
    triangles: new Uint32Array(0),
    influenceStarts: pickedStarts,
    influenceBones: Uint16Array.from(influences, (k) => influenceBones[k]),
    influenceWeights: Float32Array.from(influences, (k) => influenceWeights[k]),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}

/** Sum of vertex weights on each joint. */
export function weightOfJoints(surface: SkinnedSurface, jointCount: number): Float64Array {
  const weights = new Float64Array(jointCount)
  surface.influenceBones.forEach((bone, k) => {
    weights[surface.bones.joints[bone]] += surface.influenceWeights[k]
  })
  return weights
}

/** Area that each joint moves [m^2]: of each vertex a third of its triangles', as the surface was bound. */
export function areaOfJoints(surface: SkinnedSurface, jointCount: number): Float64Array {
  const { bound: p, triangles, bones, influenceStarts, influenceBones, influenceWeights } = surface
  const areas = new Float64Array(p.length / 3)
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]]
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
    const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2
    for (let k = i; k < i + 3; k++) areas[triangles[k]] += area / 3
  }
  const moved = new Float64Array(jointCount)
  for (let vertex = 0; vertex < areas.length; vertex++) {
    for (let k = influenceStarts[vertex]; k < influenceStarts[vertex + 1]; k++) {
      moved[bones.joints[influenceBones[k]]] += influenceWeights[k] * areas[vertex]
    }
  }
  return moved
}
