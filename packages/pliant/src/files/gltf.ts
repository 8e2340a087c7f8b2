/**
 * glTF 2.0, binary (`.glb`) and text (`.gltf`): meshes, nodes, skins, morph targets and animations as plain arrays.
 * Materials, textures, cameras and lights are passed over; images are never looked at, so that none need be there.
 *
 * Read by hand: the common library allocates from declared counts before it checks them, turns node matrices into
 * translation, rotation and scale (losing shear), and asks for every image. The tests hold this reader to it.
 */

import { readAnimations } from './gltf-animations.js'
import { openGltf } from './gltf-container.js'
import { readMeshes } from './gltf-meshes.js'
import { readNodes } from './gltf-nodes.js'
import { readSkins } from './gltf-skins.js'

/** A glTF file as plain arrays. Lengths are in metres, as the format demands. */
export interface GltfScene {
  /** One for each node that shows a mesh in the default scene (in any scene if none is default). */
  meshes: GltfMesh[]
  /** All nodes of the file, by their number there. */
  nodes: GltfNode[]
  /** Skeletons, by their number in the file. */
  skins: GltfSkin[]
  /** Motions, by their number in the file. */
  animations: GltfAnimation[]
}

/** All primitives of one mesh joined, their vertices in file order; points and lines are left out. */
export interface GltfMesh {
  /** Name of the mesh or of the node that shows it. */
  name: string
  /** The node that shows it. */
  node: number
  /** Its skin, or -1. */
  skin: number
  /**
   * Vertex positions [m], xyz triples. Without a skin in world space, the node's transform applied; with a skin in the
   * space of the skin's bind pose, where the node's own transform means nothing. Vertices are split along seams as in
   * the file; `weldMesh` joins them.
   */
  positions: Float64Array
  /** Vertex indices, three per triangle, counter-clockwise from outside (turned where the node mirrors). */
  triangles: Uint32Array
  /** Joints that act on one vertex: 0 without a skin, else 4 or 8. */
  influences: number
  /** Numbers into the skin's joints, `influences` per vertex. Unused places hold joint 0 with weight 0. */
  joints: Uint16Array
  /** Weights, `influences` per vertex, with sum 1. */
  weights: Float32Array
  /** How many vertices have no weight in the file: here they go with the skin's first joint, as in viewers. */
  withoutWeights: number
  /** Shapes that may be blended in. */
  morphTargets: GltfMorphTarget[]
  /** The morph targets' weights when nothing is animated. */
  morphWeights: number[]
}

/** A shape that may be blended into a mesh. */
export interface GltfMorphTarget {
  /** Its name in the file, or its number. */
  name: string
  /** What is added to the positions [m] at weight 1, in their space, xyz triples. */
  offsets: Float64Array
}

/** A node of the scene: where something is. */
export interface GltfNode {
  /** Its name in the file, or one made of its number. */
  name: string
  /** The node it hangs from, or -1. */
  parent: number
  /** Nodes that hang from it. */
  children: number[]
  /** To the parent's space when nothing is animated, column-major 4x4. */
  localMatrix: Float64Array
  /** To world space when nothing is animated, column-major 4x4. */
  worldMatrix: Float64Array
  /** The parts of localMatrix, which animations replace one by one; undefined if the file gives only a matrix. */
  parts: GltfNodeParts | undefined
}

/** A node's transform in the parts that animations move. */
export interface GltfNodeParts {
  /** [m] */
  translation: [number, number, number]
  /** Unit quaternion x, y, z, w. */
  rotation: [number, number, number, number]
  /** Factor along each axis. */
  scale: [number, number, number]
}

/** A skeleton, and where meshes were bound to it. */
export interface GltfSkin {
  /** Its name in the file. */
  name: string
  /** Each joint's node. */
  joints: number[]
  /** Each joint's name. */
  jointNames: string[]
  /** For each joint its nearest ancestor among the joints, or -1. */
  parents: Int32Array
  /** From bind space to each joint's space, column-major 4x4, 16 per joint. */
  inverseBindMatrices: Float64Array
  /** Each joint's place in bind space: the inverse of the above. */
  bindMatrices: Float64Array
}

/** A motion of nodes and morph targets. */
export interface GltfAnimation {
  /** Its name in the file. */
  name: string
  /** Time of the last key [s]. */
  duration: number
  /** What moves. */
  channels: GltfChannel[]
}

/** What an animation does to one property of one node. */
export interface GltfChannel {
  /** The node that it moves. */
  node: number
  /** The property that it moves. */
  path: 'translation' | 'rotation' | 'scale' | 'weights'
  /** How values go from key to key. */
  interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE'
  /** Key times [s], rising. */
  times: Float32Array
  /** `valuesPerKey` per key; with CUBICSPLINE three times as many: in-tangent, value, out-tangent. */
  values: Float32Array
  /** 3 for translation and scale, 4 for rotation (x, y, z, w), the number of morph targets for weights. */
  valuesPerKey: number
}

/**
 * Reads glTF 2.0, binary (`.glb`) and text (`.gltf`): meshes, nodes, skins, morph targets and animations as plain
 * arrays.
 * @param companion  the one `.bin` file beside a `.gltf`, if it names one
 * @throws FileError naming the part of the file that is wrong, or the extension that it needs and that is not read
 */
export function readGltf(bytes: Uint8Array, companion?: Uint8Array): GltfScene {
  const file = openGltf(bytes, companion)
  const nodes = readNodes(file)
  const skins = readSkins(file, nodes)
  const meshes = readMeshes(file, nodes, skins)
  return { meshes, nodes, skins, animations: readAnimations(file, nodes.length) }
}
