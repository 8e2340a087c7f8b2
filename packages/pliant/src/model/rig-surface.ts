/** The surface of a rig: several meshes, each bound by a skin or hanging from a node, made one. */
import { invertAffine } from '../math/mat4.js'
import { firstAtSamePlace } from '../mesh/weld.js'
import type { RigMesh, RigSource } from './rig-source.js'
import type { MorphTarget, SkinnedSurface } from './skinned-surface.js'

/**
 * Sum of weight differences up to which two vertices at one place are one. Weights are stored in as few as 8 bits, so
 * the two sides of a seam may round apart by 4 / 255; vertices that really move apart differ by far more.
 */
const SAME_WEIGHTS = 1 / 32

export function rigSurface(
  scene: RigSource,
  meshes: readonly RigMesh[],
  jointOfNode: ReadonlyMap<number, number>,
  weld: boolean,
): SkinnedSurface {
  const bones = new BoneList()
  const surface = {
    bound: [] as number[],
    triangles: [] as number[],
    influenceStarts: [0],
    influenceBones: [] as number[],
    influenceWeights: [] as number[],
  }
  const morphTargets: MorphTarget[] = []
  const parts: SkinnedSurface['meshes'] = []
  for (const mesh of meshes) {
    const influences = influencesOf(scene, mesh, jointOfNode, bones)
    const { vertexMap, kept } = weld ? weldedVertices(mesh, influences) : allVertices(mesh)
    const vertexStart = surface.bound.length / 3
    const triangleStart = surface.triangles.length / 3
    for (const vertex of kept) {
      for (let axis = 0; axis < 3; axis++) surface.bound.push(mesh.positions[3 * vertex + axis])
      for (const { bone, weight } of influences[vertex]) {
        surface.influenceBones.push(bone)
        surface.influenceWeights.push(weight)
      }
      surface.influenceStarts.push(surface.influenceBones.length)
    }
    for (const vertex of mesh.triangles) surface.triangles.push(vertexStart + vertexMap[vertex])
    for (const target of mesh.morphTargets) morphTargets.push(morphTarget(mesh.name, target, kept, vertexStart))
    const triangleCount = mesh.triangles.length / 3
    parts.push({ name: mesh.name, vertexStart, vertexCount: kept.length, triangleStart, triangleCount })
  }
  return {
    bound: Float64Array.from(surface.bound),
    triangles: Uint32Array.from(surface.triangles),
    bones: { joints: Uint16Array.from(bones.joints), inverseBind: Float64Array.from(bones.inverseBind) },
    influenceStarts: Uint32Array.from(surface.influenceStarts),
    influenceBones: Uint16Array.from(surface.influenceBones),
    influenceWeights: Float32Array.from(surface.influenceWeights),
    morphTargets,
    morphWeights: Float64Array.from(meshes.flatMap((mesh) => mesh.morphWeights)),
    meshes: parts,
  }
}

interface Influence {
  bone: number
  weight: number
}

/** Joints with bind matrices; the same pair of the two is one bone. */
class BoneList {
  readonly joints: number[] = []
  readonly inverseBind: number[] = []
  readonly #known = new Map<string, number>()

