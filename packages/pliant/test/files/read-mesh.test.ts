import { describe, expect, test } from 'vitest'
import { writeMedit } from '../../src/files/medit.js'
import { writeNpy } from '../../src/files/npy.js'
import { writeObj } from '../../src/files/obj.js'
import { writeOff } from '../../src/files/off.js'
import { writePly } from '../../src/files/ply.js'
import { companionName, readMeshFile } from '../../src/files/read-mesh.js'
import { writeStl } from '../../src/files/stl.js'
import { riggedGlb, riggedGltf } from './gltf-sample.js'
import {
  BytesBuilder,
  boxMesh,
  gmsh2,
  gmsh4,
  meditBinary,
  plyText,
  stlText,
  tetgenEle,
  tetgenNode,
  text,
  twoTets,
} from './samples.js'

const box = boxMesh()
const tets = twoTets()

describe('the content decides, whatever the name', () => {
  test.each([
    ['obj', writeObj(box)],
    ['ply', writePly(box)],
    ['ply', plyText(box)],
    ['stl', writeStl(box)],
    ['stl', stlText(box)],
    ['off', writeOff(box)],
    ['medit', writeMedit(box)],
  ] as const)('%s', async (format, bytes) => {
    for (const name of ['a.obj', 'b.stl', 'c.ply', 'd.msh', 'e', 'f.txt']) {
      expect(await readMeshFile(name, bytes), name).toEqual({ kind: 'triangles', format, mesh: box })
    }
  })

  test.each([
    ['medit', meditBinary(tets, 3, true)],
    ['medit', writeMedit(tets)],
    ['gmsh', gmsh2(tets, 'big')],
    ['gmsh', gmsh4(tets, 'text')],
  ] as const)('%s with tetrahedra', async (format, bytes) => {
    expect(await readMeshFile('a.obj', bytes)).toEqual({ kind: 'tetrahedra', format, mesh: tets })
  })

  test('glTF in both forms', async () => {
    for (const bytes of [await riggedGlb(), await riggedGltf()]) {
      expect(await readMeshFile('a.bin', bytes)).toMatchObject({ kind: 'gltf', format: 'gltf' })
    }
  })
})

test('either half of a TetGen pair finds the other', async () => {
  const node = tetgenNode(tets, 1)
  const ele = tetgenEle(tets, 1)
  const read = { kind: 'tetrahedra', format: 'tetgen', mesh: tets }
  expect(await readMeshFile('a/b.node', node, { companion: ele })).toEqual(read)
  expect(await readMeshFile('a/b.ele', ele, { companion: node })).toEqual(read)
  expect(companionName('a/b.node', node)).toBe('b.ele')
  expect(companionName('a/b.1.ele', ele)).toBe('b.1.node')
  expect(companionName('a/b.obj', writeObj(box))).toBeUndefined()
  await expect(readMeshFile('a/b.node', node)).rejects.toThrow(
    "tetgen: 'a/b.node' is one of two files; b.ele is needed beside it.",
  )
})

describe('other things are named, in one line', () => {
  const header = '{"__metadata__":{"format":"pliant"}}'
  const artifact = new BytesBuilder().int64(header.length).text(header).bytes()
  test.each([
    ['bunny.safetensors', artifact, 'a trained object (.safetensors)'],
    ['bunny.obj', artifact, 'a trained object (.safetensors)'],
    ['points.npy', writeNpy(Float32Array.of(1, 2, 3), [1, 3]), 'an array (.npy)'],
    ['picture.obj', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0), 'a PNG picture'],
    ['scene.fbx', text('Kaydara FBX Binary  \0'), 'an FBX scene'],
    ['page.obj', text('\n<!doctype html><html></html>'), 'an XML or HTML document'],
    ['spec.json', text('{"preset": "bar"}'), 'JSON that is not glTF'],
    ['blank.obj', text(' \n\n'), 'blank'],
    ['noise', Uint8Array.of(7, 200, 31, 4, 99), 'of no kind that is known'],
  ])('%s', async (name, bytes, what) => {
    await expect(readMeshFile(name, bytes)).rejects.toThrow(
      `mesh: '${name}' is ${what}; a mesh is expected: OBJ, PLY, STL, OFF, glTF/GLB, Medit .mesh, Gmsh .msh or TetGen .node/.ele.`,
    )
  })

  test('an empty file and a folder', async () => {
    await expect(readMeshFile('a.obj', new Uint8Array())).rejects.toThrow(/^mesh: 'a.obj' is empty; a mesh is expected/)
    await expect(readMeshFile('meshes/', new Uint8Array())).rejects.toThrow(
      /^mesh: 'meshes\/' is a folder; a mesh is expected/,
    )
  })

  test('a name with line breaks does not break the line', async () => {
    await expect(readMeshFile('a\nb.obj', new Uint8Array())).rejects.toThrow(/^mesh: 'a\?b.obj' is empty/)
  })
})

test('bytes in the middle of a larger buffer are read like any others', async () => {
  const inner = (bytes: Uint8Array) => {
    const outer = new Uint8Array(bytes.length + 13)
    outer.set(bytes, 5)
    return outer.subarray(5, 5 + bytes.length)
  }
  for (const bytes of [writePly(box), writeStl(box), writeObj(box)]) {
    expect(await readMeshFile('x', inner(bytes))).toEqual(await readMeshFile('x', bytes))
  }
  for (const bytes of [meditBinary(tets, 2, true), gmsh4(tets, 'little'), await riggedGlb(), await riggedGltf()]) {
    expect(await readMeshFile('x', inner(bytes))).toEqual(await readMeshFile('x', bytes))
  }
})
