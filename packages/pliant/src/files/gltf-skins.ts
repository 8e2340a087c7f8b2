/** The skins of a glTF file: joints, who hangs from whom, and where they were when the mesh was bound to them. */
import type { GltfNode, GltfSkin } from './gltf.js'
import { readAccessor } from './gltf-accessor.js'
import type { GltfFile } from './gltf-container.js'
import { invertAffine } from './gltf-matrix.js'
import { nodesParentsFirst } from './gltf-nodes.js'

export function readSkins(file: GltfFile, nodes: GltfNode[]): GltfSkin[] {
  const order = nodesParentsFirst(nodes)
  return file.json.objects('skins').map((skin, number) => {
    const joints = skin.indices('joints', nodes.length, 'nodes')
    if (joints.length === 0) throw skin.error('has no joints; check the file.')
    if (joints.length > MOST_JOINTS) {
      throw skin.error(`has ${joints.length} joints, vertices can name ${MOST_JOINTS}; simplify the rig.`)
    }
    const jointOfNode = new Map(joints.map((node, joint) => [node, joint]))
    if (jointOfNode.size < joints.length) throw skin.error('names one joint twice; check the file.')
    file.budget.draw(4 * nodes.length + JOINT_BYTES * joints.length, skin.path)
    const nearest = nearestJoints(nodes, order, jointOfNode)
    const parents = Int32Array.from(joints, (node) => (nodes[node].parent < 0 ? -1 : nearest[nodes[node].parent]))
    const inverseBindMatrices = new Float64Array(16 * joints.length)
    const bindMatrices = new Float64Array(16 * joints.length)
    const given = skin.has('inverseBindMatrices')
      ? readAccessor(file, skin.index('inverseBindMatrices', file.accessors.length, 'accessors'), 'MAT4')
      : undefined
    if (given !== undefined && given.length < inverseBindMatrices.length) {
      throw skin.error(`has ${joints.length} joints but ${given.length / 16} inverse bind matrices; check the file.`)
    }
    for (let joint = 0; joint < joints.length; joint++) {
      const inverse = given?.slice(16 * joint, 16 * joint + 16) ?? IDENTITY
      const bind = invertAffine(inverse)
      if (bind === undefined) throw skin.error(`has no usable bind matrix for joint ${joint}; check the file.`)
      inverseBindMatrices.set(inverse, 16 * joint)
      bindMatrices.set(bind, 16 * joint)
    }
    return {
      name: skin.string('name') ?? `skin${number}`,
      joints,
      jointNames: joints.map((node) => nodes[node].name),
      parents,
      inverseBindMatrices,
      bindMatrices,
    }
  })
}

/** Vertices name their joints in 16 bits. */
const MOST_JOINTS = 65_536

/** Two matrices, a name and places in lists. */
const JOINT_BYTES = 2 * 16 * 8 + 64

/** For each node the joint that it is or that is next above it, or -1; in one pass, because chains may be long. */
function nearestJoints(nodes: GltfNode[], order: Int32Array, jointOfNode: Map<number, number>): Int32Array {
  const nearest = new Int32Array(nodes.length)
  for (const node of order) {
    const { parent } = nodes[node]
    nearest[node] = jointOfNode.get(node) ?? (parent < 0 ? -1 : nearest[parent])
  }
  return nearest
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
