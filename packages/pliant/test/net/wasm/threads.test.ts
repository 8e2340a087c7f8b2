import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { NetworkShape } from '../../../src/net/network-shape.js'
import { createSimdNetwork } from '../../../src/net/wasm/simd-network.js'
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
      network.evaluate(new Float32Array(12000), 4000, out)
      console.log(network.threads, out.every((x) => x === out[0]))
    `
    // execFileSync throws if the process has to be killed at the end of the time.
    const args = ['--input-type=module', '-e', script]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })).toBe('3 true\n')
  })
})
