/**
 * Symmetric sparse matrices of 3 x 3 blocks, one per pair of nodes that share a tetrahedron: the diagonal blocks, and
 * in compressed rows those right of them. Half the memory of both halves, and each block is read once per product.
 */
export interface BlockMatrix {
  nodeCount: number
  /** Where each row's blocks begin; length nodeCount + 1. */
  starts: Int32Array
  /** Column of each block, greater than its row, ascending. */
  columns: Int32Array
  /** Nine per block, row by row. */
  values: Float64Array
  /** Diagonal blocks as xx, xy, xz, yy, yz, zz. */
  diagonal: Float64Array
  /** For each tetrahedron where its blocks 01, 02, 03, 12, 13, 23 begin in `values`. */
  places: Int32Array
}

/** @param corners four nodes per tetrahedron, ascending (tet-elements.ts) */
export function createBlockMatrix(corners: Uint32Array, nodeCount: number): BlockMatrix {
  const right: Set<number>[] = Array.from({ length: nodeCount }, () => new Set<number>())
  forEachPair(corners, (low, high) => right[low].add(high))
  const starts = new Int32Array(nodeCount + 1)
  for (let node = 0; node < nodeCount; node++) starts[node + 1] = starts[node] + right[node].size
  const columns = new Int32Array(starts[nodeCount])
  const blockOf = right.map((set, node) => {
    const sorted = [...set].sort((a, b) => a - b)
    columns.set(sorted, starts[node])
    return new Map(sorted.map((column, k) => [column, starts[node] + k]))
  })
  const places = new Int32Array(1.5 * corners.length)
  let place = 0
  forEachPair(corners, (low, high) => {
    places[place++] = 9 * blockOf[low].get(high)!
  })
  const values = new Float64Array(9 * columns.length)
  return { nodeCount, starts, columns, values, diagonal: new Float64Array(6 * nodeCount), places }
}

/** Whether all nodes hang together. */
export function isConnected({ nodeCount, starts, columns }: BlockMatrix): boolean {
  const leader = Int32Array.from({ length: nodeCount }, (_, node) => node)
  const find = (node: number): number => {
    while (leader[node] !== node) {
      leader[node] = leader[leader[node]]
      node = leader[node]
    }
    return node
  }
  let pieces = nodeCount
  for (let row = 0; row < nodeCount; row++) {
    for (let k = starts[row]; k < starts[row + 1]; k++) {
      const [a, b] = [find(row), find(columns[k])]
      if (a !== b) pieces--
      leader[a] = b
    }
  }
  return pieces === 1
}

/** A matrix of its own values with the same pattern. */
export function sameBlocks(matrix: BlockMatrix): BlockMatrix {
  return { ...matrix, values: matrix.values.slice(), diagonal: matrix.diagonal.slice() }
}

export function clearBlocks(matrix: BlockMatrix): void {
  matrix.values.fill(0)
  matrix.diagonal.fill(0)
}

/** out += scale * matrix, of the same pattern. */
export function addBlocks(matrix: BlockMatrix, scale: number, out: BlockMatrix): void {
  for (let i = 0; i < matrix.values.length; i++) out.values[i] += scale * matrix.values[i]
  for (let i = 0; i < matrix.diagonal.length; i++) out.diagonal[i] += scale * matrix.diagonal[i]
}

/** matrix *= scale. */
export function scaleBlocks(matrix: BlockMatrix, scale: number): void {
  for (let i = 0; i < matrix.values.length; i++) matrix.values[i] *= scale
  for (let i = 0; i < matrix.diagonal.length; i++) matrix.diagonal[i] *= scale
}

/** out = matrix * vector; `out` is another array than `vector`. */
export function multiplyBlocks(matrix: BlockMatrix, vector: Float64Array, out: Float64Array): void {
  const { nodeCount, starts, columns, values, diagonal } = matrix
  for (let node = 0, i = 0, d = 0; node < nodeCount; node++, i += 3, d += 6) {
    const x = vector[i]
    const y = vector[i + 1]
    const z = vector[i + 2]
    out[i] = diagonal[d] * x + diagonal[d + 1] * y + diagonal[d + 2] * z
    out[i + 1] = diagonal[d + 1] * x + diagonal[d + 3] * y + diagonal[d + 4] * z
    out[i + 2] = diagonal[d + 2] * x + diagonal[d + 4] * y + diagonal[d + 5] * z
  }
  for (let node = 0, i = 0; node < nodeCount; node++, i += 3) {
    const x = vector[i]
    const y = vector[i + 1]
    const z = vector[i + 2]
    let sumX = 0
    let sumY = 0
    let sumZ = 0
    const end = starts[node + 1]
    for (let k = starts[node], v = 9 * k; k < end; k++, v += 9) {
      const j = 3 * columns[k]
      const b0 = values[v]
      const b1 = values[v + 1]
      const b2 = values[v + 2]
      const b3 = values[v + 3]
      const b4 = values[v + 4]
      const b5 = values[v + 5]
      const b6 = values[v + 6]
      const b7 = values[v + 7]
      const b8 = values[v + 8]
      const u = vector[j]
      const w = vector[j + 1]
      const t = vector[j + 2]
      sumX += b0 * u + b1 * w + b2 * t
      sumY += b3 * u + b4 * w + b5 * t
      sumZ += b6 * u + b7 * w + b8 * t
      out[j] += b0 * x + b3 * y + b6 * z
      out[j + 1] += b1 * x + b4 * y + b7 * z
      out[j + 2] += b2 * x + b5 * y + b8 * z
    }
    out[i] += sumX
    out[i + 1] += sumY
    out[i + 2] += sumZ
  }
}

function forEachPair(corners: Uint32Array, visit: (low: number, high: number) => void): void {
  for (let tet = 0; tet < corners.length; tet += 4) {
    for (let i = 0; i < 3; i++) {
      for (let j = i + 1; j < 4; j++) visit(corners[tet + i], corners[tet + j])
    }
  }
}
