/**
 * One file per trained thing: manifest, network tensors and the model itself, so that a page can draw it and ask it with
 * nothing else at hand. What it is of decides which of ./kinds stores and takes the model.
 */
import { wrong } from './checks.js'
import { KIND_NAMES, type KindName, type Kinds, modelKind } from './kinds/index.js'
import type { AnyArtifact } from './kinds/model-kind.js'
import { type Manifest, readEnvelope } from './manifest.js'
import { type NetworkKinds, networkKind } from './networks/index.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from './safetensors.js'
import { requireNoneLeft, type Tensors } from './take.js'

/** A trained file, decoded; tell its kinds apart by `kind`. */
export type Artifact<Kind extends KindName = KindName> = Kinds[Kind]['artifact']

/** An object by itself, whose code is of modes: not a character. */
export type ObjectArtifact = Artifact<'linear-modes' | 'elastic-body'>

/** What answers is stored under its name, as `distance.`. */
const DISTANCE = 'distance.'

/** Writes an artifact as a file; the same artifact gives the same bytes. */
export async function encode(artifact: Artifact): Promise<Uint8Array<ArrayBuffer>> {
  const { manifest, networks }: AnyArtifact = artifact
  const kind = await modelKind(artifact.kind)
  const network = await networkKind(artifact.manifest.networks.distance.kind)
  const tensors = new Map<string, StoredTensor>()
  kind.store(artifact, tensors)
  const stored = network.store(manifest.networks.distance, networks.distance, kind.context(manifest))
  for (const [name, tensor] of stored) tensors.set(DISTANCE + name, tensor)
  return encodeSafetensors({ metadata: { format: 'pliant', manifest: JSON.stringify(manifest) }, tensors })
}

/**
 * Reads a trained file without loading its network: its manifest, its model and its tensors.
 * @param kinds  what it may be of; anything if left out
 * @throws Error in one line if the bytes are not a whole artifact of a version that we read, or of another kind
 */
export async function decode<Kind extends KindName = KindName>(
  bytes: Uint8Array,
  ...kinds: Kind[]
): Promise<Artifact<Kind>> {
  const { metadata, tensors } = decodeSafetensors(bytes)
  const json = manifestOf(metadata)
  const manifest = readEnvelope(json)
  const name = registered(manifest.model.kind, KIND_NAMES, 'model.kind')
  if (kinds.length > 0) requireKind(manifest, ...kinds)
  const kind = await modelKind(name)
  kind.check({ ...manifest.model })
  const { distance } = manifest.networks
  const network = await networkKind(
    registered(distance.kind, kind.networks.distance, 'networks.distance.kind') as keyof NetworkKinds,
  )
  const context = kind.context(manifest)
  network.check({ ...distance }, context, 'networks.distance')
  const ofNetwork = takeUnder(DISTANCE, tensors)
  const model = kind.take(manifest, tensors)
  const networks = { distance: network.take(distance, ofNetwork, context) }
  requireNoneLeft(tensors)
  requireNoneLeft(ofNetwork)
  return { kind: name, manifest, networks, ...model } as unknown as Artifact<Kind>
}

/**
 * What a file is of, before the rest of it is read.
 * @returns undefined for a Pliant artifact of a kind that this version does not know
 * @throws Error in one line if the bytes are damaged or not a Pliant artifact
 */
export function kindOf(bytes: Uint8Array): KindName | undefined {
  const { kind } = readEnvelope(manifestOf(decodeSafetensors(bytes).metadata)).model
  return KIND_NAMES.find((name) => name === kind)
}

/** Multiplications of one query, once posed. */
export async function multiplicationsOf(manifest: Artifact['manifest']): Promise<number> {
  const { distance } = manifest.networks
  return (await networkKind(distance.kind)).multiplications(distance)
}

function manifestOf(metadata: Readonly<Record<string, string>>): string {
  if (metadata['format'] !== 'pliant' || metadata['manifest'] === undefined) {
    throw new Error('artifact: this safetensors file is not a Pliant artifact; make one with `pliant train`.')
  }
  return metadata['manifest']
}

function registered<Name extends string>(kind: string, names: readonly Name[], path: string): Name {
  const name = names.find((one) => one === kind)
  if (name === undefined) throw wrong(path, kind, names.map((one) => `'${one}'`).join(' or '))
  return name
}

/** @throws Error in one line if it is of none of these kinds */
export function requireKind({ name, model }: Manifest, ...wanted: readonly KindName[]): void {
  if (wanted.some((kind) => kind === model.kind)) return
  const kinds = wanted.map((kind) => `'${kind}'`).join(' or ')
  throw new Error(`artifact: '${name}' is of kind '${model.kind}', should be ${kinds}; pass another file.`)
}

/** Takes out what lies under a name, with that name cut off. */
function takeUnder(prefix: string, tensors: Tensors): Tensors {
  const under: Tensors = new Map()
  for (const [name, tensor] of [...tensors]) {
    if (!name.startsWith(prefix)) continue
    under.set(name.slice(prefix.length), tensor)
    tensors.delete(name)
  }
  return under
}
