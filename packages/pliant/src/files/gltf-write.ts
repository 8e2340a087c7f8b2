/**
 * Writes a skinned character as a GLB: nodes, meshes with skins, animations. What `readGltf` gives can be written, and
 * anything of the same layout (a `RigSource`); numbers become single precision, nothing else is lost.
 *
 * Kept small by types: 16-bit indices where they suffice, 8-bit joints, weights in bytes where all are whole 255ths,
 * key times shared between tracks.
 */
import { FileError } from './file-error.js'
import { writeGlbChunks } from './glb-chunks.js'
import { animationJson, type GltfSourceAnimation } from './gltf-write-animation.js'
import { GltfBuffer, INDICES, VERTICES } from './gltf-write-buffer.js'

export interface GltfSource {
  readonly meshes: readonly GltfSourceMesh[]
  readonly nodes: readonly GltfSourceNode[]
  readonly skins: readonly GltfSourceSkin[]
  readonly animations: readonly GltfSourceAnimation[]
}

export interface GltfSourceMesh {
  readonly name: string
  /** The node that shows it, and its skin. */
  readonly node: number
  readonly skin: number
  /** In bind space [m], xyz triples. */
  readonly positions: Float64Array
  readonly triangles: Uint32Array
  /** Unit normals; without them viewers draw facets. */
  readonly normals?: Float32Array
  /** Joints per vertex, a multiple of four. */
  readonly influences: number
  /** Numbers into the skin's joints. */
  readonly joints: Uint16Array
  readonly weights: Float32Array
  readonly morphTargets: readonly unknown[]
}

export interface GltfSourceSkin {
  readonly name?: string
  /** Each joint's node. */
  readonly joints: readonly number[]
  readonly inverseBindMatrices: Float64Array
}

export interface GltfSourceNode {
  readonly name: string
  /** The node it hangs from, or -1. */
  readonly parent: number
  readonly localMatrix: Float64Array
  readonly parts?:
    | {
        readonly translation: readonly number[]
        readonly rotation: readonly number[]
        readonly scale: readonly number[]
      }
    | undefined
}

export interface WriteGltfOptions {
  /** What all meshes look like; viewers show white without. */
  material?: {
    name: string
    /** Linear red, green, blue, alpha. */
    colour: readonly [number, number, number, number]
    /** 0 to 1. */
    metallic: number
    roughness: number
  }
}

/** @throws FileError if a mesh has no skin, or has morph targets, which are not written */
export function writeGltf(source: GltfSource, options: WriteGltfOptions = {}): Uint8Array<ArrayBuffer> {
  const buffer = new GltfBuffer()
  const json = {
    asset: { version: '2.0', generator: 'pliant' },
    scene: 0,
    scenes: [{ nodes: source.nodes.flatMap(({ parent }, i) => (parent < 0 ? [i] : [])) }],
    nodes: source.nodes.map((node, i) => nodeJson(source, node, i)),
    meshes: source.meshes.map((mesh) => meshJson(mesh, buffer, options.material ? { material: 0 } : {})),
    ...(options.material ? { materials: [materialJson(options.material)] } : {}),
    skins: source.skins.map(({ name, joints, inverseBindMatrices }) => ({
      ...(name === undefined ? {} : { name }),
      inverseBindMatrices: buffer.accessor(Float32Array.from(inverseBindMatrices), 'MAT4'),
      joints: [...joints],
    })),
    ...(source.animations.length > 0
      ? { animations: source.animations.map((animation) => animationJson(animation, buffer)) }
      : {}),
  }
  const { accessors, bufferViews, bytes } = buffer.finish()
  const whole = { ...json, accessors, bufferViews, buffers: [{ byteLength: bytes.length }] }
  return writeGlbChunks(new TextEncoder().encode(JSON.stringify(whole)), bytes)
}

function nodeJson(source: GltfSource, { name, parts, localMatrix }: GltfSourceNode, number: number): object {
  const children = source.nodes.flatMap(({ parent }, i) => (parent === number ? [i] : []))
  const mesh = source.meshes.findIndex(({ node }) => node === number)
  const isNot = (values: readonly number[], usual: readonly number[]) => values.some((value, i) => value !== usual[i])
  return {
    name,
    ...(children.length > 0 ? { children } : {}),
    ...(mesh >= 0 ? { mesh, skin: source.meshes[mesh].skin } : {}),
    ...(parts === undefined ? { matrix: [...localMatrix] } : {}),
    ...(parts && isNot(parts.translation, [0, 0, 0]) ? { translation: parts.translation } : {}),
    ...(parts && isNot(parts.rotation, [0, 0, 0, 1]) ? { rotation: parts.rotation } : {}),
    ...(parts && isNot(parts.scale, [1, 1, 1]) ? { scale: parts.scale } : {}),
  }
}

function meshJson(mesh: GltfSourceMesh, buffer: GltfBuffer, material: { material?: number }): object {
  const { name, skin, influences, morphTargets } = mesh
  if (skin < 0 || influences === 0 || influences % 4 !== 0) {
    throw new FileError('gltf', `mesh '${name}' has no skin, only skinned ones are written; leave it out.`)
  }
  if (morphTargets.length > 0) {
    throw new FileError('gltf', `mesh '${name}' has morph targets, which are not written; leave them out.`)
  }
  const vertices = mesh.positions.length / 3
  const attributes: Record<string, number> = {
    POSITION: buffer.accessor(Float32Array.from(mesh.positions), 'VEC3', { target: VERTICES, bounds: true }),
  }
  if (mesh.normals) attributes['NORMAL'] = buffer.accessor(mesh.normals, 'VEC3', { target: VERTICES })
  const joints = mesh.joints.some((joint) => joint > 255) ? mesh.joints : Uint8Array.from(mesh.joints)
  const weights = inBytes(mesh.weights) ?? mesh.weights
  for (let set = 0; set < influences / 4; set++) {
    attributes[`JOINTS_${set}`] = buffer.accessor(setOf(joints, influences, set), 'VEC4', { target: VERTICES })
    const normalized = weights instanceof Uint8Array
    const options = { target: VERTICES, normalized }
    attributes[`WEIGHTS_${set}`] = buffer.accessor(setOf(weights, influences, set), 'VEC4', options)
  }
  // The largest index of a type restarts strips, so it names no vertex.
  const indices = vertices < 0xffff ? Uint16Array.from(mesh.triangles) : mesh.triangles
  const indexAccessor = buffer.accessor(indices, 'SCALAR', { target: INDICES })
  return { name, primitives: [{ attributes, indices: indexAccessor, ...material }] }
}

/** Weights as 255ths, if that is what they are but for the rounding of single precision. */
function inBytes(weights: Float32Array): Uint8Array | undefined {
  const bytes = Uint8Array.from(weights, (weight) => Math.round(255 * weight))
  return weights.every((weight, i) => Math.abs(255 * weight - bytes[i]) < 1e-4) ? bytes : undefined
}

/** Four of each vertex's values. */
function setOf<T extends Uint8Array | Uint16Array | Float32Array>(values: T, perVertex: number, set: number): T {
  if (perVertex === 4) return values
  return values.filter((_, i) => Math.floor((i % perVertex) / 4) === set) as T
}

function materialJson({ name, colour, metallic, roughness }: NonNullable<WriteGltfOptions['material']>): object {
  return {
    name,
    pbrMetallicRoughness: { baseColorFactor: colour, metallicFactor: metallic, roughnessFactor: roughness },
  }
}
