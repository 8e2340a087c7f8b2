/** Subject: how near the shapes of a body are to touching themselves. A network of the code, learned actively. */
import type { Artifact, GapsNetwork, Progress, SelfContactArtifact } from 'pliant'
import { SelfIntersection } from 'pliant/exact'
import { FORMAT_VERSION, femMaterial } from 'pliant/unstable'
import { contactFault } from '../evaluate/contact-verdict.js'
import { BadInput } from '../input/bad-input.js'
import { evaluateSelfContact } from '../kinds/evaluate.js'
import { ContactPool } from '../label/contact-pool.js'
import { linearContacts } from '../label/linear-contacts.js'
import type { LearnedNetwork } from '../learn/learned-network.js'
import { CONTACT_DEFAULTS, type ContactOptions, contactNetwork } from '../learn/self-contact/contact-options.js'
import { BOUNDARY } from '../learn/self-contact/contact-samples.js'
import { GapSight } from '../learn/self-contact/gap-sight.js'
import { keptRounds } from '../learn/self-contact/kept-rounds.js'
import { learnContact } from '../learn/self-contact/learn-contact.js'
import type { ContactRun } from '../learn/self-contact/learned-contact.js'
import { learnByPaper } from '../learn/self-contact/paper/learn-by-paper.js'
import { iterationsOf, PAPER_DEFAULTS } from '../learn/self-contact/paper/paper-options.js'
import type { JobRun } from '../plan/planned-job.js'
import { CONTACT_STAGES } from '../plan/stages.js'
import { CONTACT_MODES, findBodyPreset, findContactPreset } from '../presets/index.js'
import { hashSpec, type TrainSpec } from '../spec/train-spec.js'
import { readBody } from '../subjects/body.js'
import { CONTACT_MATERIAL, type ContactBody, makeContactBody } from '../subjects/contact-body.js'
import { REACH, SELF_CONTACT_MODEL, type SelfContactModel } from '../subjects/self-contact.js'
import { type ContactCounts, settleContact } from './contact-budget.js'
import type { Judged, LoadedSubject, PreparedTraining, StartOptions, Subject, Training } from './subject.js'

export interface LoadedContact extends LoadedSubject {
  body: ContactBody
}

export const SELF_CONTACT: Subject<SelfContactModel> = {
  model: SELF_CONTACT_MODEL,
  async load(spec, model, files, options): Promise<LoadedContact> {
    const { mesh } = await readBody(model, files, options)
    const reach = model.reach ?? (findContactPreset(model.body) ?? findBodyPreset(model.body))?.reach ?? REACH
    return contactToTrain(spec, makeContactBody(mesh, { modes: model.modes ?? CONTACT_MODES, reach }))
  },
}

/** A body that was made in code. @throws BadInput if it touches itself at rest */
export function contactToTrain(spec: TrainSpec, body: ContactBody): LoadedContact {
  requireFreeAtRest(body)
  return { kind: 'self-contact', body, start: async (starting) => startContact(spec, body, starting) }
}

/** @throws BadInput if the shape that everything starts from touches itself already */
function requireFreeAtRest({ model: { rest, triangles } }: ContactBody): void {
  const { pairs } = new SelfIntersection({ positions: rest, triangles }).pairs({ limit: 1 })
  if (pairs.length === 0) return
  throw new BadInput(
    `self-contact: the body touches itself at rest, triangle ${pairs[0]} with triangle ${pairs[1]}; part them, no shape near rest would be free.`,
  )
}

interface Prepared extends PreparedTraining {
  /** As much as a budget has time for, or all of it. */
  counts: ContactCounts
  /** Samples of rounds that the file keeps. */
  kept?: ReturnType<typeof keptRounds>
}

function startContact(spec: TrainSpec, body: ContactBody, options: StartOptions): Training<Prepared, GapsNetwork> {
  const { threads, signal, checkpointPath, resume, onWarning, onEstimate, budgetMinutes } = options
  if (budgetMinutes !== undefined && spec.method === 'paper') {
    throw new BadInput(
      "self-contact: a budget does not cut the paper's iterations, which are what it is compared by; leave --budget out, or train by our own method.",
    )
  }
  const { model } = body
  const bytes = Buffer.concat([model.rest, model.modes, model.triangles].map((array) => Buffer.from(array.buffer)))
  const specHash = hashSpec(spec, bytes)
  return {
    stages: CONTACT_STAGES,
    counts: { poses: spec.poses, steps: spec.steps, judges: spec.evaluation.poses },
    // Rounds cannot be rehearsed by a few steps, and keep themselves.
    isRehearsed: false,
    keepsItself: true,
    prepare: async () => ({ specHash, made: spec.poses, toLabel: spec.poses, counts: wantedOf(spec) }),
    async learn(prepared, { checkpointSeconds }, run): Promise<LearnedNetwork<GapsNetwork>> {
      const pool = new ContactPool(linearContacts(model), { threads, signal })
      const onProgress = ({ fraction, stage, detail = '' }: Progress): void =>
        run.report('learn', fraction, `${stage}: ${detail}`)
      const learning: ContactRun = {
        seed: spec.seed,
        specHash,
        threads,
        signal,
        onProgress,
        checkpointPath,
        resume,
        onWarning,
        checkpointSeconds,
      }
      try {
        // Whoever evaluates comes last, so its time is all that is left.
        const time =
          budgetMinutes === undefined ? {} : { seconds: run.secondsFor('evaluate'), given: 60 * budgetMinutes }
        const asked = { ...learning, ...time, onEstimate }
        prepared.counts = await settleContact(
          body,
          pool,
          optionsOf(spec, body, prepared.counts),
          prepared.counts,
          asked,
        )
        const learned = await LEARNERS[spec.method](spec, body, prepared.counts, pool, {
          ...learning,
          specHash: keyOf(spec, specHash, prepared.counts),
        })
        prepared.kept = learned.kept
        return learned
      } finally {
        await pool.dispose()
      }
    },
    artifact: (prepared, learned) => artifactOf(spec, body, specHash, prepared, learned),
    judge: (artifact, { counts }, run) =>
      judge(within(spec, counts), artifact as SelfContactArtifact, threads, signal, run),
  }
}

