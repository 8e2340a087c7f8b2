import { boxOfPoints, randomStream, surfaceOfTets, type TetMesh, validateMesh, validateTets } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { tetVolume } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { splitPinches } from '../../src/tets/pinches.js'
import { stuffSurface } from '../../src/tets/stuff.js'
import { dihedralRange } from '../../src/tets/tet-angles.js'
import { sphere } from './solid-shapes.js'

const never = async (): Promise<void> => {}

describe('isosurface stuffing', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`keeps the angles that the paper proves, however rough the surface (seed ${seed})`, async () => {
      const random = randomStream(seed)
      const lumpy = sphere(4)
      for (let v = 0; v < lumpy.positions.length; v += 3) {
        const scale = random.between(0.7, 1.3)
        for (let axis = 0; axis < 3; axis++) lumpy.positions[v + axis] *= scale
      }
      const field = new ExactMeshField(lumpy)
      const { mesh } = await stuffSurface(field, boxOfPoints(lumpy.positions), 0.17, never)
      const { smallest, largest } = dihedralRange(mesh)
      expect(smallest).toBeGreaterThan(10.78)
      expect(largest).toBeLessThan(164.75)
      const errors = validateTets(mesh).filter(({ severity }) => severity === 'error')
      expect(errors).toEqual([])
    })
  }

  it('has nodes on the surface where it says so, and all others inside', async () => {
    const given = sphere(3)
    const field = new ExactMeshField(given)
    const { mesh, onSurface } = await stuffSurface(field, boxOfPoints(given.positions), 0.3, never)
    const distances = new Float64Array(onSurface.length)
    field.query(mesh.positions, onSurface.length, distances)
    onSurface.forEach((on, node) => {
      if (on === 1) expect(Math.abs(distances[node])).toBeLessThan(1e-14)
      else expect(distances[node]).toBeLessThan(-0.01)
    })
  })
})

describe('pinches', () => {
  // Two tetrahedra over one base each, meeting in a node, in an edge, or in a face.
  const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1, 1, 1, 1)
  const body = (...tetrahedra: number[]) => {
    const mesh = { positions: positions.slice(), tetrahedra: Uint32Array.from(tetrahedra) }
    for (let i = 0; i < tetrahedra.length; i += 4) {
      if (tetVolume(mesh, i / 4) < 0) mesh.tetrahedra.subarray(i + 2, i + 4).reverse()
    }
    return mesh
  }

  it('at a node get a node each, drawn apart', () => {
    const { mesh, split, removed, nodeOf } = splitPinches(body(0, 1, 2, 3, 0, 4, 5, 6))
    expect({ split, removed }).toEqual({ split: 1, removed: 0 })
    expect([...nodeOf].filter((node) => node === 0)).toHaveLength(2)
    const copies = [...nodeOf.keys()].filter((node) => nodeOf[node] === 0)
    const [first, second] = copies.map((node) => [...mesh.positions.subarray(3 * node, 3 * node + 3)])
    expect(first.every((value) => value > 0.01)).toBe(true)
    expect(second.every((value) => value < -0.01)).toBe(true)
    expect(validateMesh(surfaceOfTets(mesh)).map(({ kind }) => kind)).toEqual(['several-pieces'])
  })

  it('at an edge between parts that touch nowhere else get an edge each', () => {
    const { split, removed } = splitPinches(body(0, 3, 1, 2, 0, 3, 4, 5))
    expect({ split, removed }).toEqual({ split: 2, removed: 0 })
  })

  it('at an edge between parts that hang together at both its ends lose one part', () => {
    // Three storeys of two by two cubes; the middle one has only two cubes, across from each other.
    const cubes: [number, number, number][] = []
    for (const z of [0, 2]) for (const x of [0, 1]) for (const y of [0, 1]) cubes.push([x, y, z])
    cubes.push([0, 0, 1], [1, 1, 1])
    const { mesh, removed } = splitPinches(tetsOfCubes(cubes))
    expect(removed).toBeGreaterThan(0)
    expect(validateTets(mesh)).toEqual([])
    expect(validateMesh(surfaceOfTets(mesh))).toEqual([])
  })

  it('at a face are none', () => {
    const { mesh, split, removed } = splitPinches(body(0, 1, 2, 3, 7, 1, 2, 3))
    expect({ split, removed }).toEqual({ split: 0, removed: 0 })
    expect(mesh.positions.length / 3).toBe(5)
  })
})

/** Six tetrahedra for each cube, along the ways from its lowest corner to its highest, which fit those of its neighbours. */
function tetsOfCubes(cubes: [number, number, number][]): TetMesh {
  const tetrahedra: number[] = []
  const node = (x: number, y: number, z: number): number => x + 4 * (y + 4 * z)
  for (const cube of cubes) {
    for (const [i, j, k] of [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [0, 2, 1],
      [2, 1, 0],
      [1, 0, 2],
    ]) {
      const at = [...cube]
      const way = [node(at[0], at[1], at[2])]
      for (const axis of [i, j, k]) {
        at[axis]++
        way.push(node(at[0], at[1], at[2]))
      }
      const even = (j - i + 3) % 3 === 1
      tetrahedra.push(way[0], way[1], even ? way[2] : way[3], even ? way[3] : way[2])
    }
  }
  const positions = Float64Array.from({ length: 192 }, (_, i) => {
    const at = Math.floor(i / 3)
    return i % 3 === 0 ? at % 4 : i % 3 === 1 ? Math.floor(at / 4) % 4 : Math.floor(at / 16)
  })
  return { positions, tetrahedra: Uint32Array.from(tetrahedra) }
}
