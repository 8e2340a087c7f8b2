/** Repaired codes on the command line as meshes, and with vertices brought to where they are wanted, of every kind that repairs. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { decode, type ReducedModel } from 'pliant'
import { characterShape } from 'pliant/character'
import { exactSelfContact } from 'pliant/exact'
import { readObj, readPly, readStl } from 'pliant/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { characterContactFile } from '../../../pliant/test/artifact/character-contact-example.js'
import { selfContactFile } from '../../../pliant/test/artifact/self-contact-example.js'
import { parseArguments } from '../../src/arguments.js'
import { UsageError } from '../../src/errors.js'
import type { Report } from '../../src/output.js'
import type { Call } from '../../src/verb.js'
import { repair } from '../../src/verbs/repair.js'
import { loadNpy, saveNpy } from '../npy.js'
import { isOneLine, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)

/** The verb itself, without a process for each call; files are named in the folder. */
async function call(...words: string[]): Promise<Report> {
  const inFolder = words.map((word) =>
    /^[\w-]+\.(safetensors|npy|obj|ply|stl)$/.test(word) ? folder.file(word) : word,
  )
  const args = parseArguments(repair, inFolder)
  const progress = { update: () => {}, finish: () => {} } as unknown as Call['progress']
  return repair.run({ args, signal: new AbortController().signal, progress, unbroken: (work) => work() })
}

const ringBytes = await selfContactFile('plane')
const ring = await decode(ringBytes, 'self-contact')
const tubeBytes = await characterContactFile('ends')
const tube = await decode(tubeBytes, 'character-contact')
/** A file of each kind, with a code that is free, one that touches, and vertices by which they are told. */
const KINDS = {
  ring: {
    model: ring.model as ReducedModel,
    exact: exactSelfContact(ring.model),
    free: [0.3, 0.4, -0.2],
    touching: [0.9, 0, 0],
    vertices: [0, ring.model.vertexCount - 1],
  },
  tube: {
    model: tube.character as ReducedModel,
    exact: exactSelfContact(characterShape(tube.character, tube.manifest.model.neighbours)),
    free: [0.2, 0.15, 0.1],
    touching: [0.55, 0.55, 0.55],
    vertices: [tube.character.vertexCount - 1, Math.floor(tube.character.vertexCount / 2)],
  },
}
type Kind = keyof typeof KINDS
const EACH = Object.keys(KINDS) as Kind[]

/** What `--json` says of targets. */
interface Told {
  moved: { max: number }
  targets: { vertex: number; place: number[]; distances: number[] }[]
}

function placesAt(model: ReducedModel, code: ArrayLike<number>): Float64Array {
  const positions = new Float64Array(3 * model.vertexCount)
  model.positions(code, positions)
  return positions
}

/** Vertices where they are at a code. */
function targetsAt(kind: Kind, code: ArrayLike<number>): string[] {
  const { model, vertices } = KINDS[kind]
  const positions = placesAt(model, code)
  return vertices.map((vertex) => `${vertex}=${[...positions.subarray(3 * vertex, 3 * vertex + 3)].join(',')}`)
}

beforeAll(async () => {
  writeFileSync(folder.file('ring.safetensors'), ringBytes)
  writeFileSync(folder.file('tube.safetensors'), tubeBytes)
  // Calls everything touching, and even its rest is.
  const lost = await selfContactFile('plane', ({ networks, manifest }) => {
    ;(networks.distance.get('dense.0.weight') as Float32Array).fill(0)
    ;(networks.distance.get('dense.0.bias') as Float32Array).fill(-1)
    manifest.code.lower[0] = 0.85
  })
  writeFileSync(folder.file('lost.safetensors'), lost)
  for (const kind of EACH) {
    const { free, touching } = KINDS[kind]
    saveNpy(folder.file(`${kind}.npy`), Float64Array.from([...touching, ...free]), [2, 3])
    saveNpy(folder.file(`${kind}-one.npy`), Float64Array.from(touching), [3])
  }
})

