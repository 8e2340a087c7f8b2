import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// The built package: labelling workers are files of it.
import { evaluateArtifact, exportArtifactOnnx, readSpec, type Trained, type TrainProgress, train } from '@pliant/train'
import { decode, load, randomStream } from 'pliant'
import { createOrtNetwork } from 'pliant/ort'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const small = { poses: 12, pointsPerPose: 200, steps: 60, evaluation: { poses: 3, points: 200 } }
const spec = (more: object = {}) => readSpec(JSON.stringify({ model: 'bar', ...small, ...more }))

describe('training the bar, in small', () => {
  let folder: string
  let first: Trained
  const told: TrainProgress[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pliant-train-'))
    first = await train(spec(), { onProgress: (progress) => told.push(progress) })
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('gives the same bytes from the same seed, and others from another', async () => {
    expect((await train(spec())).artifact).toEqual(first.artifact)
    expect((await train(spec({ seed: 2 }))).artifact).not.toEqual(first.artifact)
  })

  it('says how far it is, from nothing to all, without a stage for poses that take no time', () => {
    const fractions = told.map(({ fraction }) => fraction)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(fractions[0]).toBeLessThan(0.125)
    expect(fractions.at(-1)).toBe(1)
    const stages = [...new Set(told.map(({ stage }) => stage))]
    expect(stages).toEqual(['label', 'learn', 'evaluate'])
    for (const name of stages) expect(told.findLast(({ stage }) => stage === name)!.ofStage).toBe(1)
  })

  it('interrupted and resumed gives the same bytes', async () => {
    const checkpointPath = join(folder, 'run.checkpoint')
    const controller = new AbortController()
    const broken = train(spec(), {
      checkpointPath,
      signal: controller.signal,
      onProgress: ({ stage, detail }) => {
        if (stage === 'learn' && detail.startsWith('step 20/')) controller.abort()
      },
    })
    await expect(broken).rejects.toThrow('abort')
    let firstStep = ''
    const resumed = await train(spec(), {
      checkpointPath,
      resume: true,
      onProgress: ({ stage, detail }) => {
        if (stage === 'learn' && !firstStep) firstStep = detail
      },
    })
    // Not again what was done; a slow machine has a word between.
    expect(Number(/^step (\d+)\//.exec(firstStep)?.[1])).toBeGreaterThan(20)
    expect(resumed.artifact).toEqual(first.artifact)
    await expect(train(spec({ seed: 3 }), { checkpointPath, resume: true })).rejects.toThrow('seed 1')
  })

  it('learns: the error is far below that of answering zero', async () => {
    const trained = await train(spec({ steps: 120, poses: 30, pointsPerPose: 500 }))
    // Half the band is what a field of zero would be wrong by on average, or a little less.
    const truncation = (await decode(trained.artifact, 'linear-modes')).manifest.truncation
    expect(trained.quality.bandError.mean).toBeLessThan(0.15 * truncation)
    expect(trained.quality.signAccuracy).toBeGreaterThan(0.95)
    const judged = await evaluateArtifact(trained.artifact, { poses: 4, points: 500 })
    expect(judged.bandError.mean).toBeLessThan(0.2 * truncation)
  })

  it("trains the paper's network, and a mesh of the user's own with and without modes", async () => {
    const paper = await train(spec({ method: 'paper', steps: 5 }))
    expect((await decode(paper.artifact, 'linear-modes')).manifest.networks.distance.shape.hidden).toEqual(
      Array(8).fill(128),
    )
    const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
    await writeFile(join(folder, 'own.obj'), tetrahedron)
    await writeFile(join(folder, 'modes.npy'), npyOfOnes([1, 4, 3]))
    const still = await train(spec({ model: 'own.obj', steps: 5 }), { folder })
    expect((await decode(still.artifact, 'linear-modes')).manifest).toMatchObject({ name: 'own', code: { size: 0 } })
    const bends = await train(spec({ model: { mesh: 'own.obj', modes: 'modes.npy' }, steps: 5 }), { folder })
    expect((await decode(bends.artifact, 'linear-modes')).manifest.code).toMatchObject({ size: 1, names: ['mode 1'] })
    await expect(train(spec({ model: 'gone.obj' }), { folder })).rejects.toThrow('cannot read gone.obj')
  })

  it('exports ONNX that answers as every backend does, inside and outside the domain (seed 17)', async () => {
    const onnx = await exportArtifactOnnx(first.artifact)
    const file = await createOrtNetwork(onnx)
    const random = randomStream(17)
    const count = 700
    const points = Float32Array.from({ length: 3 * count }, () => random.between(-0.8, 0.8))
    const code = Float32Array.of(0.3, -0.8, 0.5)
    const fromFile = { distances: new Float32Array(count), gradients: new Float32Array(3 * count) }
    await file.query(points, count, code, fromFile.distances, fromFile.gradients)
    for (const backend of ['scalar', 'auto'] as const) {
      const field = await load(first.artifact, { backend })
      field.update({ code })
      const distances = new Float32Array(count)
      const gradients = new Float32Array(3 * count)
      field.query(points, count, distances, gradients)
      for (let i = 0; i < count; i++) expect(Math.abs(distances[i] - fromFile.distances[i])).toBeLessThan(1e-5)
      for (let i = 0; i < 3 * count; i++) expect(Math.abs(gradients[i] - fromFile.gradients[i])).toBeLessThan(1e-3)
    }
    await file.dispose()
  })

  it('leaves no half-written checkpoint behind', async () => {
    await expect(readFile(join(folder, 'run.checkpoint.partial'))).rejects.toThrow('ENOENT')
  })
})

/** A little-endian float32 .npy of ones. */
function npyOfOnes(shape: number[]): Uint8Array {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`
  const padded = `${header.padEnd(117)}\n`
  const values = new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(1)
  const head = Uint8Array.from([0x93, ...Buffer.from('NUMPY'), 1, 0, padded.length, 0])
  return Buffer.concat([head, Buffer.from(padded), new Uint8Array(values.buffer)])
}
