import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createOrtNetwork } from 'pliant/ort'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUBE_OBJ, loadNpy, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const cwd = folder.path
const run = (...words: string[]) => runPliant(words, { cwd })

/** Seconds to train; good for nothing but to be asked. */
const TINY = {
  model: 'bar',
  steps: 30,
  poses: 8,
  pointsPerPose: 100,
  posesPerBatch: 2,
  pointsPerBatchPose: 32,
  evaluation: { poses: 2, points: 100 },
}
const POINTS = 5000

beforeAll(async () => {
  writeFileSync(folder.file('tiny.json'), JSON.stringify(TINY))
  writeFileSync(folder.file('cube.obj'), CUBE_OBJ)
  saveNpy(folder.file('Z.npy'), Float64Array.of(0.3, -0.2, 0.5))
  const points = Float32Array.from({ length: 3 * POINTS }, (_, i) => 0.7 * Math.sin(i * (1 + (i % 3))))
  saveNpy(folder.file('P.npy'), points, [POINTS, 3])
  const { code, stderr } = await run('train', 'tiny.json', '--out', 'a.safetensors', '--seed', '5', '--quiet')
  expect(stderr).toBe('')
  expect(code).toBe(0)
})
afterAll(folder.remove)

describe('train', () => {
  it('gives the same bytes for the same seed, others for another, and leaves no checkpoint', async () => {
    const same = await run('train', 'tiny.json', '--out', 'b.safetensors', '--seed', '5', '--json')
    expect(same.code, same.stderr).toBe(0)
    const result = JSON.parse(same.stdout)
    expect(Object.keys(result)).toEqual([
      'file',
      'bytes',
      'seconds',
      'seed',
      'steps',
      'poses',
      'specHash',
      'quality',
      'fault',
      'warnings',
    ])
    expect(result).toMatchObject({ file: 'b.safetensors', seed: 5, steps: 30, warnings: [] })
    await run('train', 'tiny.json', '--out', 'c.safetensors', '--seed', '6')
    const [a, b, c] = ['a', 'b', 'c'].map((name) => readFileSync(folder.file(`${name}.safetensors`)))
    expect(a.equals(b)).toBe(true)
    expect(a.equals(c)).toBe(false)
    expect(result.bytes).toBe(b.length)
    expect(readdirSync(cwd).filter((name) => /checkpoint|part/.test(name))).toEqual([])
  })

  it('stops at Ctrl-C with exit code 130, keeps a checkpoint and leaves no half-written file', async () => {
    writeFileSync(folder.file('long.json'), JSON.stringify({ ...TINY, steps: 10_000_000 }))
    let stopped = false
    const { code, stdout, stderr } = await runPliant(['train', 'long.json', '--out', 'long.safetensors'], {
      cwd,
      onStderr(text, kill) {
        // It says how far it has learned: it is in the middle of its work.
        if (!stopped && text.includes('learn: step ')) {
          kill('SIGINT')
          stopped = true
        }
      },
    })
    expect(code).toBe(130)
    expect(stdout).toBe('')
    expect(stderr).toContain('--resume goes on from long.safetensors.checkpoint')
    expect(stderr).not.toContain('    at ')
    expect(readdirSync(cwd).filter((name) => name.includes('long.s'))).toEqual(['long.safetensors.checkpoint'])
  })

  it('says how inside is told when the mesh is open, and that loose vertices widen the box', async () => {
    const open = CUBE_OBJ.trimEnd().split('\n').slice(0, -1)
    writeFileSync(folder.file('open.obj'), ['v 9 9 9', ...open].join('\n').replace(/^f .*/gm, shiftedFace))
    writeFileSync(folder.file('open.json'), JSON.stringify({ ...TINY, model: 'open.obj' }))
    const { code, stdout } = await run('train', 'open.json', '--out', 'open.safetensors')
    expect(code).toBe(0)
    expect(stdout).toMatch(/warning: .*the surface is open.*; inside is where its winding number exceeds one half/)
    expect(stdout).toMatch(/warning: 1 vertices that no triangle uses/)
  })

  it('refuses wrong specs and places in one line', async () => {
    writeFileSync(folder.file('typo.json'), JSON.stringify({ ...TINY, stepz: 1 }))
    writeFileSync(folder.file('lost.json'), JSON.stringify({ ...TINY, model: { mesh: 'lost.obj' } }))
    writeFileSync(folder.file('broken.json'), '{ "model": ')
    const cases: [string[], RegExp][] = [
      [['train', 'baar', '--out', 'x'], /no preset is called 'baar'; take one of: bar/],
      [['train', 'absent.json', '--out', 'x'], /absent\.json: there is no such file/],
      [['train', 'typo.json', '--out', 'x'], /stepz/],
      [['train', 'tiny.json', '--out', 'x', '--scale', '0.001'], /--scale is for mesh files; write `scale` beside/],
      [['train', 'bar', '--out', 'x', '--scale', '0.001'], /--scale is for mesh files/],
      [['train', 'humanoid', '--out', 'x', '--scale', '0.01'], /--scale is for meshes; a character keeps its unit/],
      [['train', 'lost.json', '--out', 'x'], /lost\.obj/],
      [['train', 'broken.json', '--out', 'x'], /broken\.json: spec: not JSON/],
      [['train', 'a.safetensors', '--out', 'x'], /is a trained artifact, not a spec/],
      [['train', 'tiny.json', '--out', 'nowhere/x'], /nowhere does not exist; create it/],
      [['train', 'tiny.json', '--out', 'tiny.json'], /it is also read/],
      [['train', 'tiny.json', '--out', 'never', '--resume', '--budget', '1'], /leave it out with --resume/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run(...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
    }
    expect(existsSync(folder.file('x'))).toBe(false)
  })
})

describe('query', () => {
  it('answers the same on every backend, and as the exported file run by onnxruntime', async () => {
    const answers = new Map<string, { distances: number[]; gradients: number[] }>()
    for (const backend of ['simd', 'scalar', 'ort']) {
      const outputs = ['--out', `D-${backend}.npy`, '--normals', `N-${backend}.npy`, '--gradients', `G-${backend}.npy`]
      const words = ['query', 'a.safetensors', '--code', 'Z.npy', '--points', 'P.npy', ...outputs]
      const { code, stdout, stderr } = await run(...words, '--backend', backend, '--json')
      expect(stderr).toBe('')
      expect(code).toBe(0)
      const keys = ['count', 'min', 'max', 'inside', 'seconds', 'backend', 'state', 'expectedError', 'trusted']
      expect(Object.keys(JSON.parse(stdout))).toEqual([...keys, 'fault', 'files'])
      expect(JSON.parse(stdout)).toMatchObject({ count: POINTS, backend, trusted: true })
      expect(JSON.parse(stdout).expectedError).toBeGreaterThan(0)
      const distances = loadNpy(folder.file(`D-${backend}.npy`))
      const gradients = loadNpy(folder.file(`G-${backend}.npy`))
      const normals = loadNpy(folder.file(`N-${backend}.npy`)).data
      for (let i = 0; i < 3 * POINTS; i += 3) {
        const [x, y, z] = gradients.data.subarray(i, i + 3)
        const length = Math.hypot(x, y, z)
        expect(
          Math.hypot(normals[i] - x / length, normals[i + 1] - y / length, normals[i + 2] - z / length),
        ).toBeLessThan(1e-6)
      }
      expect(distances).toMatchObject({ shape: [POINTS], dtype: 'f4' })
      expect(gradients.shape).toEqual([POINTS, 3])
      answers.set(backend, { distances: [...distances.data], gradients: [...gradients.data] })
    }

    const exported = await run('export', 'a.safetensors', '--onnx', 'a.onnx', '--json')
    expect(exported.code, exported.stderr).toBe(0)
    expect(JSON.parse(exported.stdout)).toEqual({ file: 'a.onnx', bytes: readFileSync(folder.file('a.onnx')).length })
    const network = await createOrtNetwork(readFileSync(folder.file('a.onnx')))
    const [distances, gradients] = [new Float32Array(POINTS), new Float32Array(3 * POINTS)]
    const points = loadNpy(folder.file('P.npy')).data as Float32Array
    await network.query(points, POINTS, [0.3, -0.2, 0.5], distances, gradients)
    await network.dispose()
    for (const [backend, answer] of answers) {
      expect(largestDifference(answer.distances, distances), backend).toBeLessThan(1e-5)
      // A gradient jumps where a point crosses a grid cell; rounding may put single points on either side.
      expect(shareBeyond(answer.gradients, gradients, 1e-3), backend).toBeLessThan(1e-3)
    }
  })

  it('asks a static object without a code, and one that bends only with it', async () => {
    writeFileSync(folder.file('static.json'), JSON.stringify({ ...TINY, model: 'cube.obj' }))
    expect((await run('train', 'static.json', '--out', 'static.safetensors')).code).toBe(0)
    const answer = await run('query', 'static.safetensors', '--points', 'P.npy', '--out', 'static.npy')
    expect(answer.code, answer.stderr).toBe(0)
    expect(loadNpy(folder.file('static.npy')).shape).toEqual([POINTS])
    const refused = await run('query', 'a.safetensors', '--points', 'P.npy', '--out', 'never.npy')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/--code is missing/)
    expect(isOneLine(refused.stderr), refused.stderr).toBe(true)
  })

  it('says at a code where it is far off that its answers are guesses', async () => {
    saveNpy(folder.file('far.npy'), Float32Array.of(0, 0, 9), [1, 3])
    const { code, stdout } = await run(
      'query',
      'a.safetensors',
      '--code',
      'far.npy',
      '--points',
      'P.npy',
      '--out',
      'D.npy',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/expected error +[\d.]+ m in the mean near the surface/)
    expect(stdout).toMatch(/warning +that is far more than the file was measured to have; answers are guesses/)
  })

  it('refuses mix-ups and wrong codes in one line', async () => {
    saveNpy(folder.file('short.npy'), Float64Array.of(1, 2))
    saveNpy(folder.file('batch.npy'), new Float64Array(6), [2, 3])
    saveNpy(folder.file('nan.npy'), Float64Array.of(0, Number.NaN, 0))
    writeFileSync(folder.file('cut.safetensors'), readFileSync(folder.file('a.safetensors')).subarray(0, 5000))
    const flipped = readFileSync(folder.file('a.safetensors'))
    flipped[flipped.length - 9] ^= 1
    writeFileSync(folder.file('flipped.safetensors'), flipped)
    const cases: [file: string, code: string, points: string, message: RegExp][] = [
      [
        'cube.obj',
        'Z.npy',
        'P.npy',
        /cube\.obj is not a trained artifact and carries none; pass the file that 'pliant train' wrote/,
      ],
      ['P.npy', 'Z.npy', 'P.npy', /P\.npy is a \.npy array, not a trained artifact/],
      ['cut.safetensors', 'Z.npy', 'P.npy', /cut\.safetensors: .*damaged/],
      ['flipped.safetensors', 'Z.npy', 'P.npy', /flipped\.safetensors: .*checksum/],
      ['a.safetensors', 'short.npy', 'P.npy', /the code has 2 values, a\.safetensors needs 3; pass the code/],
      ['a.safetensors', 'batch.npy', 'P.npy', /the code has shape \[2, 3\]; save one code as \[3\] or \[1, 3\]/],
      ['a.safetensors', 'nan.npy', 'P.npy', /code\[1\] is NaN; pass finite numbers/],
      ['a.safetensors', 'Z.npy', 'Z.npy', /points have shape \[3\]; save them as \[n, 3\]/],
      ['a.safetensors', 'Z.npy', 'a.safetensors', /is a trained artifact, not a \.npy array/],
    ]
    for (const [file, codeFile, points, message] of cases) {
      const words = ['query', file, '--code', codeFile, '--points', points, '--out', 'bad.npy']
      const { code, stderr } = await run(...words)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code, stderr).toBe(2)
    }
    expect(existsSync(folder.file('bad.npy'))).toBe(false)
  })
})

