/** `pliant bench`: our speed against peers, measured now. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BarBenchResult } from '@pliant/bench'
import { readArtifact, readTrained } from '../artifact-file.js'
import { barTable } from '../bar-table.js'
import { UsageError } from '../errors.js'
import { figuresText } from '../figures.js'
import { checkWritable, writeBeside } from '../files.js'
import type { Verb } from '../verb.js'

const RESULTS = new URL('../../../../bench/results/', import.meta.url)

/** Suites that measure a trained artifact, and the one they take unless told otherwise. */
const DEFAULT_ARTIFACTS: Readonly<Record<string, URL>> = {
  bar: new URL('../../../../out/bar.safetensors', import.meta.url),
}

export const bench: Verb = {
  name: 'bench',
  summary: 'measures our speed against peers in one run',
  operands: [{ name: 'SUITE', help: 'exact, train, kernels, bar or character' }],
  options: {
    quick: { help: 'fewer repetitions: a first look in seconds, noisier' },
    save: { help: 'also write bench/results/SUITE.json, with date and machine' },
    file: { value: 'FILE', help: 'the artifact that suite bar (default: out/bar.safetensors) or character measures' },
  },
  examples: ['pliant bench kernels --quick', 'pliant bench train --json'],
  json: {
    suite: 'its name',
    date: 'when it ran, ISO 8601',
    machine: '{ cpu, cores, memoryGB, node, platform }',
    quick: 'whether repetitions were cut',
    result: "the suite's own figures",
  },
  notes: 'Every ratio is measured against its baseline in the same run, because machines differ and get busy.',
  async run({ args, signal, progress }) {
    const [suite] = args.operands
    const { describeMachine, suites } = await import('@pliant/bench')
    if (!Object.hasOwn(suites, suite)) {
      throw new UsageError(`bench: there is no suite '${suite}'; choose one of ${Object.keys(suites).join(', ')}.`)
    }
    const quick = args.has('quick')
    const results = fileURLToPath(new URL(`${suite}.json`, RESULTS))
    if (args.has('save')) {
      await mkdir(RESULTS, { recursive: true })
      await checkWritable([results])
    }
    const artifact = await artifactFor(suite, args.text('file'))
    const result = await suites[suite]({ signal, onProgress: progress.update, quick, artifact })
    const json = { suite, date: new Date().toISOString(), machine: describeMachine(), quick, result }
    if (args.has('save')) await writeBeside(results, Buffer.from(`${JSON.stringify(json, null, 2)}\n`))
    return { json, text: suite === 'bar' ? barTable(result as BarBenchResult) : figuresText(result) }
  },
}

async function artifactFor(suite: string, given: string | undefined): Promise<Uint8Array | undefined> {
  if (suite === 'character') {
    if (given === undefined) {
      throw new UsageError('bench: suite character needs a trained character; pass it with --file.')
    }
    const file = await readTrained(given)
    if (file.kind === 'character') return file.bytes
    throw new UsageError(`bench: ${given} is no trained character; pass what 'pliant train character.glb' wrote.`)
  }
  const standard = DEFAULT_ARTIFACTS[suite]
  if (!standard) {
    if (given === undefined) return undefined
    throw new UsageError(`bench: --file is ${given}, but suite ${suite} measures no artifact; drop it.`)
  }
  const { bytes } = await readArtifact(given ?? fileURLToPath(standard))
  return bytes
}
