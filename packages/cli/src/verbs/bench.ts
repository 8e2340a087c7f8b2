/** `pliant bench`: our speed against peers, measured now. */
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResultFile } from '@pliant/bench'
import { findSuite, requireBench, suites, suitesHelp } from '../bench-package.js'
import { UsageError } from '../errors.js'
import { checkWritable, writeBeside } from '../files.js'
import { motionSettings } from '../motions.js'
import { playedMotions, readSuiteInputs } from '../suite-inputs.js'
import { motionsKey, suiteOptions, suiteValues } from '../suite-options.js'
import type { Verb } from '../verb.js'

/** Below the folder that the command runs in. */
const RESULTS = join('bench', 'results')

export const bench: Verb = {
  name: 'bench',
  summary: 'measures our speed against peers in one run',
  operands: [{ name: 'SUITE', help: suitesHelp(suites) }],
  options: {
    quick: { help: 'fewer repetitions: a first look in seconds, noisier' },
    save: {
      help: 'also write bench/results/SUITE.json, with date, machine and commit; of a run of some parts, these replace those in the file',
    },
    ...suiteOptions(suites),
  },
  examples: [
    'pliant bench kernels --quick',
    'pliant bench cloth --file hero.safetensors --motion dance.bvh --json',
    'pliant bench haptics --paper bunny-paper.safetensors --save',
  ],
  json: {
    suite: 'its name',
    date: 'when it ran, ISO 8601',
    machine: '{ cpu, cores, memoryGB, node, platform }',
    commit:
      "id of the commit that was measured, followed by ' dirty' if files differed from it; null outside a repository",
    quick: 'whether repetitions were cut',
    ...motionsKey(suites),
    result: "the suite's own figures",
  },
  notes: 'Every ratio is measured against its baseline in the same run, because machines differ and get busy.',
  async run({ args, signal, progress }) {
    const { describeCommit, describeMachine, savedRun } = requireBench('bench')
    const suite = findSuite('bench', 'suite', args.operands[0], suites)
    const quick = args.has('quick')
    const results = join(RESULTS, `${suite.name}.json`)
    if (args.has('save')) {
      await mkdir(RESULTS, { recursive: true })
      await checkWritable([results])
      if (suite.parts) await readSaved(results)
    }
    const values = suiteValues('bench', suite, suites, args)
    const inputs = await readSuiteInputs(suite, values, await motionSettings(args))
    const played = playedMotions(inputs)
    // Before the run: what is changed or committed meanwhile is not what was measured.
    const origin = { date: new Date().toISOString(), machine: describeMachine(), commit: describeCommit() }
    const result = await suite.run({ signal, onProgress: progress.update, quick, ...inputs.given })
    const json = { suite: suite.name, ...origin, quick, ...played.json, result }
    if (args.has('save')) {
      // Read again: another run may have saved other parts meanwhile.
      const saved = savedRun(json, suite.parts, suite.parts && (await readSaved(results)))
      await writeBeside(results, Buffer.from(`${JSON.stringify(saved, null, 2)}\n`))
    }
    return { json, text: [...played.lines, suite.table(result)].join('\n') }
  },
}

/** What an earlier run has saved. @throws UsageError if the file holds anything else */
async function readSaved(path: string): Promise<ResultFile | undefined> {
  if (!existsSync(path)) return undefined
  try {
    const file = JSON.parse(await readFile(path, 'utf8'))
    if (typeof file.result === 'object' && file.result !== null) return file
  } catch {
    // Said below.
  }
  throw new UsageError(`bench: ${path} holds no result of a suite; move it away or delete it.`)
}