describe('evaluate', () => {
  it('measures, and gates set the exit code', async () => {
    const few = ['--poses', '2', '--points', '50', '--json']
    const passed = await run('evaluate', 'a.safetensors', ...few, '--max-error', '10', '--min-sign', '0')
    expect(passed.code, passed.stderr).toBe(0)
    const result = JSON.parse(passed.stdout)
    expect(Object.keys(result)).toEqual([
      'file',
      'method',
      'quality',
      'motions',
      'ownError',
      'gates',
      'passed',
      'seconds',
    ])
    expect(result.ownError).toMatchObject({ poses: 2, farOff: expect.any(Number) })
    expect(result.gates.map(({ name }: { name: string }) => name)).toEqual(['max-error', 'min-sign'])
    expect(result.passed).toBe(true)

    const missed = await run('evaluate', 'a.safetensors', ...few, '--max-error', '1e-9', '--max-normal', '180')
    expect(missed.code).toBe(1)
    expect(isOneLine(missed.stderr), missed.stderr).toBe(true)
    expect(missed.stderr).toContain('--max-error')
    expect(missed.stderr).not.toContain('--max-normal')
    expect(JSON.parse(missed.stdout)).toMatchObject({ passed: false })
  })
})

describe('bench', () => {
  it('refuses a file that its suite cannot measure', async () => {
    const mesh = await run('bench', 'bar', '--file', 'cube.obj')
    expect(mesh.stderr).toMatch(/cube\.obj is not a trained artifact/)
    expect(mesh.code).toBe(2)
    const surplus = await run('bench', 'exact', '--file', 'a.safetensors')
    expect(surplus.stderr).toMatch(
      /--file is a\.safetensors, but it is for bar, cloth, cspace, haptics and wind only; drop it/,
    )
    expect(surplus.code).toBe(2)
    const other = await run('bench', 'cloth', '--file', 'a.safetensors')
    expect(other.stderr).toMatch(/a\.safetensors is no trained character/)
    expect(other.code).toBe(2)
    const stiff = await run('bench', 'haptics', '--file', 'a.safetensors')
    expect(stiff.stderr).toMatch(/a\.safetensors is no trained soft body; pass what 'pliant train bunny' wrote/)
    expect(stiff.code).toBe(2)
    const paper = await run('bench', 'bar', '--paper', 'paper.safetensors')
    expect(paper.stderr).toMatch(/--paper is paper\.safetensors, but it is for cloth, cspace and haptics only/)
    expect(paper.code).toBe(2)
    const motion = await run('bench', 'bar', '--motion', 'walk.bvh')
    expect(motion.stderr).toMatch(/--motion is walk\.bvh, but it is for cloth and wind only/)
    expect(motion.code).toBe(2)
    // What says how motions are read is refused with them.
    const aliases = await run('bench', 'haptics', '--aliases', 'names.json')
    expect(aliases.stderr).toMatch(/--aliases is names\.json, but it is for cloth and wind only/)
    expect(aliases.code).toBe(2)
  })
})

describe('inspect', () => {
  it('describes an artifact: code, network, quality, seed', async () => {
    const { stdout } = await run('inspect', 'a.safetensors', '--json')
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ kind: 'artifact', field: 'signed-distance', name: 'bar', training: { seed: 5 } })
    expect(result.code).toMatchObject({ size: 3, names: ['bend', 'sway', 'twist'] })
    expect(result.safetyMargin).toBe(result.quality.safetyMargin)
    const text = await run('inspect', 'a.safetensors')
    expect(text.stdout).toMatch(/code +3 values: weights of the modes/)
  })
})

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0
  // Math.max keeps a NaN once it has met one.
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]))
  return largest
}

function shareBeyond(a: ArrayLike<number>, b: ArrayLike<number>, limit: number): number {
  let beyond = 0
  for (let i = 0; i < a.length; i++) if (!(Math.abs(a[i] - b[i]) <= limit)) beyond++
  return beyond / a.length
}

/** A face of an OBJ file to which one vertex has been added at the front. */
function shiftedFace(line: string): string {
  return line.replace(/\d+/g, (number) => String(Number(number) + 1))
}
