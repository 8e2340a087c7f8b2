/** What suite cspace measures: one trained body, or all that come with Pliant, and the paper's networks of them. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SelfContactArtifact } from 'pliant'
import type { InputReader, OptionValues, ReadInputs } from '../../suite/inputs.js'

export interface CspaceBody {
  artifact: SelfContactArtifact
  /** The paper's network of it. */
  paper?: SelfContactArtifact
}

export interface CspaceGiven extends Partial<CspaceBody> {
  /** Bodies that are simulated besides. */
  others?: readonly CspaceBody[]
}

/** Where the paper's networks are, from here as from what is built of it. */
const TRAINED = new URL('../../../artifacts/', import.meta.url)

/**
 * Without `file` all bodies that come with Pliant are simulated, each beside the paper's network if that was trained; the
 * first of them is measured in full.
 * @throws Error if a file is missing or of another kind
 */
export async function readCspaceInputs(
  { file, paper }: OptionValues,
  reader: InputReader,
): Promise<ReadInputs<CspaceGiven>> {
  const read = async (path: string): Promise<SelfContactArtifact> =>
    (await reader.ofKind(path, 'self-contact')).artifact
  if (file !== undefined) {
    return { given: { artifact: await read(file), paper: paper === undefined ? undefined : await read(paper) } }
  }
  const listed: { file: string }[] = JSON.parse(await readFile(reader.builtIn('contacts.json'), 'utf8'))
  const notes: string[] = []
  const bodies: CspaceBody[] = []
  for (const [i, { file }] of listed.entries()) {
    const theirs = i === 0 && paper !== undefined ? paper : paperNetwork(file, notes)
    bodies.push({
      artifact: await read(reader.builtIn(file)),
      paper: theirs === undefined ? undefined : await read(theirs),
    })
  }
  const [first, ...others] = bodies
  return { given: { ...first, others }, notes }
}

/** @returns its path, or nothing where it was not trained, which is noted */
function paperNetwork(file: string, notes: string[]): string | undefined {
  const name = file.replace(/(-self-contact)?\.safetensors$/, '')
  const at = new URL(`${name}-self-contact-paper.safetensors`, TRAINED)
  const path = relative(process.cwd(), fileURLToPath(at))
  if (existsSync(at)) return path
  notes.push(
    `${name}: the paper's network is left out; 'pliant train ${name} --learn self-contact --method paper --out ${path}' makes it`,
  )
  return undefined
}
