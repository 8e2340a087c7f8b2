/**
 * The built-in humanoid: a stylised adult, 1.75 m tall, one closed mesh of some 15,000 triangles, 21 joints, clips made
 * in code. As a scene of the same layout that a file gives, so that it can be written to one; and as a rig.
 */

import { type Rig, rigFromScene, Skeleton } from 'pliant/character'
import { composeMat4, invertAffine, type RigMesh, type RigNode, type RigSource, writeGltf } from 'pliant/unstable'
import { humanoidAnimations } from './clips/index.js'
import { JOINTS } from './joints.js'
import { humanoidMesh } from './mesh.js'
import { restPose } from './posture.js'
import { humanoidSkin, INFLUENCES } from './skin.js'

export { HELD_OUT as HUMANOID_HELD_OUT } from './clips/index.js'

/** Beige clay. */
const MATERIAL = { name: 'clay', colour: [0.62, 0.5, 0.42, 1], metallic: 0, roughness: 0.75 } as const

export interface HumanoidScene extends RigSource {
  readonly meshes: readonly (RigMesh & { readonly normals: Float32Array })[]
}

export async function humanoidRig(): Promise<Rig> {
  return rigFromScene(await humanoidScene())
}

/** The bytes of `humanoid.glb`. */
export function humanoidGlb(scene: HumanoidScene): Uint8Array<ArrayBuffer> {
  return writeGltf(scene, { material: MATERIAL })
}

/** Joints are nodes and places in the skin alike; the node after the last shows the mesh. */
export async function humanoidScene(): Promise<HumanoidScene> {
  const mesh = await humanoidMesh()
  const skin = humanoidSkin(mesh)
  const { nodes, inverseBindMatrices } = bindPose()
  return {
    meshes: [
      {
        name: 'Body',
        node: JOINTS.length,
        skin: 0,
        positions: mesh.positions,
        triangles: mesh.triangles,
        normals: mesh.normals,
        influences: INFLUENCES,
        ...skin,
        morphTargets: [],
        morphWeights: [],
      },
    ],
    nodes,
    skins: [{ joints: JOINTS.map((_, joint) => joint), inverseBindMatrices }],
    animations: humanoidAnimations(),
  }
}

/** The mesh is bound in the rest pose. */
function bindPose(): { nodes: RigNode[]; inverseBindMatrices: Float64Array } {
  const rest = restPose()
  const parents = Int32Array.from(JOINTS, ({ parent }) => parent)
  const skeleton = new Skeleton({ names: JOINTS.map(({ name }) => name), parents, root: 0, rest })
  const world = new Float64Array(16 * JOINTS.length)
  skeleton.worldMatrices(rest, world)
  const inverseBindMatrices = new Float64Array(world.length)
  const nodes = JOINTS.map(({ name, parent }, joint): RigNode => {
    invertAffine(world, 16 * joint, inverseBindMatrices, 16 * joint)
    const localMatrix = new Float64Array(16)
    composeMat4(rest.translations, rest.rotations, rest.scales, joint, localMatrix, 0)
    return {
      name,
      parent,
      localMatrix,
      worldMatrix: world.slice(16 * joint, 16 * joint + 16),
      parts: {
        translation: [...rest.translations.subarray(3 * joint, 3 * joint + 3)],
        rotation: [...rest.rotations.subarray(4 * joint, 4 * joint + 4)],
        scale: [1, 1, 1],
      },
    }
  })
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  const parts = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }
  nodes.push({ name: 'Humanoid', parent: -1, localMatrix: identity, worldMatrix: identity, parts })
  return { nodes, inverseBindMatrices }
}
