/**
 * Batches in chunks that fit the cache. Between two matrix products a network passes over its activations several
 * times; a batch of 16,384 x 128 values (8 MB) is fetched from memory each time, a chunk of 1,024 is not. Measured on
 * one thread: 16 chunks take an 8x128 ReLU step from 60 to 76 GFLOP/s, an eikonal step from 48 to 63.
 */
import { formatShape } from './dimension.js'
import { slice } from './layout.js'
import type { Tensor } from './tensor.js'

/**
 * One loss per chunk of rows, for `compileTrainingStep`, which takes their mean.
 * @param tensors  inputs of the loss, all with the same number of rows
 * @param chunks   number of chunks; must divide the number of rows
 * @param build    the loss of one chunk, a mean over its rows
 */
export function chunkBatch(
  tensors: readonly Tensor[],
  chunks: number,
  build: (...tensors: Tensor[]) => Tensor,
): Tensor[] {
  const rows = tensors[0]?.shape[0]
  const differs = tensors.find((tensor) => tensor.shape[0] !== rows)
  if (typeof rows !== 'number' || differs) {
    const shapes = tensors.map((tensor) => formatShape(tensor.shape)).join(', ')
    throw new RangeError(`chunkBatch: shapes ${shapes}; pass tensors with the same fixed number of rows.`)
  }
  const size = rows / chunks
  if (!Number.isInteger(size) || !(chunks >= 1)) {
    throw new RangeError(`chunkBatch: ${chunks} chunks of ${rows} rows; use a divisor.`)
  }
  return Array.from({ length: chunks }, (_, i) =>
    build(...tensors.map((tensor) => slice(tensor, 0, i * size, (i + 1) * size))),
  )
}
