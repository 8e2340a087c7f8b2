/**
 * A character that has no file of its own, made in code or out of a trained file, as a GLB: skeleton, skinned meshes,
 * clips. Linear blend skinning, which is all that the format has; morph targets stay at their rest weights.
 */
import { type GltfSourceMesh, type GltfSourceNode, type WriteGltfOptions, writeGltf } from '../files/gltf-write.js'
import { composeMat4, invertAffine, multiplyAffine } from '../math/mat4.js'
import { writeNormals } from './acap/normals.js'
import type { Clip } from './clip.js'
import { animationOfClip, type ClipAnimationOptions } from './clip-animation.js'
import type { Rig } from './rig.js'
import type { Skeleton } from './skeleton.js'
import { applyMorphTargets, type SkinnedSurface } from './skinned-surface.js'

export interface RigGlbOptions extends ClipAnimationOptions, WriteGltfOptions {}

/**
 * Node i of the file is joint i of the skeleton.
 * @param rig  a `Rig`, or a trained `SkinnedCharacter`
 * @throws RangeError naming joint and frame of a clip that are not finite
 */
export function rigToGlb(
  { skeleton, surface }: Pick<Rig, 'skeleton' | 'surface'>,
  clips: readonly Clip[],
  options: RigGlbOptions = {},
): Uint8Array<ArrayBuffer> {
  const joints = Int32Array.from({ length: skeleton.jointCount }, (_, joint) => joint)
  const nodes: GltfSourceNode[] = Array.from(joints, (joint) => jointNode(skeleton, joint))
  const skin = skinOf(skeleton, surface, nodes)
  const meshes = meshesOf(surface, nodes)
  const animations = clips.map((clip) => animationOfClip(skeleton, clip, joints, options))
  return writeGltf(
    { nodes, meshes, skins: [skin], animations: animations.filter(({ channels }) => channels.length > 0) },
    options,
  )
}

function jointNode({ names, parents, rest }: Skeleton, joint: number): GltfSourceNode {
  const localMatrix = new Float64Array(16)
  composeMat4(rest.translations, rest.rotations, rest.scales, joint, localMatrix, 0)
  const part = (values: Float64Array, size: number) => [...values.subarray(size * joint, size * joint + size)]
  const parts = {
    translation: part(rest.translations, 3),
    rotation: part(rest.rotations, 4),
    scale: part(rest.scales, 3),
  }
  return { name: names[joint], parent: parents[joint], localMatrix, parts }
}

/**
 * The surface's bones, in their order, then the other joints of the body: whoever reads the skin finds them all. A skin
 * names no joint twice, so a joint to which meshes were bound in several poses gets a node of its own for each.
 */
function skinOf(
  skeleton: Skeleton,
  { bones }: SkinnedSurface,
  nodes: GltfSourceNode[],
): { joints: number[]; inverseBindMatrices: Float64Array } {
  const joints: number[] = []
  const matrices: number[] = []
  const known = new Set<number>()
  const matrix = new Float64Array(16)
  bones.joints.forEach((joint, bone) => {
    // Files bind to joint spaces, surfaces to joint frames (skeleton.ts).
    if (skeleton.frames) multiplyAffine(skeleton.frames, 16 * joint, bones.inverseBind, 16 * bone, matrix, 0)
    else matrix.set(bones.inverseBind.subarray(16 * bone, 16 * bone + 16))
    matrices.push(...matrix)
    joints.push(known.has(joint) ? nodes.length : joint)
    if (known.has(joint)) nodes.push(stillNode(`${skeleton.names[joint]} bind ${bone}`, joint))
    known.add(joint)
  })
  const world = new Float64Array(16 * skeleton.jointCount)
  skeleton.worldMatrices(skeleton.rest, world)
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    const isBody = joint === skeleton.root || skeleton.belowRoot[joint] === 1
    // Nothing is bound to these, so any matrix will do that has an inverse.
    if (!isBody || known.has(joint) || !invertAffine(world, 16 * joint, matrix, 0)) continue
    joints.push(joint)
    matrices.push(...matrix)
  }
  return { joints, inverseBindMatrices: Float64Array.from(matrices) }
}

function stillNode(name: string, parent: number): GltfSourceNode {
  const localMatrix = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  return { name, parent, localMatrix, parts: { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] } }
}

/** Each mesh of the surface on a node of its own, which is added; all as one where the surface does not know them. */
function meshesOf(surface: SkinnedSurface, nodes: GltfSourceNode[]): GltfSourceMesh[] {
  const { triangles, influenceStarts: starts, influenceBones, influenceWeights } = surface
  const vertices = surface.bound.length / 3
  const whole = {
    name: 'Body',
    vertexStart: 0,
    vertexCount: vertices,
    triangleStart: 0,
    triangleCount: triangles.length / 3,
  }
  const bound = new Float64Array(surface.bound.length)
  const normals = new Float64Array(bound.length)
  applyMorphTargets(surface, surface.morphWeights, bound)
  writeNormals(bound, triangles, normals)
  replaceMissing(normals)
  return (surface.meshes.length > 0 ? surface.meshes : [whole]).map((part) => {
    const { name, vertexStart: first, vertexCount: count, triangleStart, triangleCount } = part
    let most = 1
    for (let v = first; v < first + count; v++) most = Math.max(most, starts[v + 1] - starts[v])
    const influences = 4 * Math.ceil(most / 4)
    const joints = new Uint16Array(influences * count)
    const weights = new Float32Array(influences * count)
    for (let v = 0; v < count; v++) {
      const [start, end] = [starts[first + v], starts[first + v + 1]]
      joints.set(influenceBones.subarray(start, end), influences * v)
      weights.set(influenceWeights.subarray(start, end), influences * v)
    }
    nodes.push(stillNode(name, -1))
    return {
      name,
      node: nodes.length - 1,
      skin: 0,
      positions: bound.subarray(3 * first, 3 * (first + count)),
      normals: Float32Array.from(normals.subarray(3 * first, 3 * (first + count))),
      triangles: triangles.slice(3 * triangleStart, 3 * (triangleStart + triangleCount)).map((v) => v - first),
      influences,
      joints,
      weights,
      morphTargets: [],
    }
  })
}

/** The format wants unit vectors; vertices without a triangle have no normal. */
function replaceMissing(normals: Float64Array): void {
  for (let at = 0; at < normals.length; at += 3) {
    if (normals[at] === 0 && normals[at + 1] === 0 && normals[at + 2] === 0) normals[at + 1] = 1
  }
}
