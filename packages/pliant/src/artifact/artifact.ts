/**
 * One file per trained thing: manifest, network tensors and the model itself, so that a page can draw it and ask it with
 * nothing else at hand. What it is of decides which of ./kinds stores and takes the model.
 */
import type { Tensors as NetworkTensors } from '../net/network.js'
import { object, wrong } from './checks.js'
import { KIND_NAMES, type KindName, type Kinds, modelKind } from './kinds/index.js'
import type { AnyArtifact } from './kinds/model-kind.js'
import { type Envelope, readEnvelope } from './manifest.js'
import { type NetworkKinds, networkKind } from './networks/index.js'
import type { NetworkContext } from './networks/network-kind.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from './safetensors.js'
import { requireNoneLeft, type Tensors } from './take.js'

/** A trained file, decoded; tell its kinds apart by `kind`. */
export type Artifact<Kind extends KindName = KindName> = Kinds[Kind]['artifact']

/** An object by itself, whose code is of modes: not a character. */
export type ObjectArtifact = Artifact<'linear-modes' | 'elastic-body'>

/** Writes an artifact as a file; the same artifact gives the same bytes. */
export async function encode(artifact: Artifact): Promise<Uint8Array<ArrayBuffer>> {
  const { manifest, networks }: AnyArtifact = artifact
  const kind = await modelKind(artifact.kind)
  const tensors = new Map<string, StoredTensor>()
  kind.store(artifact, tensors)
  const context = kind.context(manifest)
  for (const [answer, network] of Object.entries(manifest.networks)) {
    const { store } = await networkKind(network.kind as keyof NetworkKinds)
    for (const [name, tensor] of store(network, networks[answer], context)) tensors.set(under(answer) + name, tensor)
  }
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
  if (manifest.kind !== kind.answers.name) throw wrong('kind', manifest.kind, `'${kind.answers.name}'`)
  kind.answers.check({ ...manifest })
  kind.check({ ...manifest.model })
  const context = kind.context(manifest)
  const networks: Record<string, NetworkTensors> = {}
  for (const [answer, kinds] of Object.entries(kind.networks)) {
    networks[answer] = await takeNetwork(answer, kinds, manifest, tensors, context)
  }
  const model = kind.take(manifest, tensors)
  requireNoneLeft(tensors)
  return { kind: name, manifest, networks, ...model } as unknown as Artifact<Kind>
}

/** @param answer  its name in the manifest: what it answers */
async function takeNetwork(
  answer: string,
  kinds: readonly (keyof NetworkKinds)[],
  manifest: Envelope,
  tensors: Tensors,
  context: NetworkContext,
): Promise<NetworkTensors> {
  const path = `networks.${answer}`
  const network = manifest.networks[answer]
  object(network, path)
  const kind = await networkKind(registered(network.kind, kinds, `${path}.kind`))
  kind.check({ ...network }, context, path)
  const own = takeUnder(under(answer), tensors)
  const taken = kind.take(network, own, context)
  requireNoneLeft(own)
  return taken
}

/** What answers is stored under its name, as `distance.`. */
function under(answer: string): string {
  return `${answer}.`
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

/** Multiplications of one query, once posed, over all networks. */
export async function multiplicationsOf({ networks }: Pick<Envelope, 'networks'>): Promise<number> {
  let sum = 0
  for (const network of Object.values(networks)) {
    sum += (await networkKind(network.kind as keyof NetworkKinds)).multiplications(network)
  }
  return sum
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
export function requireKind({ name, model }: Pick<Envelope, 'name' | 'model'>, ...wanted: readonly KindName[]): void {
  if (wanted.some((kind) => kind === model.kind)) return
  const kinds = wanted.map((kind) => `'${kind}'`).join(' or ')
  throw new Error(`artifact: '${name}' is of kind '${model.kind}', should be ${kinds}; pass another file.`)
}

/**
 * An artifact for callers that take one kind, or a few, and have words of their own for what they do not take.
 * @param refuse  makes the error to throw if it is of another
 */
export function expectKind<Kind extends KindName>(
  artifact: Artifact,
  wanted: Kind | readonly Kind[],
  refuse: (kind: KindName) => Error,
): Artifact<Kind> {
  if ([wanted].flat().some((kind) => kind === artifact.kind)) return artifact as Artifact<Kind>
  throw refuse(artifact.kind)
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
