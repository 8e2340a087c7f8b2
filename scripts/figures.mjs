/**
 * Puts measured figures into the README, from the files that `pliant bench SUITE --save` wrote: nobody types them.
 * `node scripts/figures.mjs` rewrites the part between the marks; `--check` fails if it would change.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const START = '<!-- figures -->'
const END = '<!-- /figures -->'

const read = (suite) => JSON.parse(readFileSync(join(root, 'bench', 'results', `${suite}.json`), 'utf8'))
const round = (value, digits = 3) =>
  Number(value.toPrecision(digits)).toLocaleString('en', { maximumFractionDigits: 4 })
const percent = (value, whole) => `${round((100 * value) / whole, 2)}%`

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function origin({ suite, date, machine }) {
  return `*${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; \`npx pliant bench ${suite}\`, [all figures](bench/results/${suite}.json).*`
}

function barSection(file) {
  const { result } = file
  const { quality } = result
  const rows = result.rows.map((row) => [
    row.count.toLocaleString('en'),
    row.points,
    `${round(row.learned)} us`,
    `${round(row.threeMeshBvh)} us`,
    `${round(row.exact)} us`,
    `${round(row.ratio, 2)}x`,
  ])
  return `### The built-in bar, bent anew each frame
Learned from ${result.triangles.toLocaleString('en')} triangles and 3 modes into ${round(result.artifactBytes / 1000)} kB and ${result.multiplications.toLocaleString('en')} multiplications per query. On ${quality.poses} poses never trained on: mean error ${percent(quality.bandError.mean, quality.diagonal)} of the diagonal off the surface (95% of points below ${percent(quality.bandError.p95, quality.diagonal)}), sign right on ${round(100 * quality.signAccuracy, 5)}% of points further than 0.5% away, normals off by ${round(quality.normalError.p50, 2)} degrees in the median and ${round(quality.normalError.p95, 2)} at 95%.

${table(['points', 'where', 'learned, with normals', 'three-mesh-bvh refit, unsigned', 'our exact, signed', 'gain'], rows)}

One frame: the change of shape and all queries, one thread. *Gain* is three-mesh-bvh against learned. ${origin(file)}`
}

/** Where the poses come from that a character was judged on. */
function judges({ heldOut }) {
  return heldOut.length > 0
    ? heldOut.join(', ')
    : 'the clips it was trained on, with 20 degrees of noise on every joint'
}

function characterSection(file) {
  const { result } = file
  const rows = result.rows.map((row) => [
    row.count.toLocaleString('en'),
    row.points,
    `${round(row.learned)} us`,
    `${round(row.boneGrids)} us`,
    `${round(row.capsules)} us`,
    `${round(row.threeMeshBvh)} us`,
    `${round(row.ratio, 2)}x`,
  ])
  const share = (name) => percent(result.quality[name].bandError.mean, result.height)
  return `### A human body, posed anew each frame
${result.triangles.toLocaleString('en')} triangles, ${result.bones} bones, ${result.multiplications.toLocaleString('en')} multiplications per query. Mean error on ${result.quality.learned.poses} poses of ${judges(result)}, in % of the height: learned ${share('learned')}, rigid grids per bone ${share('boneGrids')}, fitted capsules ${share('capsules')}. A clip that was not trained on, and what it decided: [docs/notes/character.md](docs/notes/character.md).

${table(['points', 'where', 'learned, with normals', 'bone grids', 'capsules', 'skinning + three-mesh-bvh refit', 'gain'], rows)}

*Gain* is the refitted tree, which answers unsigned, against learned; one thread. ${origin(file)}`
}

function exactSection(file) {
  const { result } = file
  const rows = [
    ...result.distance.map((row) => [
      `signed distance, ${row.points} points, ${result.triangles.toLocaleString('en')} triangles`,
      `${round(row.signed)} us`,
      `${round(row.threeMeshBvh)} us (three-mesh-bvh, unsigned)`,
    ]),
    ...result.selfIntersection.map((row) => [
      `self-intersection, all pairs, ${row.shape} shape`,
      `${round(row.all)} ms`,
      `${round(row.bvhcastRanges)} ms (bvhcast, ranges), ${round(row.bvhcastTriangles)} ms (bvhcast, triangles)`,
    ]),
    [
      'exact labels a second, 2 workers',
      Math.round(result.labels.rows.at(-1).labelsPerSecond).toLocaleString('en'),
      `${Math.round(result.labels.rows[0].labelsPerSecond).toLocaleString('en')} with 1 worker`,
    ],
  ]
  return `### Exact geometry\n${table(['', 'ours', 'beside it, same run'], rows)}\n\n${origin(file)}`
}

function kernelSection(file) {
  const { result } = file
  const pick = (network, backend, threads, count, pass) =>
    result.rows.find(
      (row) =>
        row.network === network &&
        row.backend === backend &&
        row.threads === threads &&
        row.count === count &&
        row.pass === pass,
    )
  const backends = [...new Set(result.rows.map((row) => `${row.backend}/${row.threads}`))]
  const rows = ['4x64', '8x128'].flatMap((network) =>
    backends.map((key) => {
      const [backend, threads] = key.split('/')
      const at = (count, pass) => pick(network, backend, Number(threads), count, pass)
      const one = at(1, 'gradient')
      const cell = (row) => (row ? round(row.gflops) : '')
      return [
        network,
        `${backend}, ${threads} thread${threads === '1' ? '' : 's'}`,
        one ? `${round(one.microsecondsPerPoint)} us` : '',
        cell(at(16, 'gradient')),
        cell(at(512, 'gradient')),
        cell(at(16384, 'gradient')),
      ]
    }),
  )
  return `### Inference kernels, value and gradient\n${table(['network', 'backend', 'one point', 'GFLOP/s at 16', 'at 512', 'at 16,384'], rows)}\n\n${origin(file)}`
}

function trainSection(file) {
  const { result } = file
  const rows = result.rows.map((row) => [
    row.threads,
    `${round(row.l1.gflops)} (${percent(row.l1.peakShare, 1)} of the peak)`,
    `${round(row.eikonal.gflops)} (${percent(row.eikonal.peakShare, 1)})`,
    round(row.peakGflops),
  ])
  return `### Training, ${result.network}, batch ${result.batch.toLocaleString('en')}\n${table(['threads', 'L1 step, GFLOP/s', 'eikonal step', 'matrix product peak'], rows)}\n\n${origin(file)}`
}

const readme = join(root, 'README.md')
const text = readFileSync(readme, 'utf8')
const [before, rest] = text.split(START)
const after = rest.split(END)[1]
const sections = [
  barSection(read('bar')),
  characterSection(read('character')),
  exactSection(read('exact')),
  kernelSection(read('kernels')),
  trainSection(read('train')),
]
const updated = `${before}${START}\n${sections.join('\n\n')}\n${END}${after}`
if (process.argv.includes('--check')) {
  if (updated === text) console.log('README figures match bench/results')
  else {
    console.error('README figures differ from bench/results; run `node scripts/figures.mjs`.')
    process.exitCode = 1
  }
} else {
  writeFileSync(readme, updated)
}
