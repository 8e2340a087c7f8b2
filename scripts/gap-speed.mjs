/**
 * Time of a learned self-contact answer with its gradient, on one core: `node scripts/gap-speed.mjs [--before ROOT]`,
 * where ROOT is a built checkout to compare with, asked in turns in the same run. Random weights; sizes are those that are
 * trained: 64 gaps and 3 modes with two layers of 64, 128 gaps and 7 modes with three of 128.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({ options: { before: { type: 'string' } } })
const roots = { now: '.', ...(options.before ? { before: options.before } : {}) }
const TURNS = 15

for (const [gaps, codeSize, hidden] of [
  [64, 3, [64, 64]],
  [128, 7, [128, 128, 128]],
]) {
  const shape = { codeSize, gaps, hidden, activation: 'silu' }
  const networks = []
  for (const [name, root] of Object.entries(roots)) {
    const { GapNetwork, gapTensors } = await import(
      pathToFileURL(resolve(root, 'packages/pliant/dist/unstable.js')).href
    )
    const { randomStream } = await import(pathToFileURL(resolve(root, 'packages/pliant/dist/index.js')).href)
    const random = randomStream(1)
    const tensors = new Map(
      [...gapTensors(shape)].map(([tensor, dims]) => {
        const size = dims.reduce((product, dim) => product * dim, 1)
        return [tensor, Float32Array.from({ length: size }, () => 0.2 * random.normal() + 0.01)]
      }),
    )
    networks.push({ name, network: await GapNetwork.create(shape, tensors) })
  }
  for (const batch of [1, 1024]) {
    const codes = Float32Array.from({ length: batch * codeSize }, (_, i) => Math.sin(i))
    const [values, gradients] = [new Float64Array(batch), new Float64Array(batch * codeSize)]
    const calls = batch === 1 ? 4096 : 8
    const best = new Map(networks.map(({ name }) => [name, Infinity]))
    for (let turn = 0; turn < TURNS; turn++) {
      for (const { name, network } of networks) {
        const begun = process.cpuUsage().user
        for (let call = 0; call < calls; call++) network.query(codes, batch, values, gradients)
        best.set(name, Math.min(best.get(name), (process.cpuUsage().user - begun) / calls / batch))
      }
    }
    const text = [...best].map(([name, microseconds]) => `${name} ${microseconds.toFixed(2)} us`).join(', ')
    const ratio = best.has('before') ? `, ${(best.get('before') / best.get('now')).toFixed(2)} times faster` : ''
    console.log(
      `${gaps} gaps, ${codeSize} modes, ${batch} codes at once (${networks[0].network.backend}): ${text}${ratio}`,
    )
  }
  for (const { network } of networks) network.dispose()
}
