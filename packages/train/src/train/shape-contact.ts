/**
 * Subject: shapes of one mesh, and how near they are to touching themselves (Tan et al.). First the space of shapes is learned,
 * then where patches of the surface are at its codes, then how far these are apart; by the paper's method the space, then its
 * collision detector.
 */
import { createHash } from 'node:crypto'
import type { Artifact, ShapeContactNetwork } from 'pliant'
import { SurfaceContact } from 'pliant/exact'
import {
  describeSpace,
  FORMAT_VERSION,
  type OnProgress,
  PieceFrames,
  progressWithin,
  type ShapeSpaceData,
} from 'pliant/unstable'
import { asBadInput, BadInput } from '../input/bad-input.js'
import { ContactPool } from '../label/contact-pool.js'
import { codesToDrawAround, shapeContacts } from '../label/shape-contacts.js'
import type { LearnedNetwork } from '../learn/learned-network.js'
import { fitFrames } from '../learn/posed-contact/fit-frames.js'
import { learnClearances } from '../learn/posed-contact/learn-clearances.js'
import { patchRadii, spaceFrames } from '../learn/posed-contact/space-frames.js'
import type { ContactRun } from '../learn/self-contact/learned-contact.js'
import { learnShapeSpace } from '../learn/shape-space/learn-shape-space.js'
import { PAPER_SHAPE_SPACE } from '../learn/shape-space/shape-space-options.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { type ReadShapes, readShapes } from '../subjects/read-shapes.js'
import {
  SHAPE_CONTACT_MODEL,
  SHAPE_DEFAULTS,
  SHAPE_NEIGHBOURS,
  type ShapeContactModel,
} from '../subjects/shape-contact.js'
import { type SurfacePatches, surfacePatches } from '../surface/surface-patches.js'
import {
  clearanceLearning,
  collisionLearning,
  contactTraining,
  learnByCollisionState,
  type Told,
} from './contact-learning.js'
import type { LoadedSubject, PreparedTraining, StartOptions, Subject, Training } from './subject.js'

export interface LoadedShapeContact extends LoadedSubject {
  read: ReadShapes
}

export const SHAPE_CONTACT: Subject<ShapeContactModel> = {
  model: SHAPE_CONTACT_MODEL,
  async load(spec, model, files): Promise<LoadedShapeContact> {
    const read = await readShapes(spec, model, files)
    const neighbours = { ...SHAPE_NEIGHBOURS, ...model.neighbours }
    await asBadInput(() => requireMostlyFree(read, neighbours))
    const { domains, domainCode } = { ...SHAPE_DEFAULTS, ...model }
    const subject = { ...read, neighbours, space: { domains, domainCode } }
    return { kind: 'shape-contact', read, start: async (starting) => startContact(spec, subject, starting) }
  },
}

export interface ContactShapes extends ReadShapes {
  neighbours: { along: number; near: number }
  /** What is said of the space of shapes. */
  space: { domains: number; domainCode: number }
}

/** Shares of shapes that touch themselves: with more, what is learned would be the exception. */
const MOST_TOUCHING = 0.5

/** @throws BadInput if most of the shapes touch themselves where the first does not */
function requireMostlyFree({ shapes, triangles }: ReadShapes, neighbours: ContactShapes['neighbours']): void {
  const rest = Float64Array.from(shapes[0])
  const contact = new SurfaceContact({
    codeSize: 0,
    bounds: { lower: new Float64Array(0), upper: new Float64Array(0) },
    vertexCount: rest.length / 3,
    triangles,
    rest,
    positions: (_, out) => out.set(rest),
    movedPoints: () => ({ positions: () => undefined, pullBack: () => undefined }),
    neighbours,
  })
  const touching = shapes.filter((shape) => contact.touches(shape)).length
  if (touching <= MOST_TOUCHING * shapes.length) return
  throw new BadInput(
    `self-contact: ${touching} of ${shapes.length} shapes touch themselves where the first does not; give shapes that are mostly free, put another first, or tell neighbours otherwise (model.neighbours).`,
  )
}

interface Prepared extends PreparedTraining {
  space?: ShapeSpaceData
  patches?: SurfacePatches
  around?: Float32Array
  tells?: Told
}

/** Patches that the surface is cut into: each about as large as what is left alone around a triangle. */
const PATCHES = 32
/** Vertices of a patch, about, at least: with fewer it hardly has a direction. */
const PATCH_VERTICES = 16

/** Patches of a surface of so many vertices. */
export function patchCount(vertices: number): number {
  return Math.max(2, Math.min(PATCHES, Math.floor(vertices / PATCH_VERTICES)))
}

/** Shares of the time, about: of the space, then of the frames. */
const PARTS = { space: 0.15, frames: 0.2 } as const

