/** `pliant reproduce`: a paper's tables and figures, theirs and ours side by side, as JSON and a page. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClothFiles, type ClothInputs, clothInputs, JOINTS_OPTION, playedMotions } from '../cloth-inputs.js'
import { UsageError } from '../errors.js'
import { checkWritable, writeBeside } from '../files.js'
import { hapticsInputs } from '../haptics-inputs.js'
import { MOTION_KEY, MOTION_OPTIONS, type MotionSettings, motionSettings } from '../motions.js'
import type { Verb } from '../verb.js'

const PAPERS = ['cloth', 'haptics'] as const
type Paper = (typeof PAPERS)[number]
const OUT = new URL('../../../../out/', import.meta.url)

export const reproduce: Verb = {
  name: 'reproduce',
  summary: "reproduces a paper's tables and figures, theirs and ours side by side, as a page",
  operands: [
    { name: 'PAPER', help: 'cloth: on a skinned character, by joint angles; haptics: an elastic body, by modes' },
  ],
  options: {
    file: {
      value: 'FILE',
      help: 'the trained character (default: the built-in humanoid) or body (the built-in bunny)',
    },
    motion: { value: 'FILE', help: 'cloth only: a .bvh or glTF motion of the character, best one never trained on' },
    ...MOTION_OPTIONS,
    joints: JOINTS_OPTION,
    paper: { value: 'FILE', help: "the paper's network of it, from train --method paper" },
    out: { value: 'PAGE.html', help: 'where the page goes (default: out/reproduce-PAPER.html)' },
    quick: { help: 'fewer poses and repetitions: a first look' },
  },
  examples: [
    'pliant reproduce cloth',
    'pliant reproduce cloth --file hero.safetensors --paper hero-paper.safetensors --motion dance.bvh --json',
    'pliant reproduce haptics --paper bunny-paper.safetensors',
  ],
  json: {
    paper: 'its name',
    date: 'when it ran, ISO 8601',
    machine: '{ cpu, cores, memoryGB, node, platform }',
    quick: 'whether repetitions were cut',
    page: 'path of the page',
    motions: `cloth: what is played: ${MOTION_KEY}`,
    result: 'every figure on the page; the keys of `bench PAPER`',
  },
  async run({ args, signal, progress }) {
    const [paper] = args.operands
    if (!PAPERS.includes(paper as Paper)) {
      throw new UsageError(`reproduce: there is no paper '${paper}'; choose one of ${PAPERS.join(', ')}.`)
    }
    const page = args.text('out') ?? (await pageIn(fileURLToPath(OUT), paper))
    await checkWritable([page])
    const files = {
      file: args.text('file'),
      motion: args.text('motion'),
      paper: args.text('paper'),
      joints: args.text('joints'),
    }
    const { motions, isDressed, ...inputs } = await inputsOf(paper as Paper, files, await motionSettings(args))
    const played = playedMotions({ motions, isDressed })
    const { describeMachine, reproductions } = await import('@pliant/bench')
    const date = new Date().toISOString()
    const machine = describeMachine()
    const quick = args.has('quick')
    const { result, html } = await reproductions[paper as Paper]({
      ...inputs,
      quick,
      signal,
      onProgress: progress.update,
      machine,
      date,
    })
    await writeBeside(page, Buffer.from(html))
    return {
      json: { paper, date, machine, quick, page, motions: played.json, result },
      text: [...played.lines, `Wrote ${page}; open it in a browser.`].join('\n'),
    }
  },
}

/** Makes the folder: nobody has named it, so nobody knows that it must be there. @returns where a page goes in it */
export async function pageIn(folder: string, paper: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, `reproduce-${paper}.html`)
}

async function inputsOf(paper: Paper, files: ClothFiles, settings: MotionSettings): Promise<ClothInputs> {
  if (paper === 'cloth') return clothInputs(files, settings)
  for (const name of ['motion', 'joints'] as const) {
    if (files[name] === undefined) continue
    throw new UsageError(`reproduce: --${name} is ${files[name]}, but it is for cloth only; drop it.`)
  }
  return hapticsInputs(files)
}
