import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { evaluateArtifact, evaluateCharacter, loadSubject, readSpec } from '@pliant/train'
import {
  clipFrames,
  evaluateSelfContact,
  findBodyPreset,
  findCharacterPreset,
  findPreset,
  type LoadedContact,
  type LoadedObject,
  spreadPoses,
} from '@pliant/train/unstable'
import { decode, type Quality } from 'pliant'
import type { Rig } from 'pliant/character'
import { readPly } from 'pliant/files'
import { createCharacter } from 'pliant/unstable'
import { beforeAll, describe, expect, it } from 'vitest'

const folder = new URL('../../../apps/studio/public/artifacts/', import.meta.url)
/** Of files that are trained on a mesh. */
const meshes = new URL('../../../apps/studio/meshes/', import.meta.url)
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.safetensors')) : []

/**
 * What each committed file must keep on codes or poses that neither training nor its own manifest saw; shares of the
 * diagonal, of a character's height.
 */
const GATES: Record<string, { meanError: number; sign: number; normalMedian: number; normalP95: number }> = {
  armadillo: { meanError: 0.0007, sign: 0.9995, normalMedian: 11, normalP95: 40 },
  bar: { meanError: 0.001, sign: 0.9995, normalMedian: 5, normalP95: 20 },
  bunny: { meanError: 0.001, sign: 0.999, normalMedian: 5, normalP95: 22 },
  hand: { meanError: 0.001, sign: 0.999, normalMedian: 5, normalP95: 27 },
  humanoid: { meanError: 0.0004, sign: 0.9995, normalMedian: 5, normalP95: 20 },
}

/** The same of files that tell self-contact: shares of codes, and lengths in the unit of the code. */
const CONTACT_GATES: Record<string, { sign: number; balanced: number; distance: number; slope: number }> = {
  bracelet: { sign: 0.998, balanced: 0.99, distance: 0.02, slope: 0.1 },
  'bunny-self-contact': { sign: 0.998, balanced: 0.99, distance: 0.02, slope: 0.1 },
  snake: { sign: 0.997, balanced: 0.995, distance: 0.01, slope: 0.1 },
  spring: { sign: 0.998, balanced: 0.997, distance: 0.01, slope: 0.1 },
}

/** The same of characters that tell self-contact, on poses around held-out clips; `missed` are touching codes called free. */
const CHARACTER_CONTACT_GATES: Record<string, { sign: number; balanced: number; missed: number }> = {
  'humanoid-contact': { sign: 0.985, balanced: 0.97, missed: 0.04 },
}

function expectWithin(name: string, quality: Quality, size: number): void {
  const gate = GATES[name]
  expect(quality.bandError.mean / size).toBeLessThan(gate.meanError)
  expect(quality.signAccuracy).toBeGreaterThan(gate.sign)
  expect(quality.normalError.p50).toBeLessThan(gate.normalMedian)
  expect(quality.normalError.p95).toBeLessThan(gate.normalP95)
}

it('there are committed artifacts to judge', () => {
  const gated = [GATES, CONTACT_GATES, CHARACTER_CONTACT_GATES].flatMap((gates) => Object.keys(gates))
  expect(files.toSorted()).toEqual(gated.map((name) => `${name}.safetensors`).sort())
})

it.each(files)('the committed %s is under 1 MB', (file) => {
  expect(readFileSync(new URL(file, folder)).length).toBeLessThan(1_000_000)
})

const nameOf = (file: string): string => file.replace('.safetensors', '')

const isObject = (file: string): boolean => Boolean(findPreset(nameOf(file)) ?? findBodyPreset(nameOf(file)))

describe.each(files.filter(isObject))('the committed %s', (file) => {
  const bytes = readFileSync(new URL(file, folder))
  const name = nameOf(file)

  it('was made from the preset as it is now; `npm run artifacts` rebuilds it', async () => {
    const { training } = (await decode(bytes, 'linear-modes', 'elastic-body')).manifest
    const spec = readSpec(name)
    expect(training.specHash).toBe(((await loadSubject(spec)) as LoadedObject).specHash)
    expect(training.seed).toBe(spec.seed)
  })

  // Drops of a body are simulated, three poses of each: a second and more of processor time for a drop of the bunny.
  const poses = findBodyPreset(name) ? 12 : 30

  it('keeps its quality on unseen codes', async () => {
    const quality = await evaluateArtifact(bytes, { poses, points: 1500, seed: 78 })
    expectWithin(name, quality, quality.size)
  })
})

const scanned = existsSync(meshes) ? readdirSync(meshes).filter((name) => name.endsWith('.ply')) : []

describe.each(scanned)('what is trained on the committed %s', (mesh) => {
  const name = mesh.replace('.ply', '')
  const bytes = readFileSync(new URL(`${name}.safetensors`, folder))

  it('was made from the mesh as it is now; `npm run artifacts` rebuilds it', async () => {
    const { model, manifest } = await decode(bytes, 'linear-modes')
    const { positions, triangles } = readPly(readFileSync(new URL(mesh, meshes)))
    expect(Float32Array.from(model.rest)).toEqual(Float32Array.from(positions))
    expect(Uint32Array.from(model.triangles)).toEqual(Uint32Array.from(triangles))
    expect(manifest.training).toMatchObject({ method: 'pliant', seed: 1 })
  })

  it('keeps its quality', async () => {
    const quality = await evaluateArtifact(bytes, { poses: 1, points: 20_000, seed: 78 })
    expectWithin(name, quality, quality.size)
  })
})