function startContact(
  spec: TrainSpec,
  subject: ContactShapes,
  options: StartOptions,
): Training<Prepared, ShapeContactNetwork> {
  const { threads, signal } = options
  return contactTraining(spec, options, {
    specHash: hashShapes(spec, subject),
    roundsOf: 'shapes',
    async learn(prepared, run) {
      const reference = { positions: Float64Array.from(subject.shapes[0]), triangles: subject.triangles }
      const sizes = { ...(spec.method === 'paper' ? PAPER_SHAPE_SPACE : {}), ...subject.space }
      const space = await learnShapeSpace(reference, subject.shapes, sizes, {
        ...run,
        onProgress: progressWithin(run.onProgress, 0, PARTS.space),
      })
      const patches = surfacePatches(reference, patchCount(subject.shapes[0].length / 3))
      const { neighbours } = subject
      const asked = { seed: spec.seed, threads, signal }
      const around = await codesToDrawAround({ space, patches, neighbours }, subject.shapes, asked)
      const pool = new ContactPool(shapeContacts(space, patches, neighbours, around), { threads, signal })
      try {
        const { tells, ...learned } = await LEARNERS[spec.method](spec, { space, patches }, pool, run)
        Object.assign(prepared, { space, patches, around, tells })
        return learned
      } finally {
        await pool.dispose()
      }
    },
    artifact: (prepared, learned) => artifactOf(spec, subject, prepared, learned),
  })
}

function hashShapes({ seed: _, ...spec }: TrainSpec, { shapes, triangles, neighbours, space }: ContactShapes): string {
  const hash = createHash('sha256').update(JSON.stringify({ ...spec, neighbours, space }))
  for (const array of [triangles, ...shapes]) {
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }
  return hash.digest('hex').slice(0, 32)
}

/** Codes are drawn evenly to learn from and in use, so that others are missed as often; of characters, whose motions differ, more. */
const MOST_MISSED = 0.0125

type Learner = (
  spec: TrainSpec,
  shapes: { space: ShapeSpaceData; patches: SurfacePatches },
  pool: ContactPool,
  run: ContactRun & { onProgress: OnProgress },
) => Promise<LearnedNetwork<ShapeContactNetwork> & { tells: Told }>

export const LEARNERS: Record<TrainSpec['method'], Learner> = {
  async pliant(spec, { space, patches }, pool, { onProgress, ...run }) {
    const fitted = await fitFrames(pool, space, patchRadii(space.reference, patches), {
      seed: run.seed,
      onProgress: progressWithin(onProgress, PARTS.space, PARTS.frames),
    })
    // In plain code: what is learned is the same on every host.
    const frames = await PieceFrames.create(fitted.shape, fitted.tensors, { backend: 'scalar' })
    const framed = spaceFrames(space.reference, patches, fitted, frames)
    const learned = await learnClearances(
      framed,
      pool,
      { ...clearanceLearning(spec), mostMissed: MOST_MISSED },
      {
        ...run,
        onProgress: progressWithin(onProgress, PARTS.frames, 1),
      },
    )
    const { shape, weights, labels, steps, pairs, metres } = learned
    return {
      network: { kind: 'framed-gaps', shape, pieces: fitted.shape.pieces },
      tensors: new Map([...weights, ...fitted.tensors]),
      steps,
      poses: labels,
      tells: { pairs, metres },
    }
  },
  paper: (spec, _shapes, pool, run) =>
    learnByCollisionState(pool, collisionLearning(spec), {
      ...run,
      onProgress: progressWithin(run.onProgress, PARTS.space, 1),
    }),
}

export function artifactOf(
  spec: TrainSpec,
  { neighbours }: ContactShapes,
  { specHash, space, patches, around, tells }: Prepared,
  { network, tensors, steps, poses }: LearnedNetwork<ShapeContactNetwork>,
): Artifact {
  const { lower, upper } = space!.bounds
  return {
    kind: 'shape-contact',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'self-distance',
      name: spec.name,
      code: {
        size: lower.length,
        names: codeNames(space!),
        lower: [...lower],
        upper: [...upper],
        how: 'numbers of the learned space of shapes: of the whole, then of each domain; see ShapeSpace.encode',
      },
      model: {
        kind: 'shape-contact',
        ...describeSpace(space!),
        patches: patches!.count,
        neighbours,
        metres: tells!.metres,
        around: around!.length / lower.length,
      },
      networks: { distance: network },
      training: { method: spec.method, seed: spec.seed, specHash, steps, poses, labels: poses },
      quality: null,
    },
    networks: { distance: tensors },
    space: space!,
    patches: patches!.ofTriangle,
    pairs: Uint32Array.from(tells!.pairs),
    around: around!,
  }
}

function codeNames({ parts }: ShapeSpaceData): string[] {
  return parts.flatMap(({ codeSize }, part) =>
    Array.from({ length: codeSize }, (_, k) => (part === 0 ? `whole ${k + 1}` : `domain ${part}, ${k + 1}`)),
  )
}
