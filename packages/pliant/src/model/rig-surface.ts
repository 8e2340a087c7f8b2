/** The surface of a rig: several meshes, each bound by a skin or hanging from a node, made one. */
import { invertAffine } from '../math/mat4.js'
import { firstAtSamePlace } from '../mesh/weld.js'
import type { RigMesh, RigSource } from './rig-source.js'
import type { Skeleton } from './skeleton.js'
import type { MorphTarget, SkinnedSurface } from './skinned-surface.js'

/**
 * Sum of weight differences up to which two vertices at one place are one. Weights are stored in as few as 8 bits, so
 * the two sides of a seam may round apart by 4 / 255; vertices that really move apart differ by far more.
 */
const SAME_WEIGHTS = 1 / 32
/** Different vertices at one place that a further one is compared with; a seam splits a vertex into a few. */
const MOST_RIVALS = 16
/** Bones are numbered in 16 bits. */
const MOST_BONES = 65_536

export function rigSurface(
  scene: RigSource,
  meshes: readonly RigMesh[],
  skeleton: Skeleton,
  jointOfNode: ReadonlyMap<number, number>,
  weld: boolean,
): SkinnedSurface {
  const bones = new BoneList(skeleton)
  const read = meshes.map((mesh) => {
    const influences = influencesOf(scene, mesh, jointOfNode, bones)
    return { mesh, influences, ...(weld ? weldedVertices(mesh, influences) : allVertices(mesh)) }
  })
  const total = (size: (part: (typeof read)[number]) => number) => read.reduce((sum, part) => sum + size(part), 0)
  const vertexCount = total(({ kept }) => kept.length)
  const influenceCount = total(({ influences, kept }) =>
    kept.reduce((sum, vertex) => sum + influences.starts[vertex + 1] - influences.starts[vertex], 0),
  )
  const surface = {
    bound: new Float64Array(3 * vertexCount),
    triangles: new Uint32Array(total(({ mesh }) => mesh.triangles.length)),
    influenceStarts: new Uint32Array(vertexCount + 1),
    influenceBones: new Uint16Array(influenceCount),
    influenceWeights: new Float32Array(influenceCount),
  }
  const morphTargets: MorphTarget[] = []
  const parts: SkinnedSurface['meshes'] = []
  let vertexStart = 0
  let corner = 0
  let influence = 0
  for (const { mesh, influences, vertexMap, kept } of read) {
    const triangleCount = mesh.triangles.length / 3
    parts.push({
      name: mesh.name,
      vertexStart,
      vertexCount: kept.length,
      triangleStart: corner / 3,
      triangleCount,
    })
    kept.forEach((vertex, i) => {
      const place = vertexStart + i
      for (let axis = 0; axis < 3; axis++) surface.bound[3 * place + axis] = mesh.positions[3 * vertex + axis]
      for (let k = influences.starts[vertex]; k < influences.starts[vertex + 1]; k++, influence++) {
        surface.influenceBones[influence] = influences.bones[k]
        surface.influenceWeights[influence] = influences.weights[k]
      }
      surface.influenceStarts[place + 1] = influence
    })
    for (const vertex of mesh.triangles) surface.triangles[corner++] = vertexStart + vertexMap[vertex]
    for (const target of mesh.morphTargets) morphTargets.push(morphTarget(mesh.name, target, kept, vertexStart))
    vertexStart += kept.length
  }
  return {
    ...surface,
    bones: { joints: Uint16Array.from(bones.joints), inverseBind: Float64Array.from(bones.inverseBind) },
    morphTargets,
    morphWeights: Float64Array.from(meshes.flatMap((mesh) => mesh.morphWeights)),
    meshes: parts,
  }
}

/** Bones of each vertex, the heaviest first, weights with sum 1; those of weight 0 are dropped. */
interface Influences {
  /** Where each vertex's begin; one more at the end. */
  starts: Uint32Array
  bones: Uint16Array
  weights: Float64Array
}

/** Joints with bind matrices; the same pair of the two is one bone. */
class BoneList {
  readonly joints: number[] = []
  readonly inverseBind: number[] = []
  readonly #known = new Map<string, number>()

  constructor(private readonly skeleton: Skeleton) {}

