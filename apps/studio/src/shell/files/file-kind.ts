/** What a file is, by what is in it: which page shows it, or what has to be done before one can. */
import { type Artifact, decode } from 'pliant'
import { rigFromScene } from 'pliant/character'
import { extractCollider, readGltf } from 'pliant/files'

export const FILE_KINDS = [
  'object',
  'soft body',
  'character',
  'body with self-contact',
  'character with self-contact',
  'space of shapes with self-contact',
  'untrained character',
] as const
export type FileKind = (typeof FILE_KINDS)[number]

export interface KnownFile {
  kind: FileKind
  /** What is in it, for people. */
  facts: string
}

/** @returns undefined for what nobody here opens */
export async function knowFile(name: string, bytes: Uint8Array): Promise<KnownFile | undefined> {
  if (/\.glb$/i.test(name)) return knowGlb(bytes)
  return attempt(async () => knowTrained(await decode(bytes)))
}

async function knowGlb(bytes: Uint8Array): Promise<KnownFile | undefined> {
  const collider = await attempt(() => extractCollider(bytes))
  if (collider) return attempt(async () => knowTrained(await decode(collider)))
  return attempt((): KnownFile => {
    const { skeleton, clips, surface } = rigFromScene(readGltf(bytes))
    const triangles = surface.triangles.length / 3
    const named = clips.slice(0, 4).map((clip) => `${clip.name} ${clip.duration.toFixed(1)} s`)
    const more = clips.length > 4 ? `, ${clips.length - 4} more` : ''
    const motion = clips.length === 0 ? 'no clips' : `${counted(clips.length, 'clip')} (${named.join(', ')}${more})`
    return {
      kind: 'untrained character',
      facts: `${counted(skeleton.names.length, 'joint')}, ${counted(triangles, 'triangle')}, ${motion}`,
    }
  })
}

/** What a visitor calls the kinds of trained files, and the fact that says most of each. */
const TRAINED: { [Kind in Artifact['kind']]: (artifact: Artifact<Kind>) => KnownFile } = {
  'linear-modes': ({ manifest }) => ({ kind: 'object', facts: counted(manifest.model.triangles, 'triangle') }),
  'elastic-body': ({ manifest }) => ({ kind: 'soft body', facts: counted(manifest.model.triangles, 'triangle') }),
  character: ({ manifest }) => ({
    kind: 'character',
    facts: counted(manifest.model.skeleton.names.length, 'joint'),
  }),
  'self-contact': ({ manifest }) => ({ kind: 'body with self-contact', facts: counted(manifest.code.size, 'mode') }),
  'character-contact': ({ manifest }) => ({
    kind: 'character with self-contact',
    facts: counted(manifest.model.skeleton.names.length, 'joint'),
  }),
  'shape-contact': ({ manifest }) => ({
    kind: 'space of shapes with self-contact',
    facts: counted(manifest.model.triangles, 'triangle'),
  }),
}

function knowTrained(artifact: Artifact): KnownFile {
  const { kind, facts } = (TRAINED[artifact.kind] as (artifact: Artifact) => KnownFile)(artifact)
  return { kind, facts: `${artifact.manifest.name}: ${facts}` }
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}

/** Files are told apart by trying: a reader that throws is the wrong one. */
async function attempt<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
