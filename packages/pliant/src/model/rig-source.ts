/** What a rig is made from, as plain data: the parts of `GltfScene` (files/gltf.ts) that it needs. */
import type { ClipTrack } from './clip.js'

export interface RigSource {
  readonly meshes: readonly RigMesh[]
  readonly nodes: readonly RigNode[]
  readonly skins: readonly RigSkin[]
  readonly animations: readonly RigAnimation[]
}

export interface RigMesh {
  readonly name: string
  /** The node that shows it. */
  readonly node: number
  /** Its skin, or -1. */
  readonly skin: number
  /** In bind space with a skin, in world space at rest without [m], xyz triples. */
  readonly positions: Float64Array
  readonly triangles: Uint32Array
  /** Joints per vertex; 0 without a skin. */
  readonly influences: number
  /** Numbers into the skin's joints. */
  readonly joints: Uint16Array
  readonly weights: Float32Array
  /** How many vertices had no weight and were given to the skin's first joint; none if left out. */
  readonly withoutWeights?: number
  readonly morphTargets: readonly { readonly name: string; readonly offsets: Float64Array }[]
  readonly morphWeights: readonly number[]
}

export interface RigNode {
  readonly name: string
  /** The node it hangs from, or -1. */
  readonly parent: number
  /** Column-major 4x4. */
  readonly localMatrix: Float64Array
  readonly worldMatrix: Float64Array
  /** undefined if only the matrix is known. */
  readonly parts:
    | {
        readonly translation: readonly number[]
        readonly rotation: readonly number[]
        readonly scale: readonly number[]
      }
    | undefined
}

export interface RigSkin {
  /** Each joint's node. */
  readonly joints: readonly number[]
  readonly inverseBindMatrices: Float64Array
}

export interface RigAnimation {
  readonly name: string
  readonly duration: number
  readonly channels: readonly (Omit<ClipTrack, 'target' | 'size'> & {
    readonly node: number
    readonly valuesPerKey: number
  })[]
}
