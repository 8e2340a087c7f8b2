import { type GLTF, WebIO } from '@gltf-transform/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type GltfScene, readGltf } from '../../src/files/gltf.js'
import { externalBufferOf } from '../../src/files/gltf-container.js'
import { surfaceOfGltf } from '../../src/files/gltf-surface.js'
import { meshVolume } from '../../src/mesh/triangle-mesh.js'
import { riggedGlb, riggedGltf } from './gltf-sample.js'
import { boxMesh, text } from './samples.js'

let scene: GltfScene
let json: GLTF.IGLTF
beforeAll(async () => {
  scene = readGltf(await riggedGlb())
  json = JSON.parse(new TextDecoder().decode(await riggedGltf()))
})

/** The text file with one place changed. */
function changed(change: (json: GLTF.IGLTF) => void): Uint8Array {
  const copy = structuredClone(json)
  change(copy)
  return text(JSON.stringify(copy))
}

test('text and binary give the same scene', async () => {
  expect(readGltf(await riggedGltf())).toEqual(scene)
})

test('a still mesh stands in world space, turned outward although its node mirrors', () => {
  const box = boxMesh()
  const mesh = scene.meshes.find(({ name }) => name === 'box')!
  expect(mesh.skin).toBe(-1)
  // Scale y by 2, mirror x, turn x to y and y to -x, move by 10 in x.
  for (let i = 0; i < box.positions.length; i += 3) {
    const [x, y, z] = box.positions.subarray(i, i + 3)
    expect(mesh.positions[i]).toBeCloseTo(10 - 2 * y, 6)
    expect(mesh.positions[i + 1]).toBeCloseTo(-x, 6)
    expect(mesh.positions[i + 2]).toBeCloseTo(z, 6)
  }
  expect(meshVolume(mesh)).toBeCloseTo(2 * meshVolume(box), 5)
})

test('nodes multiply out as in glTF-Transform', async () => {
  const document = await new WebIO().readBinary(await riggedGlb())
  document
    .getRoot()
    .listNodes()
    .forEach((node, i) => {
      expect(scene.nodes[i].name).toBe(node.getName())
      node.getWorldMatrix().forEach((value, k) => {
        expect(scene.nodes[i].worldMatrix[k]).toBeCloseTo(value, 6)
      })
    })
})

describe('a skinned mesh', () => {
  test('keeps its bind positions, whatever its node says, and its weights add up to one', () => {
    const mesh = scene.meshes.find(({ name }) => name === 'strip')!
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0])
    expect([...mesh.triangles]).toEqual([0, 1, 2, 1, 3, 2])
    expect(mesh.influences).toBe(4)
    expect([...mesh.joints.subarray(8, 12)]).toEqual([1, 0, 0, 0])
    expect(mesh.weights[8]).toBeCloseTo(0.8, 6)
    expect(mesh.weights[9]).toBeCloseTo(0.2, 6)
    expect(mesh.morphTargets).toEqual([
      { name: 'bulge', offsets: Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0) },
    ])
    expect(mesh.morphWeights).toEqual([0.5])
  })

  test('joints know their nearest ancestor joint and their bind pose', () => {
    const [skin] = scene.skins
    expect(skin.jointNames).toEqual(['root', 'tip'])
    expect([...skin.parents]).toEqual([-1, 0])
    expect([...skin.bindMatrices.subarray(28, 32)].map((value) => value + 0)).toEqual([0, 1, 0, 1])
  })

  test('stands where its joints hold it: bind pose moved up by one', () => {
    const only = { ...scene, meshes: scene.meshes.filter(({ name }) => name === 'strip') }
    const rest = surfaceOfGltf(only, { weld: false })
    ;[0, 1, 0, 1, 1, 0, 0, 3, 0.25, 1, 3, 0].forEach((value, i) => {
      expect(rest.positions[i]).toBeCloseTo(value, 6)
    })
    expect([...surfaceOfGltf(only, { weld: false, pose: 'bind' }).positions]).toEqual([
      0, 0, 0, 1, 0, 0, 0, 2, 0.25, 1, 2, 0,
    ])
  })
})

test('animations are keys with their times', () => {
  const [wave] = scene.animations
  expect(wave.name).toBe('wave')
  expect(wave.duration).toBe(2)
  const [turn, morph] = wave.channels
  expect(turn).toMatchObject({ path: 'rotation', interpolation: 'STEP', valuesPerKey: 4 })
  expect(scene.nodes[turn.node].name).toBe('tip')
  expect([...turn.times]).toEqual([0, 0.5, 2])
  expect(morph).toMatchObject({ path: 'weights', interpolation: 'LINEAR', valuesPerKey: 1 })
})

