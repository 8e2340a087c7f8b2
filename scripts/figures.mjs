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

function clothSection(file) {
  const { character, network, fields, queries, crowd, step, drape, endurance } = file.result
  const whole = (value) => value.toLocaleString('en')
  const us = (value) => `${round(value)} us`
  const fieldRows = fields.rows.map((row) => [
    row.field,
    `${round(row.error.mean, 2)}%`,
    `${round(row.sign, 4)}%`,
    `${round(row.normalError.median, 2)} / ${round(row.normalError.p95, 2)}`,
    us(row.uniform),
    us(row.near),
  ])
  const queryRows = queries.map(({ points, count, microseconds: time, ratio }) => [
    whole(count),
    points,
    ...[time.learned, time.paper, time.boneGrids, time.capsules, time.staticGeometry, time.threeMeshBvh].map(us),
    `${round(ratio, 2)}x`,
  ])
  const judges =
    character.heldOut.length > 0
      ? `${character.heldOut.join(', ')}, never trained on`
      : 'the clips it was trained on, with 20 degrees of noise on every joint'
  const { learned, threeMeshBvh } = crowd.methods
  const parts = [
    `### A character, posed anew each frame
${whole(character.triangles)} triangles, ${character.bones} bones, ${whole(network.multiplications)} multiplications per query. Error on ${fields.poses} poses of ${judges}, in % of the height; normals in degrees, median / 95%; time of a pose and ${whole(fields.queries)} queries:

${table(['field', 'mean error', 'right sign', 'normals', 'uniform', 'near'], fieldRows)}

A pose and N queries with sign and normal, one thread; *gain* is skinning + three-mesh-bvh refit + closest point against learned:

${table(['points', 'where', 'learned', network.paperTrained ? "the paper's network" : "the paper's 8 x 128, untrained", 'bone grids', 'capsules', 'StaticGeometryGenerator + refit', 'skinning + refit', 'gain'], queryRows)}

- A crowd of ${crowd.characters}, each with its own pose and ${crowd.queriesEach} queries: **${round(learned.frame)} ms** a frame, clips included; skinning + refit ${round(threeMeshBvh.frame)} ms, ${round(crowd.ratio, 2)}x.
- A whole cloth step, ${whole(step.clothVertices)} vertices on the moving body, clip and all contacts: **${round(step.learned.median)} ms** (${round(step.learned.max)} at most); Rapier 0.21 soft bodies ${round(step.rapier.median)} ms (${round(step.rapier.max)}), ${round(step.ratio, 2)}x.`,
  ]
  if (drape) {
    const drapes = Object.entries(drape.methods).map(
      ([name, { penetration }]) =>
        `${name} ${round(penetration.deepest, 2)}% (${penetration.longestRun} ${penetration.longestRun === 1 ? 'frame' : 'frames'})`,
    )
    parts.push(
      `- A ${drape.garment} over ${round(drape.frames / 60)} s of ${drape.clip}: deepest vertex inside the exact body in % of the height, and the longest that one stays deeper than 1%: ${drapes.join(', ')}. Coordinates that were not finite in ${round(endurance.seconds / 60)} minutes at ${endurance.speed}x: ${endurance.notFinite}.`,
    )
  }
  return `${parts.join('\n')}

${origin(file)}`
}

function hapticsSection(file) {
  const { body, network, quality, queries, triangles, touch } = file.result
  const whole = (value) => value.toLocaleString('en')
  const ms = (value) => `${round(value)} ms`
  const field = { learned: 'learned', paper: "the paper's network" }
  const qualityRows = quality.rows.map((row) => [
    field[row.field],
    row.material,
    row.shapes,
    `${round(row.error.mean, 2)}%`,
    `${round(row.error.surface, 2)}%`,
    `${round(row.sign, 4)}%`,
    `${round(row.normalError.median, 2)} / ${round(row.normalError.p95, 2)}`,
  ])
  const queryRows = queries.map(({ points, count, milliseconds: time, ratios }) => [
    whole(count),
    points,
    ...[
      time.learned,
      time.learnedGradient,
      time.learnedGradientTriangle,
      time.paper,
      time.threeMeshBvh,
      time.threeMeshBvhRebuild,
    ].map(ms),
    `${round(ratios.learned, 2)}x`,
  ])
  const { learned, exact } = touch
  return `### An elastic body, deformed anew each step
${whole(body.nodes)} nodes, ${whole(body.tetrahedra)} tetrahedra, ${whole(body.triangles)} triangles outside; ${round(network.artifactBytes / 1000)} kB, ${whole(network.multiplications.learned.query)} multiplications per query (the paper's network: ${whole(network.multiplications.paper.query)}). Errors on ${quality.rows[0].poses} poses of drops never trained on, in % of the diagonal; the material of run time is softer and lighter than the body's own. Ours was trained in many materials, among which it lies, the paper's network in the body's own alone, as in the paper:

${table(['field', 'material of', 'shapes', 'mean error', 'on the surface', 'right sign', 'normals'], qualityRows)}

A step and N queries, one thread: nodes moved, the field posed or the tree refitted, distances found. *Gain* is three-mesh-bvh refit (closest point and sign) against learned distances:

${table(['points', 'where', 'learned', 'with normals', 'with normals and triangles', network.paperTrained ? "the paper's network" : "the paper's 8 x 128, untrained", 'three-mesh-bvh refit', 'rebuild', 'gain'], queryRows)}

- Nearest triangles of ${whole(triangles.equality.queries)} queries beside the paper's scan of all triangles; ${whole(triangles.equality.sameTriangle.hinted)} the same triangle, ${whole(triangles.equality.sameDistance.hinted)} the same distance to the last bit.
- A soft hand that presses and slides, ${touch.frames} frames: **${ms(learned.total)}** a frame for all of it (body ${ms(learned.parts.body)}, hand ${ms(learned.parts.tool)}, field and triangles ${ms(learned.parts.pose + learned.parts.queries + learned.parts.triangles)}); deepest ${round(learned.deepest, 2)}% of the diagonal inside the exact surface, ${round(exact.deepest, 2)}% with the exact field; the force's jerk is ${round(touch.jerkRatio, 2)} of the exact field's.

${origin(file)}`
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
  clothSection(read('cloth')),
  hapticsSection(read('haptics')),
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
