/** `pliant bench`: our speed against peers, measured now. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BarBenchResult, ClothBenchResult, HapticsBenchResult, WindBenchResult } from '@pliant/bench'
import { readArtifact } from '../artifact-file.js'
import { barTable } from '../bar-table.js'
import { type ClothFiles, type ClothInputs, clothInputs, JOINTS_OPTION, playedMotions } from '../cloth-inputs.js'
import { clothTables } from '../cloth-table.js'
import { UsageError } from '../errors.js'
import { figuresText } from '../figures.js'
import { checkWritable, writeBeside } from '../files.js'
import { hapticsInputs } from '../haptics-inputs.js'
import { hapticsTables } from '../haptics-table.js'
import { MOTION_KEY, MOTION_OPTIONS, type MotionSettings, motionSettings } from '../motions.js'
import type { Verb } from '../verb.js'
import { windTable } from '../wind-table.js'

const RESULTS = new URL('../../../../bench/results/', import.meta.url)

/** What suite bar measures unless told otherwise. */
const TRAINED_BAR = new URL('../../../../out/bar.safetensors', import.meta.url)

export const bench: Verb = {
  name: 'bench',
  summary: 'measures our speed against peers in one run',
  operands: [
    {
      name: 'SUITE',
      help: 'exact, train, kernels, bar, cloth, haptics or wind (cloth in gusts of 12 and 15 m/s, every clip)',
    },
  ],
  options: {
    quick: { help: 'fewer repetitions: a first look in seconds, noisier' },
    save: { help: 'also write bench/results/SUITE.json, with date, machine and commit' },
    file: {
      value: 'FILE',
      help: 'what suite bar (default: out/bar.safetensors), cloth and wind (the humanoid) or haptics (the bunny) measures',
    },
    motion: {
      value: 'FILE',
      help: 'suites cloth and wind: .bvh or glTF motions of the character, comma-separated; cloth is judged by those it was not trained on, the hardest is quoted',
    },
    ...MOTION_OPTIONS,
    joints: JOINTS_OPTION,
    paper: { value: 'FILE', help: "suites cloth and haptics: the paper's network of it, from train --method paper" },
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
    motions: `suites cloth and wind: list of what is played: ${MOTION_KEY}`,
    result: "the suite's own figures",
  },
  notes: 'Every ratio is measured against its baseline in the same run, because machines differ and get busy.',
  async run({ args, signal, progress }) {
    const [suite] = args.operands
    const { describeCommit, describeMachine, suites } = await import('@pliant/bench')
    if (!Object.hasOwn(suites, suite)) {
      throw new UsageError(`bench: there is no suite '${suite}'; choose one of ${Object.keys(suites).join(', ')}.`)
    }
    const quick = args.has('quick')
    const results = fileURLToPath(new URL(`${suite}.json`, RESULTS))
    if (args.has('save')) {
      await mkdir(RESULTS, { recursive: true })
      await checkWritable([results])
    }
    const files = {
      file: args.text('file'),
      motion: args.text('motion'),
      paper: args.text('paper'),
      joints: args.text('joints'),
    }
    const { motions, isDressed, ...inputs } = await inputsOf(suite, files, await motionSettings(args))
    const played = playedMotions({ motions, isDressed })
    const result = await suites[suite]({ signal, onProgress: progress.update, quick, ...inputs })
    const origin = { date: new Date().toISOString(), machine: describeMachine(), commit: describeCommit() }
    const json = { suite, ...origin, quick, motions: played.json, result }
    if (args.has('save')) await writeBeside(results, Buffer.from(`${JSON.stringify(json, null, 2)}\n`))
    return { json, text: [...played.lines, textOf(suite, result)].join('\n') }
  },
}

function textOf(suite: string, result: object): string {
  if (suite === 'bar') return barTable(result as BarBenchResult)
  if (suite === 'cloth') return clothTables(result as ClothBenchResult)
  if (suite === 'haptics') return hapticsTables(result as HapticsBenchResult)
  if (suite === 'wind') return windTable(result as WindBenchResult)
  return figuresText(result)
}

async function inputsOf(suite: string, files: ClothFiles, settings: MotionSettings): Promise<ClothInputs> {
  if (suite === 'cloth') return clothInputs(files, settings)
  for (const name of ['motion', 'joints'] as const) {
    if (files[name] === undefined || suite === 'wind') continue
    throw new UsageError(`bench: --${name} is ${files[name]}, but it is for suites cloth and wind only; drop it.`)
  }
  if (suite === 'haptics') return hapticsInputs(files)
  if (files.paper !== undefined) {
    throw new UsageError(`bench: --paper is ${files.paper}, but it is for suites cloth and haptics only; drop it.`)
  }
  if (suite === 'wind') return clothInputs(files, settings, 'all')
  if (suite === 'bar') return { artifact: (await readArtifact(files.file ?? fileURLToPath(TRAINED_BAR))).bytes }
  if (files.file === undefined) return {}
  throw new UsageError(`bench: --file is ${files.file}, but suite ${suite} measures no artifact; drop it.`)
}
