/** Names of meshes of codes. */
import { expect, it } from 'vitest'
import { meshPaths } from '../src/shape-meshes.js'

it('one code has the name as it was typed, several have numbers, in any case of its ending', () => {
  expect(meshPaths('a.b/out.obj', 1)).toEqual(['a.b/out.obj'])
  expect(meshPaths('a.b/Out.PLY', 3)).toEqual(['a.b/Out-1.PLY', 'a.b/Out-2.PLY', 'a.b/Out-3.PLY'])
  expect(meshPaths('out.stl', 0)).toEqual([])
})

it('refuses what it cannot write, or too many', () => {
  expect(() => meshPaths('out.fbx', 1)).toThrow('out.fbx is none of .obj, .ply, .stl; name --mesh as one.')
  expect(() => meshPaths('out.obj', 257)).toThrow('--mesh would write 257 files; pass at most 256 codes,')
  expect(meshPaths('out.obj', 256)).toHaveLength(256)
})
