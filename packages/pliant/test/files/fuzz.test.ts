/**
 * Damaged files: each must be refused with one line that names the format, or give a mesh whose indices can be
 * followed. A crash, an allocation failure or a case that does not end (they take well under a millisecond) is a bug.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { readBvhMotion } from '../../src/files/bvh-motion.js'
import { FileError } from '../../src/files/file-error.js'
import { type GltfScene, readGltf } from '../../src/files/gltf.js'
import { surfaceOfGltf } from '../../src/files/gltf-surface.js'
import { readGmsh } from '../../src/files/gmsh.js'
import { readMedit, writeMedit } from '../../src/files/medit.js'
import { readNpy, writeNpy } from '../../src/files/npy.js'
import { readObj, writeObj } from '../../src/files/obj.js'
import { readOff, writeOff } from '../../src/files/off.js'
import { readPly, writePly } from '../../src/files/ply.js'
import { readMeshFile } from '../../src/files/read-mesh.js'
import { readStl, writeStl } from '../../src/files/stl.js'
import { readTetgen } from '../../src/files/tetgen.js'
import { randomStream } from '../../src/math/random.js'
import { riggedGlb, riggedGltf } from './gltf-sample.js'
import * as sample from './samples.js'
import { bvhText } from './samples-bvh.js'

const SEED = 20240
const CASES = 300

interface Subject {
  name: string
  format: string
  isText: boolean
  bytes(): Uint8Array
  /** Reads and throws a plain Error if what was read cannot be followed. */
  read(bytes: Uint8Array): void
}

let glb = new Uint8Array()
let gltf = new Uint8Array()
beforeAll(async () => {
  glb = Uint8Array.from(await riggedGlb())
  gltf = Uint8Array.from(await riggedGltf())
})

const box = sample.boxMesh()
const tets = sample.twoTets()
const surface = (
  name: string,
  format: string,
  isText: boolean,
  bytes: Uint8Array,
  read: (bytes: Uint8Array) => Elements,
): Subject => ({
  name,
  format,
  isText,
  bytes: () => bytes,
  read: (damaged) => follow(read(damaged)),
})
const body = (
  name: string,
  format: string,
  isText: boolean,
  bytes: Uint8Array,
  read: (bytes: Uint8Array) => { mesh: Elements },
) => surface(name, format, isText, bytes, (damaged) => read(damaged).mesh)

