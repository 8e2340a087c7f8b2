import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Arena } from '../../../src/math/wasm/arena.js'
import { doWhile, i32, ModuleBuilder, type Statement } from '../../../src/math/wasm/assembler.js'
import type { NetworkShape } from '../../../src/net/network-shape.js'
import { TILE } from '../../../src/net/wasm/records.js'
import { createSimdNetwork } from '../../../src/net/wasm/simd-network.js'
import { CONTROL } from '../../../src/net/wasm/thread-source.js'
import { CONTROL_WORDS, startThreads, type Threads } from '../../../src/net/wasm/threads.js'
import { randomTensors } from '../random-network.js'

const shape: NetworkShape = {
  code: 0,
  conditioning: { kind: 'input' },
  warp: null,
  grids: [],
  hidden: [32, 32],
  activation: 'relu',
  output: 'linear',
}

describe('threads', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('are left out where memory cannot be shared', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined)
    const network = await createSimdNetwork(shape, randomTensors(shape, 1), { relaxed: false, threads: 2 })
    expect(network.threads).toBe(1)
  })

  it('are left out on a page that is not isolated', async () => {
    vi.stubGlobal('crossOriginIsolated', false)
    const network = await createSimdNetwork(shape, randomTensors(shape, 1), { relaxed: false, threads: 2 })
    expect(network.threads).toBe(1)
  })

  it('do not keep a process alive that forgot dispose()', () => {
    const entry = new URL('../../../dist/net/wasm/simd-network.js', import.meta.url).href
    const tensors = [...randomTensors(shape, 1)].map(([name, values]) => [name, [...values]])
    const script = `
      const { createSimdNetwork } = await import(${JSON.stringify(entry)})
      const tensors = new Map(${JSON.stringify(tensors)}.map(([name, values]) => [name, Float32Array.from(values)]))
      const network = await createSimdNetwork(${JSON.stringify(shape)}, tensors, { relaxed: false, threads: 3 })
      const out = new Float32Array(4000)
      network.query(new Float32Array(12000), 4000, out)
      console.log(network.threads, out.every((x) => x === out[0]))
    `
    // execFileSync throws if the process has to be killed at the end of the time.
    const args = ['--input-type=module', '-e', script]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })).toBe('3 true\n')
  })

  it('say so if a kernel traps in one of them, at once and ever after', async () => {
    // Beyond the end of the memory.
    const threads = await startHelper(() => i32.store(i32.const(-4), i32.const(1)))
    expect(() => threads.run(0, 2 * TILE)).toThrow('threads: a helper thread has died; ')
    expect(() => threads.run(0, 2 * TILE)).toThrow('threads: a helper thread has died; ')
    threads.stop()
  })

  it('say so if one of them never answers', async () => {
    const threads = await startHelper(() => doWhile([], i32.const(1)), 300)
    expect(() => threads.run(0, 2 * TILE)).toThrow('threads: a helper thread has died; ')
    threads.stop()
  })

  it('say so if the kernel traps in the caller, and let nothing come after that', async () => {
    const trapped = (): never => {
      throw new WebAssembly.RuntimeError('unreachable')
    }
    const threads = await startHelper(() => i32.store(i32.const(0), i32.const(1)), 300, trapped)
    expect(() => threads.run(0, 2 * TILE)).toThrow('unreachable')
    expect(() => threads.run(0, 2 * TILE)).toThrow('threads: a helper thread has died; ')
    threads.stop()
  })
})

/** A helper whose kernel is `body`; the caller's waits until the helper has taken a tile. */
async function startHelper(body: () => Statement, patience?: number, caller?: () => void): Promise<Threads> {
  const builder = new ModuleBuilder()
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  builder.define('run', { params, isExported: true }, () => [body()])
  const arena = new Arena()
  const control = arena.reserve(CONTROL_WORDS)
  const memory = arena.createMemory(true)
  const module = await WebAssembly.compile(builder.bytes({ shared: true }))
  const left = (): number => Atomics.load(new Int32Array(memory.buffer, control), CONTROL.left)
  const waits = (): void => {
    while (left() > 0);
  }
  const kernels = { run: caller ?? waits }
  const threads = await startThreads({ module, memory, control, scratches: [0, 4], kernels, patience })
  if (!threads) throw new Error('no thread started')
  return threads
}
