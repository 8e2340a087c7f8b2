/** The node tree of a glTF file: names, parents, and transforms multiplied out. */
import { composeMat4 } from '../math/mat4.js'
import { FileError } from './file-error.js'
import type { GltfNode, GltfNodeParts } from './gltf.js'
import type { GltfFile } from './gltf-container.js'
import type { GltfObject } from './gltf-json.js'
import { multiplyMatrices } from './gltf-matrix.js'

/** @throws FileError if the nodes do not form trees */
export function readNodes(file: GltfFile): GltfNode[] {
  const objects = file.json.objects('nodes')
  file.budget.draw(NODE_BYTES * objects.length, 'its nodes')
  // One array for all matrices: a hundred thousand small ones keep the garbage collector busy for seconds.
  const matrices = new Float64Array(2 * 16 * objects.length)
  const nodes = objects.map((object, i): GltfNode => {
    const parts = object.has('matrix') ? undefined : readParts(object)
    const localMatrix = matrices.subarray(32 * i, 32 * i + 16)
    if (parts === undefined) localMatrix.set(object.numbers('matrix', 16, []))
    else composeMat4(parts.translation, parts.rotation, parts.scale, 0, localMatrix, 0)
    return {
      name: object.string('name') ?? `node${i}`,
      parent: -1,
      children: object.indices('children', objects.length, 'nodes'),
      localMatrix,
      worldMatrix: localMatrix,
      parts,
    }
  })
  nodes.forEach((node, i) => {
    for (const child of node.children) {
      if (nodes[child].parent >= 0) throw new FileError('gltf', `nodes[${child}] has two parents; check the file.`)
      nodes[child].parent = i
    }
  })
  const order = nodesParentsFirst(nodes)
  // A ring of nodes is never reached from a root.
  if (order.length < nodes.length) throw new FileError('gltf', 'some nodes are their own ancestors; check the file.')
  for (const i of order) {
    const node = nodes[i]
    if (node.parent < 0) continue
    const worldMatrix = matrices.subarray(32 * i + 16, 32 * i + 32)
    node.worldMatrix = multiplyMatrices(nodes[node.parent].worldMatrix, node.localMatrix, worldMatrix)
  }
  return nodes
}

/** Two matrices, three short lists, a name and the object that holds them. */
const NODE_BYTES = 600

/** Numbers of all nodes that hang from a root, parents before children. A list, because chains may be long. */
export function nodesParentsFirst(nodes: readonly GltfNode[]): Int32Array {
  const order = new Int32Array(nodes.length)
  let end = 0
  nodes.forEach(({ parent }, i) => {
    if (parent < 0) order[end++] = i
  })
  for (let at = 0; at < end; at++) for (const child of nodes[order[at]].children) order[end++] = child
  return order.subarray(0, end)
}

/** The nodes of the default scene, or all where the file names none. */
export function shownNodes(file: GltfFile, nodes: GltfNode[]): number[] {
  const scenes = file.json.objects('scenes')
  if (scenes.length === 0) return nodes.map((_, i) => i)
  const shown = file.json.has('scene') ? [scenes[file.json.index('scene', scenes.length, 'scenes')]] : scenes
  const found = new Set<number>()
  const stack = shown.flatMap((scene) => scene.indices('nodes', nodes.length, 'nodes'))
  while (stack.length > 0) {
    const i = stack.pop()!
    if (found.has(i)) continue
    found.add(i)
    for (const child of nodes[i].children) stack.push(child)
  }
  return [...found].sort((a, b) => a - b)
}

function readParts(object: GltfObject): GltfNodeParts {
  const rotation = object.numbers('rotation', 4, [0, 0, 0, 1])
  const length = Math.hypot(...rotation)
  if (!(length > 0)) throw object.error('has a rotation of length 0; check the file.')
  return {
    translation: object.numbers('translation', 3, [0, 0, 0]) as [number, number, number],
    rotation: rotation.map((value) => value / length) as [number, number, number, number],
    scale: object.numbers('scale', 3, [1, 1, 1]) as [number, number, number],
  }
}
