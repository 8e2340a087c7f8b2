/** The three formats that hold bodies, on one pair of tetrahedra in every version and encoding. */
import { describe, expect, test } from 'vitest'
import { readGmsh } from '../../src/files/gmsh.js'
import { readMedit, writeMedit } from '../../src/files/medit.js'
import { readTetgen } from '../../src/files/tetgen.js'
import { orientTets } from '../../src/mesh/tet-mesh.js'
import { boxMesh, gmsh2, gmsh4, meditBinary, meditText, tetgenEle, tetgenNode, text, twoTets } from './samples.js'

const tets = twoTets()
const body = { kind: 'tetrahedra', mesh: tets }

describe('Medit', () => {
  test('text, with sections to pass over', () => {
    expect(readMedit(meditText(tets))).toEqual(body)
  })

  test.each([1, 2, 3, 4] as const)('binary version %i in both byte orders', (version) => {
    expect(readMedit(meditBinary(tets, version, true))).toEqual(body)
    expect(readMedit(meditBinary(tets, version, false))).toEqual(body)
  })

  test('bodies and surfaces that are written are read back bit for bit', () => {
    const moved = { ...tets, positions: tets.positions.map((value) => value / 3) }
    expect(readMedit(writeMedit(moved))).toEqual({ kind: 'tetrahedra', mesh: moved })
    expect(readMedit(writeMedit(boxMesh()))).toEqual({ kind: 'triangles', mesh: boxMesh() })
  })

  test('references may be missing, quadrilaterals are cut', () => {
    const content =
      'MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\nQuadrilaterals 1\n1 2 3 4\nEnd'
    const { kind, mesh } = readMedit(text(content))
    expect(kind).toBe('triangles')
    expect('triangles' in mesh && [...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3])
  })

  test.each([
    ['Vertices\n6', 'Vertices\n1e9', /^medit: 1000000000 Vertices declared but \d+ bytes follow; /],
    ['Tetrahedra 2\n1', 'Tetrahedra 2\n7', /^medit: tetrahedron 1 refers to vertex 7 of 6; /],
    ['Tetrahedra 2\n1', 'Tetrahedra 2\n0', /^medit: tetrahedron 1 refers to vertex 0; /],
    ['Dimension\n3', 'Dimension\n2', /^medit: Dimension is 2; only meshes in space/],
    ['End', '', /^medit: the file ends before 'End'; /],
  ])('%j as %j is refused', (from, to, message) => {
    expect(() => readMedit(text(new TextDecoder().decode(meditText(tets)).replace(from, to)))).toThrow(message)
  })

  test('sections that point backwards are refused instead of followed for ever', () => {
    const bytes = meditBinary(tets, 2, true)
    new DataView(bytes.buffer).setInt32(12, 8, true)
    expect(() => readMedit(bytes)).toThrow(/^medit: the section after byte 8 is said to begin at 8 of \d+; /)
  })
})

describe('Gmsh', () => {
  test.each(['text', 'little', 'big'] as const)('versions 2 and 4.1, %s', (encoding) => {
    expect(readGmsh(gmsh2(tets, encoding))).toEqual(body)
    expect(readGmsh(gmsh4(tets, encoding))).toEqual(body)
  })

  test('a surface where there are no tetrahedra, of curved triangles their corners', () => {
    const content =
      '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 .5 0 0\n5 .5 .5 0\n6 0 .5 0\n$EndNodes\n$Elements\n1\n1 9 2 0 0 1 2 3 4 5 6\n$EndElements\n'
    const { kind, mesh } = readGmsh(text(content))
    expect(kind).toBe('triangles')
    expect('triangles' in mesh && [...mesh.triangles]).toEqual([0, 1, 2])
  })

  test.each([
    ['2.2 0 8', '4 0 8', /^gmsh: this is version 4 of the format; save it again as version 2.2 or 4.1\.$/],
    ['2.2 0 8', '1 0 8', /^gmsh: this is version 1 of the format; /],
    [
      '$Nodes\n6',
      '$Nodes\n9223372036854775807',
      /^gmsh: a count on line \d+ is 9223372036854776000, not a whole number; /,
    ],
    ['$Nodes\n6', '$Nodes\n1000000000', /^gmsh: 1000000000 nodes declared but \d+ bytes follow; /],
    ['2 2 2 1 2 10 13 16', '2 2 2 1 2 10 13 99', /^gmsh: an element refers to node 99, which is not among the 6; /],
    ['2 2 2 1 2 10 13 16', '2 5 2 1 2 10 13 16 10 13 16 10 13', /^gmsh: 1 hexahedra, prisms or pyramids among 2 /],
    ['2 2 2 1 2 10 13 16', '2 77 2 1 2 10 13 16', /^gmsh: element type 77 is not known; /],
    ['\n13 1', '\n10 1', /^gmsh: node 10 is there twice; /],
    ['$EndNodes', '', /^gmsh: the file ends before '\$EndNodes'; /],
  ])('%j as %j is refused', (from, to, message) => {
    const content = new TextDecoder().decode(gmsh2(tets, 'text'))
    expect(content).toContain(from)
    expect(() => readGmsh(text(content.replace(from, to)))).toThrow(message)
  })
})

describe('TetGen', () => {
  test.each([0, 1] as const)('counted from %i', (base) => {
    expect(readTetgen(tetgenNode(tets, base), tetgenEle(tets, base))).toEqual(tets)
  })

  test('files that do not belong together are refused', () => {
    expect(() => readTetgen(tetgenNode(tets, 1), tetgenEle(tets, 0))).toThrow(
      /^tetgen: element 1 refers to node 0; the .node file has 1 to 6\.$/,
    )
    expect(() => readTetgen(tetgenEle(tets, 1), tetgenNode(tets, 1))).toThrow(/^tetgen: /)
  })
})

test('a program that writes all tetrahedra the other way round means nothing by it', () => {
  const turned = { ...tets, tetrahedra: Uint32Array.of(1, 0, 2, 3, 2, 1, 3, 4) }
  const read = readMedit(writeMedit(turned))
  expect(read.mesh).toEqual(orientTets(turned))
  expect(read.mesh).not.toEqual(turned)
})
