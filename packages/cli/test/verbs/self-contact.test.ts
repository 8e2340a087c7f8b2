/** Bodies with self-contact on the command line: asked for codes, repaired, evaluated, exported. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { decode, load, randomStream } from 'pliant'
import { exactSelfContact } from 'pliant/exact'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encode } from '../../../pliant/src/artifact/artifact.js'
import { exampleArtifact } from '../../../pliant/test/artifact/example.js'
import { CLOSES_AT, selfContactFile } from '../../../pliant/test/artifact/self-contact-example.js'
import { loadNpy, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })

const COUNT = 300
const random = randomStream(12)
const codes = Float64Array.from({ length: 3 * COUNT }, () => random.between(-1, 1))
/** One of them outside the box, in two entries. */
codes[4] = 1.5
codes[5] = -1.5

const bytes = await selfContactFile('plane')
const artifact = await decode(bytes, 'self-contact')
const exact = exactSelfContact(artifact.model)
const rowsOf = (values: ArrayLike<number>) =>
  Array.from({ length: values.length / 3 }, (_, i) => Float64Array.from([0, 1, 2], (k) => values[3 * i + k]))
const touching = rowsOf(codes).map((code) => exact.touches(code))

beforeAll(async () => {
  writeFileSync(folder.file('ring.safetensors'), bytes)
  writeFileSync(folder.file('curved.safetensors'), await selfContactFile('random'))
  writeFileSync(folder.file('object.safetensors'), await encode(exampleArtifact()))
  const unmeasured = await selfContactFile('plane', ({ manifest }) => {
    manifest.quality = null
  })
  writeFileSync(folder.file('unmeasured.safetensors'), unmeasured)
  // Calls everything touching, everywhere: nothing leads out.
  const lost = await selfContactFile('plane', ({ networks, manifest }) => {
    ;(networks.distance.get('dense.0.weight') as Float32Array).fill(0)
    ;(networks.distance.get('dense.0.bias') as Float32Array).fill(-1)
    manifest.code.lower[0] = 0.85
  })
  writeFileSync(folder.file('lost.safetensors'), lost)
  saveNpy(folder.file('Z.npy'), codes, [COUNT, 3])
  saveNpy(folder.file('one.npy'), Float32Array.of(0.1, 0, 0))
  saveNpy(folder.file('none.npy'), new Float32Array(0), [0, 3])
})
afterAll(folder.remove)