  /** @param inverseBind  into the joint's space, as files have it */
  add(joint: number, inverseBind: Float64Array): number {
    const key = `${joint}:${inverseBind.join()}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.joints.length === MOST_BONES) {
      throw new Error(`rig: its skins bind joints in more than ${MOST_BONES} places; join the skins.`)
    }
    this.#known.set(key, this.joints.length)
    this.joints.push(joint)
    this.inverseBind.push(...this.skeleton.spaceToFrame(joint, inverseBind))
    return this.joints.length - 1
  }
}

function influencesOf(
  scene: RigSource,
  mesh: RigMesh,
  jointOfNode: ReadonlyMap<number, number>,
  bones: BoneList,
): Influences {
  const vertices = mesh.positions.length / 3
  const starts = new Uint32Array(vertices + 1)
  if (mesh.skin < 0) {
    const inverse = new Float64Array(16)
    if (!invertAffine(scene.nodes[mesh.node].worldMatrix, 0, inverse, 0)) {
      throw new Error(`rig: mesh '${mesh.name}' hangs from a node with a scale of zero; leave it out.`)
    }
    const whole = bones.add(jointOfNode.get(mesh.node)!, inverse)
    for (let vertex = 0; vertex <= vertices; vertex++) starts[vertex] = vertex
    return { starts, bones: new Uint16Array(vertices).fill(whole), weights: new Float64Array(vertices).fill(1) }
  }
  const skin = scene.skins[mesh.skin]
  const boneOf = new Int32Array(skin.joints.length).fill(-1)
  const bone = (joint: number): number => {
    if (boneOf[joint] < 0) {
      const inverse = skin.inverseBindMatrices.slice(16 * joint, 16 * joint + 16)
      boneOf[joint] = bones.add(jointOfNode.get(skin.joints[joint])!, inverse)
    }
    return boneOf[joint]
  }
  const most = vertices * Math.max(1, mesh.influences)
  const found = { starts, bones: new Uint16Array(most), weights: new Float64Array(most) }
  let end = 0
  for (let vertex = 0; vertex < vertices; vertex++) {
    const start = end
    let sum = 0
    for (let k = mesh.influences * vertex; k < mesh.influences * (vertex + 1); k++) {
      if (!(mesh.weights[k] > 0)) continue
      sum += mesh.weights[k]
      const which = bone(mesh.joints[k])
      let at = start
      while (at < end && found.bones[at] !== which) at++
      found.bones[at] = which
      found.weights[at] = (at < end ? found.weights[at] : 0) + mesh.weights[k]
      if (at === end) end++
    }
    // A vertex without weights goes with the skin's first joint, as in viewers.
    if (sum === 0) {
      found.bones[end] = bone(0)
      found.weights[end++] = sum = 1
    }
    for (let k = start; k < end; k++) found.weights[k] /= sum
    heaviestFirst(found, start, end)
    starts[vertex + 1] = end
  }
  return found
}

/** Sorts a vertex's few influences; equal weights stay in their order. */
function heaviestFirst({ bones, weights }: Influences, start: number, end: number): void {
  for (let k = start + 1; k < end; k++) {
    const [bone, weight] = [bones[k], weights[k]]
    let at = k
    for (; at > start && weights[at - 1] < weight; at--) {
      bones[at] = bones[at - 1]
      weights[at] = weights[at - 1]
    }
    bones[at] = bone
    weights[at] = weight
  }
}

function allVertices(mesh: RigMesh): { vertexMap: Uint32Array; kept: Uint32Array } {
  const all = Uint32Array.from({ length: mesh.positions.length / 3 }, (_, vertex) => vertex)
  return { vertexMap: all, kept: all }
}

/** Merges vertices of one mesh that are at one place and always will be. */
function weldedVertices(mesh: RigMesh, influences: Influences): { vertexMap: Uint32Array; kept: Uint32Array } {
  const first = firstAtSamePlace(mesh.positions)
  const vertexMap = new Uint32Array(first.length)
  const kept = new Uint32Array(first.length)
  let count = 0
  /** The next kept vertex at the same place, -1 at the last; the first at a place is always kept. */
  const next = new Int32Array(first.length).fill(-1)
  for (let vertex = 0; vertex < first.length; vertex++) {
    let same = -1
    let last = -1
    if (first[vertex] !== vertex) {
      for (let other = first[vertex], rivals = 0; other >= 0 && rivals < MOST_RIVALS; other = next[other], rivals++) {
        last = other
        if (weightDifference(influences, vertex, other) > SAME_WEIGHTS || !sameMorphs(mesh, vertex, other)) continue
        same = other
        break
      }
    }
    if (same >= 0) vertexMap[vertex] = vertexMap[same]
    else {
      vertexMap[vertex] = count
      kept[count++] = vertex
      // What comes behind the last of its rivals is not compared any more and need not be found.
      if (last >= 0) next[last] = vertex
    }
  }
  return { vertexMap, kept: kept.slice(0, count) }
}

/** Sum over all bones of how far two vertices' weights lie apart. */
function weightDifference({ starts, bones, weights }: Influences, a: number, b: number): number {
  const oneWay = (from: number, to: number): number => {
    let sum = 0
    for (let k = starts[from]; k < starts[from + 1]; k++) {
      let other = 0
      for (let l = starts[to]; l < starts[to + 1]; l++) if (bones[l] === bones[k]) other = weights[l]
      sum += Math.max(0, weights[k] - other)
    }
    return sum
  }
  return oneWay(a, b) + oneWay(b, a)
}

function sameMorphs(mesh: RigMesh, a: number, b: number): boolean {
  for (const { offsets } of mesh.morphTargets) {
    for (let axis = 0; axis < 3; axis++) if (offsets[3 * a + axis] !== offsets[3 * b + axis]) return false
  }
  return true
}

function morphTarget(
  meshName: string,
  target: { readonly name: string; readonly offsets: Float64Array },
  kept: ArrayLike<number>,
  vertexStart: number,
): MorphTarget {
  const moved: number[] = []
  for (let i = 0; i < kept.length; i++) {
    const at = 3 * kept[i]
    if (target.offsets[at] !== 0 || target.offsets[at + 1] !== 0 || target.offsets[at + 2] !== 0) moved.push(i)
  }
  return {
    name: `${meshName}/${target.name}`,
    vertices: Uint32Array.from(moved, (i) => vertexStart + i),
    offsets: Float64Array.from(
      { length: 3 * moved.length },
      (_, k) => target.offsets[3 * kept[moved[Math.floor(k / 3)]] + (k % 3)],
    ),
  }
}
