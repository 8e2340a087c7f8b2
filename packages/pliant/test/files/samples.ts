/** Small files of every format, built here byte by byte so that readers are not tested against our own writers alone. */
import type { TetMesh } from '../../src/mesh/tet-mesh.js'
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js'

export function text(content: string): Uint8Array {
  return new TextEncoder().encode(content)
}

/** Grows by what is written to it, in either byte order. */
export class BytesBuilder {
  private readonly values: number[] = []

  constructor(private readonly littleEndian = true) {}

  text(content: string): this {
    this.values.push(...text(content))
    return this
  }

  uint8(...values: number[]): this {
    return this.put(1, values, (view, value) => view.setUint8(0, value))
  }

  int16(...values: number[]): this {
    return this.put(2, values, (view, value) => view.setInt16(0, value, this.littleEndian))
  }

  int32(...values: number[]): this {
    return this.put(4, values, (view, value) => view.setInt32(0, value, this.littleEndian))
  }

  int64(...values: number[]): this {
    return this.put(8, values, (view, value) => view.setBigInt64(0, BigInt(value), this.littleEndian))
  }

  float32(...values: number[]): this {
    return this.put(4, values, (view, value) => view.setFloat32(0, value, this.littleEndian))
  }

  float64(...values: number[]): this {
    return this.put(8, values, (view, value) => view.setFloat64(0, value, this.littleEndian))
  }

  get length(): number {
    return this.values.length
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.values)
  }

  private put(size: number, values: number[], set: (view: DataView, value: number) => void): this {
    for (const value of values) {
      const piece = new Uint8Array(size)
      set(new DataView(piece.buffer), value)
      this.values.push(...piece)
    }
    return this
  }
}

/** A box of 8 vertices and 12 triangles, outward; vertices in order of first use, coordinates exact in single precision. */
export function boxMesh(): TriangleMesh & { positions: Float64Array } {
  const triangles = Uint32Array.of(
    ...[0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 5, 0, 3, 5, 3, 6],
    ...[1, 4, 7, 1, 7, 2, 3, 2, 7, 3, 7, 6, 5, 4, 1, 5, 1, 0],
  )
  const positions = Float64Array.of(
    ...[0, 0, 1, 2, 0, 1, 2, 1.5, 1, 0, 1.5, 1],
    ...[2, 0, -0.25, 0, 0, -0.25, 0, 1.5, -0.25, 2, 1.5, -0.25],
  )
  return { positions, triangles }
}

/** Two tetrahedra that share a face, and a node that belongs to neither. */
export function twoTets(): TetMesh {
  return {
    positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5),
    tetrahedra: Uint32Array.of(0, 1, 2, 3, 1, 2, 3, 4),
  }
}

export function plyText(mesh: TriangleMesh): Uint8Array {
  const { positions: p, triangles: t } = mesh
  const rows = Array.from({ length: p.length / 3 }, (_, i) => `${p[3 * i + 2]} nan 200 ${p[3 * i]} ${p[3 * i + 1]}`)
  const faces = Array.from({ length: t.length / 3 }, (_, i) => `1.5 3 ${t[3 * i]} ${t[3 * i + 1]} ${t[3 * i + 2]}`)
  return text(
    [
      'ply\nformat ascii 1.0\ncomment element face 99',
      'element camera 1\nproperty float fov\nproperty list uchar float row',
      `element vertex ${rows.length}\nproperty double z\nproperty float nx\nproperty uchar red`,
      'property float x\nproperty float y',
      `element face ${faces.length}\nproperty float quality\nproperty list uchar int vertex_index`,
      'end_header',
      '60 2 1 2',
      ...rows,
      ...faces,
      '',
    ].join('\n'),
  )
}

/** Odd types and orders, an element to pass over between vertices and faces, in either byte order. */
export function plyBinary(mesh: TriangleMesh, littleEndian: boolean): Uint8Array {
  const { positions: p, triangles: t } = mesh
  const builder = new BytesBuilder(littleEndian).text(
    [
      `ply\nformat binary_${littleEndian ? 'little' : 'big'}_endian 1.0`,
      `element vertex ${p.length / 3}\nproperty uint8 flag\nproperty double y\nproperty list int16 uint8 tags`,
      'property float32 x\nproperty double z',
      'element junk 2\nproperty list uchar short values',
      `element face ${t.length / 3}\nproperty list int int16 vertex_indices\nproperty char side`,
      'end_header\n',
    ].join('\n'),
  )
  for (let i = 0; i < p.length; i += 3) {
    builder
      .uint8(7)
      .float64(p[i + 1])
      .int16(2)
      .uint8(1, 2)
    builder.float32(p[i]).float64(p[i + 2])
  }
  builder.uint8(3).int16(1, 2, 3).uint8(0)
  for (let i = 0; i < t.length; i += 3)
    builder
      .int32(3)
      .int16(t[i], t[i + 1], t[i + 2])
      .uint8(1)
  return builder.bytes()
}