const contactBodies: { file: string; body: string }[] =
  files.length > 0 ? JSON.parse(readFileSync(new URL('contacts.json', folder), 'utf8')) : []

describe.each(files.filter((file) => CONTACT_GATES[nameOf(file)]))('the committed %s', async (file) => {
  const name = nameOf(file)
  const artifact = await decode(readFileSync(new URL(file, folder)), 'self-contact')

  it('was made from the preset as it is now; `npm run artifacts` rebuilds it', async () => {
    const { body } = contactBodies.find((listed) => listed.file === file)!
    const spec = readSpec(body, { learn: 'self-contact' })
    const { model } = ((await loadSubject(spec)) as LoadedContact).body
    expect(artifact.manifest.training).toMatchObject({ seed: spec.seed, steps: spec.steps, method: 'pliant' })
    expect(artifact.model.triangles).toEqual(model.triangles)
    expect(artifact.model.rest).toEqual(model.rest)
    expect(artifact.model.modes).toEqual(model.modes)
  })

  it('keeps its quality on unseen codes', async () => {
    const gate = CONTACT_GATES[name]
    const quality = await evaluateSelfContact(artifact, { codes: 10_000, distances: 100, seed: 78 })
    expect(quality.signAccuracy).toBeGreaterThan(gate.sign)
    expect(quality.balancedAccuracy).toBeGreaterThan(gate.balanced)
    expect(quality.distanceError!.mean).toBeLessThan(gate.distance)
    expect(quality.gradientError).toBeLessThan(gate.slope)
  })
})

const posedBodies: { file: string; body?: string }[] =
  files.length > 0 ? JSON.parse(readFileSync(new URL('poses.json', folder), 'utf8')) : []

describe.each(files.filter((file) => CHARACTER_CONTACT_GATES[nameOf(file)]))('the committed %s', async (file) => {
  const artifact = await decode(readFileSync(new URL(file, folder)), 'character-contact')
  const preset = findCharacterPreset(posedBodies.find((listed) => listed.file === file)!.body!)!

  it('is of the preset as it is now; `npm run artifacts` rebuilds it', async () => {
    const rig = await preset.make()
    const { surface, skeleton } = artifact.character
    const { seed, steps } = readSpec(JSON.stringify({ model: { rig: preset.name }, learn: 'self-contact' }))
    expect(artifact.manifest.training).toMatchObject({ seed, steps, method: 'pliant' })
    expect(skeleton.names).toEqual(rig.skeleton.names)
    expect(surface.triangles).toEqual(rig.surface.triangles)
    expect(surface.bound).toEqual(rig.surface.bound)
    expect(new Set(artifact.manifest.model.heldOut.clips)).toEqual(new Set(preset.heldOut))
  })

  it('keeps its quality on unseen poses', async () => {
    const gate = CHARACTER_CONTACT_GATES[nameOf(file)]
    const quality = await evaluateSelfContact(artifact, { codes: 3000, seed: 78 })
    expect(quality.signAccuracy).toBeGreaterThan(gate.sign)
    expect(quality.balancedAccuracy).toBeGreaterThan(gate.balanced)
    expect(quality.falseNegatives).toBeLessThan(gate.missed)
  })
})

describe.each(files.filter((file) => findCharacterPreset(nameOf(file))))('the committed %s', async (file) => {
  const artifact = await decode(readFileSync(new URL(file, folder)), 'character')
  const name = nameOf(file)
  const preset = findCharacterPreset(name)!
  let rig: Rig
  beforeAll(async () => {
    rig = await preset.make()
  })

  it('was made from the preset as it is now; `npm run artifacts` rebuilds it', () => {
    const clips = rig.clips.filter((clip) => !preset.heldOut.includes(clip.name))
    const { surface, code } = createCharacter(rig, clips)
    const { training, model, code: stored } = artifact.manifest
    const { seed, steps } = readSpec(preset.name)
    expect(training).toMatchObject({ seed, steps })
    expect(model.clips.map((clip) => clip.name)).toEqual(clips.map((clip) => clip.name))
    expect(new Set(model.heldOut.clips)).toEqual(new Set(preset.heldOut))
    for (const side of ['lower', 'upper'] as const) {
      expect(stored[side].length).toBe(code.size)
      stored[side].forEach((bound, entry) => {
        expect(bound).toBeCloseTo(code.bounds[side][entry], 9)
      })
    }
    expect(artifact.character.surface.triangles).toEqual(surface.triangles)
    expect(artifact.character.surface.bound).toEqual(surface.bound)
  })

  it('keeps its quality on clips that it was not trained on', async () => {
    const heldOut = rig.clips.filter((clip) => preset.heldOut.includes(clip.name))
    const frames = clipFrames(artifact.character, heldOut, 30).map(({ pose }) => pose)
    const poses = spreadPoses(rig.skeleton, frames, 60, 0)
    const { quality } = await evaluateCharacter(artifact, { poses, points: 1000 })
    expectWithin(name, quality, rig.height)
  })

  it('goes with the glTF file beside it', async () => {
    const glb = readFileSync(new URL(`${name}.glb`, folder))
    expect(Buffer.compare(glb, await preset.glb())).toBe(0)
  })
})
