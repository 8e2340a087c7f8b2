/**
 * A small real use of rounds, in a process of its own that can be killed: the signed distance of a 2-D shape, learned from
 * samples that are taken where the network of the round before sees the outline, and everywhere in the first.
 *
 * Usage: node active-shape.mjs CHECKPOINT [--resume] [--stop-at WHERE]
 * WHERE is acquire:ROUND or learn:ROUND:STEP: there it says so, and waits to be killed.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeSync } from 'node:fs'
import {
  adam,
  add,
  compileFunction,
  compileTrainingStep,
  input,
  matmul,
  mean,
  parameter,
  square,
  sub,
  tanh,
} from '@pliant/train/unstable/graph'

// Not for everyone, so not in an entry of the package.
const built = (file) => import(new URL(`../../../dist/learn/${file}`, import.meta.url).href)
const { roundLogPath, runRounds } = await built('rounds/index.js')
const { runSteps } = await built('run-steps.js')

const [checkpointPath, ...words] = process.argv.slice(2)
const stopAt = words.includes('--stop-at') ? words[words.indexOf('--stop-at') + 1] : ''
const ROUNDS = 3
const SAMPLES = 400
const STEPS = 120
const BATCH = 512
const HIDDEN = 32

/** Stands still for good, in the middle of whatever it is. */
function pass(place) {
  if (place !== stopAt) return
  writeSync(1, `here ${place}\n`)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** A disc of radius .6 with a bite of radius .35. */
const distance = (x, y) => Math.max(Math.hypot(x, y) - 0.6, 0.35 - Math.hypot(x - 0.6, y))

/** Network of the round before, or first values from the streams of this one. */
function network(start, random) {
  const sizes = [2, HIDDEN, HIDDEN, 1]
  const layers = sizes.slice(1).map((columns, i) => {
    const rows = sizes[i]
    const draw = random?.(900_000 + i)
    const first = () => Float32Array.from({ length: rows * columns }, () => draw.normal() / Math.sqrt(rows))
    return {
      weight: parameter(`layer.${i}.weight`, [rows, columns], start?.get(`layer.${i}.weight`) ?? first()),
      bias: parameter(`layer.${i}.bias`, [columns], start?.get(`layer.${i}.bias`) ?? new Float32Array(columns)),
    }
  })
  const evaluate = (points) =>
    layers.reduce((value, { weight, bias }, i) => {
      const sum = add(matmul(value, weight), bias)
      return i < layers.length - 1 ? tanh(sum) : sum
    }, points)
  return { evaluate, parameters: layers.flatMap(({ weight, bias }) => [weight, bias]) }
}

/** Everywhere at first, then of many points those nearest to the learned outline. */
async function acquire(round, { weights }, random) {
  const draw = random()
  const count = weights ? 8 * SAMPLES : SAMPLES
  const points = Float32Array.from({ length: 2 * count }, () => draw.between(-1, 1))
  let chosen = Array.from({ length: count }, (_, i) => i)
  if (weights) {
    const asked = input('points', [count, 2])
    const compiled = await compileFunction(
      { inputs: [asked], outputs: { value: network(weights).evaluate(asked) } },
      { threads: 2 },
    )
    const { value } = await compiled.run({ points })
    await compiled.dispose()
    chosen = chosen.sort((a, b) => Math.abs(value[a]) - Math.abs(value[b]) || a - b).slice(0, SAMPLES)
  }
  pass(`acquire:${round}`)
  return {
    points: Float32Array.from(chosen.flatMap((i) => [points[2 * i], points[2 * i + 1]])),
    labels: Float32Array.from(chosen, (i) => distance(points[2 * i], points[2 * i + 1])),
    order: Uint32Array.from(chosen),
  }
}

async function learn(round, data, start, { random, steps }) {
  const { evaluate, parameters } = network(start, random)
  const points = input('points', [BATCH, 2])
  const labels = input('labels', [BATCH, 1])
  const loss = mean(square(sub(evaluate(points), labels)))
  const step = await compileTrainingStep({ loss, parameters, optimiser: adam() }, { threads: 2 })
  const feeds = { points: new Float32Array(2 * BATCH), labels: new Float32Array(BATCH) }
  const draw = (s) => {
    pass(`learn:${round}:${s}`)
    const batch = random(s)
    for (let n = 0; n < BATCH; n++) {
      const row = batch.below(data.rows)
      feeds.points.set(data.columns.points.subarray(2 * row, 2 * row + 2), 2 * n)
      feeds.labels[n] = data.columns.labels[row]
    }
    return feeds
  }
  const learned = await runSteps(step, { steps: STEPS, draw, rate: () => (round === 0 ? 3e-2 : 5e-3) }, steps)
  return learned.tensors
}

const told = []
const { data, weights, rounds } = await runRounds({
  rounds: ROUNDS,
  seed: 7,
  specHash: 'disc with a bite',
  widths: { points: 2, labels: 1, order: 1 },
  acquire,
  learn,
  checkpointPath,
  resume: words.includes('--resume'),
  // Whoever is to be killed saves every step.
  checkpointSeconds: stopAt ? 0 : undefined,
  onProgress: (progress) => told.push(progress),
})

/** Mean error near the outline, on points of no round. */
async function outlineError(learned) {
  const side = 60
  const points = Float32Array.from(
    { length: 2 * side * side },
    (_, i) => (2 * (i % 2 ? Math.floor(i / 2 / side) : (i >> 1) % side)) / side - 1,
  )
  const asked = input('points', [side * side, 2])
  const compiled = await compileFunction(
    { inputs: [asked], outputs: { value: network(learned).evaluate(asked) } },
    { threads: 2 },
  )
  const { value } = await compiled.run({ points })
  await compiled.dispose()
  const exact = Array.from(value, (_, i) => distance(points[2 * i], points[2 * i + 1]))
  const near = exact.flatMap((d, i) => (Math.abs(d) < 0.1 ? [Math.abs(value[i] - d)] : []))
  return near.reduce((sum, error) => sum + error, 0) / near.length
}

const hash = (arrays) =>
  arrays
    .reduce(
      (h, array) => h.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)),
      createHash('sha256'),
    )
    .digest('hex')
console.log(
  JSON.stringify({
    rounds,
    firstRows: data.firstRows,
    data: hash(Object.values(data.columns)),
    weights: hash([...weights.values()]),
    log: hash([readFileSync(roundLogPath(checkpointPath))]),
    steps: told
      .filter(({ detail }) => detail.startsWith('step '))
      .map(({ stage, detail }) => `${stage}: ${detail.split(',')[0]}`),
    fractions: told.map(({ fraction }) => fraction),
    outlineError: await outlineError(weights),
  }),
)
