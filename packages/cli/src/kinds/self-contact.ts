/** Bodies that tell self-contact, on the command line: they answer codes instead of points. */
import type { EvaluateSelfContactOptions } from '@pliant/train/unstable'
import { selfContactTable } from '@pliant/train/unstable/text'
import { type Artifact, load, type SelfContactArtifact } from 'pliant'
import { inspectSelfContact } from '../inspect/self-contact.js'
import type { EvaluateCommand, KindCommands, RepairCommand } from './kind-commands.js'

const CODES: RepairCommand<SelfContactArtifact> = {
  open: (artifact, options) => load(artifact, options),
  shapeOf: ({ model }) => model,
  modelOf: ({ model }) => model,
  hybridOf: ({ manifest }) => manifest.quality ?? undefined,
}

/** `pliant evaluate` of files that tell self-contact, whatever they are of. */
export const evaluatedContact: EvaluateCommand<Artifact> = {
  options: ['codes', 'min-sign', 'min-balanced', 'max-false-negatives'],
  async judge(_file, artifact, { codes, signal, onProgress }) {
    const { evaluateSelfContact } = await import('@pliant/train/unstable')
    const options: EvaluateSelfContactOptions = { codes, signal, onProgress }
    const quality = await evaluateSelfContact(artifact, options)
    return {
      method: artifact.manifest.training.method,
      json: { quality },
      lines: [selfContactTable(quality)],
      figures: {
        'min-sign': quality.signAccuracy,
        'min-balanced': quality.balancedAccuracy,
        'max-false-negatives': quality.falseNegatives,
      },
    }
  },
}

export const SELF_CONTACT: KindCommands<SelfContactArtifact> = {
  one: 'body with self-contact',
  many: 'bodies with self-contact',
  madeBy: 'pliant train bracelet',
  inspect: inspectSelfContact,
  trained: (_subject, { quality }) => ({
    warnings: [],
    json: {},
    lines: [selfContactTable(quality)],
    on: 'trained',
    judged: '',
  }),
  selfDistance: CODES,
  repair: CODES,
  evaluate: evaluatedContact,
}
