/** From a file to a field that answers: the one call most users need. */
import type { NetworkOptions } from '../net/create-network.js'
import { signedDistance } from './answers.js'
import { type Artifact, decode, requireKind } from './artifact.js'
import { type KindName, type Kinds, modelKind, type PointKindName } from './kinds/index.js'
import { warnOfFault } from './manifest.js'
import { type FileSource, readSource } from './source.js'

/** How to load: the backend, threads, what stops a download, and what the file must be of. */
export interface LoadOptions<Kind extends KindName = KindName> extends NetworkOptions {
  /** What the file must be of, which also tells the compiler what it will be; anything that answers points if left out. */
  kind?: Kind
  /** Stops a download. */
  signal?: AbortSignal
}

/** What a file of a kind loads as. */
export type FieldOf<Kind extends KindName> = Kinds[Kind]['field']

/**
 * Makes a field that answers from a trained file.
 * @param source   an artifact (`.safetensors`) or a `.glb` that carries one: its address (in Node also a path), its
 *                 bytes, or what `decode` made of them
 * @param options  backend ('auto' takes SIMD where the host has it), threads, and of what kind it must be
 * @throws Error in one line if it cannot be had, is damaged, or is of another kind
 */
export function load<A extends Artifact>(source: A, options?: NetworkOptions): Promise<FieldOf<A['kind']>>
export function load<Kind extends KindName>(
  source: FileSource | Artifact,
  options: LoadOptions<Kind> & { kind: Kind },
): Promise<FieldOf<Kind>>
export function load(
  source: FileSource | Artifact<PointKindName>,
  options?: LoadOptions<PointKindName>,
): Promise<FieldOf<PointKindName>>
export async function load(
  source: FileSource | Artifact,
  { kind, signal, ...options }: LoadOptions = {},
): Promise<FieldOf<KindName>> {
  const artifact = isArtifact(source) ? source : await decode(await readSource(source, signal))
  if (kind !== undefined) requireKind(artifact.manifest, kind)
  else if (artifact !== source) requirePoints(artifact)
  warnOfFault(artifact.manifest)
  return (await modelKind(artifact.kind)).field(artifact, options) as Promise<FieldOf<KindName>>
}

/** Whoever names no kind will ask the field for points. @throws Error in one line if it answers something else */
function requirePoints({ kind, manifest }: Artifact): void {
  const answers: string = manifest.kind
  if (answers === signedDistance.name) return
  throw new Error(
    `load: '${manifest.name}' answers ${answers}, not ${signedDistance.name} of points; pass { kind: '${kind}' }.`,
  )
}

function isArtifact(source: FileSource | Artifact): source is Artifact {
  return typeof source === 'object' && 'manifest' in source
}
