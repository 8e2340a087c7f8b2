/**
 * How deep one part of a surface is in another that it meets: as the vertex that is furthest behind the other's surface. From
 * the triangles that meet it goes along the surface for as long as vertices are behind, so that parts which merely face each
 * other's back count for nothing, and what is asked costs as much as is inside.
 */
import type { Floats } from '../../math/floats.js'
import { trianglesAtVertices, type VertexTriangles } from '../../mesh/adjacency.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { firstAtSamePlace } from '../../mesh/weld.js'
import { ClosestPoint } from '../closest-point.js'
import { FeatureNormals } from '../feature-normals.js'
import { FEATURE_FACE } from '../point-triangle.js'
import { TriangleTree } from '../triangle-tree.js'
import type { NeighbourRule } from './neighbour-rule.js'

/** Triangles of a leaf, as for every nearest point. */
const LEAF_SIZE = 2

/** Triangles of one part, once somebody has asked about it. */
interface Part {
  /** Counts them from zero. */
  tree: TriangleTree
  closest: ClosestPoint
  /** Their numbers in the mesh. */
  triangles: Uint32Array
  /** The move that it took part in last. */
  move: number
}

export class PartDepths {
  readonly #triangles: Uint32Array
  readonly #rule: NeighbourRule
  readonly #normals: FeatureNormals
  /** Vertices at one place are one, by the first of them. */
  readonly #weld: Uint32Array
  readonly #around: VertexTriangles
  readonly #parts: (Part | undefined)[]
  readonly #normal = new Float64Array(3)
  #positions: Floats
  #move = 0

  /**
   * @param mesh  at rest, valid
   * @param rule  made of it; its parts are those that are asked about
   */
  constructor(mesh: TriangleMesh, rule: NeighbourRule) {
    this.#triangles = mesh.triangles
    this.#rule = rule
    this.#normals = new FeatureNormals(mesh)
    this.#weld = firstAtSamePlace(mesh.positions)
    this.#around = trianglesAtVertices(mesh.triangles, this.#weld)
    this.#parts = new Array(rule.partCount)
    this.#positions = mesh.positions
  }

  /** Moves all parts. @param positions  of the mesh's vertices; read until the next move */
  moveTo(positions: Floats): void {
    this.#positions = positions
    this.#move++
  }

  /**
   * How deep a part is in another [m]; nothing if no vertex is behind it.
   * @param meeting  triangles of the part that meet the other
   */
  depth(meeting: Iterable<number>, other: number): number {
    const { tree, closest, triangles } = this.#partAt(other)
    const x = this.#positions
    const seen = new Set<number>()
    const left: { vertex: number; triangle: number }[] = []
    const look = (triangle: number): void => {
      for (let k = 3 * triangle; k < 3 * triangle + 3; k++) {
        const vertex = this.#weld[this.#triangles[k]]
        if (seen.has(vertex)) continue
        seen.add(vertex)
        left.push({ vertex, triangle })
      }
    }
    for (const triangle of meeting) look(triangle)
    let squared = 0
    for (let next = left.pop(); next; next = left.pop()) {
      const [px, py, pz] = [x[3 * next.vertex], x[3 * next.vertex + 1], x[3 * next.vertex + 2]]
      closest.find(px, py, pz)
      const nearest = triangles[tree.triangleOfSlot[closest.slot]]
      if (!this.#isBehind(closest, nearest, px, py, pz)) continue
      // Which side of the rest it lies on, a neighbour's nearest point does not tell.
      if (this.#rule.leavesAlone(next.triangle, nearest)) continue
      squared = Math.max(squared, closest.squared)
      const { starts, triangles: around } = this.#around
      for (let i = starts[next.vertex]; i < starts[next.vertex + 1]; i++) {
        if (this.#rule.parts[around[i]] === this.#rule.parts[next.triangle]) look(around[i])
      }
    }
    return Math.sqrt(squared)
  }

  /** At the rim of a part, where the surface goes on, nobody knows. */
  #isBehind({ x, y, z, feature }: ClosestPoint, triangle: number, px: number, py: number, pz: number): boolean {
    const { parts } = this.#rule
    const around = this.#normals.trianglesAt(triangle, feature)
    if (feature !== FEATURE_FACE && (around.length < 2 || around.some((of) => parts[of] !== parts[triangle]))) {
      return false
    }
    this.#normals.write(this.#positions, triangle, feature, this.#normal)
    const [nx, ny, nz] = this.#normal
    return (px - x) * nx + (py - y) * ny + (pz - z) * nz < 0
  }

  #partAt(number: number): Part {
    this.#parts[number] ??= this.#makePart(number)
    const part = this.#parts[number]
    if (part.move !== this.#move) part.tree.refit(this.#positions)
    part.move = this.#move
    return part
  }

  #makePart(number: number): Part {
    const { parts } = this.#rule
    const triangles = Uint32Array.from(parts.keys()).filter((triangle) => parts[triangle] === number)
    const corners = Uint32Array.from({ length: 3 * triangles.length }, (_, i) => {
      return this.#triangles[3 * triangles[Math.trunc(i / 3)] + (i % 3)]
    })
    const tree = new TriangleTree({ positions: this.#positions, triangles: corners }, LEAF_SIZE)
    return { tree, closest: new ClosestPoint(tree), triangles, move: this.#move }
  }
}