function wantedOf({ poses, steps, evaluation }: TrainSpec): ContactCounts {
  return { poses, steps, judges: evaluation.poses, distances: evaluation.points }
}

function within(spec: TrainSpec, { poses, steps, judges, distances }: ContactCounts): TrainSpec {
  return { ...spec, poses, steps, evaluation: { poses: judges, points: distances } }
}

/** Rounds with other counts are other rounds. */
function keyOf(spec: TrainSpec, specHash: string, counts: ContactCounts): string {
  const isWhole = counts.poses === spec.poses && counts.steps === spec.steps
  return isWhole ? specHash : `${specHash} ${counts.poses} ${counts.steps}`
}

function optionsOf(
  { poses, learningRate, network }: TrainSpec,
  { model }: ContactBody,
  counts: ContactCounts,
): ContactOptions {
  const { hidden, activation, gaps } = { ...CONTACT_DEFAULTS, ...contactNetwork(model.codeSize), ...network }
  // Distances are measured from what was labelled: with fewer labels fewer are worth their time.
  const distances = Math.ceil((CONTACT_DEFAULTS.distances * counts.poses) / poses)
  const own = { labels: counts.poses, steps: counts.steps, distances, learningRate, hidden, activation, gaps }
  return { ...CONTACT_DEFAULTS, ...own }
}

type Learner = (
  spec: TrainSpec,
  body: ContactBody,
  counts: ContactCounts,
  pool: ContactPool,
  run: ContactRun,
) => Promise<LearnedNetwork<GapsNetwork> & Pick<Prepared, 'kept'>>

const LEARNERS: Record<TrainSpec['method'], Learner> = {
  async pliant(spec, body, counts, pool, run) {
    const { model } = body
    const options = optionsOf(spec, body, counts)
    const sight = new GapSight(pool.codeSize, model, options)
    const { shape, weights, labels, steps, data } = await learnContact(pool, sight, options, run)
    const kept = keptRounds(data, model.codeSize, ({ use, values }, row) =>
      use[row] === BOUNDARY ? 1 : use[row] === 0 ? values[row] : 0,
    )
    return { network: { kind: 'gaps', shape }, tensors: new Map(weights), steps, poses: labels, kept }
  },
  async paper({ network, steps: asked }, { model }, _counts, pool, run) {
    const hidden = network.hidden ?? PAPER_DEFAULTS.hidden
    const options = { ...PAPER_DEFAULTS, iterations: iterationsOf(asked), hidden }
    const { shape, weights, labels, steps, data } = await learnByPaper(pool, options, run)
    const kept = keptRounds(data, model.codeSize, ({ signs }, row) => signs[row])
    return { network: { kind: 'gaps', shape }, tensors: new Map(weights), steps, poses: labels, kept }
  },
}

function artifactOf(
  spec: TrainSpec,
  { mesh, modes, eigenvalues, model }: ContactBody,
  specHash: string,
  { kept }: Prepared,
  { network, tensors, steps, poses }: LearnedNetwork<GapsNetwork>,
): Artifact {
  const { codeSize, bounds } = model
  const { massDamping, stiffnessDamping } = femMaterial(CONTACT_MATERIAL)
  return {
    kind: 'self-contact',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'self-distance',
      name: spec.name,
      code: {
        size: codeSize,
        names: Array.from({ length: codeSize }, (_, k) => `mode ${k + 1}`),
        lower: [...bounds.lower],
        upper: [...bounds.upper],
        how: 'weights of the modes, each scaled by how far pulling at the body takes it: vertices are rest + modes . code',
      },
      model: {
        kind: 'self-contact',
        vertices: model.vertexCount,
        triangles: model.triangles.length / 3,
        nodes: mesh.positions.length / 3,
        tetrahedra: mesh.tetrahedra.length / 4,
        material: { ...CONTACT_MATERIAL, massDamping, stiffnessDamping },
        eigenvalues: [...eigenvalues],
        rounds: kept?.rounds ?? [],
      },
      networks: { distance: network },
      training: { method: spec.method, seed: spec.seed, specHash, steps, poses, labels: poses },
      quality: null,
    },
    networks: { distance: tensors },
    model,
    body: { mesh, modes },
    rounds: kept && kept.signs.length > 0 ? { codes: kept.codes, signs: kept.signs } : undefined,
  }
}

async function judge(
  { evaluation: { poses: codes, points }, seed }: TrainSpec,
  artifact: SelfContactArtifact,
  threads: number,
  signal: AbortSignal | undefined,
  run: JobRun,
): Promise<Judged> {
  const quality = await evaluateSelfContact(artifact, {
    codes,
    distances: points,
    seed,
    threads,
    signal,
    onProgress: ({ fraction }) => run.report('evaluate', fraction, `${codes} unseen codes`),
  })
  const fault = contactFault(quality)
  return { quality, stored: Number.isFinite(quality.signAccuracy) ? quality : null, fault }
}
