/** A host that refuses to compile WebAssembly, as browsers do: by a CompileError, while `validate` still says yes. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { simdSupport } from '../../../src/net/simd-support.js'
import { Cloth, clothGrid } from '../../../src/sim/index.js'
import { runEverything } from './everything-wasm.js'

const artifacts = new URL('../../../../../apps/studio/public/artifacts/', import.meta.url)
const read = async (name: string) => new Uint8Array(readFileSync(new URL(name, artifacts)))

let refusals = 0

/** A function and no arrow: it stands in for a constructor. */
function refuse(): never {
  refusals++
  throw new WebAssembly.CompileError('WebAssembly.Module(): Compiling or instantiating violates the policy')
}

beforeAll(() => {
  vi.spyOn(WebAssembly, 'Module').mockImplementation(refuse)
  vi.spyOn(WebAssembly, 'compile').mockImplementation(async () => refuse())
})

afterAll(() => vi.restoreAllMocks())

it('is told apart from one without SIMD', () => {
  expect(simdSupport()).toBe('forbidden')
})

it("answers by plain code for 'auto', with a note, after a single try", async () => {
  const outcomes = await runEverything(read, { backend: 'auto', threads: 2 })
  for (const [name, { backend, note, error }] of Object.entries(outcomes)) {
    expect(error, name).toBeUndefined()
    expect(backend, name).toBe(name === 'fem' ? 'plain' : 'scalar')
    expect(note, name).toMatch(/because compiling WebAssembly is forbidden here; add 'wasm-unsafe-eval' to script-src/)
  }
  expect(refusals).toBe(1)
})

it("refuses 'simd' in one line that says what to allow", async () => {
  const outcomes = await runEverything(read, { backend: 'simd' })
  for (const [name, { error }] of Object.entries(outcomes)) {
    expect(error, name).toMatch(/^Error: (network: backend|fem: kernel) 'simd' cannot run: .*'wasm-unsafe-eval'.*\.$/)
  }
})

it('asks nothing of a host when plain code is asked for', async () => {
  const outcomes = await runEverything(read, { backend: 'scalar' })
  for (const [name, { note, error }] of Object.entries(outcomes)) expect(note ?? error, name).toBeUndefined()
})

it('leaves cloth to plain code, whose answers are the same', () => {
  const cloth = new Cloth(clothGrid(3, 3))
  expect(cloth.kernel).toBe('plain')
  cloth.step(1 / 60)
  expect(cloth.velocities[1]).toBeLessThan(0)
  const refused = /^cloth: kernel 'simd' cannot run: .*'wasm-unsafe-eval'.*\.$/
  expect(() => new Cloth(clothGrid(3, 3), { kernel: 'simd' })).toThrow(refused)
})
