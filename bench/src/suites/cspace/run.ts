/** Self-contact of codes: how good a file is, how fast it answers beside the exact test, and what a simulation makes of it. */
import { evaluateSelfContact } from '@pliant/train/unstable'
import { load, type SelfContactQuality } from 'pliant'
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { type AnswerRow, MESHES, timeAnswers } from './answers.js'
import type { CspaceBody, CspaceGiven } from './inputs.js'
import { type SimulationRow, simulate } from './simulation.js'

export interface CspaceResult {
  name: string
  triangles: number
  modes: number
  /** Exact tests that it was learned from. */
  labels: number
  quality: SelfContactQuality
  /** The paper's method on the same codes, if its file was given. */
  paper: { labels: number; quality: SelfContactQuality } | null
  answers: AnswerRow[]
  simulation: SimulationRow[]
  /** All bodies that were simulated, this one first. Results of an earlier version have none. */
  bodies?: SimulatedBody[]
}

export interface SimulatedBody {
  name: string
  triangles: number
  modes: number
  simulation: SimulationRow[]
}

/** Not the seed of training, nor that of `pliant evaluate`. */
const SEED = 3

export async function benchCspace({
  artifact,
  paper,
  others = [],
  quick,
  ...options
}: RunOptions & CspaceGiven): Promise<CspaceResult> {
  if (!artifact)
    throw new Error('bench cspace: no file; train one with `pliant train bracelet --out out/bracelet.safetensors`.')
  const stages = stagesOf(options)
  const asked = { codes: quick ? 2000 : 50_000, distances: quick ? 100 : 2000, seed: SEED, signal: options.signal }
  const quality = await evaluateSelfContact(artifact, { ...asked, onProgress: stages('quality', 0, 0.2) })
  const theirs = paper && (await evaluateSelfContact(paper, { ...asked, onProgress: stages('quality', 0.2, 0.4) }))
  const learned = await load(artifact)
  try {
    const timing = stages('answers', 0.4, 0.6)
    const answers = timeAnswers(learned, quick ? 1 : MESHES.length, quick ? 0.1 : 0.5, (fraction) =>
      timing({ fraction }),
    )
    const simulating = stages('simulation', 0.6, 1)
    const all = [{ artifact, paper }, ...others]
    const bodies: SimulatedBody[] = []
    for (const [i, body] of all.entries()) {
      const onFrame = (done: number): void => simulating({ fraction: (i + done) / all.length })
      bodies.push(await simulateBody(body, quick ? 3 : 30, onFrame))
    }
    const { model, training, name } = artifact.manifest
    return {
      name,
      triangles: model.triangles,
      modes: artifact.model.codeSize,
      labels: training.labels,
      quality,
      paper: theirs ? { labels: paper.manifest.training.labels, quality: theirs } : null,
      answers,
      simulation: bodies[0].simulation,
      bodies,
    }
  } finally {
    learned.dispose()
  }
}

async function simulateBody(
  { artifact, paper }: CspaceBody,
  seconds: number,
  onFrame: (done: number) => void,
): Promise<SimulatedBody> {
  const learned = await load(artifact)
  const byPaper = paper && (await load(paper))
  try {
    const { model, name } = artifact.manifest
    const simulation = simulate({ artifact, learned, paper: byPaper }, seconds, onFrame)
    return { name, triangles: model.triangles, modes: artifact.model.codeSize, simulation }
  } finally {
    learned.dispose()
    byPaper?.dispose()
  }
}
