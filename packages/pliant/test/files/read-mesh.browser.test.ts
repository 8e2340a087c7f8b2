/** The same bytes in Chromium: nothing in this room may lean on Node. */
import { expect, test } from 'vitest'
import {
  readGmsh,
  readMeshFile,
  readNpy,
  surfaceOfGltf,
  writeNpy,
  writeObj,
  writePly,
  writeStl,
} from '../../src/files/index.js'
import { boxMesh, gltfText, gmsh4, twoTets } from './samples.js'

test('surfaces, bodies, scenes and arrays are read in a browser', async () => {
  for (const bytes of [writeObj(boxMesh()), writePly(boxMesh()), writeStl(boxMesh())]) {
    expect(await readMeshFile('box', bytes)).toMatchObject({ kind: 'triangles', mesh: boxMesh() })
  }
  expect(readGmsh(gmsh4(twoTets(), 'little')).mesh).toEqual(twoTets())
  const file = await readMeshFile('box.gltf', gltfText(boxMesh()))
  if (file.kind !== 'gltf') throw new Error(file.kind)
  expect(surfaceOfGltf(file.scene)).toEqual(boxMesh())
  expect(readNpy(writeNpy(Float32Array.of(1, 2), [2, 1]))).toMatchObject({ shape: [2, 1], dtype: 'f4' })
})
