/** What a file is, by what is in it: which page shows it, or what has to be done before one can. */
import { decodeArtifact } from 'pliant'
import { decodeCharacter, rigFromScene } from 'pliant/character'
import { extractCollider, readGltf } from 'pliant/files'

export const FILE_KINDS = ['object', 'soft body', 'character', 'untrained character'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export interface KnownFile {
  kind: FileKind
  /** What is in it, for people. */
  facts: string
}

/** @returns undefined for what nobody here opens */
export function knowFile(name: string, bytes: Uint8Array): KnownFile | undefined {
  if (/\.glb$/i.test(name)) return knowGlb(bytes)
  return attempt(() => knowCharacter(bytes)) ?? attempt(() => knowObject(bytes))
}

function knowGlb(bytes: Uint8Array): KnownFile | undefined {
  const collider = attempt(() => extractCollider(bytes))
  if (collider) return attempt(() => knowCharacter(collider))
  return attempt(() => {
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

function knowCharacter(bytes: Uint8Array): KnownFile {
  const { manifest, character } = decodeCharacter(bytes)
  const facts = `${manifest.name}: ${counted(character.skeleton.names.length, 'joint')}`
  return { kind: 'character', facts }
}

function knowObject(bytes: Uint8Array): KnownFile {
  const { manifest, body } = decodeArtifact(bytes)
  return {
    kind: body ? 'soft body' : 'object',
    facts: `${manifest.name}: ${counted(manifest.model.triangles, 'triangle')}`,
  }
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}

/** Files are told apart by trying: a reader that throws is the wrong one. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
