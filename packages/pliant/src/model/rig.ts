/**
 * A rig: skeleton, the surface it moves, and the clips that move it; made from the scene that `readGltf` gives, or
 * from anything of the same layout (`RigSource`).
 */
import { boxOfPoints } from '../math/box.js'
import type { Clip } from './clip.js'
import { rigClips } from './rig-clips.js'
import { rigSkeleton } from './rig-skeleton.js'
import type { RigMesh, RigSource } from './rig-source.js'
import { rigSurface } from './rig-surface.js'
import type { Skeleton } from './skeleton.js'
import { applyMorphTargets, type SkinnedSurface, skinMatrices } from './skinned-surface.js'
import { skinLinear } from './skinning.js'

/** Which meshes and joints of a scene are the character. */
export interface RigOptions {
  /**
   * Names of the meshes (or of the nodes that show them) to take. Default: all that have a skin. A mesh without one
   * can be named if it hangs from the skeleton, as a helmet does from a head; it then goes with its node.
   */
  meshes?: readonly string[]
  /** Name of the root joint, if the rule in rig-skeleton.ts does not find the right one. */
  root?: string
  /** Make one vertex of those that a seam has split (default true): renderers need them apart, distances closed. */
  weld?: boolean
}

/** A skinned character as a file holds it, before anything is learned. */
export interface Rig {
  /** Its joints. */
  skeleton: Skeleton
  /** Each joint's node in the scene; -1 for the joint above all others that is made where a scene has several trees. */
  nodes: Int32Array
  /** Its meshes as one skinned surface. */
  surface: SkinnedSurface
  /** Its motions. */
  clips: Clip[]
  /** Names of the meshes that were not taken. */
  leftOut: string[]
  /** How many vertices have no weight; they go with their skin's first joint, as in viewers. */
  withoutWeights: number
  /** Vertical extent of the surface in the rest pose [m]: what errors of characters are measured by. */
  height: number
}

/**
 * Takes a skinned character out of a glTF scene: its skeleton, one skinned surface of its meshes, and its clips.
 * @throws Error if no mesh has a skin, or a name in the options is not in the scene
 */
export function rigFromScene(scene: RigSource, options: RigOptions = {}): Rig {
  const meshes = chosenMeshes(scene, options.meshes)
  const { skeleton, jointOfNode } = rigSkeleton(scene, meshes, options.root)
  const surface = rigSurface(scene, meshes, skeleton, jointOfNode, options.weld ?? true)
  return {
    skeleton,
    nodes: nodesOfJoints(skeleton.jointCount, jointOfNode),
    surface,
    clips: rigClips(scene, meshes, jointOfNode),
    withoutWeights: meshes.reduce((sum, mesh) => sum + (mesh.withoutWeights ?? 0), 0),
    leftOut: scene.meshes.filter((mesh) => !meshes.includes(mesh)).map((mesh) => mesh.name),
    height: restHeight(skeleton, surface),
  }
}

function chosenMeshes(scene: RigSource, names: readonly string[] | undefined): RigMesh[] {
  const skinned = scene.meshes.filter((mesh) => mesh.skin >= 0)
  if (skinned.length === 0) {
    throw new Error(
      `rig: none of the ${scene.meshes.length} meshes has a skin; bind the character to a skeleton, or train it as a rigid object.`,
    )
  }
  if (names === undefined) return skinned
  const isNamed = (mesh: RigMesh, name: string) => mesh.name === name || scene.nodes[mesh.node].name === name
  for (const name of names) {
    if (!scene.meshes.some((mesh) => isNamed(mesh, name))) {
      const all = scene.meshes.map((mesh) => mesh.name).join(', ')
      throw new Error(`rig: there is no mesh '${name}'; choose from ${all}.`)
    }
  }
  return scene.meshes.filter((mesh) => names.some((name) => isNamed(mesh, name)))
}

function nodesOfJoints(jointCount: number, jointOfNode: ReadonlyMap<number, number>): Int32Array {
  const nodes = new Int32Array(jointCount).fill(-1)
  for (const [node, joint] of jointOfNode) nodes[joint] = node
  return nodes
}

function restHeight(skeleton: Skeleton, surface: SkinnedSurface): number {
  const matrices = new Float64Array(16 * surface.bones.joints.length)
  const positions = new Float64Array(surface.bound.length)
  skinMatrices(surface.bones, skeleton.restMatrices, matrices)
  applyMorphTargets(surface, surface.morphWeights, positions)
  skinLinear(surface, matrices, positions, positions)
  const box = boxOfPoints(positions)
  return box.upper[1] - box.lower[1]
}
