/** What suite haptics and its reproduction measure: a trained elastic body, and the paper's network of it. */
import { fileURLToPath } from 'node:url'
import type { SuiteOptions } from '@pliant/bench'
import { readArtifact } from './artifact-file.js'
import { UsageError } from './errors.js'

/** Paths as given; without `file` the built-in bunny is taken. */
export type HapticsFiles = Partial<Record<'file' | 'paper', string>>

const BUNNY = new URL('../../../apps/studio/public/artifacts/bunny.safetensors', import.meta.url)

/** @throws UsageError if a file is missing or of another kind */
export async function hapticsInputs({ file, paper }: HapticsFiles): Promise<Pick<SuiteOptions, 'artifact' | 'paper'>> {
  return {
    artifact: await elasticBytes(file ?? fileURLToPath(BUNNY)),
    paper: paper === undefined ? undefined : await elasticBytes(paper),
  }
}

async function elasticBytes(path: string): Promise<Uint8Array> {
  const { bytes, artifact } = await readArtifact(path)
  if (artifact.body) return bytes
  throw new UsageError(`${path} is no elastic body; pass what 'pliant train bunny' wrote.`)
}
