/** A bar whose halves bend by themselves: two domains, two numbers that matter. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evaluateShapeSpace, learnShapeSpace, shapeSpaceCheckpoints } from '@pliant/train/unstable'
import { randomStream } from 'pliant'
import { AcapFeatures, createShapeSpace, type ShapeSpaceData } from 'pliant/unstable'
import { afterAll, expect, test } from 'vitest'
import { bar, bend, mapped } from '../../../../pliant/test/model/acap/shapes.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-shape-space-'))
afterAll(() => rmSync(folder, { recursive: true }))

const reference = bar(20, 1)
const random = randomStream(4)
const shapes = Array.from({ length: 40 }, () => {
  const [left, right] = [random.between(-1.2, 1.2), random.between(-1.2, 1.2)]
  const half = (x: number, y: number, z: number): number[] =>
    Math.abs(x < 0 ? left : right) < 1e-6 ? [x, y, z] : bend(x < 0 ? left : right)(x, y, z)
  return Float32Array.from(mapped(reference.positions, half))
})
const [learned, heldOut] = [shapes.slice(0, 30), shapes.slice(30)]
const options = { domains: 2, domainCode: 2, hidden: 6, steps: 120, reach: 0.25 }
const run = { seed: 1, workers: 1 }
const data = await learnShapeSpace(reference, learned, options, run)

test('shapes that it never saw come back, domains are the halves (seed 4)', async () => {
  const { learned: own } = await evaluateShapeSpace(data, learned, heldOut, 1)
  expect(own.mean).toBeLessThan(4e-3)
  const still = { ...data, parts: data.parts.map((part) => ({ ...part, decoder: silent(part.decoder) })) }
  const { learned: mean } = await evaluateShapeSpace(still, learned, heldOut, 1)
  expect(mean.mean).toBeGreaterThan(10 * own.mean)
  const { domains } = await createShapeSpace(data)
  const sideOf = (v: number): number => Math.sign(reference.positions[3 * v])
  const ends = [...domains.keys()].filter((v) => Math.abs(reference.positions[3 * v]) > 0.5)
  const left = new Set(ends.filter((v) => sideOf(v) < 0).map((v) => domains[v]))
  const right = new Set(ends.filter((v) => sideOf(v) > 0).map((v) => domains[v]))
  expect([...left, ...right].sort()).toEqual([0, 1])
})

function silent(network: ShapeSpaceData['parts'][number]['decoder']): typeof network {
  return { ...network, tensors: new Map([...network.tensors].map(([name, each]) => [name, each.map(() => 0)])) }
}

test('codes of the shapes learned from, as encoders tell them, lie in its bounds and touch them', async () => {
  const space = await createShapeSpace(data)
  const acap = new AcapFeatures(reference)
  const features = new Float64Array(acap.size)
  const { lower, upper } = space.bounds
  const codes = learned.map((shape) => {
    const code = new Float64Array(space.codeSize)
    acap.encode(shape, features)
    space.encodeFeatures(features, code, 0)
    return code
  })
  for (let k = 0; k < space.codeSize; k++) {
    const own = codes.map((code) => code[k])
    expect(Math.min(...own)).toBeCloseTo(lower[k], 3)
    expect(Math.max(...own)).toBeCloseTo(upper[k], 3)
  }
})

test.each([
  ['level 1', 100],
  ['level 2', 60],
])('a run that was stopped in %s goes on to the same bytes', async (stage, steps) => {
  const checkpointPath = join(folder, `stopped-${steps}`)
  const stopping = new AbortController()
  const stopped = learnShapeSpace(reference, learned, options, {
    ...run,
    checkpointPath,
    signal: stopping.signal,
    onProgress: (progress) => {
      if (progress.stage === stage && progress.detail?.startsWith(`step ${steps}/`)) stopping.abort(new Error('enough'))
    },
  })
  await expect(stopped).rejects.toThrow('enough')
  let first = ''
  const resumed = await learnShapeSpace(reference, learned, options, {
    ...run,
    checkpointPath,
    resume: true,
    onProgress: ({ stage: now, detail = '' }) => {
      if (now === stage) first ||= detail
    },
  })
  expect(first).toMatch(`step ${steps + 20}/120`)
  expect(tensorsOf(resumed)).toEqual(tensorsOf(data))
  expect(resumed.bounds).toEqual(data.bounds)
  expect(shapeSpaceCheckpoints('a')).toEqual(['a.level-1', 'a.level-2'])
})

function tensorsOf({ parts }: ShapeSpaceData): Float32Array[] {
  return parts.flatMap(({ encoder, decoder }) => [...encoder.tensors.values(), ...decoder.tensors.values()])
}

test('more domains than there is to see do no harm', async () => {
  const oneEnd = Array.from({ length: 8 }, (_, i) =>
    Float32Array.from(
      mapped(reference.positions, (x, y, z) => (x < 0.5 ? [x, y, z] : bend(0.2 + 0.2 * i)(x - 0.5, y, z)).with(0, x)),
    ),
  )
  const found = await learnShapeSpace(reference, oneEnd, { ...options, domains: 6, steps: 20 }, run)
  const { learned: own } = await evaluateShapeSpace(found, oneEnd, oneEnd, 1)
  expect(own.largest).toBeLessThan(0.02)
})

test('a checkpoint of other shapes is refused', async () => {
  const checkpointPath = join(folder, 'stopped-100')
  const others = learnShapeSpace(reference, heldOut, options, { ...run, checkpointPath, resume: true })
  await expect(others).rejects.toThrow('pass the files and options of that run')
})

test('shapes that say nothing are refused by name', async () => {
  await expect(learnShapeSpace(reference, shapes.slice(0, 3), {}, run)).rejects.toThrow(
    'shape space: 3 shapes; give 4 at least, hundreds for a good one.',
  )
  const same = Array.from({ length: 5 }, () => shapes[0])
  await expect(learnShapeSpace(reference, same, {}, run)).rejects.toThrow(
    'shape space: all 5 shapes are the same but for rigid motion; give others.',
  )
  await expect(learnShapeSpace(reference, shapes, { domains: 0 }, run)).rejects.toThrow(
    'shape space: domains is 0; give a whole number of at least 1.',
  )
})
