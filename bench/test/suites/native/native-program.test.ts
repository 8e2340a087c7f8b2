import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { readAnswers, readPairs } from '../../../src/suites/native/data-folder.js'
import { NativeProgram, ProgramRefusal, parseTimes } from '../../../src/suites/native/native-program.js'
import { fakeProgram } from './fake-program.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const started: NativeProgram[] = []
afterEach(() => {
  for (const program of started.splice(0)) program.dispose()
})
function start(name: string, body: string): NativeProgram {
  const program = new NativeProgram(name, fakeProgram(folder, name, body), folder)
  started.push(program)
  return program
}

const turn = { body: 'ball', kind: 'near', count: 16, first: 3, frames: 2, warm: 1 } as const

describe("a program's line", () => {
  it('gives the time of each frame', () => {
    expect(parseTimes('embree', '{"times":[1.5,0]}', 2)).toEqual([1.5, 0])
  })

  it.each(['{"times":[1]}', '{"times":[1,-2]}', '{"times":["1","2"]}', '{}', '3', 'null'])(
    'is refused if it is %s, naming the program',
    (line) => {
      expect(() => parseTimes('embree', line, 2)).toThrow(/^bench native: embree answers .*, and not 2 times\.$/)
    },
  )

  it('is refused if it is no JSON', () => {
    expect(() => parseTimes('embree', 'Segmentation', 2)).toThrow(/embree answers "Segmentation", which is no JSON/)
  })

  it('may be a refusal of its own', () => {
    expect(() => parseTimes('cgal', '{"error":"no manifold"}', 2)).toThrow(ProgramRefusal)
  })
})

describe('a program that runs', () => {
  it('is asked by a line of words, one at a time, and answers in order', async () => {
    const program = start('words', 'say({ times: [line.length, Number(first)] })')
    expect(await program.time('refit', turn)).toEqual(['refit ball near 16 3 2 1'.length, 3])
    expect(await program.time('refit', { ...turn, first: 5 })).toEqual(['refit ball near 16 5 2 1'.length, 5])
  })

  it('writes answers to a file, frame by frame', async () => {
    const file = join(folder, 'answers')
    const program = start(
      'writing',
      `const frame = (f) => [...new Float32Array([f, -1, 1, 0, 0, 0, 1, 0])]
       const words = new Uint32Array(20)
       for (const f of [0, 1]) {
         new Float32Array(words.buffer).set(frame(f), 10 * f)
         words.set([7 + f, 0xffffffff], 10 * f + 8)
       }
       fs.writeFileSync(file, words)
       say({ written: 2 })`,
    )
    await program.write('refit', { ...turn, count: 2 }, file)
    const frames = await readAnswers(file, 2, 2)
    expect(frames.map(({ distances }) => [...distances])).toEqual([
      [0, -1],
      [1, -1],
    ])
    expect([...frames[1].normals]).toEqual([1, 0, 0, 0, 1, 0])
    expect([...frames[1].triangleIds]).toEqual([8, 0xffffffff])
    await expect(readAnswers(file, 3, 2)).rejects.toThrow(/20 numbers for 3 frames of 2 points/)
  })

  it('writes pairs that meet, more in one frame than in another', async () => {
    const file = join(folder, 'pairs')
    const program = start('pairs', 'fs.writeFileSync(file, new Uint32Array([1, 4, 9, 0])); say({ written: 2 })')
    await program.write('collide', { ...turn, kind: 'self', count: 0 }, file)
    expect((await readPairs(file, 2)).map((pairs) => [...pairs])).toEqual([[4, 9], []])
    await expect(readPairs(file, 3)).rejects.toThrow(/pairs end in frame 2 of 3/)
  })

  it('that refuses, ends or cannot be started is told of as such, and keeps nobody waiting', async () => {
    const refusing = start('refusing', "say({ error: 'no such body' })")
    await expect(refusing.time('refit', turn)).rejects.toThrow(/^bench native: refusing: no such body\.$/)
    const ending = start('ending', 'process.exit(3)')
    await expect(ending.time('refit', turn)).rejects.toThrow(/ending ended by itself \(code 3\)/)
    await expect(ending.time('refit', turn)).rejects.toThrow(ProgramRefusal)
    const missing = new NativeProgram('missing', join(folder, 'none'), folder)
    await expect(missing.time('refit', turn)).rejects.toThrow(/missing cannot be started/)
  })
})