test('sparse values and the shear of a matrix come through', () => {
  const shear = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  const buffer = new Uint8Array(36 + 4 + 12)
  new Float32Array(buffer.buffer, 0, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0])
  buffer[36] = 2
  new Float32Array(buffer.buffer, 40, 3).set([0, 4, 0])
  const views = [
    [0, 36],
    [36, 1],
    [40, 12],
  ].map(([byteOffset, byteLength]) => ({ buffer: 0, byteOffset, byteLength }))
  const sparse = { count: 1, indices: { bufferView: 1, componentType: 5121 }, values: { bufferView: 2 } }
  const file = {
    asset: { version: '2.0' },
    buffers: [{ uri: 'a%20b.bin', byteLength: 52 }],
    bufferViews: views,
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', sparse }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0, matrix: shear }],
  }
  const bytes = text(JSON.stringify(file))
  expect(externalBufferOf(bytes)).toBe('a b.bin')
  expect([...readGltf(bytes, buffer).meshes[0].positions]).toEqual([0, 0, 0, 1, 0, 0, 2, 4, 0])
  expect(() => readGltf(bytes)).toThrow("gltf: buffers[0] is in the file 'a%20b.bin'; pass that too, or save as .glb.")
})

test('extensions of looks do not matter, textures need not be there', () => {
  const harmless = ['KHR_materials_unlit', 'KHR_texture_basisu', 'KHR_mesh_quantization']
  expect(readGltf(changed((file) => Object.assign(file, { extensionsRequired: harmless })))).toEqual(scene)
})

test.each<[string, (json: GLTF.IGLTF) => void, RegExp]>([
  [
    'Draco',
    (f) => Object.assign(f, { extensionsRequired: ['KHR_draco_mesh_compression'] }),
    /^gltf: it needs the extension 'KHR_draco_mesh_compression', which is not read; decompress it/,
  ],
  [
    'meshopt',
    (f) => Object.assign(f, { extensionsRequired: ['EXT_meshopt_compression'] }),
    /^gltf: it needs the extension 'EXT_meshopt_compression', which is not read; decompress it/,
  ],
  ['an old version', (f) => Object.assign(f, { asset: { version: '1.0' } }), /^gltf: version '1.0' is not read; /],
  [
    'an absurd count',
    (f) => Object.assign(f.accessors![0], { count: 1e9 }),
    /^gltf: accessors\[0\] has 1000000000 elements, beyond its view of /,
  ],
  [
    'an absurd count of zeros',
    (f) => {
      f.accessors![0] = { ...f.accessors![0], count: 1e9, bufferView: undefined }
    },
    /^gltf: with accessors\[0\] it would take 24001 MB of memory, /,
  ],
  [
    'an accessor that is not there',
    (f) => Object.assign(f.meshes![0].primitives[0], { indices: 99 }),
    /^gltf: meshes\[0\].primitives\[0\].indices is 99 of \d+ accessors; /,
  ],
  [
    'a node that is its own ancestor',
    (f) => {
      const nodes = f.nodes!
      nodes.find(({ name }) => name === 'tip')!.children = [nodes.findIndex(({ name }) => name === 'between')]
    },
    /^gltf: nodes\[\d+\] has two parents; /,
  ],
  [
    'a ring of nodes',
    (f) => {
      f.nodes!.push({ name: 'ring', children: [f.nodes!.length] })
    },
    /^gltf: some nodes are their own ancestors; /,
  ],
  [
    'JSON of another kind',
    (f) => {
      Object.assign(f, { nodes: { a: 1 } })
    },
    /^gltf: nodes is '\{"a":1\}', a list is due; /,
  ],
])('%s is refused', (_, change, message) => {
  expect(() => readGltf(changed(change))).toThrow(message)
})

test('a chain of 20,000 nodes overflows no stack', () => {
  const chain = Array.from({ length: 20000 }, (_, i) => ({
    translation: [1, 0, 0],
    children: i < 19999 ? [i + 1] : [],
  }))
  const nodes = readGltf(text(JSON.stringify({ asset: { version: '2.0' }, nodes: chain }))).nodes
  expect(nodes[19999].worldMatrix[12]).toBe(20000)
})
