/**
 * What a file may be of: one file in this folder for each kind, registered in ./index.ts. A kind knows what its files
 * answer, what its models are stored as, which networks answer for them, and what field the two make.
 */
import type { NetworkOptions } from '../../net/create-network.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import type { Answers } from '../answers.js'
import type { Envelope, Manifest, ModelManifest } from '../manifest.js'
import type { NetworkKinds } from '../networks/index.js'
import type { NetworkContext, NetworkManifest } from '../networks/network-kind.js'
import type { Tensors } from '../take.js'

/** A file's content, whatever it is of; kinds add what their models are. */
export interface AnyArtifact<M extends Envelope = Envelope> {
  /** What it is of. */
  kind: M['model']['kind']
  /** What the file says of itself. */
  manifest: M
  /** Tensors of each network that the manifest names. */
  networks: { [Name in keyof M['networks']]: NetworkTensors }
}

/** The same of a file that answers points. */
export interface PointArtifact<
  Model extends ModelManifest = ModelManifest,
  Network extends NetworkManifest = NetworkManifest,
> extends AnyArtifact<Manifest<Model, Network>> {
  /** What the file says of itself. */
  manifest: Manifest<Model, Network>
  /** Tensors of each network that the manifest names. */
  networks: { distance: NetworkTensors }
}

export interface ModelKind<A extends AnyArtifact = AnyArtifact, Field = unknown> {
  /** The joint that its fields fit. */
  answers: Answers
  /** Kinds of networks that may answer for it, by what they answer. */
  networks: { [Name in keyof A['networks']]: readonly (keyof NetworkKinds)[] }
  /** Checks what the manifest says of the model. @throws Error naming the first field that is missing or wrong */
  check(model: Record<string, unknown>): void
  context(manifest: A['manifest']): NetworkContext
  store(artifact: A, tensors: Tensors): void
  /** @throws Error if a tensor is missing, of another shape, or names what is not there */
  take(manifest: A['manifest'], tensors: Tensors): Omit<A, keyof AnyArtifact>
  field(artifact: A, options: NetworkOptions): Promise<Field>
}
