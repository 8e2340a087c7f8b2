/** The node tree of a glTF file: names, parents, and transforms multiplied out. */
import { FileError } from './file-error.js'
import type { GltfNode, GltfNodeParts } from './gltf.js'
import type { GltfFile } from './gltf-container.js'
import type { GltfObject } from './gltf-json.js'
import { composeMatrix, multiplyMatrices } from './gltf-matrix.js'

/** @throws FileError if the nodes do not form trees */
export function readNodes(file: GltfFile): GltfNode[] {
  const objects = file.json.objects('nodes')
  const nodes = objects.map((object, i): GltfNode => {
    const parts = object.has('matrix') ? undefined : readParts(object)
    const localMatrix =
      parts === undefined
        ? Float64Array.from(object.numbers('matrix', 16, []))
        : composeMatrix(parts.translation, parts.rotation, parts.scale)
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
  // Parents before children; a ring of nodes is never reached from a root. A stack, because chains may be long.
  const roots = nodes.map((_, i) => i).filter((i) => nodes[i].parent < 0)
  let reached = 0
  for (const stack = roots; stack.length > 0; reached++) {
    const node = nodes[stack.pop()!]
    if (node.parent >= 0) node.worldMatrix = multiplyMatrices(nodes[node.parent].worldMatrix, node.localMatrix)
    for (const child of node.children) stack.push(child)
  }
  if (reached < nodes.length) throw new FileError('gltf', 'some nodes are their own ancestors; check the file.')
  return nodes
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
