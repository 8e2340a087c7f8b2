/**
 * What is learned in cells: which shapes, by which code, from how many exact labels. All methods of a subject take equally
 * many labels and learn on the same codes: a space of shapes is learned once for a subject and seed, and kept beside.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  BadInput,
  CHARACTER_CONTACT_LEARNERS,
  characterContactArtifact,
  codesOfPoses,
  contactCharacter,
  hashCharacter,
  type LearnedNetwork,
  type LoadedCharacterContact,
  type LoadedShapeContact,
  learnShapeSpace,
  loadSubject,
  neighboursOf,
  patchCount,
  readSpec,
  SHAPE_CONTACT_LEARNERS,
  SHAPE_DEFAULTS,
  SHAPE_NEIGHBOURS,
  type ShapeSpaceRun,
  shapeContactArtifact,
  surfacePatches,
  type Told,
  type TrainSpec,
} from '@pliant/train/unstable'
import {
  type ContactPool,
  type ContactSource,
  codesToDrawAround,
  posedContacts,
  shapeContacts,
} from '@pliant/train/unstable/label'
import type { Artifact, ShapeContactNetwork } from 'pliant'
import type { CharacterContactNetwork } from 'pliant/character'
import type { CellRun } from '../../../cells/run-cells.js'
import type { HandlerCell, SubjectName } from './cell-name.js'
import { bakeSkirt } from './skirt.js'

/**
 * Exact labels of each, for all methods alike. The paper takes 550,000 of its hand and of SCAPE, 40,000 of its skirt; a
 * label of ours takes some milliseconds on two cores, and the network learns for as long again.
 */
export const BUDGETS: Readonly<Record<SubjectName, number>> = {
  hand: 60_000,
  'hand-joints': 60_000,
  body: 60_000,
  skirt: 40_000,
}

/** Below the folder that the command runs in. */
const DATA = join('..', 'shared', 'data')
const HAND = join(DATA, 'rig-hand-left.glb')
const BODY = join(DATA, 'seq-makehuman-cmu-90_05.anime')
const BODY_VERTICES = 2500
/** Of a tiny training. */
const QUICK = { shapes: 12, vertices: 800, domains: 3, domainCode: 2, spaceSteps: 20 } as const

/** A subject whose codes are known, ready to learn on. */
export interface OpenSubject {
  /** Vertices of the mesh and numbers of the code. */
  vertices: number
  codeSize: number
  /** Codes as methods may draw them to learn from. */
  source: ContactSource
  /** Identifies shapes, codes and neighbours. */
  hash: string
  /** By our method. @param spec  says how many labels and steps */
  learnOurs(spec: TrainSpec, pool: ContactPool, run: LearnRun): Promise<LearnedContact>
  artifact(spec: TrainSpec, specHash: string, learned: LearnedContact): Artifact
}

/** The paper's network in both cases, or ours of the subject's own kind. */
export type LearnedContact = LearnedNetwork<ShapeContactNetwork | CharacterContactNetwork> & { tells: Told }
export type LearnRun = Parameters<(typeof SHAPE_CONTACT_LEARNERS)['paper']>[3]

/** What a subject's spec says besides method, labels and steps. */
export function subjectModel(subject: SubjectName, quick = false): object {
  if (subject === 'hand-joints') return { rig: HAND }
  const sizes = quick ? { shapes: QUICK.shapes, domains: QUICK.domains, domainCode: QUICK.domainCode } : {}
  if (subject === 'hand') return { meshes: HAND, ...sizes }
  const vertices = quick ? QUICK.vertices : BODY_VERTICES
  return subject === 'body' ? { meshes: BODY, vertices, ...sizes } : { meshes: 'skirt/*.obj', ...sizes }
}

/**
 * @param humanoid  the trained character that wears the skirt
 * @throws BadInput if a file is missing; the signal's reason when aborted
 */