export function stlText(mesh: TriangleMesh): Uint8Array {
  let content = 'solid a facet of names\n'
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    content += 'facet normal nan 0 0\n  outer loop\n'
    for (let k = 0; k < 3; k++) {
      const at = 3 * mesh.triangles[i + k]
      content += `    vertex ${Array.from(mesh.positions.subarray(at, at + 3), (x) => x.toExponential()).join(' ')}\n`
    }
    content += '  endloop\nendfacet\n'
  }
  return text(`${content}endsolid a\n`)
}

export function meditText(mesh: TetMesh): Uint8Array {
  const { positions: p, tetrahedra: t } = mesh
  const rows = Array.from({ length: p.length / 3 }, (_, i) => `${p[3 * i]} ${p[3 * i + 1]} ${p[3 * i + 2]} 1`)
  const tets = Array.from(
    { length: t.length / 4 },
    (_, i) => `${[...t.subarray(4 * i, 4 * i + 4)].map((n) => n + 1).join(' ')} 0`,
  )
  return text(
    `MeshVersionFormatted 1 # by hand\nDimension\n3\nCorners 2\n1\n2\nVertices\n${rows.length}\n${rows.join('\n')}
Edges 1\n1 2 5\nTetrahedra ${tets.length}\n${tets.join('\n')}\nTriangles 1\n1 2 3 4\nEnd\n`,
  )
}

export function meditBinary(mesh: TetMesh, version: 1 | 2 | 3 | 4, littleEndian: boolean): Uint8Array {
  const builder = new BytesBuilder(littleEndian).int32(1, version)
  const integer = (...values: number[]) => (version >= 4 ? builder.int64(...values) : builder.int32(...values))
  const addressBytes = version >= 3 ? 8 : 4
  const integerBytes = version >= 4 ? 8 : 4
  const section = (code: number, dataBytes: number) => {
    const next = builder.length + 4 + addressBytes + dataBytes
    builder.int32(code)
    if (version >= 3) builder.int64(next)
    else builder.int32(next)
  }
  section(3, 4)
  builder.int32(3)
  // Ridges, which nobody here reads.
  section(14, 2 * integerBytes)
  integer(1, 1)
  const nodes = mesh.positions.length / 3
  section(4, integerBytes + nodes * (3 * (version >= 2 ? 8 : 4) + integerBytes))
  integer(nodes)
  for (let i = 0; i < nodes; i++) {
    const point = mesh.positions.subarray(3 * i, 3 * i + 3)
    if (version >= 2) builder.float64(...point)
    else builder.float32(...point)
    integer(0)
  }
  const tets = mesh.tetrahedra.length / 4
  section(8, integerBytes * (1 + 5 * tets))
  integer(tets)
  for (let i = 0; i < tets; i++) integer(...[...mesh.tetrahedra.subarray(4 * i, 4 * i + 4)].map((n) => n + 1), 0)
  builder.int32(54)
  return builder.bytes()
}

/** Node tags with gaps, a line and a triangle among the tetrahedra, a section to pass over. */
export function gmsh2(mesh: TetMesh, encoding: 'text' | 'little' | 'big'): Uint8Array {
  const builder = new BytesBuilder(encoding !== 'big')
  const binary = encoding !== 'text'
  const nodes = mesh.positions.length / 3
  const tets = mesh.tetrahedra.length / 4
  const tag = (node: number) => 10 + 3 * node
  builder.text(`$MeshFormat\n2.2 ${binary ? 1 : 0} 8\n`)
  if (binary) builder.int32(1).text('\n')
  builder.text(`$EndMeshFormat\n$PhysicalNames\n1\n3 1 "$body"\n$EndPhysicalNames\n$Nodes\n${nodes}\n`)
  for (let i = 0; i < nodes; i++) {
    const point = mesh.positions.subarray(3 * i, 3 * i + 3)
    if (binary) builder.int32(tag(i)).float64(...point)
    else builder.text(`${tag(i)} ${point.join(' ')}\n`)
  }
  builder.text(`${binary ? '\n' : ''}$EndNodes\n$Elements\n${tets + 2}\n`)
  const element = (number: number, type: number, corners: number[]) => {
    if (binary) builder.int32(number, 1, 2, ...corners.map(tag))
    else builder.text(`${number} ${type} 2 1 2 ${corners.map(tag).join(' ')}\n`)
  }
  if (binary) builder.int32(1, 1, 2)
  element(1, 1, [0, 1])
  if (binary) builder.int32(2, 1, 2)
  element(2, 2, [0, 1, 2])
  if (binary) builder.int32(4, tets, 2)
  for (let i = 0; i < tets; i++) element(3 + i, 4, [...mesh.tetrahedra.subarray(4 * i, 4 * i + 4)])
  builder.text(`${binary ? '\n' : ''}$EndElements\n`)
  return builder.bytes()
}