describe.each(EACH)('repair of a %s', (kind) => {
  const { model, exact, free, touching, vertices } = KINDS[kind]
  const file = `${kind}.safetensors`

  it('knows which of its codes touch', () => {
    expect([free, touching].map((code) => exact.touches(Float64Array.from(code)))).toEqual([false, true])
  })

  it('--mesh writes the shape at the repaired code, and says whether it is free', async () => {
    const words = ['--code', `${kind}-one.npy`, '--out', 'one.npy', '--mesh', 'one.obj']
    const { json, failed } = await call(file, ...words)
    expect(failed).toBeUndefined()
    expect(json['files']).toEqual(['one.npy', 'one.obj'].map(folder.file))
    const bytes = readFileSync(folder.file('one.obj'))
    expect(bytes.toString().split('\n')[0]).toMatch(/^# pliant repair: .* at a code, free by the exact test$/)
    const { data } = loadNpy(folder.file('one.npy'))
    expect(exact.touches(Float64Array.from(data))).toBe(false)
    const mesh = readObj(bytes)
    expect(mesh.positions).toEqual(placesAt(model, data))
    expect(mesh.triangles).toEqual(model.triangles)
  })

  it('--mesh numbers the shapes of several codes', async () => {
    const { text } = await call(file, '--code', `${kind}.npy`, '--out', 'two.npy', '--mesh', 'two.ply')
    expect(text).toMatch(/^written .*two\.npy, .*two-1\.ply to .*two-2\.ply$/m)
    expect(existsSync(folder.file('two.ply'))).toBe(false)
    const { data } = loadNpy(folder.file('two.npy'))
    for (const i of [0, 1]) {
      const bytes = readFileSync(folder.file(`two-${i + 1}.ply`))
      expect(bytes.toString('latin1')).toMatch(new RegExp(`comment .* at code ${i + 1} of 2, free by the exact test\n`))
      expect(readPly(bytes).positions).toEqual(placesAt(model, data.slice(3 * i, 3 * i + 3)))
    }
  })

  it('--target begins at rest and brings vertices to their goals, if a free code does', async () => {
    const { json, failed } = await call(file, '--target', targetsAt(kind, free).join(' ; '), '--out', 'goal.npy')
    expect(failed).toBeUndefined()
    const result = json as unknown as Told
    for (const key of Object.keys(result)) expect(Object.keys(repair.json)).toContain(key)
    expect(result).toMatchObject({ count: 1, touching: 0, outsideBox: 0, free: [true] })
    const { data, shape } = loadNpy(folder.file('goal.npy'))
    expect(shape).toEqual([3])
    free.forEach((value, k) => {
      expect(Math.abs(data[k] - value)).toBeLessThan(0.02)
    })
    expect(result.moved.max).toBeCloseTo(Math.hypot(...data), 12)
    const [wanted, is] = [placesAt(model, free), placesAt(model, data)]
    expect(result.targets.map(({ vertex }) => vertex)).toEqual(vertices)
    for (const { vertex, place, distances } of result.targets) {
      expect(place).toEqual([...wanted.subarray(3 * vertex, 3 * vertex + 3)])
      const way = Math.hypot(...[0, 1, 2].map((axis) => is[3 * vertex + axis] - place[axis]))
      expect(distances).toEqual([expect.closeTo(way, 12)])
      expect(way).toBeLessThan(0.01)
    }
  })

  it('--target stays free where the goals are not, from each code, and is told once or several times', async () => {
    const targets = targetsAt(kind, touching)
    const words = [file, '--code', `${kind}.npy`]
    const again = await call(...words, ...targets.flatMap((target) => ['--target', target]), '--out', 'again.npy')
    const once = await call(...words, '--target', targets.join(';'), '--out', 'once.npy')
    expect([once.failed, again.failed]).toEqual([undefined, undefined])
    const { data } = loadNpy(folder.file('once.npy'))
    expect(loadNpy(folder.file('again.npy')).data).toEqual(data)
    const result = once.json as unknown as Told
    expect(result).toMatchObject({ count: 2, touching: 1, freed: 1, free: [true, true] })
    for (const i of [0, 1]) {
      const code = data.slice(3 * i, 3 * i + 3)
      expect(exact.touches(Float64Array.from(code))).toBe(false)
      const [wanted, is] = [touching, code].map((one) => placesAt(model, one))
      const { vertex, distances } = result.targets[0]
      const way = Math.hypot(...[0, 1, 2].map((axis) => is[3 * vertex + axis] - wanted[3 * vertex + axis]))
      expect(distances).toHaveLength(2)
      expect(distances[i]).toBeCloseTo(way, 12)
      // As near as contact allows, and no nearer.
      expect(way).toBeGreaterThan(0.01)
      expect(way).toBeLessThan(0.5)
    }
  })
})

it('tells people how near vertices came', async () => {
  const words = ['ring.safetensors', '--out', 'text.npy', '--target', targetsAt('ring', [0.9, 0, 0])[0]]
  const one = await call(...words)
  expect(one.text).toMatch(/^free now +1 of 1, by the exact test$/m)
  expect(one.text).toMatch(/^vertex 0 +0\.\d+ m from its goal$/m)
  const two = await call(...words, '--code', 'ring.npy')
  expect(two.text).toMatch(/^vertex 0 +0\.\d+ m from its goal in the mean, 0\.\d+ m at most$/m)
})

it('fails where no free code is found, and its mesh says so', async () => {
  const words = ['lost.safetensors', '--target', '3=1,0,0', '--out', 'lost.npy', '--mesh', 'lost.stl']
  const { json, failed } = await call(...words)
  expect(failed).toMatch(/^repair: 1 of 1 codes could not be freed and are written as they were;/)
  expect(json).toMatchObject({ touching: 1, outsideBox: 0, freed: 0, free: [false] })
  expect([...loadNpy(folder.file('lost.npy')).data]).toEqual([0.85, 0, 0])
  const bytes = readFileSync(folder.file('lost.stl'))
  expect(bytes.subarray(0, 80).toString()).toMatch(/^binary STL: pliant repair: .* touches itself/)
  expect(readStl(bytes).triangles).toHaveLength(ring.model.triangles.length)
})

it.each([
  [['--target', '1=1,2,3', '--mesh', 'bad.fbx'], 'bad.fbx is none of .obj, .ply, .stl; name --mesh as one.'],
  [['--target', '1=1,2,3', '--mesh', 'bad/x.obj'], 'the folder bad does not exist; create it first.'],
  [['--target', '1=1,2,3', '--mesh', 'bad.npy.obj', '--out', 'bad.npy.obj'], 'it is written twice in the same call'],
  [['--target', '1=1,2'], "--target '1=1,2' has 2 coordinates"],
  [['--motion', 'x.bvh', '--mesh', 'bad.obj'], '--mesh is for --code and --target; leave it out.'],
  [
    ['--motion', 'x.bvh', '--target', '1=1,2,3'],
    'pass --code with codes, --target with places of vertices, or both; or --motion',
  ],
  [[], 'pass --code with codes, --target with places of vertices, or both; or --motion'],
])('repair %s is refused in one line', async (words, message) => {
  const out = words.includes('--out') ? [] : ['--out', 'bad.npy']
  const refusal = await call('ring.safetensors', ...words, ...out).catch((error) => error)
  expect(refusal).toBeInstanceOf(UsageError)
  expect(refusal.message).toContain(message)
  expect(isOneLine(`pliant: ${refusal.message}\n`), refusal.message).toBe(true)
  expect(readdirSync(folder.path).filter((name) => name.startsWith('bad'))).toEqual([])
})