describe('self-distance', () => {
  it('writes distances, gradients and who touches, and sums them up', async () => {
    const files = ['--out', 'D.npy', '--gradients', 'G.npy', '--touching', 'T.npy']
    const { code, stdout, stderr } = await run(
      'self-distance',
      'ring.safetensors',
      '--code',
      'Z.npy',
      ...files,
      '--json',
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual([
      ...['count', 'touching', 'outsideBox', 'min', 'max', 'seconds', 'exactTests', 'exactSeconds', 'exact', 'hybrid'],
      ...['backend', 'fault', 'files'],
    ])
    const field = await load(artifact)
    const [due, dueGradients] = [new Float64Array(COUNT), new Float64Array(3 * COUNT)]
    field.query(codes, COUNT, due, dueGradients)
    const distances = loadNpy(folder.file('D.npy'))
    expect(distances).toMatchObject({ shape: [COUNT], dtype: 'f8' })
    expect(distances.data).toEqual(due)
    expect(loadNpy(folder.file('G.npy'))).toMatchObject({ shape: [COUNT, 3], data: dueGradients })
    expect([...loadNpy(folder.file('T.npy')).data]).toEqual([...due].map((f) => (f < 0 ? 1 : 0)))
    const negative = due.filter((f) => f < 0).length
    expect(result).toMatchObject({
      count: COUNT,
      touching: negative,
      outsideBox: 1,
      exactTests: 0,
      exact: null,
      hybrid: null,
    })
    expect(result.min).toBe(Math.min(...due))
    expect(result.files).toEqual(['D.npy', 'G.npy', 'T.npy'])
  })

  it('answers one code, in its precision, and none at all', async () => {
    const one = await run(
      'self-distance',
      'ring.safetensors',
      '--code',
      'one.npy',
      '--out',
      'D1.npy',
      '--backend',
      'scalar',
    )
    expect(one.code, one.stderr).toBe(0)
    expect(one.stdout).toMatch(/^backend +scalar$/m)
    const distance = loadNpy(folder.file('D1.npy'))
    expect(distance).toMatchObject({ shape: [1], dtype: 'f4' })
    expect(distance.data[0]).toBeCloseTo(CLOSES_AT - 0.1, 6)
    const none = await run('self-distance', 'ring.safetensors', '--code', 'none.npy', '--exact', '--json')
    expect(none.code, none.stderr).toBe(0)
    expect(JSON.parse(none.stdout)).toMatchObject({ count: 0, min: null, max: null, exactTests: 0 })
  })

  it('--backend ort answers as the others do but for rounding, and tests the same codes exactly', async () => {
    const ask = async (backend: string) => {
      const files = ['--out', `${backend}-D.npy`, '--gradients', `${backend}-G.npy`, '--touching', `${backend}-T.npy`]
      const words = ['curved.safetensors', '--code', 'Z.npy', '--backend', backend, '--max-false-negatives', '0.03']
      const { stdout, stderr } = await run('self-distance', ...words, ...files, '--json')
      expect(stderr).toBe('')
      const of = (name: string) => loadNpy(folder.file(`${backend}-${name}.npy`)).data
      return { ...JSON.parse(stdout), distances: of('D'), gradients: of('G'), touching: of('T') }
    }
    const [ort, scalar] = [await ask('ort'), await ask('scalar')]
    expect([ort.backend, scalar.backend]).toEqual(['ort', 'scalar'])
    for (const name of ['distances', 'gradients']) {
      const off = scalar[name].map((value: number, i: number) => Math.abs(value - ort[name][i]))
      expect(Math.max(...off), name).toBeLessThan(1e-4)
      expect(new Set(scalar[name]).size).toBeGreaterThan(COUNT / 2)
    }
    expect([...ort.touching]).toEqual([...scalar.touching])
    expect(ort.exactTests).toBe(scalar.exactTests)
  })

  it('--exact tests every code, and says how often the sign agrees', async () => {
    const words = ['self-distance', 'ring.safetensors', '--code', 'Z.npy', '--exact', '--touching', 'E.npy']
    const { stdout, stderr } = await run(...words, '--json')
    expect(stderr).toBe('')
    const result = JSON.parse(stdout)
    expect([...loadNpy(folder.file('E.npy')).data]).toEqual(touching.map((touches) => (touches ? 1 : 0)))
    const signs = rowsOf(codes).map(([q]) => Math.min(1, q) > CLOSES_AT)
    const missed = touching.filter((touches, i) => touches && !signs[i]).length
    const alarms = touching.filter((touches, i) => !touches && signs[i]).length
    const all = touching.filter(Boolean).length
    expect(all).toBeGreaterThan(20)
    expect(result).toMatchObject({ touching: all, exactTests: COUNT })
    expect(result.exact.touching).toBe(all)
    expect(result.exact.agreement).toBeCloseTo(1 - (missed + alarms) / COUNT, 12)
    expect(result.exact.falseNegatives).toBeCloseTo(missed / all, 12)
    expect(result.exact.falsePositives).toBeCloseTo(alarms / (COUNT - all), 12)
    expect(result.exactSeconds).toBeGreaterThan(0)
  })

  it('--max-false-negatives takes tau from the file, tests below it alone, and those outside the box', async () => {
    const words = ['self-distance', 'ring.safetensors', '--code', 'Z.npy', '--max-false-negatives', '0.03']
    const { stdout, stderr } = await run(...words, '--touching', 'H.npy', '--json')
    expect(stderr).toBe('')
    const result = JSON.parse(stdout)
    const isTested = rowsOf(codes).map((q, i) => Math.abs(CLOSES_AT - q[0]) < 0.1 || i === 1)
    const tested = isTested.filter(Boolean).length
    expect(result).toMatchObject({
      exactTests: tested,
      exact: null,
      hybrid: { maxFalseNegatives: 0.03, tau: 0.1, exactShare: tested / COUNT, measured: { falseNegatives: 0.01 } },
    })
    // 3 of 300 touching codes missed.
    expect(result.hybrid.bound).toBeCloseTo(0.0256414, 7)
    const due = rowsOf(codes).map(([q], i) => Number(isTested[i] ? touching[i] : q > CLOSES_AT))
    expect([...loadNpy(folder.file('H.npy')).data]).toEqual(due)
    const text = await run(...words)
    expect(text.stdout).toMatch(
      /^hybrid +tested exactly below 0?\.1: [\d.]+% of the codes; touching called free at most 2\.564%$/m,
    )
  })

  it('refuses what cannot be promised or asked, in one line, and writes nothing', async () => {
    saveNpy(folder.file('wide.npy'), new Float64Array(10), [2, 5])
    saveNpy(folder.file('cube.npy'), new Float64Array(12), [2, 2, 3])
    saveNpy(folder.file('nan.npy'), Float64Array.of(0, 0, 0, 0, Number.NaN, 0), [2, 3])
    const ring = ['ring.safetensors', '--code']
    const cases: [string[], RegExp][] = [
      [
        [...ring, 'wide.npy'],
        /wide\.npy: a code has 5 values, ring\.safetensors needs 3; pass codes that 'pliant inspect ring/,
      ],
      [[...ring, 'cube.npy'], /the codes have shape \[2, 2, 3\]; save them as \[n, 3\]/],
      [[...ring, 'nan.npy'], /nan\.npy: code\[1, 1\] is NaN; pass finite numbers/],
      [[...ring, 'Z.npy', '--max-false-negatives', '2'], /--max-false-negatives is 2; pass a number from 0 to 1/],
      [[...ring, 'Z.npy', '--max-false-negatives', '0.1', '--exact'], /--exact tests every code/],
      [
        ['unmeasured.safetensors', '--code', 'Z.npy', '--max-false-negatives', '0.1'],
        /was never evaluated, .*; pass --exact/,
      ],
      [
        ['object.safetensors', '--code', 'Z.npy'],
        /^pliant: self-distance: object\.safetensors is no body with self-contact, character with self-contact or space of shapes with self-contact but an object with modes; it takes inspect, query and evaluate\.$/m,
      ],
      [['Z.npy', '--code', 'Z.npy'], /is a \.npy array, not a trained artifact/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run('self-distance', ...words, '--out', 'bad.npy')
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
      expect(existsSync(folder.file('bad.npy'))).toBe(false)
    }
  })

  it('tests every code where no tau keeps the promise, and says which could be had', async () => {
    // None of 300 missed is what the file has at its largest tau.
    const words = ['self-distance', 'ring.safetensors', '--code', 'Z.npy', '--max-false-negatives', '0.009']
    const { code, stdout, stderr } = await run(...words, '--touching', 'A.npy', '--json')
    expect(stderr).toBe(
      'pliant: warning: --max-false-negatives is 0.009, and the 300 touching codes that ring.safetensors was evaluated on promise no less than 0.009936; every code is tested exactly\n',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      exactTests: COUNT,
      hybrid: { tau: null, exactShare: 1, bound: 0, measured: null },
    })
    expect([...loadNpy(folder.file('A.npy')).data]).toEqual(touching.map(Number))
    expect((await run(...words)).stdout).toMatch(/^hybrid +every code tested exactly$/m)
  })
})

describe('repair', () => {
  it('moves touching codes to free ones, exactly checked, and leaves the others', async () => {
    const { code, stdout, stderr } = await run(
      'repair',
      'ring.safetensors',
      '--code',
      'Z.npy',
      '--out',
      'Z2.npy',
      '--json',
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual([
      ...[
        'count',
        'touching',
        'outsideBox',
        'freed',
        'free',
        'moved',
        'exactTests',
        'margin',
        'seconds',
        'fault',
        'files',
      ],
    ])
    const repaired = loadNpy(folder.file('Z2.npy'))
    expect(repaired).toMatchObject({ shape: [COUNT, 3], dtype: 'f8' })
    const [before, after] = [rowsOf(codes), rowsOf(repaired.data)]
    after.forEach((q, i) => {
      expect(exact.touches(q), `code ${i}`).toBe(false)
      if (!touching[i] && i !== 1) expect(q).toEqual(before[i])
    })
    expect(result.free).toEqual(new Array(COUNT).fill(true))
    expect(result).toMatchObject({ count: COUNT, outsideBox: 1, margin: 0.01, files: ['Z2.npy'] })
    const inBox = before.map((q) => q.map((value) => Math.max(-1, Math.min(1, value))))
    expect(result.touching).toBe(inBox.filter((q) => exact.touches(q)).length)
    expect(result.freed).toBe(result.touching)
    const ways = after.map((q, i) => Math.hypot(...q.map((value, k) => value - before[i][k]))).filter((way) => way > 0)
    expect(result.moved.codes).toBe(ways.length)
    expect(result.moved.max).toBeCloseTo(Math.max(...ways), 12)
    expect(result.moved.mean).toBeCloseTo(ways.reduce((sum, way) => sum + way, 0) / ways.length, 12)
  })

  it('keeps the shape and the precision of one code', async () => {
    saveNpy(folder.file('touching.npy'), Float32Array.of(0.9, 0, 0))
    const { code, stdout } = await run(
      'repair',
      'ring.safetensors',
      '--code',
      'touching.npy',
      '--out',
      'T2.npy',
      '--margin',
      '0.1',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^free now +1 of these 1, by the exact test$/m)
    const repaired = loadNpy(folder.file('T2.npy'))
    expect(repaired).toMatchObject({ shape: [3], dtype: 'f4' })
    expect(exact.touches(Float64Array.from(repaired.data))).toBe(false)
    // The field's own margin is kept.
    expect(CLOSES_AT - repaired.data[0]).toBeGreaterThan(0.0999)
  })

  it('exits 1 if a code could not be freed, and writes it as it was', async () => {
    saveNpy(folder.file('stuck.npy'), Float64Array.of(0.9, 0, 0, 0.9, 0.1, 0), [2, 3])
    const { code, stdout, stderr } = await run(
      'repair',
      'lost.safetensors',
      '--code',
      'stuck.npy',
      '--out',
      'S2.npy',
      '--json',
    )
    expect(code).toBe(1)
    expect(stderr).toBe(
      'pliant: repair: 2 of 2 codes could not be freed and are written as they were; try another --margin.\n',
    )
    expect(JSON.parse(stdout)).toMatchObject({ touching: 2, freed: 0, free: [false, false], moved: { codes: 0 } })
    expect([...loadNpy(folder.file('S2.npy')).data]).toEqual([0.9, 0, 0, 0.9, 0.1, 0])
  })

  it('refuses codes of another width, other files and its own input, in one line', async () => {
    saveNpy(folder.file('four.npy'), new Float64Array(4))
    const cases: [string[], RegExp][] = [
      [['ring.safetensors', '--code', 'four.npy', '--out', 'x.npy'], /a code has 4 values, ring\.safetensors needs 3/],
      [['ring.safetensors', '--code', 'Z.npy', '--out', 'Z.npy'], /it is also read/],
      [['ring.safetensors', '--code', 'Z.npy', '--out', 'x.npy', '--margin', '-1'], /--margin is -1/],
      [
        ['object.safetensors', '--code', 'Z.npy', '--out', 'x.npy'],
        /repair: object\.safetensors is no body with self-contact/,
      ],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run('repair', ...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code).toBe(2)
    }
    expect(existsSync(folder.file('x.npy'))).toBe(false)
  })
})

describe('other verbs', () => {
  it('inspect says what it is, its modes, and how good it was measured to be', async () => {
    const { code, stdout } = await run('inspect', 'ring.safetensors')
    expect(code).toBe(0)
    expect(stdout).toMatch(/self-distance of 'ring'/)
    expect(stdout).toMatch(/^ +close +-1 to 1, 1\.592 Hz$/m)
    expect(stdout).toMatch(/^body +60 nodes, 84 tetrahedra, \d+ triangles outside$/m)
    expect(stdout).toMatch(/^network +linear, 4 parameters, 3 multiplications a code$/m)
    expect(stdout).toMatch(/^rounds +6 samples of 2 rounds are kept$/m)
    expect(stdout).toMatch(/touching codes called free +4%/)
    const json = JSON.parse((await run('inspect', 'ring.safetensors', '--json')).stdout)
    expect(json).toMatchObject({ kind: 'artifact', field: 'self-distance', model: { kind: 'self-contact' } })
    expect((await run('inspect', 'unmeasured.safetensors')).stdout).toContain('never measured')
  })

  it('evaluate measures it against the exact test, and holds its limits', async () => {
    const words = ['evaluate', 'ring.safetensors', '--codes', '400']
    const { code, stdout, stderr } = await run(...words, '--json')
    expect(code, stderr).toBe(0)
    const { quality, passed, gates } = JSON.parse(stdout)
    expect(quality.codes).toBe(400)
    expect(quality.signAccuracy).toBeGreaterThan(0.7)
    expect(quality.signAccuracy).toBeLessThan(1)
    expect([passed, gates]).toEqual([true, []])
    const between = (value: number, end: number) => String((value + end) / 2)
    const missed = await run(
      ...words,
      ...['--min-sign', between(quality.signAccuracy, 1), '--min-balanced', between(quality.balancedAccuracy, 1)],
      ...['--max-false-negatives', between(quality.falseNegatives, 0), '--json'],
    )
    expect(missed.code).toBe(1)
    expect(JSON.parse(missed.stdout).gates).toMatchObject([
      { name: 'min-sign', value: quality.signAccuracy, passed: false },
      { name: 'min-balanced', value: quality.balancedAccuracy, passed: false },
      { name: 'max-false-negatives', value: quality.falseNegatives, passed: false },
    ])
    const held = await run(...words, '--min-sign', String(quality.signAccuracy), '--min-balanced', '0.5')
    expect(held.code, held.stderr).toBe(0)
    expect(held.stdout).toMatch(/right sign +[\d.]+%/)
    const points = await run('evaluate', 'ring.safetensors', '--poses', '3')
    expect(points.code).toBe(2)
    expect(points.stderr).toMatch(
      /--poses, --points and --violent are for objects with modes, soft bodies and characters/,
    )
  })

  it('query does not ask it for points; export writes its ONNX file', async () => {
    saveNpy(folder.file('P.npy'), new Float64Array(3), [1, 3])
    const asked = await run('query', 'ring.safetensors', '--code', 'one.npy', '--points', 'P.npy', '--out', 'x.npy')
    expect(asked.code).toBe(2)
    expect(asked.stderr).toBe(
      'pliant: query: ring.safetensors is no object with modes, soft body or character but a body with self-contact; it takes inspect, self-distance, repair and evaluate.\n',
    )
    const exported = await run('export', 'ring.safetensors', '--onnx', 'ring.onnx')
    expect(exported.code, exported.stderr).toBe(0)
    expect(readFileSync(folder.file('ring.onnx')).length).toBeGreaterThan(100)
  })
})
