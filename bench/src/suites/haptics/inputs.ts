/** What suite haptics and its reproduction measure: a trained elastic body, and the paper's network of it. */
import type { InputReader, OptionValues, ReadInputs } from '../../suite/inputs.js'

export interface HapticsGiven {
  /** A trained elastic body's bytes. */
  artifact?: Uint8Array
  /** The paper's network of the same body: bytes of what `train --method paper` wrote. */
  paper?: Uint8Array
}

/**
 * Without `file` the built-in bunny is taken.
 * @throws Error if a file is missing or of another kind
 */
export async function readHapticsInputs(
  { file, paper }: OptionValues,
  reader: InputReader,
): Promise<ReadInputs<HapticsGiven>> {
  const artifact = await elasticBytes(file ?? reader.builtIn('bunny.safetensors'), reader)
  return { given: { artifact, paper: paper === undefined ? undefined : await elasticBytes(paper, reader) } }
}

async function elasticBytes(path: string, reader: InputReader): Promise<Uint8Array> {
  return (await reader.ofKind(path, 'elastic-body')).bytes
}
