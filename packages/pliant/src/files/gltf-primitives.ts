/** One mesh of a glTF file in its own space, its primitives joined. */
import type { GltfMesh } from './gltf.js'
import { readAccessor } from './gltf-accessor.js'
import type { GltfFile } from './gltf-container.js'
import type { GltfObject } from './gltf-json.js'
import { IndexList } from './lists.js'

export type RawMesh = Pick<
  GltfMesh,
  'positions' | 'triangles' | 'influences' | 'joints' | 'weights' | 'withoutWeights' | 'morphTargets'
>

/** The modes between these make triangles: list, strip and fan. */
const TRIANGLES = 4
const TRIANGLE_FAN = 6

/** Vertices that one or several primitives share: what their attributes read. */
interface VertexBlock {
  start: number
  positions: Float64Array
  /** JOINTS_0 and WEIGHTS_0, JOINTS_1 and WEIGHTS_1: four values per vertex each. */
  sets: { joints: Float64Array; weights: Float64Array }[]
  targets: (Float64Array | undefined)[]
}

export function readGltfMesh(file: GltfFile, mesh: GltfObject): RawMesh {
  const blocks = new Map<string, VertexBlock>()
  const triangles = new IndexList()
  let vertices = 0
  for (const primitive of mesh.objects('primitives')) {
    const mode = primitive.count('mode', TRIANGLES)
    if (mode < TRIANGLES || mode > TRIANGLE_FAN) continue
    const { key, read } = vertexSource(file, primitive)
    let block = blocks.get(key)
    if (block === undefined) {
      block = { start: vertices, ...read() }
      blocks.set(key, block)
      vertices += block.positions.length / 3
    }
    addTriangles(file, primitive, mode, block, triangles)
  }
  return joinBlocks(file, [...blocks.values()], vertices, triangles.toArray(), targetNames(mesh))
}

/** Exporters often give all primitives the same vertices; the key says when they do. */
function vertexSource(file: GltfFile, primitive: GltfObject): { key: string; read: () => Omit<VertexBlock, 'start'> } {
  const attributes = primitive.object('attributes')
  const accessor = (object: GltfObject, name: string) =>
    object.has(name) ? object.index(name, file.accessors.length, 'accessors') : -1
  const position = accessor(attributes, 'POSITION')
  if (position < 0) throw primitive.error('has no POSITION; check the file.')
  const sets = [0, 1]
    .map((set) => [accessor(attributes, `JOINTS_${set}`), accessor(attributes, `WEIGHTS_${set}`)])
    .filter(([joints, weights]) => joints >= 0 && weights >= 0)
  const targets = primitive.objects('targets').map((target) => accessor(target, 'POSITION'))
  const read = () => {
    const positions = readAccessor(file, position, 'VEC3')
    const sized = (values: Float64Array, perVertex: number, what: string) => {
      if (values.length === (perVertex * positions.length) / 3) return values
      throw primitive.error(
        `has ${positions.length / 3} positions and ${values.length / perVertex} ${what}; check the file.`,
      )
    }
    return {
      positions,
      sets: sets.map(([joints, weights]) => ({
        joints: jointNumbers(primitive, sized(readAccessor(file, joints, 'VEC4'), 4, 'joints')),
        weights: sized(readAccessor(file, weights, 'VEC4'), 4, 'weights'),
      })),
      targets: targets.map((target) =>
        target < 0 ? undefined : sized(readAccessor(file, target, 'VEC3'), 3, 'morph offsets'),
      ),
    }
  }
  return { key: JSON.stringify([position, sets, targets]), read }
}

/** @throws FileError if one would be another number once stored */
function jointNumbers(primitive: GltfObject, joints: Float64Array): Float64Array {
  const wrong = joints.findIndex((joint) => !(Number.isInteger(joint) && joint >= 0 && joint <= 65535))
  if (wrong < 0) return joints
  throw primitive.error(`gives vertex ${Math.floor(wrong / 4)} the joint ${joints[wrong]}; check the file.`)
}

