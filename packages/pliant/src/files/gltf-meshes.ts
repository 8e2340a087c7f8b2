/** The meshes of a glTF file, one for each node that shows one: primitives joined, unskinned ones put into world space. */
import { FileError } from './file-error.js'
import type { GltfMesh, GltfNode, GltfSkin } from './gltf.js'
import type { GltfFile } from './gltf-container.js'
import type { GltfObject } from './gltf-json.js'
import { linearDeterminant, transformTriples } from './gltf-matrix.js'
import { shownNodes } from './gltf-nodes.js'
import { type RawMesh, readGltfMesh } from './gltf-primitives.js'

/** What a shown mesh takes beside its arrays. */
const MESH_BYTES = 1000

export function readMeshes(file: GltfFile, nodes: GltfNode[], skins: GltfSkin[]): GltfMesh[] {
  const definitions = file.json.objects('meshes')
  const nodeObjects = file.json.objects('nodes')
  const read = new Map<number, RawMesh>()
  const meshes: GltfMesh[] = []
  for (const node of shownNodes(file, nodes)) {
    const object = nodeObjects[node]
    if (!object.has('mesh')) continue
    const number = object.index('mesh', definitions.length, 'meshes')
    const raw = read.get(number) ?? readGltfMesh(file, definitions[number])
    read.set(number, raw)
    if (raw.triangles.length === 0) continue
    // Each node that shows it has a copy of its own.
    file.budget.draw(MESH_BYTES + bytesOfMesh(raw), `what nodes[${node}] shows`)
    const skin = object.has('skin') ? object.index('skin', skins.length, 'skins') : -1
    const name = definitions[number].string('name') ?? nodes[node].name
    const morphWeights = restWeights(object, definitions[number], raw.morphTargets.length)
    const shown =
      skin >= 0 && raw.influences > 0
        ? { ...withinSkin(raw, skins[skin], name), skin }
        : { ...intoWorld(raw, nodes[node].worldMatrix, name), skin: -1 }
    meshes.push({ name, node, morphWeights, ...shown })
  }
  return meshes
}

function bytesOfMesh({ positions, triangles, joints, weights, morphTargets }: RawMesh): number {
  const { byteLength } = positions
  return (1 + morphTargets.length) * byteLength + triangles.byteLength + joints.byteLength + weights.byteLength
}

function restWeights(node: GltfObject, mesh: GltfObject, targets: number): number[] {
  const weights = node.numbers('weights', undefined, mesh.numbers('weights', undefined, []))
  return Array.from({ length: targets }, (_, target) => weights[target] ?? 0)
}

/** Copies, because several nodes may show one mesh. */
function intoWorld(raw: RawMesh, world: Float64Array, name: string): RawMesh {
  const positions = raw.positions.slice()
  transformTriples(world, positions, 1)
  const morphTargets = raw.morphTargets.map(({ name: target, offsets }) => {
    const turned = offsets.slice()
    transformTriples(world, turned, 0)
    return { name: target, offsets: turned }
  })
  const triangles = raw.triangles.slice()
  if (linearDeterminant(world) < 0) {
    for (let i = 0; i < triangles.length; i += 3) {
      const second = triangles[i + 1]
      triangles[i + 1] = triangles[i + 2]
      triangles[i + 2] = second
    }
  }
  if (!positions.every(Number.isFinite)) {
    throw new FileError('gltf', `mesh '${name}' is moved beyond all numbers by its node; check the file.`)
  }
  const unbound = { influences: 0, joints: new Uint16Array(0), weights: new Float32Array(0), withoutWeights: 0 }
  return { positions, triangles, morphTargets, ...unbound }
}

function withinSkin(raw: RawMesh, skin: GltfSkin, name: string): RawMesh {
  const joints = raw.joints.slice()
  for (let i = 0; i < joints.length; i++) {
    if (joints[i] < skin.joints.length) continue
    if (raw.weights[i] === 0) joints[i] = 0
    else {
      const vertex = Math.floor(i / raw.influences)
      throw new FileError(
        'gltf',
        `vertex ${vertex} of mesh '${name}' refers to joint ${joints[i]} of ${skin.joints.length}; check the file.`,
      )
    }
  }
  return {
    ...raw,
    positions: raw.positions.slice(),
    triangles: raw.triangles.slice(),
    joints,
    weights: raw.weights.slice(),
  }
}
