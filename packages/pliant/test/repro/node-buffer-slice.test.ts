import { expect, it } from 'vitest'
import { encode } from '../../src/artifact/artifact.js'
import { readNpy, writeNpy } from '../../src/files/npy.js'
import { decode } from '../../src/index.js'
import { exampleArtifact } from '../artifact/example.js'

// Buffer.slice() is a view of the pool, not a copy: tensors came out as long as the whole file.
it('decodes a Node Buffer as it decodes a plain array', async () => {
  const bytes = await encode(exampleArtifact())
  const pooled = Buffer.concat([Buffer.alloc(5), bytes]).subarray(5)
  const plain = await decode(bytes, 'linear-modes')
  const fromBuffer = await decode(pooled, 'linear-modes')
  for (const [name, data] of plain.networks.distance) expect(fromBuffer.networks.distance.get(name), name).toEqual(data)
  expect(fromBuffer.model.triangles).toEqual(plain.model.triangles)
})

it('reads an array from a Node Buffer at any offset', () => {
  const bytes = writeNpy(Float32Array.of(1, 2, 3), [3])
  const pooled = Buffer.concat([Buffer.alloc(3), bytes]).subarray(3)
  expect([...readNpy(pooled).data]).toEqual([1, 2, 3])
})
