/** Self-contact of a small character by its joint angles, from a spec and a GLB to a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSpec, train } from '@pliant/train'
import { decode, load, randomStream } from 'pliant'
import { characterShape } from 'pliant/character'
import { exactSelfContact } from 'pliant/exact'
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
    const random = randomStream(62)
    const [positions, found] = [new Float64Array(3 * character.vertexCount), new Float64Array(field.pairs.length)]
    const seen: [due: number, found: number][] = []
    for (let i = 0; i < 1500; i++) {
      const code = Float64Array.from(field.bounds.lower, (low, k) => random.between(low, field.bounds.upper[k]))
      character.positions(code, positions)
      parts.moveTo(positions)
      field.clearances(code, found)
      for (let pair = 0; pair < parts.pairs.length / 2; pair++) {
        const own = field.pairs.findIndex(
          (_, p) => pairs[2 * p] === parts.pairs[2 * pair] && pairs[2 * p + 1] === parts.pairs[2 * pair + 1],
        )
        const due = parts.of(pair)
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

  it('is learned by our method alone, and takes no budget', async () => {
    const paper = { ...specOf('tube'), method: 'paper' as const }
    await expect(train(paper, { folder })).rejects.toThrow(
      /^self-contact: .* by our own method alone; leave the method out\.$/,
    )
    await expect(train(specOf('tube'), { folder, budgetMinutes: 1 })).rejects.toThrow(
      /^self-contact: rounds of a character cannot be cut by a budget; leave --budget out, .*\.$/,
    )
  })
})
