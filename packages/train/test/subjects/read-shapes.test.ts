/** Shapes of one mesh as people have them: many files in the order that people count, sequences, rigs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TriangleMesh } from 'pliant'
import { afterAll, describe, expect, it } from 'vitest'
import { foldedPose, foldingClip, foldingGlb, foldingTube } from '../../../pliant/test/artifact/folding-tube.js'
import { bar } from '../../../pliant/test/model/acap/shapes.js'
import { NamedFiles } from '../../src/input/named-files.js'
import { type ReadShapes, readShapes } from '../../src/subjects/read-shapes.js'
import type { ShapeContactModel } from '../../src/subjects/shape-contact.js'
import { readSpec } from '../../src/train/subjects.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-read-shapes-'))
afterAll(() => rmSync(folder, { recursive: true }))
const files = new NamedFiles(folder)
const save = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content)

function read(model: ShapeContactModel): Promise<ReadShapes> {
  return readShapes(readSpec(JSON.stringify({ model })), model, files)
}

function obj({ positions, triangles }: TriangleMesh): string {
  const rows = (mark: string, values: ArrayLike<number>, shift: number): string[] =>
    Array.from({ length: values.length / 3 }, (_, i) =>
      [mark, ...[0, 1, 2].map((k) => values[3 * i + k] + shift)].join(' '),
    )
  return [...rows('v', positions, 0), ...rows('f', triangles, 1)].join('\n')
}

const cube = bar(1, 1)
const higher = (by: number): TriangleMesh => ({
  ...cube,
  positions: cube.positions.map((value, i) => (i % 3 === 1 ? value + by : value)),
})
const firstY = (shape: Float32Array): number => shape[1] - cube.positions[1]

mkdirSync(join(folder, 'poses'))
for (const pose of [10, 2, 1]) save(`poses/pose${pose}.obj`, obj(higher(pose)))
save('poses/other.txt', 'no mesh')
mkdirSync(join(folder, 'mixed'))
save('mixed/a1.obj', obj(cube))
save('mixed/a2.obj', obj(bar(2, 1)))
save('mixed/b1.obj', obj(cube))
save('mixed/b2.obj', obj({ ...cube, triangles: cube.triangles.map((v, i) => cube.triangles[i < 6 ? i : i ^ 1] ?? v) }))
for (const i of [1, 2]) save(`mixed/d${i}.obj`, `${obj(cube)}\nv 5 5 5`)
save('mixed/c1.obj', obj(cube))
save('mixed/c2.obj', obj({ ...cube, triangles: cube.triangles.slice(0, -3) }))

/** Frames as places of the first, then differences to it. */
function anime(frames: readonly Float64Array[], triangles: Uint32Array): Uint8Array {
  const counts = Int32Array.of(frames.length, frames[0].length / 3, triangles.length / 3)
  const later = frames.slice(1).flatMap((frame) => [...frame.map((value, i) => value - frames[0][i])])
  const arrays = [counts, Float32Array.from(frames[0]), Int32Array.from(triangles), Float32Array.from(later)]
  return Buffer.concat(arrays.map(({ buffer }) => new Uint8Array(buffer)))
}
save(
  'fall.anime',
  anime(
    Array.from({ length: 20 }, (_, i) => Float64Array.from(higher(-i).positions)),
    cube.triangles,
  ),
)
save('tube.glb', foldingGlb([foldingClip('fold', [100, 100, 100])]))

