/** The paper's Table 1 and Figs. 5 and 6 in docs/benchmarks.md, from the cells that are committed. */
import { markdownTable } from '../../../report/markdown.js'
import { figuresOf, IMAGE_FIGURES, inOrder } from '../images/image-figures.js'
import { LEFT_OUT_MEASURES, type Measure, PRINTED_MEASURES, tableRows } from '../page/table-1.js'
import { METHOD_NAMES } from '../words.js'
import { GRID } from './cell-name.js'
import type { CellResult, GridResult, ImageResult, NetworkResult } from './cell-result.js'

export function cellsMarkdown(all: readonly CellResult[]): string {
  const networks = all.filter((cell) => cell.kind === 'network')
  const grid = all.filter((cell) => cell.kind === 'grid')
  const images = all.filter((cell) => cell.kind === 'image')
  return [
    ...(networks.length > 0 ? tableOne(networks) : []),
    ...(grid.length > 0 ? figureFive(grid) : []),
    ...(images.length > 0 ? figureSix(images) : []),
    '*`npx pliant reproduce cspace --cells all,grid,image`, [one file for each network](../bench/cells/cspace), with date, machine and commit.*',
  ].join('\n\n')
}

function tableOne(cells: readonly NetworkResult[]): string[] {
  const head = (measures: readonly Measure[], columns: readonly string[]): string[] =>
    measures.flatMap(({ title }) => columns.map((column, i) => (i === 0 ? `${title}: ${column}` : column)))
  const printed = tableRows(cells, PRINTED_MEASURES)
  const leftOut = tableRows(cells, LEFT_OUT_MEASURES)
  return [
    "## Self-contact: the paper's Table 1 (`reproduce cspace`)",
    'What the paper prints of its own bodies, its method here and ours, both on our bodies of the same names: 50,000 codes drawn evenly from the box and never trained on, distances of 2,000 of them. Where several seeds were trained, their mean ± half of its 95% interval.',
    markdownTable(
      ['body', 'modes', ...head(PRINTED_MEASURES, ['printed', 'its method here', 'ours'])],
      printed.map(({ body, modes, cells }) => [body, String(modes), ...cells.flat()]),
    ),
    'What it leaves out; "within 0.1": of codes no further than that from the boundary; labels: exact tests of all kinds; processor minutes of learning, without evaluation:',
    markdownTable(
      ['body', 'modes', 'touching [%]', 'seeds', ...head(LEFT_OUT_MEASURES, ["the paper's", 'ours'])],
      leftOut.map(({ body, modes, touching, seeds, cells }) => [body, String(modes), touching, seeds, ...cells.flat()]),
    ),
  ]
}

function figureFive(cells: readonly GridResult[]): string[] {
  const modes = [...new Set(cells.map((cell) => cell.modes))].sort((a, b) => a - b)
  const bodies = [...new Set(cells.map(({ body }) => body))].sort()
  const rows = bodies.flatMap((body) =>
    GRID.layers.flatMap((layers) =>
      GRID.widths.map((width) => [
        body,
        `${layers} x ${width}`,
        ...modes.map((count) => {
          const cell = cells.find(
            (one) => one.body === body && one.layers === layers && one.width === width && one.modes === count,
          )
          return cell ? (100 * cell.signAccuracy).toFixed(2) : ''
        }),
      ]),
    ),
  )
  const [{ iterations, codes }] = cells
  return [
    "## How large the paper's network must be: its Fig. 5 (`reproduce cspace`)",
    `Right signs [%] of ${codes.toLocaleString('en')} unseen codes, by the paper's first pass alone with a network of so many layers and so wide, ${iterations} of its 500 iterations. One seed each, but where that was stuck, calling nearly all codes the same: the best of up to four then, as in the paper.`,
    markdownTable(['body', 'network', ...modes.map((count) => `${count} modes`)], rows),
  ]
}

function figureSix(images: readonly ImageResult[]): string[] {
  return [
    "## Signed distance of binary images: the paper's Fig. 6 (`reproduce cspace`)",
    'Learned from signs of points alone, never a distance; 50,000 uniform points of a square of side 2, never trained on; "within 0.05": of the outline. Rows of one network compare methods alone, the others methods with what they are run with. One seed each.',
    markdownTable(
      ['image', 'method', ...IMAGE_FIGURES],
      inOrder(images).map((cell) => [cell.image, METHOD_NAMES[cell.method], ...figuresOf(cell)]),
    ),
  ]
}
