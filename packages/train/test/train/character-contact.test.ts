/** Self-contact of a small character by its joint angles, from a spec and a GLB to a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSpec, train } from '@pliant/train'
import { decode, load, randomStream } from 'pliant'
import { characterShape } from 'pliant/character'
import { exactSelfContact } from 'pliant/exact'
import { handleCode } from 'pliant/respond'
import { PartClearances, posedSelfContact } from 'pliant/unstable/exact'
import { afterAll, describe, expect, it } from 'vitest'
import { foldingClip, foldingGlb } from '../../../pliant/test/artifact/folding-tube.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-character-contact-'))
afterAll(() => rmSync(folder, { recursive: true }))

const save = (name: string, ...folds: number[][]): void => {
  const clips = folds.map((angles, i) => foldingClip(`fold ${i}`, angles))
  writeFileSync(join(folder, `${name}.glb`), foldingGlb(clips))
}
save('tube', [110, 110, 110], [-20, 130, 60], [90, 60, 140])
save('straight', [8, 8, 8], [10, -5, 8])
save('nearly', [74, 74, 74], [40, 60, 50])

const specOf = (rig: string, poses = 1200, steps = 160) =>
  readSpec(
    JSON.stringify({
      model: { rig: `${rig}.glb`, heldOut: ['fold 1'] },
      learn: 'self-contact',
      network: { hidden: [24] },
      evaluation: { poses: 600, points: 10 },
    }),
    { poses, steps },
  )

/** What `learn` says of itself: detail and share of the stage. */
const told: { detail: string; ofStage: number }[] = []
const spec = specOf('tube')
const trained = await train<'character-contact'>(spec, {
  folder,
  onProgress: ({ stage, ofStage, detail = '' }) => stage === 'learn' && told.push({ detail, ofStage }),
})

describe('self-contact of a character', () => {
  it('is learned into a file that tells touching codes from free ones, and is judged on others', async () => {
    expect(trained.quality).toMatchObject({ codes: 600 })
    const artifact = await decode(trained.artifact, 'character-contact')
    const { manifest, character } = artifact
    expect(manifest.quality).toEqual(trained.quality)
    expect(manifest.model.clips.map(({ name }) => name)).toEqual(['fold 0', 'fold 2'])
    expect(manifest.model.heldOut.clips).toEqual(['fold 1'])
    expect(manifest.code.names).toEqual(['first x', 'second x', 'third x'])
    expect(manifest.training).toMatchObject({ steps: 160, labels: trained.poses })
    const field = await load(artifact)
    expect(field.pairs).toContainEqual(['root', 'third'])
    const exact = exactSelfContact(characterShape(character, manifest.model.neighbours))
    const random = randomStream(61)
    const { lower, upper } = field.bounds
    const right = { free: 0, touching: 0 }
    const all = { free: 0, touching: 0 }
    const [distance, clearances] = [new Float64Array(1), new Float64Array(field.pairs.length)]
    for (let i = 0; i < 400; i++) {
      const code = Float64Array.from(lower, (low, k) => random.between(low, upper[k]))
      field.query(code, 1, distance)
      field.clearances(code, clearances)
      expect(Math.min(...clearances)).toBeCloseTo(distance[0] * manifest.model.metres, 5)
      const kind = exact.touches(code) ? 'touching' : 'free'
      all[kind]++
      right[kind] += Number(distance[0] < 0 === (kind === 'touching'))
    }
    expect(Math.min(all.free, all.touching)).toBeGreaterThan(40)
    expect(right.free / all.free).toBeGreaterThan(0.8)
    expect(right.touching / all.touching).toBeGreaterThan(0.8)
    field.dispose()
  })

  it('tells how far parts are apart in metres, where they are near each other', async () => {
    const artifact = await decode(trained.artifact, 'character-contact')
    const field = await load(artifact)
    const { character, pairs } = artifact
    const shape = characterShape(character, artifact.manifest.model.neighbours)
    const { rest, rule } = posedSelfContact(shape)
    const reach = 0.1
    const parts = new PartClearances(rest, rule, { reach })
    const exact = new Float64Array(parts.pairs.length / 2)
    const everyPair = Uint32Array.from(exact.keys())
    const random = randomStream(62)
    const [positions, found] = [new Float64Array(3 * character.vertexCount), new Float64Array(field.pairs.length)]
    const seen: [due: number, found: number][] = []
    for (let i = 0; i < 1500; i++) {
      const code = Float64Array.from(field.bounds.lower, (low, k) => random.between(low, field.bounds.upper[k]))
      character.positions(code, positions)
      parts.moveTo(positions)
      field.clearances(code, found)
      parts.write(everyPair, exact)
      for (let pair = 0; pair < parts.pairs.length / 2; pair++) {
        const own = field.pairs.findIndex(
          (_, p) => pairs[2 * p] === parts.pairs[2 * pair] && pairs[2 * p + 1] === parts.pairs[2 * pair + 1],
        )
        const due = exact[pair]
        if (own < 0 || Math.abs(due) > 0.9 * reach) continue
        seen.push([due, found[own]])
      }
    }
    const mean = (of: (row: [number, number]) => number): number =>
      seen.reduce((sum, row) => sum + of(row), 0) / seen.length
    const [due, got] = [mean(([x]) => x), mean(([, y]) => y)]
    const slope = mean(([x, y]) => (x - due) * (y - got)) / mean(([x]) => (x - due) ** 2)
    expect(seen.length).toBeGreaterThan(100)
    // Of a network that has learned for a second, and is smoother than what it learns.
    expect(slope).toBeGreaterThan(0.2)
    expect(slope).toBeLessThan(1.2)
    field.dispose()
  })

  it('tells of labels as they are made, chunk by chunk, and never goes back', () => {
    // Four rounds of 300, 256 at a time.
    for (const round of [1, 4]) {
      const labels = told.filter(({ detail }) => detail.startsWith(`round ${round}/4: label poses`))
      expect(labels.map(({ detail }) => detail)).toEqual(
        [256, 300].map((done) => `round ${round}/4: label poses, ${done} of 300`),
      )
      expect(labels[0].ofStage).toBeLessThan(labels[1].ofStage)
    }
    for (const pattern of [/^pilot: label poses, (\d+) of 1200$/, /^pilot: test poses, (\d+) of 1200$/]) {
      expect(told.flatMap(({ detail }) => pattern.exec(detail)?.[1] ?? []).at(-1)).toBe('1200')
    }
    told.slice(1).forEach(({ ofStage }, i) => {
      expect(ofStage).toBeGreaterThanOrEqual(told[i].ofStage)
    })
  })

  it('that is stopped goes on to the same bytes, wherever that was', async () => {
    // First among labels, then among steps.
    const checkpointPath = join(folder, 'tube.checkpoint')
    for (const [stop, resume] of [
      [/round 2\/4: label poses, 256/, false],
      [/round 3\/4: step 20\/27/, true],
    ] as const) {
      const stopping = new AbortController()
      const running = train<'character-contact'>(spec, {
        ...{ folder, checkpointPath, resume, signal: stopping.signal },
        onProgress: ({ detail = '' }) => stop.test(detail) && stopping.abort(),
      })
      await expect(running).rejects.toThrow(/abort/i)
    }
    const resumed = await train<'character-contact'>(spec, { folder, checkpointPath, resume: true })
    expect(Buffer.compare(resumed.artifact, trained.artifact)).toBe(0)
  })

  it.each([
    ['straight', /^self-contact: no two parts come near each other in 1200 poses; .*\(model\.motion\)\.$/],
    ['nearly', /^self-contact: none of 1200 poses touch themselves; .*\(model\.neighbours\)\.$/],
  ])('is refused of clips in which nothing touches, before anything is learned: %s', async (rig, message) => {
    const details: string[] = []
    const training = train(specOf(rig), {
      folder,
      onProgress: ({ detail }) => details.push(detail ?? ''),
    })
    await expect(training).rejects.toThrow(message)
    expect(details.filter((detail) => detail.startsWith('round'))).toEqual([])
  })

  it('takes no budget', async () => {
    await expect(train(specOf('tube'), { folder, budgetMinutes: 1 })).rejects.toThrow(
      /^self-contact: rounds of a character cannot be cut by a budget; leave --budget out, .*\.$/,
    )
  })
})