/** Nodes in two blocks, one of them parametric; tags with gaps. */
export function gmsh4(mesh: TetMesh, encoding: 'text' | 'little' | 'big'): Uint8Array {
  const builder = new BytesBuilder(encoding !== 'big')
  const binary = encoding !== 'text'
  const nodes = mesh.positions.length / 3
  const tets = mesh.tetrahedra.length / 4
  const tag = (node: number) => 10 + 3 * node
  const integers = (...values: number[]) => (binary ? builder.int32(...values) : builder.text(`${values.join(' ')} `))
  const sizes = (...values: number[]) => (binary ? builder.int64(...values) : builder.text(`${values.join(' ')}\n`))
  const floats = (...values: number[]) => (binary ? builder.float64(...values) : builder.text(`${values.join(' ')}\n`))
  const point = (i: number) => mesh.positions.subarray(3 * i, 3 * i + 3)
  builder.text(`$MeshFormat\n4.1 ${binary ? 1 : 0} 8\n`)
  if (binary) builder.int32(1).text('\n')
  builder.text('$EndMeshFormat\n$Nodes\n')
  sizes(2, nodes, tag(0), tag(nodes - 1))
  integers(2, 1, 1)
  sizes(2)
  sizes(tag(0), tag(1))
  for (const i of [0, 1]) floats(...point(i), 0.5, 0.25)
  integers(3, 1, 0)
  sizes(nodes - 2)
  for (let i = 2; i < nodes; i++) sizes(tag(i))
  for (let i = 2; i < nodes; i++) floats(...point(i))
  builder.text(`${binary ? '\n' : ''}$EndNodes\n$Elements\n`)
  sizes(2, tets + 1, 1, tets + 1)
  integers(2, 1, 2)
  sizes(1)
  sizes(1, tag(0), tag(1), tag(2))
  integers(3, 1, 4)
  sizes(tets)
  for (let i = 0; i < tets; i++) sizes(2 + i, ...[...mesh.tetrahedra.subarray(4 * i, 4 * i + 4)].map(tag))
  builder.text(`${binary ? '\n' : ''}$EndElements\n`)
  return builder.bytes()
}

export function tetgenNode(mesh: TetMesh, base: 0 | 1): Uint8Array {
  const { positions: p } = mesh
  const rows = Array.from(
    { length: p.length / 3 },
    (_, i) => `  ${i + base}  ${p[3 * i]} ${p[3 * i + 1]} ${p[3 * i + 2]} 7 1`,
  )
  return text(`# points\n${rows.length} 3 1 1\n${rows.join('\n')}\n# Generated by hand\n`)
}

export function tetgenEle(mesh: TetMesh, base: 0 | 1): Uint8Array {
  const { tetrahedra: t } = mesh
  const rows = Array.from(
    { length: t.length / 4 },
    (_, i) => `${i + base} ${[...t.subarray(4 * i, 4 * i + 4)].map((n) => n + base).join(' ')} 3`,
  )
  return text(`${rows.length} 4 1\n${rows.join('\n')}\n# end\n`)
}

/** A glTF text file with one still mesh, its numbers in a data URI. */
export function gltfText(mesh: TriangleMesh): Uint8Array {
  const { positions, triangles } = mesh
  const data = new BytesBuilder()
    .float32(...positions)
    .int32(...triangles)
    .bytes()
  const uri = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...data))}`
  const views = [
    { buffer: 0, byteLength: 4 * positions.length },
    { buffer: 0, byteOffset: 4 * positions.length, byteLength: 4 * triangles.length },
  ]
  const accessors = [
    { bufferView: 0, componentType: 5126, count: positions.length / 3, type: 'VEC3' },
    { bufferView: 1, componentType: 5125, count: triangles.length, type: 'SCALAR' },
  ]
  const primitives = [{ attributes: { POSITION: 0 }, indices: 1 }]
  return text(
    JSON.stringify({
      asset: { version: '2.0' },
      buffers: [{ uri, byteLength: data.length }],
      bufferViews: views,
      accessors,
      meshes: [{ primitives }],
      nodes: [{ mesh: 0 }],
    }),
  )
}
