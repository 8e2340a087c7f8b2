import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeCellFile } from '../../../../src/cells/cell-files.js'
import { encodePng } from '../../../../src/pages/png.js'
import { nameOfCell } from '../../../../src/suites/cspace/cells/cell-name.js'
import { CELLS_FOLDER, type CellResult, type NetworkResult } from '../../../../src/suites/cspace/cells/cell-result.js'
import { cspace } from '../../../../src/suites/cspace/index.js'
import { type CspacePageResult, cspacePage, reproduceCspace } from '../../../../src/suites/cspace/page/reproduce.js'
import { PAPER_TABLE_1 } from '../../../../src/suites/cspace/paper.js'
import { committedCells } from '../../../report/saved.js'
import { madeGrid, madeImage, madeNetwork } from '../cells/made-cells.js'

const RUN = { date: '2026-01-02', machine: madeNetwork({}).machine }

function pageOf(cells: NetworkResult[], more: Partial<CspacePageResult> = {}): string {
  return cspacePage(
    {
      ...{ printed: PAPER_TABLE_1, cells, grid: [], images: [], trained: [], missing: [], missingImages: [] },
      ...more,
    },
    RUN,
  )
}

/** Cells of the rows of a section's tables. */
function rowsOf(html: string, section: string): string[][] {
  const [, body] = html.split(`<h2>${section}`)
  return [...body.split('</section>')[0].matchAll(/<tr>(<td.*?)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text]) => text),
  )
}

const TABLE_1 = 'How good the learned distances are (Table 1)'
const FIG_6 = 'Signed distance of binary images (Fig. 6)'
const LEFT_OUT = 'What the paper leaves out'

