/** Self-contact of shapes of one mesh, from a spec and a rig whose clips are baked to a file. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSpec, train } from '@pliant/train'
import { decode, load, randomStream } from 'pliant'
import { exactSelfContact } from 'pliant/exact'
import { exactShapeSpace, spaceShape } from 'pliant/unstable'
import { afterAll, describe, expect, it } from 'vitest'
import { foldingClip, foldingGlb } from '../../../pliant/test/artifact/folding-tube.js'
import { leftoversOf } from '../../src/train/leftovers.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-shape-contact-'))
afterAll(() => rmSync(folder, { recursive: true }))

const save = (name: string, ...folds: number[][]): void => {
  const clips = folds.map((angles, i) => foldingClip(`fold ${i}`, angles))
  writeFileSync(join(folder, `${name}.glb`), foldingGlb(clips))
}
save('tube', [110, 110, 110], [-20, 130, 60], [90, 60, 140])
save('still', [0, 0, 0])
save('tight', [240, 240, 240])

const SIZES = { shapes: 40, domains: 3, domainCode: 2 }
const specOf = (rig: string, more: object = {}) =>
  readSpec(
    JSON.stringify({
      model: { meshes: `${rig}.glb`, ...SIZES },
      network: { hidden: [16] },
      evaluation: { poses: 300, points: 10 },
      ...more,
    }),
    { poses: 600, steps: 240 },
  )

const spec = specOf('tube')
const trained = await train<'shape-contact'>(spec, { folder })

/** Of codes drawn evenly: how many are touching, and of each kind the share that a file tells. */
async function judged(bytes: Uint8Array) {
  const artifact = await decode(bytes, 'shape-contact')
  const field = await load(artifact)
  const { space, patches, manifest } = artifact
  const exact = exactSelfContact(spaceShape(exactShapeSpace(space), patches, manifest.model.neighbours))
  const random = randomStream(71)
  const { lower, upper } = field.bounds
  const [right, all] = [
    { free: 0, touching: 0 },
    { free: 0, touching: 0 },
  ]
  const distance = new Float64Array(1)
  for (let i = 0; i < 200; i++) {
    const code = Float64Array.from(lower, (low, k) => random.between(low, upper[k]))
    field.query(code, 1, distance)
    const kind = exact.touches(code) ? 'touching' : 'free'
    all[kind]++
    right[kind] += Number(distance[0] < 0 === (kind === 'touching'))
  }
  field.dispose()
  return { all, free: right.free / all.free, touching: right.touching / all.touching }
}

describe('self-contact of shapes', () => {
  it('is learned into a file that tells touching codes from free ones, and is judged on others', async () => {
    expect(trained.quality).toMatchObject({ codes: 300 })
    const { manifest, networks, pairs, patches, space } = await decode(trained.artifact, 'shape-contact')
    const { model } = manifest
    expect(manifest.quality).toEqual(trained.quality)
    expect(manifest.training).toMatchObject({ method: 'pliant', steps: 240, labels: trained.poses })
    expect(manifest.networks.distance.kind).toBe('framed-gaps')
    expect(model).toMatchObject({ vertices: 122, neighbours: { along: 0.1, near: 0.005 } })
    expect(model.parts).toHaveLength(4)
    expect(model.parts[0].codeSize).toBe(3)
    expect(manifest.code.names!.slice(0, 4)).toEqual(['whole 1', 'whole 2', 'whole 3', 'domain 1, 1'])
    // Small meshes have fewer patches: 16 vertices each, about.
    expect(model.patches).toBe(7)
    expect(new Set(patches).size).toBe(7)
    expect(Math.max(...pairs)).toBeLessThan(7)
    // Pairs are left alone where they were never near.
    expect(networks.distance.get('pair.far')!.some((squared) => squared < 10)).toBe(true)
    expect(space.bounds.lower).toHaveLength(manifest.code.size)
    const { all, free, touching } = await judged(trained.artifact)
    expect(Math.min(all.free, all.touching)).toBeGreaterThan(30)
    expect(free).toBeGreaterThan(0.7)
    expect(touching).toBeGreaterThan(0.7)
  })

  it('that is stopped goes on to the same bytes, wherever that was', async () => {
    const checkpointPath = join(folder, 'tube.checkpoint')
    for (const [stop, resume] of [
      [/^level 2: step/, false],
      [/pose patches/, true],
      [/^round 3\/4: step/, true],
    ] as const) {
      const stopping = new AbortController()
      const running = train<'shape-contact'>(spec, {
        ...{ folder, checkpointPath, resume, signal: stopping.signal },
        onProgress: ({ detail = '' }) => stop.test(detail) && stopping.abort(),
      })
      await expect(running, String(stop)).rejects.toThrow(/abort/i)
    }
    const details: string[] = []
    const resumed = await train<'shape-contact'>(spec, {
      ...{ folder, checkpointPath, resume: true },
      onProgress: ({ detail = '' }) => details.push(detail),
    })
    expect(Buffer.compare(resumed.artifact, trained.artifact)).toBe(0)
    // What was learned before is not learned again.
    expect(details.filter((detail) => /^(level|round [12]\/4: step)/.test(detail))).toEqual([])
    // All that is left beside the file is known, and so can be removed.
    const known = leftoversOf(checkpointPath).map(({ path }) => path)
    for (const end of ['.level-1', '.level-2']) expect(known).toContain(checkpointPath + end)
    expect(known.filter((path) => existsSync(path)).length).toBeGreaterThan(3)
  })

  it.each([
    ['still', /^shape space: all \d+ shapes are the same but for rigid motion; give others\.$/],
    [
      'tight',
      /^self-contact: \d+ of \d+ shapes touch themselves where the first does not; give shapes that are mostly free, .*\(model\.neighbours\)\.$/,
    ],
  ])('is refused of shapes that tell nothing: %s', async (rig, message) => {
    // Skin that folds at a joint counts as well.
    const model = { meshes: `${rig}.glb`, ...SIZES, neighbours: { along: 0.03 } }
    await expect(train(specOf(rig, { model }), { folder })).rejects.toThrow(message)
  })

  it('takes no budget', async () => {
    await expect(train(spec, { folder, budgetMinutes: 1 })).rejects.toThrow(
      /^self-contact: rounds of shapes cannot be cut by a budget; leave --budget out, .*\.$/,
    )
  })
})

describe('self-contact of shapes by the paper', () => {
  it('is learned into a file that tells touching codes from free ones', async () => {
    const paper = specOf('tube', { method: 'paper', learningRate: 5e-3, network: { hidden: [32] } })
    const { artifact: bytes, poses } = await train<'shape-contact'>(paper, { folder })
    const { manifest, pairs } = await decode(bytes, 'shape-contact')
    const parts = manifest.model.parts.slice(1)
    expect(manifest.networks.distance).toMatchObject({ kind: 'collision-state', shape: { encoder: [32] } })
    const { domains } = (manifest.networks.distance as { shape: { domains: number[][] } }).shape
    expect(domains.map((own) => own.length)).toEqual(parts.map(({ codeSize }) => codeSize))
    expect(domains[0][0]).toBe(3)
    expect(pairs).toHaveLength(0)
    expect(poses).toBe(600)
    const { free, touching } = await judged(bytes)
    expect((free + touching) / 2).toBeGreaterThan(0.65)
  })
})