function addTriangles(
  file: GltfFile,
  primitive: GltfObject,
  mode: number,
  block: VertexBlock,
  triangles: IndexList,
): void {
  const vertices = block.positions.length / 3
  const given = primitive.has('indices')
    ? readAccessor(file, primitive.index('indices', file.accessors.length, 'accessors'), 'SCALAR')
    : undefined
  const length = given?.length ?? vertices
  // Lists that grow hold up to twice what is in them. Without indices the vertices are taken in their order.
  file.budget.draw((given ? 0 : 8 * vertices) + 2 * 4 * length * (mode === TRIANGLES ? 1 : 3), primitive.path)
  const indices = given ?? Float64Array.from({ length }, (_, i) => i)
  for (const index of indices) {
    if (Number.isInteger(index) && index >= 0 && index < vertices) continue
    throw primitive.error(`refers to vertex ${index} of ${vertices}; check the file was written completely.`)
  }
  const add = (a: number, b: number, c: number) => {
    triangles.push(block.start + indices[a])
    triangles.push(block.start + indices[b])
    triangles.push(block.start + indices[c])
  }
  if (mode === TRIANGLES) for (let i = 0; i + 2 < indices.length; i += 3) add(i, i + 1, i + 2)
  else if (mode === TRIANGLE_FAN) for (let i = 1; i + 1 < indices.length; i++) add(0, i, i + 1)
  // Each second triangle of a strip is turned.
  else for (let i = 0; i + 2 < indices.length; i++) add(i, i + 1 + (i % 2), i + 2 - (i % 2))
}

function joinBlocks(
  file: GltfFile,
  blocks: VertexBlock[],
  vertices: number,
  triangles: Uint32Array,
  names: string[],
): RawMesh {
  const influences = 4 * blocks.reduce((most, { sets }) => Math.max(most, sets.length), 0)
  const targetCount = blocks.reduce((most, { targets }) => Math.max(most, targets.length), 0)
  // Positions, offsets, and two or four bytes for each joint and weight.
  file.budget.draw(vertices * (24 * (1 + targetCount) + 6 * influences), `${targetCount} morph targets`)
  const positions = new Float64Array(3 * vertices)
  const joints = new Uint16Array(influences * vertices)
  const weights = new Float32Array(influences * vertices)
  let withoutWeights = 0
  const morphTargets = Array.from({ length: targetCount }, (_, target) => ({
    name: names[target] ?? `target${target}`,
    offsets: new Float64Array(3 * vertices),
  }))
  for (const { start, positions: part, sets, targets } of blocks) {
    positions.set(part, 3 * start)
    targets.forEach((target, i) => {
      if (target !== undefined) morphTargets[i].offsets.set(target, 3 * start)
    })
    for (let vertex = 0; vertex < part.length / 3; vertex++) {
      for (let k = 0; k < influences; k++) {
        const set = sets[k >> 2]
        const place = influences * (start + vertex) + k
        joints[place] = set?.joints[4 * vertex + (k & 3)] ?? 0
        weights[place] = Math.max(0, set?.weights[4 * vertex + (k & 3)] ?? 0)
      }
      if (influences > 0 && !normaliseWeights(joints, weights, influences * (start + vertex), influences)) {
        withoutWeights++
      }
    }
  }
  return { positions, triangles, influences, joints, weights, withoutWeights, morphTargets }
}

/**
 * Rounding in the file is made good; a vertex without any weight goes with joint 0, as viewers have it.
 * @returns whether it had weights
 */
function normaliseWeights(joints: Uint16Array, weights: Float32Array, start: number, influences: number): boolean {
  let sum = 0
  for (let k = start; k < start + influences; k++) sum += weights[k]
  if (sum > 0) for (let k = start; k < start + influences; k++) weights[k] /= sum
  else {
    joints[start] = 0
    weights[start] = 1
  }
  for (let k = start; k < start + influences; k++) if (weights[k] === 0) joints[k] = 0
  return sum > 0
}

/** By custom in the mesh's extras. */
function targetNames(mesh: GltfObject): string[] {
  return mesh.looseObject('extras')?.strings('targetNames') ?? []
}