  add(joint: number, inverseBind: Float64Array): number {
    const key = `${joint}:${inverseBind.join()}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.joints.length)
    this.joints.push(joint)
    this.inverseBind.push(...inverseBind)
    return this.joints.length - 1
  }
}

/** For each vertex its bones, the heaviest first, weights with sum 1; weights of 0 are dropped. */
function influencesOf(
  scene: RigSource,
  mesh: RigMesh,
  jointOfNode: ReadonlyMap<number, number>,
  bones: BoneList,
): Influence[][] {
  const vertices = mesh.positions.length / 3
  if (mesh.skin < 0) {
    const inverse = new Float64Array(16)
    if (!invertAffine(scene.nodes[mesh.node].worldMatrix, 0, inverse, 0)) {
      throw new Error(`rig: mesh '${mesh.name}' hangs from a node with a scale of zero; leave it out.`)
    }
    const whole = [{ bone: bones.add(jointOfNode.get(mesh.node)!, inverse), weight: 1 }]
    return Array.from({ length: vertices }, () => whole)
  }
  const skin = scene.skins[mesh.skin]
  const boneOf = new Map<number, number>()
  const bone = (joint: number): number => {
    let found = boneOf.get(joint)
    if (found === undefined) {
      const inverse = skin.inverseBindMatrices.slice(16 * joint, 16 * joint + 16)
      found = bones.add(jointOfNode.get(skin.joints[joint])!, inverse)
      boneOf.set(joint, found)
    }
    return found
  }
  return Array.from({ length: vertices }, (_, vertex) => {
    const found = new Map<number, number>()
    let sum = 0
    for (let k = mesh.influences * vertex; k < mesh.influences * (vertex + 1); k++) {
      if (!(mesh.weights[k] > 0)) continue
      found.set(mesh.joints[k], (found.get(mesh.joints[k]) ?? 0) + mesh.weights[k])
      sum += mesh.weights[k]
    }
    // A vertex without weights goes with the skin's first joint, as in viewers.
    if (sum === 0) return [{ bone: bone(0), weight: 1 }]
    return [...found]
      .map(([joint, weight]) => ({ bone: bone(joint), weight: weight / sum }))
      .sort((a, b) => b.weight - a.weight)
  })
}

function allVertices(mesh: RigMesh): { vertexMap: Uint32Array; kept: Uint32Array } {
  const all = Uint32Array.from({ length: mesh.positions.length / 3 }, (_, vertex) => vertex)
  return { vertexMap: all, kept: all }
}

/** Merges vertices of one mesh that are at one place and always will be. */
function weldedVertices(mesh: RigMesh, influences: Influence[][]): { vertexMap: Uint32Array; kept: number[] } {
  const first = firstAtSamePlace(mesh.positions)
  const keptAt = new Map<number, number[]>()
  const vertexMap = new Uint32Array(first.length)
  const kept: number[] = []
  for (let vertex = 0; vertex < first.length; vertex++) {
    const rivals = keptAt.get(first[vertex]) ?? []
    const same = rivals.find(
      (other) =>
        weightDifference(influences[vertex], influences[other]) <= SAME_WEIGHTS && sameMorphs(mesh, vertex, other),
    )
    if (same !== undefined) vertexMap[vertex] = vertexMap[same]
    else {
      vertexMap[vertex] = kept.length
      kept.push(vertex)
      keptAt.set(first[vertex], [...rivals, vertex])
    }
  }
  return { vertexMap, kept }
}

function weightDifference(a: Influence[], b: Influence[]): number {
  const weightIn = (list: Influence[], bone: number) => list.find((one) => one.bone === bone)?.weight ?? 0
  const lost = a.reduce((sum, { bone, weight }) => sum + Math.max(0, weight - weightIn(b, bone)), 0)
  const gained = b.reduce((sum, { bone, weight }) => sum + Math.max(0, weight - weightIn(a, bone)), 0)
  return lost + gained
}

function sameMorphs(mesh: RigMesh, a: number, b: number): boolean {
  return mesh.morphTargets.every(({ offsets }) =>
    [0, 1, 2].every((axis) => offsets[3 * a + axis] === offsets[3 * b + axis]),
  )
}

function morphTarget(
  meshName: string,
  target: { readonly name: string; readonly offsets: Float64Array },
  kept: ArrayLike<number>,
  vertexStart: number,
): MorphTarget {
  const moved = Array.from(kept)
    .map((vertex, i) => ({ vertex, to: vertexStart + i }))
    .filter(({ vertex }) => [0, 1, 2].some((axis) => target.offsets[3 * vertex + axis] !== 0))
  return {
    name: `${meshName}/${target.name}`,
    vertices: Uint32Array.from(moved, ({ to }) => to),
    offsets: Float64Array.from(moved.flatMap(({ vertex }) => [...target.offsets.subarray(3 * vertex, 3 * vertex + 3)])),
  }
}
