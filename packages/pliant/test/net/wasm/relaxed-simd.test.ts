/** Relaxed SIMD sits behind a flag in Node 20, so that path runs in a child process that has it. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { defineBoneKernels } from '../../../src/net/bones/wasm/run-bones.js'
import { simdSupport } from '../../../src/net/simd-support.js'
import { assembleKernels } from '../../../src/net/wasm/kernel-module.js'
import { definePointKernels } from '../../../src/net/wasm/point-kernels.js'

/** Node 22 and later need no flag. */
const FLAGS = simdSupport() === 'relaxed' ? [] : ['--experimental-wasm-relaxed-simd']

describe('relaxed SIMD', () => {
  it('is claimed only where the host takes the kernels', () => {
    const hostTakes = [definePointKernels, defineBoneKernels].map((define) =>
      WebAssembly.validate(assembleKernels(define, { relaxed: true, shared: false })),
    )
    expect(hostTakes[1]).toBe(hostTakes[0])
    expect(simdSupport()).toBe(hostTakes[0] ? 'relaxed' : 'plain')
  })

  it('answers as plain SIMD does, to 1e-5, in a child process that has it', () => {
    const args = [...FLAGS, '--input-type=module', '-e', child()]
    const worst = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    expect(worst.backend).toBe('simd-relaxed')
    expect(worst.difference).toBeLessThan(1e-5)
    // Equal bits everywhere would mean that the fused path did not run.
    expect(worst.difference).toBeGreaterThan(0)
  })
})

/** Runs the built package: the child has no TypeScript. */
function child(): string {
  const entry = (name: string): string => JSON.stringify(new URL(`../../../dist/${name}.js`, import.meta.url).href)
  return `
    const { randomStream } = await import(${entry('index')})
    const { createNetwork, networkTensors } = await import(${entry('unstable')})
    const box = { lower: [-1, -1, -1], upper: [1, 1, 1] }
    const shape = {
      code: 5, conditioning: { kind: 'blend', coefficients: 6, hidden: 4, layers: 2 },
      warp: { resolution: [4, 5, 6], channels: 5, ...box }, grids: [{ resolution: [7, 6, 5], channels: 3, ...box }],
      hidden: [40, 33], activation: 'silu', output: 'tanh',
    }
    const random = randomStream(1)
    const tensors = new Map()
    for (const [name, dims] of networkTensors(shape)) {
      tensors.set(name, Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 0.2 * random.normal()))
    }
    const points = Float32Array.from({ length: 3000 }, () => random.between(-1.2, 1.2))
    const code = Float32Array.from({ length: 5 }, () => random.between(-1, 1))
    const answer = async (backend) => {
      const network = await createNetwork(shape, tensors, { backend })
      network.pose(code)
      const values = new Float32Array(1000)
      const gradients = new Float32Array(3000)
      network.query(points, 1000, values, gradients)
      return { backend: network.backend, all: [...values, ...gradients] }
    }
    const plain = await answer('simd')
    const auto = await answer('auto')
    const difference = Math.max(...auto.all.map((x, i) => Math.abs(x - plain.all[i])))
    console.log(JSON.stringify({ backend: auto.backend, difference }))
  `
}
