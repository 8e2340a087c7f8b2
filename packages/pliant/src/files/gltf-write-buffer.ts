/** The numbers of a glTF file that is being written: one buffer, a view and an accessor for each array in it. */
import { paddedLength } from './glb-chunks.js'
import { COMPONENTS, type GltfType } from './gltf-accessor.js'

type GltfArray = Uint8Array | Uint16Array | Uint32Array | Float32Array

interface AccessorOptions {
  /** What the bytes are for. */
  target?: number
  normalized?: boolean
  /** Say the smallest and largest values, where the format wants them. */
  bounds?: boolean
}

/** Uses of a buffer view. */
export const VERTICES = 34962
export const INDICES = 34963

/** What a file has already, which keeps its numbers: what is added comes behind it. */
interface Present {
  accessors: number
  bufferViews: number
  /** Of the buffer; a multiple of four. */
  bytes: number
}

/** One buffer, a view for each array in it. */
export class GltfBuffer {
  readonly #accessors: object[] = []
  readonly #bufferViews: object[] = []
  readonly #arrays: { bytes: Uint8Array; at: number }[] = []
  readonly #shared = new Map<string, number>()
  #length = 0

  constructor(private readonly present: Present = { accessors: 0, bufferViews: 0, bytes: 0 }) {}

  accessor(array: GltfArray, type: GltfType, { target, normalized, bounds }: AccessorOptions = {}): number {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    const size = COMPONENTS[type]
    this.#bufferViews.push({
      buffer: 0,
      byteOffset: this.present.bytes + this.#length,
      byteLength: bytes.length,
      ...(target === undefined ? {} : { target }),
    })
    this.#arrays.push({ bytes, at: this.#length })
    this.#length = paddedLength(this.#length + bytes.length)
    this.#accessors.push({
      bufferView: this.present.bufferViews + this.#bufferViews.length - 1,
      componentType: componentType(array),
      count: array.length / size,
      type,
      ...(normalized ? { normalized } : {}),
      ...(bounds ? boundsOf(array, size) : {}),
    })
    return this.present.accessors + this.#accessors.length - 1
  }

  /** The accessor of an equal array that was given before, if there was one. */
  sharedAccessor(array: Float32Array, type: GltfType, options: AccessorOptions): number {
    const key = array.join()
    const known = this.#shared.get(key)
    if (known !== undefined) return known
    const added = this.accessor(array, type, options)
    this.#shared.set(key, added)
    return added
  }

  /** What was added: accessors and views in the order of their numbers, and the bytes behind those that were there. */
  finish(): { accessors: object[]; bufferViews: object[]; bytes: Uint8Array } {
    const bytes = new Uint8Array(this.#length)
    for (const { bytes: part, at } of this.#arrays) bytes.set(part, at)
    return { accessors: this.#accessors, bufferViews: this.#bufferViews, bytes }
  }
}

function componentType(array: GltfArray): number {
  if (array instanceof Float32Array) return 5126
  if (array instanceof Uint8Array) return 5121
  return array instanceof Uint16Array ? 5123 : 5125
}

function boundsOf(array: GltfArray, size: number): { min: number[]; max: number[] } {
  const min: number[] = new Array(size).fill(Infinity)
  const max: number[] = new Array(size).fill(-Infinity)
  for (let i = 0; i < array.length; i++) {
    min[i % size] = Math.min(min[i % size], array[i])
    max[i % size] = Math.max(max[i % size], array[i])
  }
  return { min, max }
}
