/** What suite handler measures: trained files of hand, body and humanoid, and a character that recorded clips are put on. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Artifact } from 'pliant'
import type { Clip } from 'pliant/character'
import type { InputReader, OptionValues, ReadInputs } from '../../suite/inputs.js'
import { partNames } from '../../suite/part-names.js'
import { WORK_FOLDER } from './cells/cell-result.js'
import type { ContactArtifact } from './cells/handling.js'

/** Keys of the result, in the order in which they are measured. */
export const HANDLER_PARTS = ['detection', 'clips'] as const

export interface HandlerGiven {
  /** What to measure; all if not given. */
  parts?: readonly (typeof HANDLER_PARTS)[number][]
  /** Whose answers are timed. */
  files?: readonly ContactArtifact[]
  /** Whose clips are repaired, and these. */
  dancer?: Artifact<'character-contact'>
  clips?: readonly Clip[]
}

const DATA = join('..', 'shared', 'data')

/** Where each is, below the folder that the command runs in, and what makes it: they are too large to be committed. */
const FILES = {
  hand: {
    path: join(WORK_FOLDER, 'hand-ours-1.safetensors'),
    madeBy: 'pliant reproduce handler --cells hand-ours --again',
  },
  body: {
    path: join(WORK_FOLDER, 'body-ours-1.safetensors'),
    madeBy: 'pliant reproduce handler --cells body-ours --again',
  },
  makehuman: {
    path: join(WORK_FOLDER, 'makehuman.safetensors'),
    madeBy: `pliant train ${join(DATA, 'rig-makehuman-cmu31.glb')} --learn self-contact --out ${join(WORK_FOLDER, 'makehuman.safetensors')}`,
  },
} as const

const CLIPS = ['05_01', '13_29', '60_01'].map((name) => join(DATA, 'bvh', `${name}.bvh`))

/** What is not there is left out, and noted. @throws Error if a file is of another kind */
export async function readHandlerInputs(
  { parts: named }: OptionValues,
  reader: InputReader,
): Promise<ReadInputs<HandlerGiven>> {
  const parts = partNames('handler', HANDLER_PARTS, named)
  const notes: string[] = []
  const found = (name: keyof typeof FILES): string | undefined => {
    const { path, madeBy } = FILES[name]
    if (existsSync(path)) return path
    notes.push(`${name} is left out: there is no ${path}; '${madeBy}' makes it`)
    return undefined
  }
  const shapes = (['hand', 'body'] as const).flatMap((name) => found(name) ?? [])
  const humanoid = reader.builtIn('humanoid-contact.safetensors')
  const files: ContactArtifact[] = []
  for (const path of shapes) files.push((await reader.ofKind(path, 'shape-contact')).artifact)
  files.push((await reader.ofKind(humanoid, 'character-contact')).artifact)
  const dancing = found('makehuman')
  if (dancing === undefined) return { given: { parts, files }, notes }
  const dancer = (await reader.ofKind(dancing, 'character-contact')).artifact
  files.push(dancer)
  const missing = CLIPS.filter((path) => !existsSync(path))
  if (missing.length > 0)
    return { given: { parts, files }, notes: [...notes, `clips are left out: no ${missing.join(', ')}`] }
  const motions = await reader.motions(CLIPS.join(','), dancer.character)
  return { given: { parts, files, dancer, clips: motions.map(({ clip }) => clip) }, notes }
}
