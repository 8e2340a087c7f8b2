import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { evaluateArtifact, findPreset, loadTrainingObject, readSpec } from '@pliant/train'
import { decodeArtifact } from 'pliant'
import { describe, expect, it } from 'vitest'

const folder = new URL('../../../apps/studio/public/artifacts/', import.meta.url)
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.safetensors')) : []

/** What each committed file must keep on codes that neither training nor its own manifest saw; shares of the diagonal. */
const GATES: Record<string, { meanError: number; sign: number; normalMedian: number; normalP95: number }> = {
  bar: { meanError: 0.001, sign: 0.9995, normalMedian: 5, normalP95: 20 },
}

it('there are committed artifacts to judge', () => {
  expect(files).toEqual(Object.keys(GATES).map((name) => `${name}.safetensors`))
})

describe.each(files)('the committed %s', (file) => {
  const bytes = readFileSync(new URL(file, folder))
  const name = file.replace('.safetensors', '')

  it('is under 1 MB', () => {
    expect(bytes.length).toBeLessThan(1_000_000)
  })

  it('was made from the preset as it is now; `npm run artifacts` rebuilds it', async () => {
    expect(findPreset(name)).toBeDefined()
    const { training } = decodeArtifact(bytes).manifest
    const spec = readSpec(name)
    expect(training.specHash).toBe((await loadTrainingObject(spec, '.')).specHash)
    expect(training.seed).toBe(spec.seed)
  })

  it('keeps its quality on unseen codes', async () => {
    const gate = GATES[name]
    const quality = await evaluateArtifact(bytes, { poses: 30, points: 1500, seed: 77 })
    expect(quality.bandError.mean / quality.diagonal).toBeLessThan(gate.meanError)
    expect(quality.signAccuracy).toBeGreaterThan(gate.sign)
    expect(quality.normalError.p50).toBeLessThan(gate.normalMedian)
    expect(quality.normalError.p95).toBeLessThan(gate.normalP95)
  })
})
