/**
 * What a file may be of: one file in this folder for each kind, registered in ./index.ts. A kind knows what its models
 * are stored as, which networks answer for them, and what field the two make.
 */
import type { TrainedField } from '../../learned/trained-field.js'
import type { NetworkOptions } from '../../net/create-network.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import type { Manifest, ModelManifest } from '../manifest.js'
import type { NetworkKinds } from '../networks/index.js'
import type { NetworkContext, NetworkManifest } from '../networks/network-kind.js'
import type { Tensors } from '../take.js'

/** A file's content, whatever it is of; kinds add what their models are. */
export interface AnyArtifact<
  Model extends ModelManifest = ModelManifest,
  Network extends NetworkManifest = NetworkManifest,
> {
  /** What it is of. */
  kind: Model['kind']
  /** What the file says of itself. */
  manifest: Manifest<Model, Network>
  /** Tensors of each network that the manifest names. */
  networks: { distance: NetworkTensors }
}

export interface ModelKind<A extends AnyArtifact> {
  /** Kinds of networks that may answer for it. */
  networks: { distance: readonly (keyof NetworkKinds)[] }
  /** Checks what the manifest says of the model. @throws Error naming the first field that is missing or wrong */
  check(model: Record<string, unknown>): void
  context(manifest: A['manifest']): NetworkContext
  store(artifact: A, tensors: Tensors): void
  /** @throws Error if a tensor is missing, of another shape, or names what is not there */
  take(manifest: A['manifest'], tensors: Tensors): Omit<A, keyof AnyArtifact>
  field(artifact: A, options: NetworkOptions): Promise<TrainedField>
}
