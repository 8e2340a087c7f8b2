/** Closed surfaces with known volume and number of handles, and what is checked of every body made of them. */

import { surfaceOfTets, type TetMesh, type TriangleMesh, validateMesh, validateTets } from 'pliant'
import { ExactMeshField, SelfIntersection } from 'pliant/exact'
import { meshVolume, tetVolume } from 'pliant/unstable'
import { expect } from 'vitest'

type Point = [number, number, number]

/** A grid closed in both directions: a torus, or what `at` makes of it. */
export function torus(rows: number, columns: number, at: (u: number, v: number) => Point): TriangleMesh {
  const positions: number[] = []
  const triangles: number[] = []
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      positions.push(...at((2 * Math.PI * i) / rows, (2 * Math.PI * j) / columns))
      const [next, right] = [((i + 1) % rows) * columns, (j + 1) % columns]
      triangles.push(i * columns + j, next + j, next + right, i * columns + j, next + right, i * columns + right)
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) }
}

/** A torus about z with a tube of radius 0.35, or a spindle that passes through itself if the ring is narrower. */
export const ring = (radius = 1): TriangleMesh =>
  torus(60, 30, (u, v) => {
    const r = radius + 0.35 * Math.cos(v)
    return [r * Math.cos(u), r * Math.sin(u), 0.35 * Math.sin(v)]
  })

/** A sphere of radius 1 made of an octahedron whose faces are cut in four `times` times. */
export function sphere(times: number): TriangleMesh {
  let positions = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]
  let triangles = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]
  for (let round = 0; round < times; round++) {
    const middles = new Map<string, number>()
    const middle = (a: number, b: number): number => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`
      const known = middles.get(key)
      if (known !== undefined) return known
      const sum = [0, 1, 2].map((axis) => positions[3 * a + axis] + positions[3 * b + axis])
      const length = Math.hypot(...sum)
      positions.push(...sum.map((value) => value / length))
      middles.set(key, positions.length / 3 - 1)
      return positions.length / 3 - 1
    }
    const finer: number[] = []
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = triangles.slice(i, i + 3)
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)]
      finer.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca)
    }
    positions = [...positions]
    triangles = finer
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) }
}

/** A sphere with spikes along the axes, much thinner than it. */
export function spikedSphere(): TriangleMesh {
  const { positions, triangles } = sphere(5)
  const longer = (i: number): number => {
    const most = Math.max(...[0, 1, 2].map((axis) => Math.abs(positions[3 * i + axis])))
    return 1 + 0.8 * Math.exp(-(1 - most) / 0.004)
  }
  return { positions: positions.map((value, i) => value * longer(Math.trunc(i / 3))), triangles }
}

export function moved({ positions, triangles }: TriangleMesh, by: Point): TriangleMesh {
  return { positions: positions.map((value, i) => value + by[i % 3]), triangles }
}

export function joined(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const first = a.positions.length / 3
  return {
    positions: Float64Array.from([...a.positions, ...b.positions]),
    triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((v) => v + first)]),
  }
}

/**
 * One body, nothing inverted, a manifold surface that does not meet itself, whose nodes lie near the given one: faces
 * pass through it, so single nodes stand off it where it is sharp.
 * @param near how near each of them, in cube roots of the volume; a quarter of it in the mean
 * @returns Euler characteristic of the surface
 */
export function expectSoundBody(mesh: TetMesh, given: TriangleMesh, near = 0.03): number {
  expect(validateTets(mesh)).toEqual([])
  const surface = surfaceOfTets(mesh)
  expect(validateMesh(surface)).toEqual([])
  expect(new SelfIntersection(surface).any()).toBe(false)
  let volume = 0
  for (let tet = 0; tet < mesh.tetrahedra.length / 4; tet++) volume += tetVolume(mesh, tet)
  expect(volume / meshVolume(surface)).toBeCloseTo(1, 9)
  const distances = new Float64Array(surface.positions.length / 3)
  new ExactMeshField(given).query(surface.positions, distances.length, distances)
  const off = distances.map((distance) => Math.abs(distance) / Math.cbrt(volume))
  expect(Math.max(...off)).toBeLessThan(near)
  expect(off.reduce((sum, value) => sum + value, 0) / off.length, 'mean').toBeLessThan(near / 4)
  return surface.positions.length / 3 - surface.triangles.length / 6
}

/** A box from -sides / 2 to sides / 2, each side of it cut into squares of two triangles. */
export function box(sides: Point, cells: number): TriangleMesh {
  const positions: number[] = []
  const triangles: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (const end of [0, 1]) {
      const first = positions.length / 3
      for (let i = 0; i <= cells; i++) {
        for (let j = 0; j <= cells; j++) {
          const at: Point = [0, 0, 0]
          at[axis] = (end - 0.5) * sides[axis]
          at[(axis + 1) % 3] = (i / cells - 0.5) * sides[(axis + 1) % 3]
          at[(axis + 2) % 3] = (j / cells - 0.5) * sides[(axis + 2) % 3]
          positions.push(...at)
          if (i === cells || j === cells) continue
          const [a, b, c, d] = [0, cells + 1, cells + 2, 1].map((step) => first + i * (cells + 1) + j + step)
          triangles.push(...(end ? [a, b, c, a, c, d] : [a, c, b, a, d, c]))
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) }
}
