/** Reads what a suite measures from the files that were named, and says which motions it plays. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InputReader, OptionValues, PlayedMotion, ReadInputs, Suite } from '@pliant/bench'
import type { MotionSettings } from '@pliant/train/unstable/poses'
import { expectKind } from 'pliant/unstable'
import { readTrained } from './artifact-file.js'
import { asBadInput, UsageError } from './errors.js'
import { clipsText } from './judged-on.js'
import { KINDS } from './kinds/index.js'
import { describeMotion, motionJson, readMotions } from './motions.js'
import { shippedArtifact } from './shipped.js'

/** @throws UsageError if a value is wrong, or a file is missing or of another kind */
export function readSuiteInputs(suite: Suite, values: OptionValues, settings: MotionSettings): Promise<ReadInputs> {
  return asBadInput(() => suite.inputs.read(values, readerOf(settings)))
}

function readerOf(settings: MotionSettings): InputReader {
  return {
    builtIn: (name) => fromHere(shippedArtifact(name)),
    trained: async (path) => (await readTrained(path)).bytes,
    async ofKind(path, kind) {
      const { bytes, artifact } = await readTrained(path)
      const { one, madeBy } = KINDS[kind]
      const refuse = (): Error => new UsageError(`${path} is no trained ${one}; pass what '${madeBy}' wrote.`)
      return { bytes, artifact: expectKind(artifact, kind, refuse) }
    },
    async motions(paths, body) {
      const motions = await readMotions(paths, body, settings)
      return motions.map((motion) => ({ clip: motion.clip, line: describeMotion(motion), json: motionJson(motion) }))
    },
  }
}

/** Relative, as results name their files and are sent to others, whose machine has other folders. */
function fromHere(file: URL): string {
  return relative(process.cwd(), fileURLToPath(file))
}

/** What is played, for people and for `--json`; no key without a motion. */
export function playedMotions({ motions = [], notes = [] }: Pick<ReadInputs, 'motions' | 'notes'>): {
  lines: string[]
  json: { motions?: object[] }
} {
  if (motions.length === 0) return { lines: [...notes], json: {} }
  const clips = motions.map(({ clip, trained }: PlayedMotion) => ({ name: clip.name, trained }))
  return {
    lines: [`plays poses ${clipsText(clips)}`, ...motions.map(({ line }) => line), ...notes],
    json: { motions: motions.map(({ json, trained }) => ({ ...json, trained })) },
  }
}
