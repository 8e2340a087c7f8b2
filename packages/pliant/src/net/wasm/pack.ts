/** Tensors in the order in which the kernels read them: panels of 16 columns, channels in fours. */

export const PANEL = 16

export function roundUp(n: number, multiple: number): number {
  return Math.ceil(n / multiple) * multiple
}

/** Rows of a packed matrix: fours, for the transposition, and never none, so that kernels need no empty case. */
export function packedRows(rows: number): number {
  return Math.max(4, roundUp(rows, 4))
}

/** Row-major [rows, columns] to panels of so many columns, each [packedRows][panel], padded with zeros. */
export function packMatrix(matrix: Float32Array, rows: number, columns: number, panel = PANEL): Float32Array {
  const height = packedRows(rows)
  const out = new Float32Array(roundUp(columns, panel) * height)
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      out[(Math.floor(c / panel) * height + r) * panel + (c % panel)] = matrix[r * columns + c]
    }
  }
  return out
}

/** A vector padded with zeros to a multiple of 16. */
export function padVector(vector: Float32Array, length = vector.length): Float32Array {
  const out = new Float32Array(roundUp(length, PANEL))
  out.set(vector)
  return out
}

/** Grid nodes with their channels padded to a multiple of four, the whole to a multiple of 16. */
export function padChannels(nodes: Float32Array, channels: number): Float32Array {
  const width = roundUp(channels, 4)
  const count = nodes.length / channels
  const out = new Float32Array(roundUp(count * width, PANEL))
  for (let node = 0; node < count; node++) {
    for (let c = 0; c < channels; c++) out[node * width + c] = nodes[node * channels + c]
  }
  return out
}

/**
 * `count` basis tensors, one after the other, each packed by `pack`, as one matrix [count, packed length]: blending is
 * then a row of coefficients times that matrix, in one stream through memory.
 */
export function packBasis(
  basis: Float32Array,
  count: number,
  pack: (tensor: Float32Array) => Float32Array,
): Float32Array {
  const length = basis.length / count
  const packed = Array.from({ length: count }, (_, k) => pack(basis.subarray(k * length, (k + 1) * length)))
  const width = packed[0].length
  const height = packedRows(count)
  const out = new Float32Array(width * height)
  for (const [k, tensor] of packed.entries()) {
    for (let i = 0; i < width; i++) out[(Math.floor(i / PANEL) * height + k) * PANEL + (i % PANEL)] = tensor[i]
  }
  return out
}

/** Row-major [rows, columns] to [columns, rows]. */
export function transposed(matrix: Float32Array, rows: number, columns: number): Float32Array {
  const out = new Float32Array(matrix.length)
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) out[c * rows + r] = matrix[r * columns + c]
  }
  return out
}