describe('shapes of one mesh', () => {
  it('are many files by a name, 2 before 10, and no others', async () => {
    const { shapes, triangles, given } = await read({ meshes: 'poses/*.obj' })
    expect(shapes.map(firstY).map(Math.round)).toEqual([1, 2, 10])
    expect(triangles).toEqual(cube.triangles)
    expect(given).toBe(8)
    expect((await read({ meshes: 'poses/pose?.obj' })).shapes.map(firstY).map(Math.round)).toEqual([1, 2])
    // A dot is a dot, and nothing may stand before or behind.
    await expect(read({ meshes: 'poses/ose*.obj' })).rejects.toThrow('is no file')
    await expect(read({ meshes: 'poses/pose*xobj' })).rejects.toThrow('is no file')
  })

  it('are in metres by a scale', async () => {
    const { shapes } = await read({ meshes: 'poses/*.obj', scale: 0.5 })
    expect(shapes[2][0]).toBeCloseTo(0.5 * cube.positions[0], 6)
    expect(shapes[2][1]).toBeCloseTo(0.5 * (cube.positions[1] + 10), 6)
  })

  it('are frames of a sequence, evenly from all', async () => {
    expect((await read({ meshes: 'fall.anime' })).shapes).toHaveLength(20)
    const { shapes, triangles } = await read({ meshes: 'fall.anime', shapes: 4 })
    expect(shapes.map((shape) => Math.round(-firstY(shape)))).toEqual([0, 5, 10, 15])
    expect(triangles).toEqual(cube.triangles)
  })

  it('are a rig at rest, then in poses of its clips', async () => {
    const tube = foldingTube()
    const { shapes, triangles } = await read({ meshes: 'tube.glb', shapes: 11 })
    expect(triangles).toEqual(tube.triangles)
    expect(shapes.length).toBe(11)
    const due = new Float32Array(3 * tube.vertexCount)
    tube.positionsOfPose(tube.skeleton.rest, due)
    expect(largestDifference(shapes[0], due)).toBeLessThan(1e-4)
    // The clip's middle, where it is folded most, is the 15th of its 31 frames; ten of them are taken.
    tube.positionsOfPose(foldedPose(tube.skeleton, new Array(3).fill((100 / 180) * Math.PI)), due)
    expect(Math.min(...shapes.map((shape) => largestDifference(shape, due)))).toBeLessThan(0.05)
    expect(largestDifference(shapes[0], due)).toBeGreaterThan(1)
  })

  it('are thinned to as many vertices as wanted, all by the same ones', async () => {
    const { shapes, triangles, given } = await read({ meshes: 'tube.glb', shapes: 5, vertices: 100 })
    expect(given).toBe(122)
    expect(shapes.map((shape) => shape.length / 3)).toEqual(new Array(5).fill(100))
    expect(Math.max(...triangles)).toBe(99)
    // A fifth more than wanted is not worth it.
    expect((await read({ meshes: 'tube.glb', shapes: 5, vertices: 102 })).shapes[0]).toHaveLength(3 * 122)
    const all = (await read({ meshes: 'tube.glb', shapes: 5 })).shapes
    const places = all.map(({ length }, i) =>
      Array.from({ length: length / 3 }, (_, v) => [...all[i].subarray(3 * v, 3 * v + 3)].join()),
    )
    for (let v = 0; v < 100; v++) {
      const own = shapes.map((shape) => [...shape.subarray(3 * v, 3 * v + 3)].join())
      const from = places[4].flatMap((place, i) => (place === own[4] ? [i] : []))
      expect(from.some((i) => places.every((each, shape) => each[i] === own[shape]))).toBe(true)
    }
  })

  it.each([
    ['none/*.obj', 'spec: cannot read the folder none of none/*.obj (ENOENT); check the path.'],
    ['poses/*.ply', 'spec: model.meshes poses/*.ply is no file; shapes of one mesh are learned from many.'],
    [
      'poses/pose1?.obj',
      'spec: model.meshes poses/pose1?.obj is one file, poses/pose10.obj; shapes of one mesh are learned from many.',
    ],
    [
      'mixed/a*.obj',
      'mixed/a2.obj has 12 vertices, mixed/a1.obj has 8; all must be shapes of one mesh, vertex by vertex.',
    ],
    [
      'mixed/b*.obj',
      'mixed/b2.obj has other triangles than mixed/b1.obj, from triangle 2 on; all must be shapes of one mesh, in the same order.',
    ],
    ['mixed/d*.obj', 'mixed/d*.obj: 1 vertices that no triangle uses (vertices 8); mend the meshes, all alike.'],
    [
      'mixed/c*.obj',
      'mixed/c2.obj has other triangles than mixed/c1.obj, from triangle 11 on; all must be shapes of one mesh, in the same order.',
    ],
    [
      'poses/pose1.obj',
      'spec: model.meshes is poses/pose1.obj; give many meshes by a name with *, a sequence (.anime), or a rigged glTF file.',
    ],
    ['lost.anime', "spec: cannot read lost.anime (there is no such file); paths are relative to the spec's folder."],
  ])('that are none are refused in one line: %s', async (meshes, message) => {
    const told = await read({ meshes }).catch((error: Error) => error.message)
    expect(told).toBe(message)
  })

  it('that are no meshes are refused by their name', async () => {
    save('poses/broken1.obj', 'v 1 2 nothing')
    save('poses/broken2.obj', 'v 1 2 nothing')
    await expect(read({ meshes: 'poses/broken*.obj' })).rejects.toThrow(/^poses\/broken1\.obj: [^\n]+$/)
    save('cut.anime', anime([Float64Array.from(cube.positions)], cube.triangles).subarray(0, 40))
    await expect(read({ meshes: 'cut.anime' })).rejects.toThrow(/^cut\.anime: [^\n]+$/)
  })
})

function largestDifference(a: Float32Array, b: Float32Array): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i])))
}