const subjects: Subject[] = [
  surface('OBJ', 'obj', true, writeObj(box), readObj),
  surface('text PLY', 'ply', true, sample.plyText(box), readPly),
  surface('little-endian PLY', 'ply', false, sample.plyBinary(box, true), readPly),
  surface('big-endian PLY', 'ply', false, sample.plyBinary(box, false), readPly),
  surface('our PLY', 'ply', false, writePly(box), readPly),
  surface('text STL', 'stl', true, sample.stlText(box), readStl),
  surface('binary STL', 'stl', false, writeStl(box), readStl),
  surface('OFF', 'off', true, writeOff(box), readOff),
  body('text Medit', 'medit', true, sample.meditText(tets), readMedit),
  body('our Medit', 'medit', true, writeMedit(box), readMedit),
  body('binary Medit 2', 'medit', false, sample.meditBinary(tets, 2, true), readMedit),
  body('binary Medit 4', 'medit', false, sample.meditBinary(tets, 4, false), readMedit),
  body('text Gmsh 2', 'gmsh', true, sample.gmsh2(tets, 'text'), readGmsh),
  body('binary Gmsh 2', 'gmsh', false, sample.gmsh2(tets, 'little'), readGmsh),
  body('text Gmsh 4', 'gmsh', true, sample.gmsh4(tets, 'text'), readGmsh),
  body('binary Gmsh 4', 'gmsh', false, sample.gmsh4(tets, 'little'), readGmsh),
  surface('TetGen nodes', 'tetgen', true, sample.tetgenNode(tets, 1), (damaged) =>
    readTetgen(damaged, sample.tetgenEle(tets, 1)),
  ),
  surface('TetGen elements', 'tetgen', true, sample.tetgenEle(tets, 0), (damaged) =>
    readTetgen(sample.tetgenNode(tets, 0), damaged),
  ),
  { name: 'GLB', format: 'gltf', isText: false, bytes: () => glb, read: (damaged) => followScene(readGltf(damaged)) },
  { name: 'glTF', format: 'gltf', isText: true, bytes: () => gltf, read: (damaged) => followScene(readGltf(damaged)) },
  {
    name: 'BVH',
    format: 'bvh',
    isText: true,
    bytes: () => new TextEncoder().encode(bvhText()),
    read(damaged) {
      const { joints, frameCount, rotations, translations } = readBvhMotion(damaged)
      if (joints.some(({ parent }, joint) => parent >= joint)) throw new Error('a parent after its child')
      if (rotations.length !== 4 * joints.length * frameCount || translations.length !== 3 * joints.length * frameCount)
        throw new Error('frames and joints disagree')
      if (![...rotations, ...translations].every(Number.isFinite)) throw new Error('not finite')
    },
  },
  {
    name: 'NPY',
    format: 'npy',
    isText: false,
    bytes: () =>
      writeNpy(
        Float64Array.from({ length: 12 }, (_, i) => i),
        [4, 3],
      ),
    read(damaged) {
      const { shape, data } = readNpy(damaged)
      if (shape.reduce((a, b) => a * b, 1) !== data.length) throw new Error('shape and data disagree')
    },
  },
]

describe.each(subjects)('$name', (subject) => {
  test('undamaged it is read', () => {
    expect(() => subject.read(subject.bytes())).not.toThrow()
  })

  test('cut short at any place it is refused or read soundly', () => {
    const bytes = subject.bytes()
    const step = Math.max(1, Math.floor(bytes.length / CASES))
    for (let length = 0; length < bytes.length; length += step) {
      mustHold(subject, bytes.slice(0, length), `first ${length} bytes`)
    }
  })

  test(`flipped bytes are refused or read soundly (seed ${SEED})`, () => {
    const random = randomStream(SEED)
    for (let i = 0; i < CASES; i++) {
      const bytes = subject.bytes().slice()
      const flips = 1 + random.below(4)
      for (let k = 0; k < flips; k++) bytes[random.below(bytes.length)] = random.below(256)
      mustHold(subject, bytes, `case ${i}`)
    }
  })

  test('absurd numbers are refused or read soundly', () => {
    const bytes = subject.bytes()
    for (const [damaged, what] of subject.isText ? absurdText(bytes) : absurdBinary(bytes)) {
      mustHold(subject, damaged, what)
    }
  })

  test(`noise behind the signature is refused or read soundly (seed ${SEED})`, () => {
    const random = randomStream(SEED, 1)
    for (let i = 0; i < CASES; i++) {
      const bytes = subject.bytes().slice()
      const from = random.below(bytes.length)
      for (let at = from; at < bytes.length; at++) bytes[at] = random.below(256)
      mustHold(subject, bytes, `case ${i}, noise from byte ${from}`)
    }
  })
})

test(`whatever the name says, damaged files of all formats end in one line (seed ${SEED})`, async () => {
  const random = randomStream(SEED, 2)
  const endings = ['obj', 'ply', 'stl', 'off', 'glb', 'gltf', 'mesh', 'meshb', 'msh', 'txt', '']
  for (const subject of subjects) {
    for (let i = 0; i < 40; i++) {
      const bytes = subject.bytes().slice(0, 1 + random.below(subject.bytes().length))
      bytes[random.below(bytes.length)] = random.below(256)
      const name = `x.${endings[random.below(endings.length)]}`
      try {
        await readMeshFile(name, bytes)
      } catch (error) {
        expect(error, `${subject.name} as ${name}: ${(error as Error).stack}`).toBeInstanceOf(FileError)
        expect((error as Error).message).toMatch(/^[a-z]+: [^\n\r]+$/)
      }
    }
  }
})

