/** Small files that ask for gigabytes or minutes: each of them once did. Made in code, none is above a few megabytes. */
import { writeGlbChunks } from '../../src/files/glb-chunks.js'
import { text } from './samples.js'

export interface HostileFile {
  name: string
  bytes: Uint8Array
  /** How it is refused; undefined if it is read, and cheaply. */
  refused: RegExp | undefined
}

const OUTGROWN = /^gltf: with .+ it would take \d+ MB of memory, a file of \d+ bytes may take \d+; .+\.$/
const VERTICES = 30_000
const REPEATS = 10_000

/** Vertices that are all different, so that nothing can be welded. */
function places(count: number): Float32Array {
  return Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(1.7 * i) + i / (3 * count))
}

/** A GLB whose buffer holds some arrays, one view and one accessor for each. */
function glb(
  arrays: readonly (readonly [Float32Array | Uint16Array, 'SCALAR' | 'VEC3' | 'VEC4'])[],
  json: object,
): Uint8Array {
  const size = { SCALAR: 1, VEC3: 3, VEC4: 4 }
  const buffer = new Uint8Array(arrays.reduce((sum, [array]) => sum + 4 * Math.ceil(array.byteLength / 4), 0))
  let at = 0
  const bufferViews = arrays.map(([array]) => {
    const view = { buffer: 0, byteOffset: at, byteLength: array.byteLength }
    buffer.set(new Uint8Array(array.buffer), at)
    at += 4 * Math.ceil(array.byteLength / 4)
    return view
  })
  const accessors = arrays.map(([array, type], i) => ({
    bufferView: i,
    componentType: array instanceof Float32Array ? 5126 : 5123,
    count: array.length / size[type],
    type,
  }))
  const asset = { version: '2.0' }
  const whole = { asset, buffers: [{ byteLength: buffer.length }], bufferViews, accessors, ...json }
  return writeGlbChunks(text(JSON.stringify(whole)), buffer)
}

const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i))

function morphTargets(): Uint8Array {
  const targets = list(REPEATS, () => ({ POSITION: 0 }))
  const meshes = [{ primitives: [{ attributes: { POSITION: 0 }, targets }] }]
  return glb([[places(VERTICES), 'VEC3']], { meshes, nodes: [{ mesh: 0 }] })
}

function emptyMorphTargets(): Uint8Array {
  const meshes = [{ primitives: [{ attributes: { POSITION: 0 }, targets: list(REPEATS, () => ({})) }] }]
  return glb([[places(VERTICES), 'VEC3']], { meshes, nodes: [{ mesh: 0 }] })
}

function instances(vertices: number, count: number): Uint8Array {
  const meshes = [{ primitives: [{ attributes: { POSITION: 0 } }] }]
  return glb([[places(vertices), 'VEC3']], { meshes, nodes: list(count, (i) => ({ mesh: 0, translation: [i, 0, 0] })) })
}

function primitives(): Uint8Array {
  const meshes = [{ primitives: list(REPEATS, () => ({ attributes: { POSITION: 0 } })) }]
  return glb([[places(VERTICES), 'VEC3']], { meshes, nodes: [{ mesh: 0 }] })
}

function sharedBytes(): Uint8Array {
  const meshes = [{ primitives: list(3000, (i) => ({ attributes: { POSITION: i } })) }]
  const accessors = list(3000, () => ({ bufferView: 0, componentType: 5126, count: VERTICES, type: 'VEC3' }))
  return glb([[places(VERTICES), 'VEC3']], { accessors, meshes, nodes: [{ mesh: 0 }] })
}

function animations(): Uint8Array {
  const times = Float32Array.from({ length: VERTICES }, (_, i) => i)
  const turns = Float32Array.from({ length: 4 * VERTICES }, (_, i) => (i % 4 === 3 ? 1 : 0))
  const channels = list(REPEATS, () => ({ sampler: 0, target: { node: 0, path: 'rotation' } }))
  return glb(
    [
      [places(3), 'VEC3'],
      [times, 'SCALAR'],
      [turns, 'VEC4'],
    ],
    {
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [{ mesh: 0 }],
      animations: [{ samplers: [{ input: 1, output: 2 }], channels }],
    },
  )
}

