/**
 * The skeleton of a rig: the nodes that matter, parents first, and the joint that carries the body.
 *
 * The root is the deepest node below which 99.9% of all vertex weights are. In most files that is the hips, though
 * there may be nodes above them (`Armature`, `root`, helpers for inverse kinematics) that are moved too: what the root
 * does is no deformation, so a root too high would put the hips' motion into the shape. The last 0.1% is for stray
 * vertices without weights, which exporters and readers give to whichever joint is first.
 *
 * The joints are the root, all nodes above it (their motion is root motion), all joints and nodes between joints below
 * it, and joints elsewhere that carry stray vertices.
 */
import { decomposeMat4 } from '../math/mat4.js'
import type { RigMesh, RigNode, RigSource } from './rig-source.js'
import { Skeleton, type SkeletonPose } from './skeleton.js'

const ROOT_SHARE = 0.999

/** More than any character has; a file of ours holds no more. */
const MOST_JOINTS = 10_000

/** Shear of a node's matrix, relative to its size, up to which it counts as rounding. */
const LARGEST_SHEAR = 1e-4

/** @throws Error if the root is named and not there, there are too many joints, or a joint's matrix has shear */
export function rigSkeleton(
  scene: RigSource,
  meshes: readonly RigMesh[],
  rootName: string | undefined,
): { skeleton: Skeleton; jointOfNode: Map<number, number> } {
  const { nodes } = scene
  const weights = nodeWeights(scene, meshes)
  const order = depthFirst(nodes)
  const root =
    rootName === undefined ? findRoot(nodes, order, weights) : nodes.findIndex((node) => node.name === rootName)
  if (rootName !== undefined && root < 0) throw new Error(`rig: there is no joint '${rootName}' to be the root.`)

  const atRoot = atOrBelow(nodes, order, root)
  const wanted = new Set<number>()
  const want = (node: number) => {
    for (let n = node; n >= 0 && !wanted.has(n); n = nodes[n].parent) wanted.add(n)
  }
  if (root >= 0) want(root)
  for (const mesh of meshes) {
    if (mesh.skin < 0) want(mesh.node)
    else {
      for (const node of scene.skins[mesh.skin].joints) {
        if (weights[node] > 0 || atRoot[node] === 1) want(node)
      }
    }
  }
  if (wanted.size > MOST_JOINTS) {
    throw new Error(`rig: ${wanted.size} joints carry the meshes, at most ${MOST_JOINTS} are taken; simplify the rig.`)
  }
  // Parents come first, for whoever is wanted all above are wanted too.
  const ordered = [...order].filter((node) => wanted.has(node))
  // Joints in several trees meet in the scene, which then is a joint of its own.
  const extra = root < 0 || ordered.filter((node) => nodes[node].parent < 0).length > 1 ? 1 : 0
  const jointOfNode = new Map(ordered.map((node, i) => [node, i + extra]))
  const names = [...(extra === 1 ? ['scene'] : []), ...ordered.map((node) => nodes[node].name)]
  const parents = new Int32Array(names.length).fill(-1)
  const rest: SkeletonPose = {
    translations: new Float64Array(3 * names.length),
    rotations: new Float64Array(4 * names.length),
    scales: new Float64Array(3 * names.length).fill(1),
  }
  if (extra === 1) rest.rotations[3] = 1
  for (const [node, joint] of jointOfNode) {
    parents[joint] = nodes[node].parent < 0 ? extra - 1 : jointOfNode.get(nodes[node].parent)!
    writeRest(nodes[node], joint, rest)
  }
  return { skeleton: new Skeleton({ names, parents, root: root < 0 ? 0 : jointOfNode.get(root)!, rest }), jointOfNode }
}

/** Sum of vertex weights on each node; meshes without a skin weigh on theirs. */
function nodeWeights(scene: RigSource, meshes: readonly RigMesh[]): Float64Array {
  const sums = new Float64Array(scene.nodes.length)
  for (const mesh of meshes) {
    if (mesh.skin < 0) sums[mesh.node] += mesh.positions.length / 3
    else {
      const { joints } = scene.skins[mesh.skin]
      for (let k = 0; k < mesh.joints.length; k++) sums[joints[mesh.joints[k]]] += mesh.weights[k]
    }
  }
  return sums
}

/** The node, or -1 if no single tree holds enough. */
function findRoot(nodes: readonly RigNode[], order: Int32Array, weights: Float64Array): number {
  const below = weights.slice()
  const depth = new Int32Array(nodes.length)
  for (let i = order.length - 1; i >= 0; i--) {
    const { parent } = nodes[order[i]]
    if (parent >= 0) below[parent] += below[order[i]]
  }
  for (const node of order) if (nodes[node].parent >= 0) depth[node] = depth[nodes[node].parent] + 1
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let found = -1
  for (let node = 0; node < nodes.length; node++) {
    if (below[node] >= ROOT_SHARE * total && (found < 0 || depth[node] > depth[found])) found = node
  }
  return found
}

/** 1 for a node and all below it; for all nodes if there is none. */
function atOrBelow(nodes: readonly RigNode[], order: Int32Array, ancestor: number): Uint8Array {
  const marks = new Uint8Array(nodes.length)
  for (const node of order) {
    const { parent } = nodes[node]
    if (ancestor < 0 || node === ancestor || (parent >= 0 && marks[parent] === 1)) marks[node] = 1
  }
  return marks
}

/** All nodes, each followed by what hangs from it, siblings by number. Chains may be long, so nothing calls itself. */
function depthFirst(nodes: readonly RigNode[]): Int32Array {
  const firstChild = new Int32Array(nodes.length).fill(-1)
  const nextSibling = new Int32Array(nodes.length).fill(-1)
  let firstRoot = -1
  for (let node = nodes.length - 1; node >= 0; node--) {
    const { parent } = nodes[node]
    nextSibling[node] = parent < 0 ? firstRoot : firstChild[parent]
    if (parent < 0) firstRoot = node
    else firstChild[parent] = node
  }
  const order = new Int32Array(nodes.length)
  let filled = 0
  for (let node = firstRoot; node >= 0; ) {
    order[filled++] = node
    if (firstChild[node] >= 0) node = firstChild[node]
    else {
      while (node >= 0 && nextSibling[node] < 0) node = nodes[node].parent
      if (node >= 0) node = nextSibling[node]
    }
  }
  return order.subarray(0, filled)
}

function writeRest(node: RigNode, joint: number, rest: SkeletonPose): void {
  if (node.parts !== undefined) {
    rest.translations.set(node.parts.translation, 3 * joint)
    rest.rotations.set(node.parts.rotation, 4 * joint)
    rest.scales.set(node.parts.scale, 3 * joint)
    return
  }
  rest.translations.set(node.localMatrix.subarray(12, 15), 3 * joint)
  const shear = decomposeMat4(node.localMatrix, 0, rest.rotations, 4 * joint, rest.scales, 3 * joint)
  if (!(shear <= LARGEST_SHEAR)) {
    throw new Error(
      `rig: the matrix of joint '${node.name}' is no translation, rotation and scale; apply it in the modelling program.`,
    )
  }
}
