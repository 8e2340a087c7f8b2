/** Meshes made in code for the tests of exact geometry, each hard in its own way. */
import { existsSync, readFileSync } from 'node:fs'
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.js'

type Point = [number, number, number]

/** Grid closed in both directions: `at` maps two angles to a point. */
export function torusLike(rows: number, columns: number, at: (u: number, v: number) => Point): TriangleMesh {
  const positions: number[] = []
  const triangles: number[] = []
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      positions.push(...at((2 * Math.PI * i) / rows, (2 * Math.PI * j) / columns))
      const a = i * columns + j
      const b = ((i + 1) % rows) * columns + j
      const c = ((i + 1) % rows) * columns + ((j + 1) % columns)
      const d = i * columns + ((j + 1) % columns)
      triangles.push(a, b, c, a, c, d)
    }
  }
  return createTriangleMesh(positions, triangles)
}

export function bumpyTorus(rows: number, columns: number): TriangleMesh {
  return torusLike(rows, columns, (u, v) => {
    const r = 1 + 0.35 * Math.cos(v) + 0.05 * Math.sin(7 * u + 3 * v)
    return [r * Math.cos(u), r * Math.sin(u), 0.35 * Math.sin(v)]
  })
}

/** Sphere with poles; `radius` is a function of the unit direction. */
export function ball(
  rings: number,
  sectors: number,
  radius: (x: number, y: number, z: number) => number,
): TriangleMesh {
  const positions: number[] = []
  const add = (x: number, y: number, z: number): void => {
    const r = radius(x, y, z)
    positions.push(r * x, r * y, r * z)
  }
  add(0, 1, 0)
  for (let i = 1; i < rings; i++) {
    for (let j = 0; j < sectors; j++) {
      const polar = (Math.PI * i) / rings
      const around = (2 * Math.PI * j) / sectors
      add(Math.sin(polar) * Math.cos(around), Math.cos(polar), -Math.sin(polar) * Math.sin(around))
    }
  }
  add(0, -1, 0)
  const triangles: number[] = []
  const last = positions.length / 3 - 1
  const at = (i: number, j: number): number => 1 + (i - 1) * sectors + (j % sectors)
  for (let j = 0; j < sectors; j++) {
    triangles.push(0, at(1, j), at(1, j + 1), last, at(rings - 1, j + 1), at(rings - 1, j))
    for (let i = 1; i < rings - 1; i++) {
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1))
    }
  }
  return createTriangleMesh(positions, triangles)
}

/** Smooth lumps, like a scanned animal. */
export const blob = (): TriangleMesh =>
  ball(20, 32, (x, y, z) => 1 + 0.25 * Math.sin(3 * x + 1) * Math.cos(4 * y) + 0.15 * Math.sin(5 * z - 2 * x))

/** Every other vertex pulled out: thin spikes with sharp valleys between. */
export const spiky = (): TriangleMesh => {
  let n = 0
  return ball(15, 30, () => (n++ % 2 === 0 ? 0.4 : 1.5))
}

/** A rod of 120 sides without rings: triangles 4 long and 0.0026 wide, and fans of needles at both ends. */
export const needles = (): TriangleMesh => {
  const mesh = ball(3, 120, () => 1)
  mesh.positions.forEach((value, i) => {
    mesh.positions[i] = i % 3 === 1 ? value * 4 : value * 0.05
  })
  return mesh
}

/** An axis-aligned box in 12 triangles: points above faces, edges and corners, and rays along its edges. */
export function box(lower: Point, upper: Point): TriangleMesh {
  const positions: number[] = []
  for (let i = 0; i < 8; i++) {
    positions.push(i & 1 ? upper[0] : lower[0], i & 2 ? upper[1] : lower[1], i & 4 ? upper[2] : lower[2])
  }
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ]
  return createTriangleMesh(
    positions,
    quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  )
}

/** Two plates 1e-3 thick, 1e-3 apart: the nearest sheet is often one that faces away. */
export const plates = (): TriangleMesh => joined(box([0, 0, 0], [1, 1e-3, 1]), box([0.1, 2e-3, 0], [1.1, 3e-3, 0.7]))

/** A torus whose tube is wider than its hole: it passes through itself and winds twice round the middle. */
export const spindleTorus = (): TriangleMesh =>
  torusLike(36, 20, (u, v) => {
    const r = 0.4 + Math.cos(v)
    return [r * Math.cos(u), r * Math.sin(u), Math.sin(v)]
  })

export function joined(...meshes: TriangleMesh[]): TriangleMesh {
  const positions: number[] = []
  const triangles: number[] = []
  for (const mesh of meshes) {
    const offset = positions.length / 3
    for (const value of mesh.positions) positions.push(value)
    for (const v of mesh.triangles) triangles.push(v + offset)
  }
  return createTriangleMesh(positions, triangles)
}

export function moved(mesh: TriangleMesh, offset: Point, scale = 1): TriangleMesh {
  return { ...mesh, positions: mesh.positions.map((value, i) => value * scale + offset[i % 3]) }
}

/** The same surface facing the other way. */
export function inverted(mesh: TriangleMesh): TriangleMesh {
  const triangles = mesh.triangles.slice()
  for (let i = 0; i < triangles.length; i += 3) {
    const keep = triangles[i]
    triangles[i] = triangles[i + 1]
    triangles[i + 1] = keep
  }
  return { ...mesh, triangles }
}

/** Every triangle with corners of its own, as STL has them. */
export function unwelded(mesh: TriangleMesh): TriangleMesh {
  const positions = Array.from(mesh.triangles).flatMap((v) => Array.from(mesh.positions.subarray(3 * v, 3 * v + 3)))
  return createTriangleMesh(
    positions,
    Uint32Array.from({ length: mesh.triangles.length }, (_, i) => i),
  )
}

/** A surface from the shared test data, or undefined where the folder is absent. */
export function sharedSurface(name: string): TriangleMesh | undefined {
  const file = new URL(`../../../../../shared/data/${name}`, import.meta.url)
  if (!existsSync(file)) return undefined
  const positions: number[] = []
  const triangles: number[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const words = line.trim().split(/\s+/)
    if (words[0] === 'v') positions.push(Number(words[1]), Number(words[2]), Number(words[3]))
    if (words[0] !== 'f') continue
    const corners = words.slice(1).map((word) => Number.parseInt(word, 10) - 1)
    for (let k = 2; k < corners.length; k++) triangles.push(corners[0], corners[k - 1], corners[k])
  }
  return createTriangleMesh(positions, triangles)
}