export async function openSubject(
  { subject, seed }: HandlerCell,
  { work, quick = false, threads, signal, onProgress, onWarning }: CellRun,
  humanoid: string | undefined,
): Promise<OpenSubject> {
  const spec = readSpec(JSON.stringify({ model: subjectModel(subject, quick), learn: 'self-contact', seed }))
  const file = subject === 'skirt' ? humanoid : subject === 'body' ? BODY : HAND
  if (file === undefined || !existsSync(file)) {
    throw new BadInput(
      `reproduce: ${subject} needs ${file ?? 'a trained humanoid'}, which is not there; run in a folder beside shared/data, with the studio's trained files built.`,
    )
  }
  if (subject === 'hand-joints') return jointSubject((await loadSubject(spec)) as LoadedCharacterContact)
  const read =
    subject === 'skirt'
      ? await bakeSkirt(file, quick ? { shapes: QUICK.shapes, detail: 0.5 } : {})
      : ((await loadSubject(spec)) as LoadedShapeContact).read
  const checkpointPath = join(work, `${subject}-${seed}-space`)
  const space = quick ? { ...QUICK, steps: QUICK.spaceSteps } : SHAPE_DEFAULTS
  return shapeSubject(read, space, { seed, threads, signal, onProgress, onWarning, checkpointPath, resume: true })
}

/** A rig by its joint angles. */
export function jointSubject(read: LoadedCharacterContact): OpenSubject {
  const subject = contactCharacter(read, neighboursOf({ rig: HAND }))
  const { character, neighbours, poses } = subject
  return {
    vertices: character.vertexCount,
    codeSize: character.codeSize,
    source: posedContacts(character, codesOfPoses(character, poses), neighbours),
    hash: hashCharacter(character, poses, { neighbours }),
    learnOurs: (spec, pool, run) => CHARACTER_CONTACT_LEARNERS.pliant(spec, character, pool, run),
    artifact: (spec, specHash, { tells, ...learned }) =>
      characterContactArtifact(
        spec,
        subject,
        { specHash, tells, made: 0, toLabel: 0 },
        learned as LearnedNetwork<CharacterContactNetwork>,
      ),
  }
}

/** Meshes of one kind by the code of a space that is learned of them; what is learned stays at `checkpointPath`. */
export async function shapeSubject(
  { shapes, triangles }: { shapes: Float32Array[]; triangles: Uint32Array },
  { domains, domainCode, steps }: { domains: number; domainCode: number; steps?: number },
  run: ShapeSpaceRun,
): Promise<OpenSubject> {
  const reference = { positions: Float64Array.from(shapes[0]), triangles }
  const sizes = { domains, domainCode, ...(steps !== undefined && { steps }) }
  const space = await learnShapeSpace(reference, shapes, sizes, run)
  const patches = surfacePatches(reference, patchCount(reference.positions.length / 3))
  const neighbours = { ...SHAPE_NEIGHBOURS }
  const { seed, threads, signal } = run
  const around = await codesToDrawAround({ space, patches, neighbours }, shapes, { seed, threads, signal })
  const hash = createHash('sha256').update(JSON.stringify({ neighbours, sizes, seed: run.seed }))
  for (const array of [triangles, ...shapes]) {
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }
  return {
    vertices: shapes[0].length / 3,
    codeSize: space.bounds.lower.length,
    source: shapeContacts(space, patches, neighbours, around),
    hash: hash.digest('hex').slice(0, 32),
    learnOurs: (spec, pool, learning) => SHAPE_CONTACT_LEARNERS.pliant(spec, { space, patches }, pool, learning),
    artifact: (spec, specHash, { tells, ...learned }) =>
      shapeContactArtifact(
        spec,
        { shapes, triangles, given: shapes[0].length / 3, neighbours, space: sizes },
        { specHash, tells, space, patches, around, made: 0, toLabel: 0 },
        learned as LearnedNetwork<ShapeContactNetwork>,
      ),
  }
}