describe('the page of cells', () => {
  it("has the paper's printed value, its method here and ours side by side, as the files say", () => {
    const html = pageOf([madeNetwork({}), madeNetwork({ method: 'ours' }, 2)])
    const row = ['99.77', '98.76', '98.56', '0.0139', '0.0432', '0.0452', '0.0866', '0.1593', '0.1613']
    expect(rowsOf(html, TABLE_1)[0]).toEqual(['snake', '3', ...row, '0.1192', '0.2604', '0.2624'])
    const leftOut = ['97.53', '97.33', '91.35', '91.15', '0.358', '0.360', '1,500,000', '1,500,002', '10.0', '12.0']
    expect(rowsOf(html, LEFT_OUT)[0]).toEqual(['snake', '3', '12.3', '1, 1', ...leftOut])
    expect(html).not.toMatch(/undefined|NaN|null/)
  })

  it('leaves cells empty that nobody trained, and has rows for those that nobody asked for', () => {
    const html = pageOf([madeNetwork({ modes: 4 }), madeNetwork({ body: 'spring', modes: 8, method: 'ours' })])
    const rows = rowsOf(html, TABLE_1)
    expect(rows.map(([body, modes]) => `${body} ${modes}`)).toEqual([
      ...['snake 3', 'snake 4', 'snake 5', 'snake 7', 'bunny 3', 'bunny 5', 'bunny 7'],
      ...['bracelet 3', 'bracelet 5', 'bracelet 7', 'spring 8'],
    ])
    expect(rows[0].slice(2, 5)).toEqual(['99.77', '–', '–'])
    expect(rows[1].slice(2, 5)).toEqual(['99.62', '98.76', '–'])
    expect(rows[10].slice(2, 5)).toEqual(['–', '–', '98.76'])
  })

  it('has mean and interval of several seeds, and how many they are', () => {
    const cells = [0, 1, 2].map((step) => madeNetwork({ seed: step + 1 }, step))
    const html = pageOf(cells)
    // 98.764, 98.664, 98.564: half of the interval is 4.303 * 0.1 / sqrt(3).
    expect(rowsOf(html, TABLE_1)[0][3]).toBe('98.66 ±\u00a00.24')
    const [, , , seeds, , , , , largest] = rowsOf(html, LEFT_OUT)[0]
    expect([seeds, largest]).toEqual(['3, 0', '0.360'])
  })

  it('never rounds up to all signs right', () => {
    const { quality } = madeNetwork({})
    const html = pageOf([madeNetwork({ quality: { ...quality, signAccuracy: 0.99999 } })])
    expect(rowsOf(html, TABLE_1)[0][3]).toBe('99.99')
  })

  it('draws accuracy against exact tests, slices and the grid', () => {
    const networks = [3, 5].flatMap((modes) =>
      (['paper', 'ours'] as const).map((method) => madeNetwork({ body: 'bracelet', modes, method })),
    )
    const grid = [10, 70].flatMap((width) => [1, 2].map((layers) => madeGrid({ width, layers })))
    const html = pageOf(networks, { grid })
    const labels = [...html.matchAll(/<svg[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)
    expect(labels).toEqual([
      ...['3 modes', '5 modes', 'snake, 1 hidden layer', 'snake, 2 hidden layers'],
      ...[3, 5].flatMap((n) => [`exact, ${n} modes`, `the paper's method, ${n} modes`, `ours, ${n} modes`]),
    ])
    expect(rowsOf(html, 'Accuracy against')[0]).toEqual([
      "bracelet, 3 modes, the paper's method",
      ...['98.76', '99.38', '99.69', '99.84', '99.92'],
    ])
  })

  it('shows images as the files say, exact beside learned, and names those that nobody learned', () => {
    const network = { layers: 2, width: 70 }
    const images = [
      madeImage({ method: 'ours', network }, 2),
      madeImage({ method: 'ours', hidden: [64, 64, 64, 64], activation: 'silu' }, 1),
      madeImage({}),
    ]
    const html = pageOf([], { images })
    const rows = rowsOf(html, FIG_6)
    const paper = ['97.53', '86.42', '0.0123', '0.1739', '0.1128', '0.1604']
    expect(rows[0]).toEqual(["pear, the paper's method", '2 x 70 ReLU', '1,250,000', '10,000', ...paper])
    expect(rows.map(([name, network, labels]) => [name, network, labels]).slice(1)).toEqual([
      ['pear, ours', '4 x 64 SiLU', '1,250,001'],
      ['pear, ours', '2 x 70 ReLU', '1,250,002'],
    ])
    expect(html).toContain('aria-label="pear, exact"')
    expect(html).toContain('ours, 4 x 64 SiLU: 97.43% right, 1,250,001 labels')
    expect(html).toContain('Not learned yet: image-leaf-paper, image-leaf-ours, image-leaf-ours-2x70 (')
    expect(html).not.toMatch(/undefined|NaN|null/)
  })

  it('names what is missing, and what is marked as bad', () => {
    expect(pageOf([madeNetwork({ fault: 'no < better' })])).toContain(
      'snake-3-paper-1 is marked as bad: no &lt; better.',
    )
    expect(pageOf([], { missing: ['snake-7-ours-1'] })).toContain('Not trained yet: snake-7-ours-1')
  })
})

it('cells that are committed are what their files are named, in full, and the page can be made of them', () => {
  const cells = committedCells('cspace') as CellResult[]
  const folder = new URL('../../../../../bench/cells/cspace/', import.meta.url)
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  expect(files).toEqual(cells.map((cell) => `${nameOfCell(cell)}.json`))
  const networks = cells.filter((cell) => cell.kind === 'network')
  const images = cells.filter((cell) => cell.kind === 'image')
  for (const { quality } of networks) expect(quality.codes).toBe(50_000)
  for (const { points } of images) expect(points).toBe(50_000)
  expect(pageOf(networks, { images })).not.toMatch(/undefined|NaN|null/)
})

/** The other kinds are trained in cells/run-cells.test.ts. */
it('a quick run trains cells, draws the page and leaves no result behind', async () => {
  const before = existsSync(CELLS_FOLDER) && readdirSync(CELLS_FOLDER)
  const { inputs, run } = cspace.page!
  const { given } = await inputs!.read({ cells: 'grid-bracelet-2-1x10', threads: '1' }, {} as never)
  const { result, html, notes } = await run({ ...RUN, ...given, quick: true })
  const { grid, missing, missingImages } = result as CspacePageResult
  expect(grid).toMatchObject([{ body: 'bracelet', layers: 1, width: 10, iterations: 2, labels: 2000, codes: 500 }])
  expect(missing).toContain('bracelet-3-paper-1')
  expect(missingImages).toContain('image-pear-paper')
  expect(html).toContain('aria-label="bracelet, 1 hidden layer"')
  expect(notes).toContain('trained grid-bracelet-2-1x10')
  expect(existsSync(CELLS_FOLDER) && readdirSync(CELLS_FOLDER)).toEqual(before)
})

it("a user's picture is on the page beside the cells, and is kept nowhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-own-'))
  try {
    const path = join(folder, 'dot.png')
    const size = 16
    const isInk = (i: number): boolean => Math.hypot((i % size) - 7.5, Math.floor(i / size) - 7.5) < 5
    const rgb = Uint8Array.from({ length: 3 * size ** 2 }, (_, i) => (isInk(Math.floor(i / 3)) ? 0 : 255))
    writeFileSync(path, encodePng(size, size, rgb))
    const results = join(folder, 'cells')
    const leaf = madeImage({ image: 'leaf' })
    await writeCellFile(results, nameOfCell(leaf), leaf)
    const { given } = await cspace.page!.inputs!.read({ image: path }, {} as never)
    const learned: string[] = []
    const { result, html, notes } = await reproduceCspace(
      { ...RUN, ...given, results, quick: true },
      async ({ name }, { method, options }) => {
        learned.push(name)
        return madeImage({}, 'iterations' in options && method === 'paper' ? options.iterations[0] : 0)
      },
    )
    const { own, trained } = result
    expect(learned).toEqual(['dot.png', 'dot.png'])
    expect(own).toMatchObject({ name: 'dot.png', quick: true, rows: [{ method: 'paper' }, { method: 'ours' }] })
    // Pixels are 0.1125 wide; of those that are white, the nearest has a corner 4 to the side and 2 up.
    expect(own?.exact[50][50]).toBeCloseTo(-0.1125 * Math.hypot(4, 2), 3)
    expect(trained).toEqual([])
    expect(rowsOf(html, FIG_6).map(([name]) => name)).toEqual([
      ...["dot.png (a first look), the paper's method", 'dot.png (a first look), ours', "leaf, the paper's method"],
    ])
    // Twenty iterations of the paper's method.
    expect(notes[0]).toBe("learned dot.png: the paper's method 95.53% of signs right, ours 97.53%")
    expect(readdirSync(results)).toEqual(['image-leaf-paper.json'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('what the page takes', () => {
  const read = (values: Record<string, string>) => cspace.page!.inputs!.read(values, {} as never)
  it.each([
    [{ cells: 'cat' }, "there is no cell 'cat'"],
    [{ again: '' }, '--again is given without --cells; name the cells to train again.'],
    [{ image: 'nowhere.png' }, 'cannot read --image nowhere.png (ENOENT); check the path.'],
    [{ image: 'package.json' }, 'package.json: not a PNG; save the picture as one.'],
    [{ cells: 'all', threads: '1.5' }, "--threads is '1.5'; pass a whole number"],
  ])('%j is refused', async (values, message) => {
    await expect(read(values)).rejects.toThrow(message)
  })

  it('nothing: the page alone', async () => {
    expect(await read({})).toEqual({
      given: { cells: undefined, again: false, threads: undefined, image: undefined },
    })
  })
})
