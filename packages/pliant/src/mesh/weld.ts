/**
 * Vertices at the same place made one. STL has no shared vertices at all and glTF splits them along texture seams, so
 * that a body that is closed in space looks open in its indices. Only equal coordinates are merged: no tolerance, hence
 * no gap is ever closed that is there.
 */
import type { Floats } from '../math/floats.js'
import type { TriangleMesh } from './triangle-mesh.js'

export interface WeldedMesh {
  mesh: TriangleMesh
  /** For each vertex of the input its number in `mesh`. */
  vertexMap: Uint32Array
}

/** Merges equal positions; vertices keep their order of first appearance. Triangles that collapse are kept. */
export function weldMesh(mesh: TriangleMesh): WeldedMesh {
  const first = firstAtSamePlace(mesh.positions)
  const vertexMap = new Uint32Array(first.length)
  let kept = 0
  for (let v = 0; v < first.length; v++) vertexMap[v] = first[v] === v ? kept++ : vertexMap[first[v]]
  const positions = mesh.positions.slice(0, 3 * kept)
  for (let v = 0; v < first.length; v++) {
    if (first[v] !== v) continue
    for (let axis = 0; axis < 3; axis++) positions[3 * vertexMap[v] + axis] = mesh.positions[3 * v + axis]
  }
  return { mesh: { positions, triangles: mesh.triangles.map((v) => vertexMap[v]) }, vertexMap }
}

/** For each vertex the lowest-numbered vertex at the same coordinates (0 and -0 are the same). */
export function firstAtSamePlace(positions: Floats): Uint32Array {
  const count = positions.length / 3
  const first = new Uint32Array(count)
  const size = 2 ** Math.ceil(Math.log2(Math.max(2 * count, 2)))
  const slots = new Int32Array(size).fill(-1)
  const coordinates = new Float64Array(3)
  const words = new Uint32Array(coordinates.buffer)
  for (let v = 0; v < count; v++) {
    // Adding zero turns -0 into 0, whose bits differ.
    for (let axis = 0; axis < 3; axis++) coordinates[axis] = positions[3 * v + axis] + 0
    let hash = 0
    for (let i = 0; i < 6; i++) {
      hash = Math.imul(hash ^ words[i], 0x9e3779b1)
      hash ^= hash >>> 15
    }
    let slot = hash & (size - 1)
    while (slots[slot] >= 0 && !samePlace(positions, slots[slot], v)) slot = (slot + 1) & (size - 1)
    if (slots[slot] < 0) slots[slot] = v
    first[v] = slots[slot]
  }
  return first
}

function samePlace(p: Floats, a: number, b: number): boolean {
  return p[3 * a] === p[3 * b] && p[3 * a + 1] === p[3 * b + 1] && p[3 * a + 2] === p[3 * b + 2]
}
