/** Self-contact of a small ring, from a spec to a file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JobEstimate, loadSubject, readSpec, train } from '@pliant/train'
import { contactToTrain, makeContactBody, sweepTets } from '@pliant/train/unstable'
import { decode, load, type Vec3 } from 'pliant'
import { LinearSelfContact } from 'pliant/unstable/exact'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'pliant-contact-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** @param opening  how much of the circle is open [rad] */
function ring(opening: number) {
  const curve = (s: number): { at: Vec3; radius: number } => {
    const angle = opening / 2 + s * (2 * Math.PI - opening)
    return { at: [0.05 * Math.cos(angle), 0, 0.05 * Math.sin(angle)], radius: 0.006 }
  }
  return sweepTets({ curve, along: 16, across: 1 })
}

const body = makeContactBody(ring(0.7), { modes: 2, reach: 0.6 })
const specOf = (method: 'pliant' | 'paper') =>
  readSpec(
    JSON.stringify({
      model: { body: 'ring.msh', modes: 2 },
      learn: 'self-contact',
      network: { hidden: [32, 32], gaps: 16 },
      evaluation: { poses: 1500, points: 40 },
    }),
    {
      method,
      poses: 6000,
      steps: 300,
    },
  )

describe('self-contact', () => {
  it('is learned into a file that tells touching codes from free ones, and is judged on others', async () => {
    const spec = specOf('pliant')
    const stages = new Set<string>()
    const trained = await train<'self-contact'>(spec, {
      subject: contactToTrain(spec, body),
      onProgress: ({ stage }) => stages.add(stage),
    })
    expect([...stages]).toEqual(['learn', 'evaluate'])
    expect(trained.fault).toBeUndefined()
    expect(trained.quality).toMatchObject({ codes: 1500 })
    expect(trained.quality.signAccuracy).toBeGreaterThan(0.97)
    expect(trained.quality.distanceError!.mean).toBeLessThan(0.1)
    expect(trained.poses).toBeGreaterThan(2000)

    const artifact = await decode(trained.artifact, 'self-contact')
    const { model, training, quality } = artifact.manifest
    expect(quality).toEqual(trained.quality)
    expect(training).toMatchObject({ method: 'pliant', labels: trained.poses })
    expect(model.rounds.reduce((sum, count) => sum + count, 0)).toBe(artifact.rounds!.signs.length)
    // What was labelled is what the file holds.
    expect(artifact.model.modes).toEqual(body.model.modes)
    const field = await load(artifact)
    const exact = new LinearSelfContact(artifact.model)
    const distances = new Float64Array(1)
    let right = 0
    for (let i = 0; i < 200; i++) {
      const code = Float64Array.of(Math.sin(i), Math.cos(1.7 * i))
      field.query(code, 1, distances)
      right += Number(distances[0] < 0 === exact.touches(code))
    }
    expect(right).toBeGreaterThan(190)
    field.dispose()
  })

  it('that is stopped goes on to the same bytes, its rounds kept beside the file', async () => {
    const spec = { ...specOf('pliant'), steps: 120 }
    const subject = () => contactToTrain(spec, body)
    const whole = await train<'self-contact'>(spec, { subject: subject() })
    const checkpointPath = join(folder, 'ring.checkpoint')
    const stopping = new AbortController()
    const running = train<'self-contact'>(spec, {
      subject: subject(),
      checkpointPath,
      signal: stopping.signal,
      onProgress: ({ ofStage }) => ofStage > 0.4 && stopping.abort(),
    })
    await expect(running).rejects.toThrow(/abort/i)
    const resumed = await train<'self-contact'>(spec, { subject: subject(), checkpointPath, resume: true })
    expect(Buffer.compare(resumed.artifact, whole.artifact)).toBe(0)
  })

  it('keeps to a budget, also when it is stopped and resumed', async () => {
    // More than any machine does in the time.
    const asked = { poses: 20_000_000, steps: 2_000_000, judges: 50_000 }
    const { judges, ...learned } = asked
    const spec = { ...specOf('pliant'), ...learned, evaluation: { poses: judges, points: 100 } }
    const subject = () => contactToTrain(spec, body)
    const checkpointPath = join(folder, 'budget.checkpoint')
    const stopping = new AbortController()
    const estimates: JobEstimate[] = []
    const running = train<'self-contact'>(spec, {
      subject: subject(),
      checkpointPath,
      budgetMinutes: 0.1,
      signal: stopping.signal,
      onEstimate: (estimate) => estimates.push(estimate),
      onProgress: ({ ofStage }) => ofStage > 0.4 && stopping.abort(),
    })
    await expect(running).rejects.toThrow(/abort/i)
    expect(estimates).toHaveLength(1)
    const [{ counts, budget }] = estimates
    expect(budget).toMatchObject({ given: 6, wantedCounts: asked })
    expect(budget!.wanted).toBeGreaterThan(6)
    expect(counts.poses).toBeLessThan(asked.poses / 10)
    expect(counts.steps).toBeLessThan(asked.steps / 10)
    const other = { ...spec, seed: 7 }
    await expect(train(other, { subject: contactToTrain(other, body), checkpointPath, resume: true })).rejects.toThrow(
      /budget\.checkpoint-counts is of other inputs or of another seed; .*--resume/,
    )
    // Without a budget, as the command line asks for.
    const resumed = await train<'self-contact'>(spec, { subject: subject(), checkpointPath, resume: true })
    expect(resumed.steps).toBe(counts.steps)
    expect(resumed.quality.codes).toBe(counts.judges)
    const { manifest } = await decode(resumed.artifact, 'self-contact')
    expect(manifest.training).toMatchObject({ steps: counts.steps, labels: resumed.poses })
    expect(resumed.poses).toBeLessThan(1.5 * counts.poses)
  })

  it('by the paper takes no budget, and says why', async () => {
    const spec = { ...specOf('pliant'), method: 'paper' as const, network: {} }
    const training = train(spec, { subject: contactToTrain(spec, body), budgetMinutes: 1 })
    await expect(training).rejects.toThrow(/a budget does not cut the paper's iterations, .*; leave --budget out/)
  })

  it('is refused of a body that touches itself at rest, one that cannot, and more modes than there are', async () => {
    const spec = specOf('pliant')
    // A tube that goes round once and a bit more.
    const closed = makeContactBody(ring(-0.1), { modes: 2, reach: 0.1 })
    expect(() => contactToTrain(spec, closed)).toThrow(/touches itself at rest, triangle \d+ with triangle \d+/)
    const stiff = makeContactBody(ring(2.5), { modes: 2, reach: 0.01 })
    await expect(train(spec, { subject: contactToTrain(spec, stiff) })).rejects.toThrow(
      /none of \d+ codes.*model\.reach/,
    )
    expect(() => makeContactBody(ring(0.7), { modes: 400, reach: 0.1 })).toThrow(
      /400 modes of a body of 68 nodes; it has 198/,
    )
    const none = JSON.stringify({ model: { body: 'ring.msh', modes: 0 }, learn: 'self-contact' })
    expect(() => readSpec(none)).toThrow(/spec: /)
  })

  it('is what a preset made for it learns, and a body of the other kind if it is asked for', async () => {
    expect((await loadSubject(readSpec('bracelet'))).kind).toBe('self-contact')
    expect(readSpec('bracelet').poses).toBeLessThan(100_000)
    expect(readSpec(JSON.stringify({ model: { body: 'bracelet', modes: 7 }, learn: 'self-contact' })).poses).toBe(
      1_000_000,
    )
    expect((await loadSubject(readSpec('bracelet', { learn: 'distance' }))).kind).toBe('elastic-body')
    expect((await loadSubject(readSpec('bar'))).kind).toBe('linear-modes')
  })
})
