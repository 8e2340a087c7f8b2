/**
 * PLY, text and binary of both byte orders: x, y, z of the `vertex` element and the corner lists of `face` (or of
 * `tristrips`, as old scans have them). Other properties and elements are passed over, in any order and of any type.
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { checkedTriangles, type FileTriangles } from './checked-mesh.js'
import { FileError } from './file-error.js'
import { FloatList } from './lists.js'
import { PLY_TYPE_BYTES, type PlyElement, type PlyHeader, type PlyProperty, readPlyHeader } from './ply-header.js'
import { PlyBinaryValues, PlyTextValues, type PlyValues } from './ply-values.js'
import { PolygonList } from './polygons.js'
import { oneLine } from './text-writer.js'

const CORNER_LISTS = ['vertex_indices', 'vertex_index']

/** Reads PLY, text and binary. @throws FileError naming the element that is wrong */
export function readPly(bytes: Uint8Array): FileTriangles {
  const header = readPlyHeader(bytes)
  const values: PlyValues =
    header.encoding === 'ascii' ? new PlyTextValues(bytes, header) : new PlyBinaryValues(bytes, header)
  const positions = new FloatList()
  const faces = new PolygonList('ply')
  const wanted = header.elements.filter((element) => ['vertex', 'face', 'tristrips'].includes(element.name))
  for (const element of header.elements) {
    values.checkCount(element)
    if (element.name === 'vertex') readVertices(element, values, positions)
    else if (element.name === 'face') readCorners(element, values, (corners) => addFace(faces, corners))
    else if (element.name === 'tristrips') readCorners(element, values, (corners) => addStrip(faces, corners))
    else skipElement(element, values)
    // What comes after is of no use, and may be of a kind that cannot be skipped.
    if (element === wanted.at(-1)) break
  }
  const vertices = positions.toArray()
  return checkedTriangles('ply', vertices, faces.triangulate(vertices, 0))
}

function readVertices(element: PlyElement, values: PlyValues, positions: FloatList): void {
  const axes = element.properties.map(({ name, lengthType }) => (lengthType ? -1 : ['x', 'y', 'z'].indexOf(name)))
  for (let axis = 0; axis < 3; axis++) {
    if (axes.filter((other) => other === axis).length !== 1) {
      throw new FileError('ply', `the vertex element needs one property '${'xyz'[axis]}'; check the header.`)
    }
  }
  const point = [0, 0, 0]
  for (let i = 0; i < element.count; i++) {
    for (let k = 0; k < axes.length; k++) {
      const property = element.properties[k]
      if (axes[k] >= 0) point[axes[k]] = values.value(property.type)
      else skipProperty(property, values)
    }
    positions.push3(point[0], point[1], point[2])
  }
}

function readCorners(element: PlyElement, values: PlyValues, add: (corners: number[]) => void): void {
  const at = element.properties.findIndex(({ name, lengthType }) => lengthType && CORNER_LISTS.includes(name))
  if (at < 0 && element.count > 0) {
    throw new FileError('ply', `element '${element.name}' has no list 'vertex_indices'; check the header.`)
  }
  const corners: number[] = []
  for (let i = 0; i < element.count; i++) {
    for (let k = 0; k < element.properties.length; k++) {
      const property = element.properties[k]
      if (k !== at) {
        skipProperty(property, values)
        continue
      }
      corners.length = values.listLength(property)
      for (let c = 0; c < corners.length; c++) corners[c] = values.value(property.type)
      add(corners)
    }
  }
}

function addFace(faces: PolygonList, corners: number[]): void {
  for (const corner of corners) faces.addCorner(corner, 0)
  faces.endFace()
}

/** Every corner after the second makes a triangle, each second one turned; -1 begins a new strip. */
function addStrip(faces: PolygonList, corners: number[]): void {
  let start = 0
  for (let i = 0; i < corners.length; i++) {
    if (corners[i] === -1) start = i + 1
    else if (i - start >= 2) {
      const turned = (i - start) % 2
      const triangle = [corners[i - 2], corners[i - 1 + turned], corners[i - turned]]
      // Strips repeat a corner to turn round; that makes no triangle.
      if (new Set(triangle).size === 3) addFace(faces, triangle)
    }
  }
}

function skipElement(element: PlyElement, values: PlyValues): void {
  // Without properties there is nothing to skip, however large the count.
  if (element.properties.length === 0) return
  for (let i = 0; i < element.count; i++) {
    for (const property of element.properties) skipProperty(property, values)
  }
}

function skipProperty(property: PlyProperty, values: PlyValues): void {
  values.skip(property.type, property.lengthType ? values.listLength(property) : 1)
}

/**
 * Writes a PLY file. Binary, little-endian. Coordinates are single precision when that loses nothing (old programs
 * read no other), else double.
 * @param comment  a line for the header; left out, none
 */
export function writePly(mesh: TriangleMesh, comment?: string): Uint8Array {
  const { positions, triangles } = mesh
  const single = positions.every((value) => Math.fround(value) === value)
  const coordinateBytes = PLY_TYPE_BYTES[single ? 'float32' : 'float64']
  const header = new TextEncoder().encode(
    [
      'ply',
      'format binary_little_endian 1.0' satisfies `format ${PlyHeader['encoding']} 1.0`,
      ...(comment === undefined ? [] : [`comment ${oneLine(comment)}`]),
      `element vertex ${positions.length / 3}`,
      ...['x', 'y', 'z'].map((axis) => `property ${single ? 'float' : 'double'} ${axis}`),
      `element face ${triangles.length / 3}`,
      'property list uchar int vertex_indices',
      'end_header\n',
    ].join('\n'),
  )
  const faceBytes = 1 + 3 * 4
  const facesStart = header.length + coordinateBytes * positions.length
  const bytes = new Uint8Array(facesStart + (faceBytes * triangles.length) / 3)
  bytes.set(header)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < positions.length; i++) {
    if (single) view.setFloat32(header.length + 4 * i, positions[i], true)
    else view.setFloat64(header.length + 8 * i, positions[i], true)
  }
  for (let i = 0; i < triangles.length / 3; i++) {
    const at = facesStart + faceBytes * i
    bytes[at] = 3
    for (let k = 0; k < 3; k++) view.setUint32(at + 1 + 4 * k, triangles[3 * i + k], true)
  }
  return bytes
}
