/** Self-contact of codes: how good a file is, how fast it answers beside the exact test, and what a simulation makes of it. */
import { evaluateSelfContact } from '@pliant/train/unstable'
import { load, type SelfContactArtifact, type SelfContactQuality } from 'pliant'
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { type AnswerRow, MESHES, timeAnswers } from './answers.js'
import { type SimulationRow, simulate } from './simulation.js'

export interface CspaceGiven {
  artifact?: SelfContactArtifact
  paper?: SelfContactArtifact
}

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
}

/** Not the seed of training, nor that of `pliant evaluate`. */
const SEED = 3

export async function benchCspace({
  artifact,
  paper,
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
  const byPaper = paper && (await load(paper))
  try {
    const timing = stages('answers', 0.4, 0.6)
    const answers = timeAnswers(learned, quick ? 1 : MESHES.length, quick ? 0.1 : 0.5, (fraction) =>
      timing({ fraction }),
    )
    const simulating = stages('simulation', 0.6, 1)
    const simulation = simulate({ artifact, learned, paper: byPaper }, quick ? 3 : 30, (fraction) =>
      simulating({ fraction }),
    )
    const { model, training, name } = artifact.manifest
    return {
      name,
      triangles: model.triangles,
      modes: artifact.model.codeSize,
      labels: training.labels,
      quality,
      paper: theirs ? { labels: paper.manifest.training.labels, quality: theirs } : null,
      answers,
      simulation,
    }
  } finally {
    learned.dispose()
    byPaper?.dispose()
  }
}
