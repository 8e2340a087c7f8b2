import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { encodeSafetensors } from 'pliant/unstable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUBE_OBJ, loadNpy, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const cwd = folder.path
beforeAll(() => {
  writeFileSync(folder.file('cube.obj'), CUBE_OBJ)
  saveNpy(folder.file('P.npy'), Float64Array.of(0.5, 0.5, 0.9, 0.5, 0.5, 3, 2, 2, 2), [3, 3])
  saveNpy(folder.file('P32.npy'), Float32Array.of(0.5, 0.5, 0.9), [1, 3])
})
afterAll(folder.remove)

describe('distance', () => {
  it('writes distances, normals, closest points and triangles, and sums them up', async () => {
    const words = ['distance', 'cube.obj', '--points', 'P.npy', '--out', 'D.npy', '--normals', 'N.npy']
    const more = ['--closest', 'C.npy', '--triangles', 'T.npy', '--json']
    const { code, stdout, stderr } = await runPliant([...words, ...more], { cwd })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual(['count', 'min', 'max', 'inside', 'seconds', 'closed', 'files'])
    expect(result).toMatchObject({ count: 3, inside: 1, closed: true, files: ['D.npy', 'N.npy', 'C.npy', 'T.npy'] })
    expect(result.min).toBeCloseTo(-0.1, 12)
    expect(result.max).toBeCloseTo(2, 12)

    const distances = loadNpy(folder.file('D.npy'))
    expect(distances).toMatchObject({ shape: [3], dtype: 'f8' })
    expect([...distances.data].map((d) => Number(d.toFixed(12)))).toEqual([-0.1, 2, Number(Math.sqrt(3).toFixed(12))])
    const normals = loadNpy(folder.file('N.npy'))
    expect(normals.shape).toEqual([3, 3])
    expect([...normals.data.subarray(0, 3)].map((n) => Math.round(n * 1e9) / 1e9 + 0)).toEqual([0, 0, 1])
    const closest = loadNpy(folder.file('C.npy'))
    expect([...closest.data.subarray(6, 9)]).toEqual([1, 1, 1])
    const triangles = loadNpy(folder.file('T.npy'))
    expect(triangles).toMatchObject({ shape: [3], dtype: 'u4' })
    expect([2, 3]).toContain(triangles.data[0])
  })

  it('answers in the precision of the points unless told otherwise', async () => {
    await runPliant(['distance', 'cube.obj', '--points', 'P32.npy', '--out', 'D32.npy'], { cwd })
    expect(loadNpy(folder.file('D32.npy')).dtype).toBe('f4')
    await runPliant(['distance', 'cube.obj', '--points', 'P32.npy', '--out', 'D64.npy', '--dtype', 'float64'], { cwd })
    expect(loadNpy(folder.file('D64.npy')).dtype).toBe('f8')
  })

  it('takes a mesh in millimetres, points and distances in metres', async () => {
    saveNpy(folder.file('mm.npy'), Float64Array.of(0.0005, 0.0005, 0.003), [1, 3])
    const words = ['distance', 'cube.obj', '--scale', '0.001', '--points', 'mm.npy', '--out', 'Dmm.npy']
    expect((await runPliant(words, { cwd })).code).toBe(0)
    expect(loadNpy(folder.file('Dmm.npy')).data[0]).toBeCloseTo(0.002, 12)
    for (const scale of ['0', '-1', 'mm']) {
      const { code, stderr } = await runPliant([...words.slice(0, 3), scale, ...words.slice(4)], { cwd })
      expect(code, scale).toBe(2)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(stderr).toMatch(/--scale is .*; pass/)
    }
  })

  it('takes no points at all for an answer of length 0', async () => {
    saveNpy(folder.file('none.npy'), new Float32Array(0), [0, 3])
    const { code, stdout } = await runPliant(
      ['distance', 'cube.obj', '--points', 'none.npy', '--out', 'D0.npy', '--json'],
      {
        cwd,
      },
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ count: 0, min: null, max: null, inside: 0 })
    expect(loadNpy(folder.file('D0.npy')).shape).toEqual([0])
  })

  it('refuses bad input with one line that names value and remedy, exit code 2, and writes nothing', async () => {
    saveNpy(folder.file('nan.npy'), Float64Array.of(0, 0, 0, 1, Number.NaN, 2), [2, 3])
    saveNpy(folder.file('inf.npy'), Float32Array.of(0, 0, -Infinity), [1, 3])
    saveNpy(folder.file('flat.npy'), new Float64Array(6), [6])
    saveNpy(folder.file('four.npy'), new Float64Array(8), [2, 4])
    saveNpy(folder.file('ints.npy'), new Int32Array(6), [2, 3])
    writeFileSync(folder.file('cut.npy'), new Uint8Array([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]))
    writeFileSync(folder.file('artifact.safetensors'), encodeSafetensors({ metadata: {}, tensors: new Map() }))
    writeFileSync(folder.file('empty.obj'), '')
    writeFileSync(folder.file('cloud.obj'), 'v 0 0 0\nv 1 0 0\n')
    const cases: [mesh: string, points: string, message: RegExp][] = [
      ['cube.obj', 'nan.npy', /nan\.npy: points\[1, 1\] is NaN; remove or repair/],
      ['cube.obj', 'inf.npy', /inf\.npy: points\[0, 2\] is -Infinity; remove or repair/],
      ['cube.obj', 'flat.npy', /flat\.npy: points have shape \[6\]; save them as \[n, 3\]/],
      ['cube.obj', 'four.npy', /shape \[2, 4\]; save them as \[n, 3\]/],
      ['cube.obj', 'ints.npy', /holds i4; save it as float32/],
      ['cube.obj', 'cut.npy', /cut\.npy: npy/],
      ['cube.obj', 'cube.obj', /cube\.obj/],
      ['cube.obj', 'artifact.safetensors', /is a trained artifact, not a \.npy array/],
      ['artifact.safetensors', 'P.npy', /is a trained artifact, not a mesh; ask it with 'pliant query'/],
      ['P.npy', 'P32.npy', /P\.npy is a \.npy array, not a mesh/],
      ['empty.obj', 'P.npy', /empty\.obj/],
      ['cloud.obj', 'P.npy', /no faces/],
      ['absent.obj', 'P.npy', /absent\.obj: there is no such file; check the path/],
      ['cube.obj', 'absent.npy', /absent\.npy: there is no such file; check the path/],
      ['.', 'P.npy', /it is a folder; name a file in it/],
    ]
    for (const [mesh, points, message] of cases) {
      const { code, stdout, stderr } = await runPliant(['distance', mesh, '--points', points, '--out', 'bad.npy'], {
        cwd,
      })
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(stdout).toBe('')
      expect(code, stderr).toBe(2)
      expect(existsSync(folder.file('bad.npy'))).toBe(false)
    }
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('finds an output that cannot be written before it starts', async () => {
    const words = ['distance', 'cube.obj', '--points', 'P.npy', '--out', 'fresh.npy', '--normals', 'nowhere/N.npy']
    const { code, stderr } = await runPliant(words, { cwd })
    expect(code).toBe(2)
    expect(stderr).toBe('pliant: cannot write nowhere/N.npy: the folder nowhere does not exist; create it first.\n')
    expect(existsSync(folder.file('fresh.npy'))).toBe(false)
  })

  it.skipIf(!existsSync('/dev/full'))(
    'reports a full disk in one line with exit code 1, and writes none of its files',
    async () => {
      const words = ['distance', 'cube.obj', '--points', 'P.npy', '--out', 'half.npy', '--normals', '/dev/full']
      const { code, stderr } = await runPliant(words, { cwd })
      expect(stderr).toMatch(/^pliant: cannot write \/dev\/full: the disk is full; free some space[^\n]*\n$/)
      expect(code).toBe(1)
      expect(existsSync(folder.file('half.npy'))).toBe(false)
    },
  )

  it('refuses to overwrite its own input', async () => {
    const { code, stderr } = await runPliant(['distance', 'cube.obj', '--points', 'P.npy', '--out', './P.npy'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/it is also read/)
  })
})
