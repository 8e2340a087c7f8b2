/** `pliant reproduce`: a paper's tables and figures, theirs and ours side by side, as JSON and a page. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findSuite, requireBench, suites, suitesHelp } from '../bench-package.js'
import { checkWritable, writeBeside } from '../files.js'
import { motionSettings } from '../motions.js'
import { playedMotions, readSuiteInputs } from '../suite-inputs.js'
import { motionsKey, suiteOptions, suiteValues } from '../suite-options.js'
import type { Verb } from '../verb.js'

/** Suites that have a page, by its name, and what the page takes is what they take. */
const papers = suites.flatMap((suite) => {
  const { page } = suite
  return page ? [{ ...suite, page, name: page.name ?? suite.name, inputs: page.inputs ?? suite.inputs }] : []
})

export const reproduce: Verb = {
  name: 'reproduce',
  summary: "reproduces a paper's tables and figures, theirs and ours side by side, as a page",
  operands: [{ name: 'PAPER', help: suitesHelp(papers.map(({ name, page }) => ({ name, summary: page.summary }))) }],
  options: {
    ...suiteOptions(papers),
    out: { value: 'PAGE.html', help: 'where the page goes (default: out/reproduce-PAPER.html)' },
    quick: { help: 'fewer poses and repetitions: a first look' },
  },
  examples: [
    'pliant reproduce cloth',
    'pliant reproduce cloth --file hero.safetensors --paper hero-paper.safetensors --motion dance.bvh --json',
    'pliant reproduce haptics --paper bunny-paper.safetensors',
    'pliant reproduce cspace',
    'pliant reproduce cspace --cells bracelet-7-paper,snake-3',
    'pliant reproduce cspace --image drawing.png --quick',
    'pliant reproduce handler --cells hand-ours,body',
  ],
  json: {
    paper: 'its name',
    date: 'when it ran, ISO 8601',
    machine: '{ cpu, cores, memoryGB, node, platform }',
    quick: 'whether repetitions were cut',
    page: 'path of the page',
    ...motionsKey(papers),
    result:
      'every figure on the page; the keys of `bench PAPER`, of sdf { curves, cubeSphere, distances, pairs, boxes, races, series, stacking, motion, squeezed, depths, paper }, of cspace { printed, cells, grid, images, own, trained, missing, missingImages }, of handler { printed, cells, trained, missing }',
  },
  notes:
    'cspace and handler are drawn from the cells in bench/cells/PAPER, each one trained network, which take from a minute to an hour or two. --cells names those to train: one that is stopped or killed goes on where it was when it is named again, one that has a result is left alone. Checkpoints and trained files are in out/PAPER; do not train the same cell twice at once, nor two of one subject of handler before its space of shapes is there.',
  async run({ args, signal, progress }) {
    const { describeMachine } = requireBench('reproduce')
    const suite = findSuite('reproduce', 'paper', args.operands[0], papers)
    const page = args.text('out') ?? (await pageIn('out', suite.name))
    await checkWritable([page])
    const values = suiteValues('reproduce', suite, papers, args)
    const inputs = await readSuiteInputs(suite, values, await motionSettings(args))
    const played = playedMotions(inputs)
    const date = new Date().toISOString()
    const machine = describeMachine()
    const quick = args.has('quick')
    const {
      result,
      html,
      notes = [],
    } = await suite.page.run({
      ...inputs.given,
      quick,
      signal,
      onProgress: progress.update,
      machine,
      date,
    })
    await writeBeside(page, Buffer.from(html))
    return {
      json: { paper: suite.name, date, machine, quick, page, ...played.json, result },
      text: [...played.lines, ...notes, `Wrote ${page}; open it in a browser.`].join('\n'),
    }
  },
}

/** Makes the folder: nobody has named it, so nobody knows that it must be there. @returns where a page goes in it */
export async function pageIn(folder: string, paper: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, `reproduce-${paper}.html`)
}
