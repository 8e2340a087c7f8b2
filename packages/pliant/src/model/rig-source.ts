/** What a rig is made from, as plain data: the parts of `GltfScene` (files/gltf.ts) that it needs. */
import type { ClipTrack } from './clip.js'

/** What a rig is made from, as plain data; what `readGltf` returns is one. */
export interface RigSource {
  /** With a skin or without. */
  readonly meshes: readonly RigMesh[]
  /** The scene's tree. */
  readonly nodes: readonly RigNode[]
  /** What binds meshes to nodes. */
  readonly skins: readonly RigSkin[]
  /** Motions of nodes. */
  readonly animations: readonly RigAnimation[]
}

/** A mesh of a `RigSource`. */
export interface RigMesh {
  /** As its file calls it. */
  readonly name: string
  /** The node that shows it. */
  readonly node: number
  /** Its skin, or -1. */
  readonly skin: number
  /** In bind space with a skin, in world space at rest without [m], xyz triples. */
  readonly positions: Float64Array
  /** Corners of each triangle, numbers of vertices. */
  readonly triangles: Uint32Array
  /** Joints per vertex; 0 without a skin. */
  readonly influences: number
  /** Numbers into the skin's joints. */
  readonly joints: Uint16Array
  /** How much each of these joints moves its vertex. */
  readonly weights: Float32Array
  /** How many vertices had no weight and were given to the skin's first joint; none if left out. */
  readonly withoutWeights?: number
  /** Shapes that it may be drawn towards: what each adds to every vertex at weight 1 [m]. */
  readonly morphTargets: readonly { readonly name: string; readonly offsets: Float64Array }[]
  /** At rest, one for each target. */
  readonly morphWeights: readonly number[]
}

/** A node of a `RigSource`. */
export interface RigNode {
  /** As its file calls it. */
  readonly name: string
  /** The node it hangs from, or -1. */
  readonly parent: number
  /** From its space to its parent's, column-major 4x4. */
  readonly localMatrix: Float64Array
  /** From its space to the world, column-major 4x4. */
  readonly worldMatrix: Float64Array
  /** What the local matrix is made of; undefined if only the matrix is known. */
  readonly parts:
    | {
        readonly translation: readonly number[]
        readonly rotation: readonly number[]
        readonly scale: readonly number[]
      }
    | undefined
}

/** What binds meshes to the nodes of a `RigSource`. */
export interface RigSkin {
  /** Each joint's node. */
  readonly joints: readonly number[]
  /** From bind space to each joint's, column-major 4x4 each. */
  readonly inverseBindMatrices: Float64Array
}

/** A motion of the nodes of a `RigSource`. */
export interface RigAnimation {
  /** As its file calls it. */
  readonly name: string
  /** [s] */
  readonly duration: number
  /** One for each node and property that it moves. */
  readonly channels: readonly (Omit<ClipTrack, 'target' | 'size'> & {
    readonly node: number
    readonly valuesPerKey: number
  })[]
}
