/** Self-contact of shapes of one mesh, from a spec and a rig whose clips are baked to a file. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSpec, train } from '@pliant/train'
import { codesToDrawAround, shapeContacts } from '@pliant/train/unstable/label'
import { decode, load, randomStream } from 'pliant'
import { exactSelfContact } from 'pliant/exact'
import { exactShapeSpace, spaceShape } from 'pliant/unstable'
import { afterAll, describe, expect, it } from 'vitest'
import { foldingClip, foldingGlb } from '../../../pliant/test/artifact/folding-tube.js'
import { patchesOfTriangles } from '../../src/surface/surface-patches.js'
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

describe('codes of shapes', () => {
  const nothing = new Float32Array(0)
  const start = async () => {
    const { space, patches, manifest, around } = await decode(trained.artifact, 'shape-contact')
    const { patches: count, neighbours } = manifest.model
    return { space, patches: patchesOfTriangles(space.reference, patches, count), neighbours, around }
  }

  it('are drawn evenly where much of the box is free', async () => {
    const { around, ...asked } = await start()
    expect(around).toHaveLength(0)
    expect(await codesToDrawAround(asked, [], { seed: 1, threads: 2 })).toEqual(nothing)
    expect(shapeContacts(asked.space, asked.patches, asked.neighbours, nothing).draw).toBeUndefined()
  })

  it('are drawn around the shapes that were given where hardly any of it is', async () => {
    const { space, patches, neighbours } = await start()
    const exact = exactShapeSpace(space)
    const shape = new Float64Array(3 * exact.vertexCount)
    exact.positions(new Float64Array(exact.codeSize), shape)
    const due = new Float64Array(exact.codeSize)
    exact.encode(shape, due)
    const bounds = { lower: space.bounds.lower.map((x) => 8 * x), upper: space.bounds.upper.map((x) => 8 * x) }
    const wide = { ...space, bounds }
    const asked = { space: wide, patches, neighbours }
    const around = await codesToDrawAround(asked, [Float32Array.from(shape)], { seed: 1, threads: 2 })
    expect([...around]).toEqual([...due].map((value) => expect.closeTo(value, 4)))
    const drawn = shapeContacts(wide, patches, neighbours, around).draw!(400, randomStream(5))
    // Up to half of the way from the shape to a code of the box.
    const furthest = due.map((value, k) => Math.max(bounds.upper[k] - value, value - bounds.lower[k]) / 2)
    const shares = drawn.map((value, i) => Math.abs(value - due[i % due.length]) / furthest[i % due.length])
    expect(Math.max(...shares)).toBeLessThan(1.001)
    expect(Math.max(...shares)).toBeGreaterThan(0.8)
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeCloseTo(0.25, 1)
  })
})

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
