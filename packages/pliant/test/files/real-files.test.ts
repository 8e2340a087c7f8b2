/** Files of other people's programs, with the counts that are known of them; skipped where the folder is not there. */
import { existsSync, readFileSync } from 'node:fs'
import { NodeIO } from '@gltf-transform/core'
import { describe, expect, test } from 'vitest'
import { type GltfScene, readGltf } from '../../src/files/gltf.js'
import { surfaceOfGltf } from '../../src/files/gltf-surface.js'
import { readMeshFile } from '../../src/files/read-mesh.js'
import { surfaceOfTets, tetVolume } from '../../src/mesh/tet-mesh.js'
import { meshVolume } from '../../src/mesh/triangle-mesh.js'
import { validateTets } from '../../src/mesh/validate-tets.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)

function bytesOf(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, folder)))
}

describe.skipIf(!existsSync(folder))('shared data', () => {
  test.each([
    ['surf-spot-23k.obj', 23062],
    ['surf-koala-7k.obj', 7116],
    ['surf-hand-closed.obj', 15982],
  ])('%s is a closed surface', async (name, triangles) => {
    const file = await readMeshFile(name, bytesOf(name))
    if (file.kind !== 'triangles') throw new Error(file.kind)
    expect(file.mesh.triangles.length / 3).toBe(triangles)
    // Closed and of genus g: V - T / 2 = 2 - 2g.
    expect((2 - file.mesh.positions.length / 3 + triangles / 2) % 2).toBe(0)
    expect(meshVolume(file.mesh)).toBeGreaterThan(0)
  })

  test.each([
    ['tet-bunny.msh', 19379],
    ['tet-octocat.msh', 21426],
  ])('%s has no inverted tetrahedron, and its surface holds its volume', async (name, count) => {
    const file = await readMeshFile(name, bytesOf(name))
    if (file.kind !== 'tetrahedra') throw new Error(file.kind)
    expect(file.mesh.tetrahedra.length / 4).toBe(count)
    expect(validateTets(file.mesh)).toEqual([])
    let volume = 0
    for (let tet = 0; tet < count; tet++) volume += tetVolume(file.mesh, tet)
    expect(meshVolume(surfaceOfTets(file.mesh)) / volume).toBeCloseTo(1, 9)
  })

  test.each([
    ['rig-makehuman-cmu31.glb', { joints: 31, clips: 0, welded: 13380, triangles: 26756 }],
    ['rig-hand-left.glb', { joints: 25, clips: 0, welded: 1159, triangles: 2314 }],
    ['rig-fox.glb', { joints: 24, clips: 3, welded: 290, triangles: 576 }],
    ['rig-kaykit-knight.glb', { joints: 41, clips: 76, welded: undefined, triangles: 6952 }],
  ])('%s: joints, clips and triangles, as glTF-Transform has them', async (name, known) => {
    const scene = readGltf(bytesOf(name))
    const surface = surfaceOfGltf(scene)
    expect(scene.skins.map((skin) => skin.joints.length)).toEqual([known.joints])
    expect(scene.animations.length).toBe(known.clips)
    expect(surface.triangles.length / 3).toBe(known.triangles)
    if (known.welded !== undefined) expect(surface.positions.length / 3).toBe(known.welded)
    await expectSameAsLibrary(scene, bytesOf(name))
  })
})

async function expectSameAsLibrary(scene: GltfScene, bytes: Uint8Array): Promise<void> {
  const root = (await new NodeIO().readBinary(bytes)).getRoot()
  const nodes = root.listNodes()
  for (const mesh of scene.meshes) {
    const node = nodes[mesh.node]
    const [primitive] = node.getMesh()!.listPrimitives()
    expect(mesh.positions.length / 3).toBe(primitive.getAttribute('POSITION')!.getCount())
    if (mesh.skin >= 0)
      expect(mesh.positions).toEqual(Float64Array.from(primitive.getAttribute('POSITION')!.getArray()!))
    const indices = primitive.getIndices()?.getArray()
    if (indices) expect(mesh.triangles).toEqual(Uint32Array.from(indices))
  }
  root.listAnimations().forEach((animation, a) => {
    animation.listChannels().forEach((channel, c) => {
      const ours = scene.animations[a].channels[c]
      expect(nodes[ours.node].getName()).toBe(channel.getTargetNode()!.getName())
      expect(ours.values.length).toBe(channel.getSampler()!.getOutput()!.getArray()!.length)
      expect(ours.times.at(-1)).toBe(channel.getSampler()!.getInput()!.getArray()!.at(-1))
    })
  })
}
