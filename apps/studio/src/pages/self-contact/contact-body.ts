/** An opened body as a worker holds it: the file's parts, its learned field, and the exact test of the same surface. */
import { decode, load, type SelfContactArtifact, type SelfContactField } from 'pliant'
import { expectKind } from 'pliant/unstable'
import { LinearSelfContact } from 'pliant/unstable/exact'
import type { ContactSimulation } from './contact-protocol.js'

export interface ContactBody {
  readonly artifact: SelfContactArtifact
  readonly field: SelfContactField
  readonly exact: LinearSelfContact
  readonly bytes: Uint8Array
}

/** @throws Error in one line if it is another kind of file, or broken */
export async function openContactBody({ name, bytes }: ContactSimulation['files']): Promise<ContactBody> {
  const refusal = `self-contact: ${name} does not tell self-contact; train one that does, as \`pliant train bracelet\`.`
  const artifact = expectKind(await decode(bytes), 'self-contact', () => new Error(refusal))
  return { artifact, field: await load(artifact), exact: new LinearSelfContact(artifact.model), bytes }
}
