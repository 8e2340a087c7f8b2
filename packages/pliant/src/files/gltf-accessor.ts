/** The arrays of a glTF file: interleaved, normalised or sparse in the file, plain numbers here. */
import { FileError } from './file-error.js'
import type { GltfFile } from './gltf-container.js'
import type { GltfObject } from './gltf-json.js'

export type GltfType = 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4'

/** Numbers in an element. */
export const COMPONENTS: Record<GltfType, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }

interface Component {
  bytes: number
  /** The integer that stands for 1 when normalised. */
  largest: number
  get(view: DataView, at: number): number
}

const COMPONENT_TYPES: Record<number, Component> = {
  5120: { bytes: 1, largest: 127, get: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, largest: 255, get: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, largest: 32767, get: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, largest: 65535, get: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, largest: 4294967295, get: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, largest: 1, get: (view, at) => view.getFloat32(at, true) },
}

/**
 * Decodes accessor `index`, elements one after the other.
 * @throws FileError if it is of another type, reaches beyond its buffer, or holds a number that is not finite
 */
export function readAccessor(file: GltfFile, index: number, type: GltfType): Float64Array {
  const accessor = file.accessors[index]
  const found = accessor.string('type')
  if (found !== type) throw accessor.error(`is of type ${found}, ${type} is due; check the file.`)
  const size = COMPONENTS[type]
  const count = accessor.count('count')
  const component = componentOf(accessor)
  const values = accessor.has('bufferView')
    ? readView(file, accessor, count, size, component)
    : allocate(file, accessor, count * size) // all zero, as the format has it
  if (accessor.has('sparse')) replaceSparse(file, accessor.object('sparse'), count, size, component, values)
  if (accessor.flag('normalized') && component.largest > 1) {
    for (let i = 0; i < values.length; i++) values[i] = Math.max(-1, values[i] / component.largest)
  }
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw accessor.error(
        `holds ${values[i]} at element ${Math.floor(i / size)}; check the program that wrote the file.`,
      )
    }
  }
  return values
}

function componentOf(object: GltfObject): Component {
  const type = object.count('componentType')
  const component = COMPONENT_TYPES[type]
  if (component === undefined) throw object.error(`has the component type ${type}, which is not known; check the file.`)
  return component
}

/** Elements of `size` components each, from an accessor or one of the two halves of a sparse one. */
function readView(file: GltfFile, object: GltfObject, count: number, size: number, component: Component): Float64Array {
  const view = file.bufferViews[object.index('bufferView', file.bufferViews.length, 'buffer views')]
  const buffer = file.buffers[view.index('buffer', file.buffers.length, 'buffers')]
  const viewStart = view.count('byteOffset', 0)
  const viewLength = view.count('byteLength')
  if (viewStart + viewLength > buffer.length) {
    throw view.error(
      `ends at byte ${viewStart + viewLength} of ${buffer.length}; check the file was written completely.`,
    )
  }
  const elementBytes = size * component.bytes
  const stride = view.count('byteStride', elementBytes)
  if (stride < elementBytes)
    throw view.error(`has a stride of ${stride} bytes for elements of ${elementBytes}; check the file.`)
  const start = object.count('byteOffset', 0)
  if (count > 0 && start + (count - 1) * stride + elementBytes > viewLength) {
    throw object.error(
      `has ${count} elements, beyond its view of ${viewLength} bytes; check the file was written completely.`,
    )
  }
  const data = new DataView(buffer.buffer, buffer.byteOffset + viewStart, viewLength)
  const values = allocate(file, object, count * size)
  for (let i = 0; i < count; i++) {
    const at = start + i * stride
    for (let k = 0; k < size; k++) values[i * size + k] = component.get(data, at + k * component.bytes)
  }
  return values
}

/** One accessor may be read many times over, and one without bytes be of any size. */
function allocate(file: GltfFile, object: GltfObject, length: number): Float64Array {
  file.budget.draw(Float64Array.BYTES_PER_ELEMENT * length, object.path)
  return new Float64Array(length)
}

function replaceSparse(
  file: GltfFile,
  sparse: GltfObject,
  count: number,
  size: number,
  component: Component,
  values: Float64Array,
): void {
  const changed = sparse.count('count')
  const places = sparse.object('indices')
  const indices = readView(file, places, changed, 1, componentOf(places))
  const replacements = readView(file, sparse.object('values'), changed, size, component)
  for (let i = 0; i < changed; i++) {
    if (!(indices[i] < count)) {
      throw new FileError('gltf', `${sparse.path} replaces element ${indices[i]} of ${count}; check the file.`)
    }
    for (let k = 0; k < size; k++) values[indices[i] * size + k] = replacements[i * size + k]
  }
}
