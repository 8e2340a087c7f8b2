/** What suite cloth and its reproduction measure: a trained character, a motion of it, and the paper's network of it. */
import { fileURLToPath } from 'node:url'
import type { SuiteOptions } from '@pliant/bench'
import { readTrained } from './artifact-file.js'
import { readMotions } from './character.js'
import { UsageError } from './errors.js'

/** Paths as given; without `file` the built-in humanoid and its clips are taken. */
export type ClothFiles = Partial<Record<'file' | 'motion' | 'paper', string>>

const STUDIO_ARTIFACTS = new URL('../../../apps/studio/public/artifacts/', import.meta.url)
const BUILT_IN = {
  trained: new URL('humanoid.safetensors', STUDIO_ARTIFACTS),
  motion: new URL('humanoid.glb', STUDIO_ARTIFACTS),
}

/** @throws UsageError if a file is missing or of another kind */
export async function clothInputs({
  file,
  motion,
  paper,
}: ClothFiles): Promise<Pick<SuiteOptions, 'artifact' | 'clip' | 'paper'>> {
  const path = file ?? fileURLToPath(BUILT_IN.trained)
  const trained = await readTrained(path)
  if (trained.kind !== 'character') {
    throw new UsageError(`${path} is no trained character; pass what 'pliant train character.glb' wrote.`)
  }
  const { manifest, character } = trained.character
  const standardMotion = file === undefined ? fileURLToPath(BUILT_IN.motion) : undefined
  const clips = await readMotions(motion ?? standardMotion, character.skeleton)
  const clip = clips.find(({ name }) => manifest.heldOut.clips.includes(name)) ?? clips[0]
  return { artifact: trained.bytes, clip, paper: paper === undefined ? undefined : (await readTrained(paper)).bytes }
}
