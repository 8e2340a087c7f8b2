/** `pliant contact` from end to end: against closed forms and exact surfaces, and by scenes that are wrong. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { verbs } from '@pliant/cli'
import { decode } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUBE_OBJ, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const artifact = (name: string): string =>
  fileURLToPath(new URL(`../../../../apps/studio/public/artifacts/${name}`, import.meta.url))
const BAR = artifact('bar.safetensors')
beforeAll(() => {
  writeFileSync(folder.file('cube.obj'), CUBE_OBJ)
  writeFileSync(folder.file('open.obj'), CUBE_OBJ.trimEnd().split('\n').slice(0, -2).join('\n'))
})
afterAll(folder.remove)

interface Contact {
  pointA: number[]
  pointB: number[]
  normal: number[]
  separation: number
  area: number | null
  limit: string | null
  id: number | null
}
interface Pair {
  frame: number
  a: string
  b: string
  contacts: Contact[]
  unanswered: number
}

async function meet(scene: object, ...words: string[]) {
  writeFileSync(folder.file('scene.json'), JSON.stringify(scene))
  const { code, stdout, stderr } = await run('contact', 'scene.json', '--json', ...words)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as { pairs: Pair[]; bodies: object[]; deepest: number } & Record<string, unknown>
}
const ball = (name: string, radius: number, x: number, y = 0, more: object = {}) => ({
  ...{ name, shape: { shape: 'sphere', radius }, at: [x, y, 0] },
  ...more,
})
const GROUND = { name: 'ground', shape: { shape: 'half-space', normal: [0, 1, 0] } }
const CUBE = { shape: { shape: 'box', half: [0.5, 0.5, 0.5] } }

describe('contact', () => {
  it('tells of every pair in contact, the deepest first, with the keys that its help promises', async () => {
    const result = await meet({
      bodies: [ball('left', 1, 0), ball('right', 1, 1.9), ball('next', 1, 3.7), ball('far', 1, 9)],
    })
    expect(Object.keys(result)).toEqual(Object.keys(verbs.find(({ name }) => name === 'contact')!.json))
    expect(result).toMatchObject({ touching: true, frames: 1, near: 2, endless: 0, files: [], method: 'ours', gap: 0 })
    expect(result.pairs.map(({ a, b }) => [a, b])).toEqual([
      ['right', 'next'],
      ['left', 'right'],
    ])
    const [{ contacts }] = result.pairs
    expect(result.deepest).toBe(contacts[0].separation)
    expect(result.contacts).toBe(result.pairs.reduce((sum, pair) => sum + pair.contacts.length, 0))
    expect(contacts[0]).toMatchObject({ separation: expect.closeTo(-0.2, 6), limit: 'none', id: expect.any(Number) })
    expect(contacts[0].normal[0]).toBeCloseTo(1, 6)
    expect(contacts[0].pointA[0]).toBeCloseTo(2.9, 6)
    expect(contacts[0].pointB[0]).toBeCloseTo(2.7, 6)
    for (const { contacts } of result.pairs) {
      const separations = contacts.map(({ separation }) => separation)
      expect(separations).toEqual([...separations].sort((a, b) => a - b))
    }
  })

  it('takes a gap from the scene or the call, and margins of bodies', async () => {
    const bodies = [ball('a', 1, 0, 0, { margin: 0.02 }), ball('b', 1, 2.05)]
    expect((await meet({ bodies })).pairs).toEqual([])
    expect((await meet({ gap: 0.04, bodies })).deepest).toBeCloseTo(0.03, 6)
    expect((await meet({ gap: 0.04, bodies }, '--gap', '0.02')).pairs).toEqual([])
    const near = await meet({ bodies }, '--gap', '0.1', '--max-contacts', '2')
    expect(near.pairs[0].contacts.length).toBe(2)
    expect(near).toMatchObject({ touching: false, gap: 0.1 })
  })

  it('reads a turn as a quaternion, an axis or a matrix, and turns alike', async () => {
    const [c, s] = [Math.SQRT1_2, Math.SQRT1_2]
    const turns = [
      { at: [0, 0.7, 0], turn: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] },
      { at: [0, 0.7, 0], turn: { axis: [0, 0, 3], degrees: 45 } },
      { frame: [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0.7, 0, 1] },
    ]
    for (const turn of turns) {
      // An edge down: half a diagonal below the middle.
      const { deepest } = await meet({ bodies: [{ ...CUBE, ...turn }, GROUND] })
      expect(deepest).toBeCloseTo(0.7 - Math.SQRT1_2, 6)
    }
  })

  it('meets meshes, in their unit, and voxels of them, as it does the shape', async () => {
    // Its corners are at 0 and 1; those of the box around its middle.
    const [corner, middle] = [
      [0, -0.03, 0],
      [0, 0.02, 0],
    ]
    const [exact, grid, shape] = await Promise.all([
      meetAlone({ bodies: [{ mesh: 'cube.obj', scale: 0.1, at: corner }, GROUND] }, 'exact'),
      meetAlone({ bodies: [{ mesh: 'cube.obj', scale: 0.1, voxels: 32, at: corner }, GROUND] }, 'grid'),
      meetAlone(
        { bodies: [{ shape: { shape: 'box', half: [0.5, 0.5, 0.5], scale: 0.1 }, at: middle }, GROUND] },
        'shape',
      ),
    ])
    expect(exact.deepest).toBeCloseTo(-0.03, 9)
    expect(grid.deepest).toBeCloseTo(-0.03, 2)
    expect(shape.deepest).toBeCloseTo(-0.03, 9)
    expect(exact.bodies[0]).toMatchObject({ kind: 'mesh', triangles: 12, closed: true })
    expect(grid.bodies[0]).toMatchObject({ kind: 'voxels', of: 'mesh', nodes: [32, 32, 32] })
  })

  it('follows a motion frame by frame, and contacts keep their number as long as they touch', async () => {
    const frames = [0.99, 0.98, 1.2, 0.97].map((y) => ({ at: [0, y, 0] }))
    const { pairs, frames: count } = await meet({
      bodies: [{ name: 'ball', shape: { shape: 'sphere', radius: 1 }, frames }, GROUND],
    })
    expect(count).toBe(4)
    expect(pairs.map(({ frame }) => frame)).toEqual([0, 1, 3])
    const [first, second, last] = pairs.map(({ contacts }) => contacts[0])
    expect(first.separation).toBeCloseTo(-0.01, 6)
    expect(second.separation).toBeCloseTo(-0.02, 6)
    expect(last.separation).toBeCloseTo(-0.03, 6)
    expect(second.id).toBe(first.id)
    expect(last.id).not.toBe(first.id)
  })

  it('writes a table that others can read, and finds as the paper does for comparison', async () => {
    const scene = { bodies: [ball('one, "the first"', 1, 0), ball('two', 1, 1.9)] }
    const ours = await meet(scene, '--out', 'contacts.csv')
    const [heading, first, ...rest] = readFileSync(folder.file('contacts.csv'), 'utf8').trimEnd().split('\n')
    expect(heading.split(',').slice(0, 7)).toEqual(['frame', 'a', 'b', 'separation', 'area', 'limit', 'id'])
    expect(first.startsWith(`0,"one, ""the first""","two",${ours.deepest},`)).toBe(true)
    expect(rest.length + 1).toBe(ours.pairs[0].contacts.length)
    const paper = await meet(scene, '--method', 'paper')
    expect(paper.deepest).toBeCloseTo(-0.1, 2)
    expect(paper.pairs[0].contacts[0]).toMatchObject({ area: null, limit: null })
  })

  it('says to a person what separations cannot tell', async () => {
    const body = { shape: { shape: 'box', half: [0.5, 0.4, 0.3] } }
    const heart = { shape: { shape: 'heart', size: 0.2 }, at: [5, 0, 0] }
    const scene = {
      bodies: [
        body,
        body,
        ball('outer', 1, 9),
        ball('inner', 0.2, 9),
        heart,
        ball('beside', 0.2, 5.3),
        { mesh: 'open.obj', at: [20, 0, 0] },
        GROUND,
        GROUND,
      ].map((each, i) => ({ ...each, name: `n${i}` })),
    }
    writeFileSync(folder.file('scene.json'), JSON.stringify(scene))
    const { code, stdout } = await run('contact', 'scene.json')
    expect(code).toBe(0)
    expect(stdout).toMatch(/n0 and n1: \d contacts, 0\.5\d* m deep at most\n {2}room: both fill the same room/)
    expect(stdout).toMatch(/n2 and n3: .*\n {2}nested: one lies wholly within the other/)
    expect(stdout).toMatch(/n4 and n5: .*\n {2}slope: a field's values are no distances here/)
    expect(stdout).toMatch(/not met +1 pairs of two bodies without an end/)
    expect(stdout).toMatch(/warning +open\.obj is open/)
  })

  it('runs the example of its help, in which two learned bodies meet, each at its own code', async () => {
    const root = fileURLToPath(new URL('../../../../', import.meta.url))
    const { code, stdout } = await runPliant(['contact', 'examples/contact/scene.json', '--json'], { cwd: root })
    expect(code).toBe(0)
    const { pairs } = JSON.parse(stdout) as { pairs: Pair[] }
    const bars = pairs.find(({ a, b }) => a === 'lower bar' && b === 'upper bar')!
    const scene = JSON.parse(readFileSync(`${root}examples/contact/scene.json`, 'utf8'))
    const { model, manifest } = await decode(readFileSync(BAR), 'linear-modes')
    const exact = ['lower bar', 'upper bar'].map((name) => {
      const { at, code, turn } = scene.bodies.find((body: { name: string }) => body.name === name)
      const positions = new Float64Array(model.rest.length)
      model.positions(code, positions)
      for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = positions.subarray(i, i + 3)
        // A quarter turn about y.
        positions.set(turn ? [z, y, -x] : [x, y, z], i)
        for (let k = 0; k < 3; k++) positions[i + k] += at[k]
      }
      return { positions, field: new ExactMeshField({ positions, triangles: model.triangles }) }
    })
    const leastOf = (of: number): number => {
      const count = exact[of].positions.length / 3
      const distances = new Float64Array(count)
      exact[1 - of].field.query(exact[of].positions, count, distances)
      return Math.min(...distances)
    }
    const deepest = Math.min(leastOf(0), leastOf(1))
    expect(deepest).toBeLessThan(0)
    // Both fields are off by less than their margin, nearly everywhere.
    const { safetyMargin } = manifest.quality!
    expect(Math.abs(bars.contacts[0].separation - deepest)).toBeLessThan(2 * safetyMargin)
    expect(bars.contacts[0].normal[1]).toBeGreaterThan(0.9)
    expect(bars.contacts[0].limit).toBe('none')
  })

  it('takes the scene of docs/contact.md, where it says that it is', async () => {
    const page = readFileSync(new URL('../../../../docs/contact.md', import.meta.url), 'utf8')
    const [, text] = /```json\n([\s\S]*?)```/.exec(page)!
    // Its paths count from the folder of the example.
    const scene = text.replaceAll(
      '"../',
      `"${fileURLToPath(new URL('../../../../examples/contact/../', import.meta.url))}`,
    )
    const { pairs, frames } = await meet(JSON.parse(scene))
    expect(frames).toBe(2)
    expect(pairs.find(({ b }) => b === 'ball')!.contacts[0].separation).toBeCloseTo(-0.002, 6)
  })

  it('meets soft bodies by their nodes and characters by a motion, at codes from files', async () => {
    const { body } = await decode(readFileSync(artifact('bunny.safetensors')), 'elastic-body')
    const rest = Float64Array.from(body.modal.rest)
    saveNpy(folder.file('X.npy'), rest, [rest.length / 3, 3])
    const lowest = rest.reduce((low, value, i) => (i % 3 === 1 ? Math.min(low, value) : low), Infinity)
    const bunny = { trained: artifact('bunny.safetensors'), nodes: 'X.npy', at: [0, -lowest - 0.004, 0] }
    saveNpy(folder.file('Z.npy'), new Float64Array(48), [48])
    const coded = { trained: artifact('bunny.safetensors'), code: 'Z.npy', at: [5, -lowest - 0.004, 0] }
    // In the middle of the bunny, some 5 cm deep; its truncation is 13 mm.
    const pea = ball('pea', 0.01, 5, 0.05 - lowest)
    const hero = {
      trained: artifact('humanoid.safetensors'),
      motion: artifact('humanoid.glb'),
      clip: 'walk',
      time: 0.3,
    }
    const result = await meet({
      bodies: [
        GROUND,
        { name: 'nodes', ...bunny },
        { name: 'code', ...coded },
        { name: 'hero', ...hero, at: [20, 0, 0] },
        ball('ball', 0.3, 20, 0),
        pea,
      ],
    })
    for (const name of ['nodes', 'code']) {
      const pair = result.pairs.find(({ a, b }) => a === 'ground' && b === name)!
      expect(pair.contacts[0].separation).toBeGreaterThan(-0.008)
      expect(pair.contacts[0].separation).toBeLessThan(-0.002)
    }
    expect(result.pairs.some(({ a, b }) => a === 'hero' && b === 'ball')).toBe(true)
    const deep = result.pairs.find(({ a, b }) => a === 'code' && b === 'pea')!
    expect(deep.contacts[0].limit).toBe('band')
    expect(deep.contacts[0].separation).toBeLessThan(-0.01)
    expect(result.bodies[3]).toMatchObject({ kind: 'learned', trusted: true, fault: null })
  })
})

/** Scenes that run side by side need files of their own. */
async function meetAlone(scene: object, name: string) {
  writeFileSync(folder.file(`${name}.json`), JSON.stringify(scene))
  const { code, stdout, stderr } = await run('contact', `${name}.json`, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

describe('contact refuses in one line', () => {
  it.each<[string, string, RegExp]>([
    ['what is no JSON', '{ "bodies": [', /scene\.json: .*JSON/],
    [
      'numbers beyond numbers',
      '{"bodies":[{"shape":{"shape":"sphere","radius":1},"at":[1e999,0,0]},{}]}',
      /at\[0\] is Infinity/,
    ],
    [
      'what nests deeply',
      `{"bodies":[{"shape":${'{"shape":"rounded","radius":1,"of":'.repeat(20_000)}1${'}'.repeat(20_000)}},{"shape":{"shape":"sphere","radius":1}}]}`,
      /nested deeper than 100/,
    ],
    ['brackets alone', '['.repeat(200_000), /scene\.json: .*JSON/],
  ])('%s', async (_, text, message) => {
    writeFileSync(folder.file('scene.json'), text)
    const { code, stderr } = await run('contact', 'scene.json')
    expect(stderr).toMatch(message)
    expect(isOneLine(stderr), stderr.slice(0, 400)).toBe(true)
    expect(code).toBe(2)
  })

  it('calls that do not go together', async () => {
    writeFileSync(folder.file('scene.json'), JSON.stringify({ bodies: [{ mesh: 'cube.obj' }, GROUND] }))
    const cases: [string[], RegExp][] = [
      [['none.json'], /none\.json: there is no such file/],
      [['scene.json', '--gap', '-1'], /--gap is -1/],
      [['scene.json', '--max-contacts', '0'], /--max-contacts is 0/],
      [['scene.json', '--max-contacts', '1e9'], /--max-contacts is 1e9/],
      [['scene.json', '--method', 'paper', '--gap', '0.1'], /neither gap nor margins/],
      [
        ['scene.json', '--method', 'paper'],
        /'ground' has no end, and the paper's method begins in boxes; leave out --method paper/,
      ],
      [['scene.json', '--out', 'cube.obj'], /it is also read in the same call/],
      [['scene.json', '--out', 'scene.json'], /it is also read in the same call/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run('contact', ...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code).toBe(2)
    }
  })
})

describe('ten thousand bodies', () => {
  const many = (spacing: number) => ({
    bodies: Array.from({ length: 10_000 }, (_, i) =>
      ball(`b${i}`, 0.5, spacing * (i % 100), spacing * Math.trunc(i / 100)),
    ),
  })

  it('that lie apart are met at once', async () => {
    const { near, pairs } = await meet(many(1.01))
    expect([near, pairs]).toEqual([0, []])
  })

  it('in one place are too many', async () => {
    writeFileSync(folder.file('scene.json'), JSON.stringify(many(0)))
    const { code, stderr } = await run('contact', 'scene.json')
    expect(stderr).toMatch(/more than 100,000 pairs of bodies come near each other; give fewer bodies/)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(code).toBe(2)
  })
})
