/** What a trained artifact is, how to get its code, and how good it was measured to be: as its kind says it. */
import { decode } from 'pliant'
import { multiplicationsOf } from 'pliant/unstable'
import { asBadInput } from '../errors.js'
import { commandsOf } from '../kinds/index.js'
import type { Report } from '../output.js'

export async function inspectArtifact(path: string, bytes: Uint8Array): Promise<Report> {
  const artifact = await asBadInput(() => decode(bytes), path)
  const tensors = Object.values(artifact.networks).flatMap((network) => [...network.values()])
  return commandsOf(artifact).inspect({
    path,
    bytes: bytes.length,
    artifact,
    parameters: tensors.reduce((sum, { length }) => sum + length, 0),
    multiplications: await multiplicationsOf(artifact.manifest),
  })
}