/** One triangle bound to the first, second and last of some joints. */
function rig(nodes: object[], joints: number[]): Uint8Array {
  const bound = Uint16Array.from([0, 1, Math.min(joints.length - 1, 65_535)].flatMap((joint) => [joint, 0, 0, 0]))
  const weights = Float32Array.from({ length: 12 }, (_, i) => (i % 4 === 0 ? 1 : 0))
  return glb(
    [
      [places(3), 'VEC3'],
      [bound, 'VEC4'],
      [weights, 'VEC4'],
    ],
    {
      meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 } }] }],
      skins: [{ joints }],
      nodes: [...nodes, { mesh: 0, skin: 0 }],
    },
  )
}

const chain = (length: number): object[] => list(length, (i) => (i + 1 < length ? { children: [i + 1] } : {}))

/** Joints that all hang from the end of a chain that has none: each once looked for its parent along all of it. */
function distantParents(): Uint8Array {
  const above = chain(40_000)
  above[above.length - 1] = { children: list(20_000, (i) => above.length + i) }
  return rig(
    [...above, ...list(20_000, () => ({}))],
    list(20_000, (i) => above.length + i),
  )
}

/** Vertex sections whose rows are the sections that follow. */
function overlappingSections(): Uint8Array {
  const sections = 10_000
  const [start, rows] = [20, 40_000]
  const bytes = new Uint8Array(start + 12 * sections + 28 * rows)
  const view = new DataView(bytes.buffer)
  const put = (at: number, ...values: number[]) => {
    values.forEach((value, i) => {
      view.setInt32(at + 4 * i, value, true)
    })
  }
  put(0, 1, 2, 3, start, 3)
  for (let s = 0; s < sections; s++) put(start + 12 * s, 4, start + 12 * (s + 1), rows - 1000)
  put(start + 12 * sections, 54)
  return bytes
}

/** Faces of 1,000 corners each: a spiral, in which most corners are in nobody's way and every one is looked at. */
function spirals(faces: number): Uint8Array {
  const half = 500
  const turn = (k: number, r: number) =>
    `v ${(r + 0.01 * k) * Math.cos(0.05 * k)} ${(r + 0.01 * k) * Math.sin(0.05 * k)} 0\n`
  const there = list(half, (k) => turn(k, 1))
  const back = list(half, (k) => turn(half - 1 - k, 0.97))
  const face = `f ${list(2 * half, (k) => k + 1).join(' ')}\n`
  return text([...there, ...back].join('') + face.repeat(faces))
}

export function hostileFiles(): HostileFile[] {
  return [
    { name: 'morph-targets.glb', bytes: morphTargets(), refused: OUTGROWN },
    { name: 'empty-morph-targets.glb', bytes: emptyMorphTargets(), refused: OUTGROWN },
    { name: 'instances.glb', bytes: instances(VERTICES, 1000), refused: OUTGROWN },
    { name: 'instanced-triangles.glb', bytes: instances(3, 100_000), refused: OUTGROWN },
    { name: 'primitives.glb', bytes: primitives(), refused: OUTGROWN },
    { name: 'shared-bytes.glb', bytes: sharedBytes(), refused: OUTGROWN },
    { name: 'animations.glb', bytes: animations(), refused: OUTGROWN },
    {
      name: 'chain.glb',
      bytes: rig(
        chain(100_000),
        list(100_000, (i) => i),
      ),
      refused: /^gltf: skins\[0\] has 100000 joints, vertices can name 65536; .+\.$/,
    },
    {
      name: 'joints.glb',
      bytes: rig(
        [{ children: list(199_999, (i) => i + 1) }, ...list(199_999, (i) => ({ name: `joint ${i}` }))],
        list(200_000, (i) => i),
      ),
      refused: /^gltf: skins\[0\] has 200000 joints, /,
    },
    { name: 'distant-parents.glb', bytes: distantParents(), refused: undefined },
    { name: 'overlap.meshb', bytes: overlappingSections(), refused: /^medit: the section after byte 20 is said / },
    { name: 'few-spirals.obj', bytes: spirals(20), refused: undefined },
    { name: 'spirals.obj', bytes: spirals(200), refused: /^obj: its concave faces take too long to cut, / },
  ]
}

/** A joint's name of blanks. */
export function blankBvh(): Uint8Array {
  const line = `ROOT a${' '.repeat(100_000)}b${' '.repeat(100_000)}{\n`
  return text(`HIERARCHY\n${line}OFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n5\n`)
}