describe('self-contact of a character by the paper', () => {
  const paper = readSpec(
    JSON.stringify({
      model: { rig: 'tube.glb', heldOut: ['fold 1'] },
      ...{ learn: 'self-contact', method: 'paper', learningRate: 5e-3 },
      network: { hidden: [32] },
      evaluation: { poses: 600, points: 10 },
    }),
    { poses: 1200, steps: 120 },
  )

  it('is learned into a file that tells touching codes from free ones, and how deep parts are', async () => {
    const { artifact: bytes, quality, poses } = await train<'character-contact'>(paper, { folder })
    const artifact = await decode(bytes, 'character-contact')
    const { manifest, character } = artifact
    expect(manifest.networks.distance).toMatchObject({
      kind: 'collision-state',
      shape: { domains: [[], [0], [1], [2]], encoder: [32], state: 128, predictor: [64, 32], classifier: [32, 32] },
    })
    expect(manifest.training).toMatchObject({ method: 'paper', labels: 1200, poses: 1200 })
    expect(poses).toBe(1200)
    expect(Math.abs(manifest.training.steps - 120)).toBeLessThan(8)
    expect(quality).toMatchObject({ codes: 600 })
    expect(quality.signAccuracy).toBeGreaterThan(0.85)
    const field = await load(artifact)
    const contact = posedSelfContact(characterShape(character, manifest.model.neighbours)).test
    const random = randomStream(63)
    const { lower, upper } = field.bounds
    const seen: [due: number, found: number][] = []
    const depths = new Float64Array(4)
    for (let i = 0; i < 300; i++) {
      const code = Float64Array.from(lower, (low, k) => random.between(low, upper[k]))
      field.depths!.query(code, depths)
      seen.push([contact.depth(code), depths.reduce((sum, depth) => sum + depth, 0)])
    }
    const mean = (of: (row: [number, number]) => number): number =>
      seen.reduce((sum, row) => sum + of(row), 0) / seen.length
    const [due, got] = [mean(([x]) => x), mean(([, y]) => y)]
    const slope = mean(([x, y]) => (x - due) * (y - got)) / mean(([x]) => (x - due) ** 2)
    // Metres of depth, of a network that has learned for seconds.
    expect(slope).toBeGreaterThan(0.3)
    expect(slope).toBeLessThan(1.3)
    // What a code is repaired by leads out of contact.
    const exact = exactSelfContact(characterShape(character, manifest.model.neighbours))
    const anyCode = () => Float64Array.from(lower, (low, k) => random.between(low, upper[k]))
    const code = Array.from({ length: 50 }, anyCode).find((drawn) => exact.touches(drawn))!
    const out = new Float64Array(3)
    expect(handleCode(field, exact, code, {}, out)).toMatchObject({ wasFree: false, free: true })
    expect(exact.touches(out)).toBe(false)
    expect(handleCode(field.depths!, exact, code, {}, out)).toMatchObject({ wasFree: false, free: true })
    field.dispose()
  })
})
