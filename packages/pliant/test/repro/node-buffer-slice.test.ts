import { expect, it } from 'vitest'
import { decodeArtifact, encodeArtifact } from '../../src/artifact/artifact.js'
import { readNpy, writeNpy } from '../../src/files/npy.js'
import { exampleArtifact } from '../artifact/example.js'

// Buffer.slice() is a view of the pool, not a copy: tensors came out as long as the whole file.
it('decodes a Node Buffer as it decodes a plain array', () => {
  const bytes = encodeArtifact(exampleArtifact())
  const pooled = Buffer.concat([Buffer.alloc(5), bytes]).subarray(5)
  const plain = decodeArtifact(bytes)
  const fromBuffer = decodeArtifact(pooled)
  for (const [name, data] of plain.network) expect(fromBuffer.network.get(name), name).toEqual(data)
  expect(fromBuffer.model.triangles).toEqual(plain.model.triangles)
})

it('reads an array from a Node Buffer at any offset', () => {
  const bytes = writeNpy(Float32Array.of(1, 2, 3), [3])
  const pooled = Buffer.concat([Buffer.alloc(3), bytes]).subarray(3)
  expect([...readNpy(pooled).data]).toEqual([1, 2, 3])
})