function mustHold(subject: Subject, bytes: Uint8Array, what: string): void {
  try {
    subject.read(bytes)
  } catch (error) {
    if (!(error instanceof FileError)) throw new Error(`${what}: ${(error as Error).stack}`)
    if (!new RegExp(`^${subject.format}: [^\\n\\r]+$`).test(error.message)) throw new Error(`${what}: ${error.message}`)
  }
}

/** Each number in turn replaced by counts, indices and things that nobody means. */
function* absurdText(bytes: Uint8Array): Generator<[Uint8Array, string]> {
  const content = new TextDecoder('latin1').decode(bytes)
  const numbers = [...content.matchAll(/(?<=[\s,:[])-?\d[\d.e+-]*(?=[\s,\]}])/g)]
  const step = Math.max(1, Math.floor(numbers.length / 60))
  for (let i = 0; i < numbers.length; i += step) {
    const { index, 0: number } = numbers[i]
    for (const absurd of ['1000000000', '-1', '9223372036854775808', 'nan', '4294967295', '99', '1e308', '0.5', '']) {
      const damaged = content.slice(0, index) + absurd + content.slice(index + number.length)
      yield [Uint8Array.from(damaged, (letter) => letter.charCodeAt(0)), `${number} at ${index} as '${absurd}'`]
    }
  }
}

/** 4 and 8 bytes at each place in turn replaced likewise. */
function* absurdBinary(bytes: Uint8Array): Generator<[Uint8Array, string]> {
  const patterns = [
    [0xff, 0xff, 0xff, 0xff],
    [0xff, 0xff, 0xff, 0x7f],
    [0x00, 0xca, 0x9a, 0x3b],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    [0, 0, 0, 0, 0, 0, 0, 0x80],
    [0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
  ]
  const step = Math.max(1, Math.floor(bytes.length / CASES))
  for (let at = 0; at < bytes.length; at += step) {
    for (const pattern of patterns) {
      for (const order of [pattern, pattern.toReversed()]) {
        const damaged = bytes.slice()
        damaged.set(order.slice(0, bytes.length - at), at)
        yield [damaged, `bytes ${order} at ${at}`]
      }
    }
  }
}

type Elements = { positions: Float64Array; triangles?: Uint32Array; tetrahedra?: Uint32Array }

function follow(mesh: Elements): void {
  if (!mesh.positions.every(Number.isFinite)) throw new Error('a position is not finite')
  const indices = mesh.triangles ?? mesh.tetrahedra!
  if (indices.length === 0 || indices.length % (mesh.triangles ? 3 : 4) !== 0) throw new Error('no whole elements')
  if (indices.some((index) => index >= mesh.positions.length / 3)) throw new Error('an index is out of range')
}

function followScene(scene: GltfScene): void {
  for (const mesh of scene.meshes) {
    follow(mesh)
    const joints = mesh.skin < 0 ? 0 : scene.skins[mesh.skin].joints.length
    if (mesh.joints.some((joint) => joint >= joints)) throw new Error('a joint is out of range')
    if (!mesh.weights.every((weight) => weight >= 0 && weight <= 1.0001)) throw new Error('a weight is out of range')
    for (const target of mesh.morphTargets) {
      if (target.offsets.length !== mesh.positions.length) throw new Error('a morph target has another size')
    }
  }
  for (const { channels } of scene.animations) {
    for (const channel of channels) {
      const values = channel.valuesPerKey * channel.times.length * (channel.interpolation === 'CUBICSPLINE' ? 3 : 1)
      if (values !== channel.values.length) throw new Error('a channel has another size')
    }
  }
  surfaceOfGltf(scene)
}
