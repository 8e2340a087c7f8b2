/** What suite native measures: the built-in soft body and character. */
import type { InputReader, ReadInputs } from '../../suite/inputs.js'

export interface NativeGiven {
  /** Trained files' bytes. */
  softBody: Uint8Array
  character: Uint8Array
}

/** @throws Error if the files that come with Pliant are missing */
export async function readNativeInputs(reader: InputReader): Promise<ReadInputs<NativeGiven>> {
  const [softBody, character] = await Promise.all([
    reader.ofKind(reader.builtIn('bunny.safetensors'), 'elastic-body'),
    reader.ofKind(reader.builtIn('humanoid.safetensors'), 'character'),
  ])
  return { given: { softBody: softBody.bytes, character: character.bytes } }
}
