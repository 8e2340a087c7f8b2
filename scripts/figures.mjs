/**
 * Puts measured figures into the README, from the files that `pliant bench SUITE --save` wrote: nobody types them.
 * `node scripts/figures.mjs` rewrites the part between the marks; `--check` fails if it would change.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

function origin({ suite, date, machine, commit }) {
  const version = commit ? `, commit ${commit.slice(0, 7)}${commit.endsWith(' dirty') ? ' with changes' : ''}` : ''
  return `*${date.slice(0, 10)}${version}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; \`npx pliant bench ${suite}\`, [all figures](bench/results/${suite}.json).*`
}

/** What the rivals are called; all of them follow the same change of shape and give as much as ours. */
const RIVALS = {
  exact: 'our exact',
  exactDistance: 'our exact, distances alone',
  exactPseudonormal: 'our exact, sign by pseudonormal',
  exactStop: 'our exact, stopping at the band',
  threeMeshBvh: 'three-mesh-bvh',
  threeMeshBvhStop: 'three-mesh-bvh, stopping at the band',
  threeMeshBvhRebuild: 'three-mesh-bvh, rebuilt',
  staticGeometry: 'StaticGeometryGenerator + refit',
}

/** Our gain over the fastest of the rivals that the run has; rivals are named by keys of `times`. */
function gainOver(times, ours, rivals) {
  const timed = rivals.filter((name) => times[name] !== undefined)
  const fastest = timed.reduce((best, name) => (times[name] < times[best] ? name : best))
  return { rival: fastest, gain: times[fastest] / times[ours] }
}
const gainCell = ({ rival, gain }) => `${round(gain, 2)}x (${RIVALS[rival]})`

/** The smallest of those that the run has. */
const fastestOf = (...times) => Math.min(...times.filter((time) => time !== undefined))

/** A mean with its interval over seeds, where there were several. */
function intervalText({ mean, low, high }, scale = 1) {
  const at = (value) => `${round(scale * value, 2)}%`
  return low === undefined ? at(mean) : `${at(mean)} (${at(low)} to ${at(high)})`
}

function barSection(file) {
  const { result } = file
  const { quality, error } = result
  const rows = result.rows.map((row) => {
    // The first results had the times beside the count.
    const time = row.microseconds ?? row
    return [
      row.count.toLocaleString('en'),
      row.points,
      `${round(time.learned)} us`,
      `${round(fastestOf(time.exact, time.exactPseudonormal, time.exactStop))} us`,
      `${round(fastestOf(time.threeMeshBvh, time.threeMeshBvhStop))} us`,
      gainCell(
        gainOver(time, 'learned', ['exact', 'exactPseudonormal', 'exactStop', 'threeMeshBvh', 'threeMeshBvhStop']),
      ),
    ]
  })
  const mean = error ? intervalText(error, 100 / quality.diagonal) : percent(quality.bandError.mean, quality.diagonal)
  const seeds = error ? ` with each of ${error.seeds.length} seeds (in brackets: 95% interval)` : ''
  return `### The built-in bar, bent anew each frame
Learned from ${result.triangles.toLocaleString('en')} triangles and 3 modes into ${round(result.artifactBytes / 1000)} kB and ${result.multiplications.toLocaleString('en')} multiplications per query. On ${quality.poses} poses never trained on${seeds}, within the band (${bandText(quality)}): mean error ${mean} of the diagonal off the surface, 95% of points below ${percent(quality.bandError.p95, quality.diagonal)}, the largest ${percent(quality.bandError.max, quality.diagonal)}; sign right on ${round(100 * quality.signAccuracy, 5)}% of points further than 0.5% away; normals off by ${round(quality.normalError.p50, 2)} degrees in the median and ${round(quality.normalError.p95, 2)} at 95%.${beyondText(quality)}

${table(['points', 'where', 'learned', 'our exact field', 'three-mesh-bvh refit', 'gain over the fastest'], rows)}

One frame: the change of shape and all queries with sign and normal, one thread; learned runs on SIMD, the others in JavaScript, each at its fastest setting in the row. ${origin(file)}`
}

/** @param quality as a file has it */
function bandText({ beyond, diagonal }) {
  return beyond ? `${percent(beyond.from, diagonal)} of the diagonal from the surface` : 'about 5% of the size'
}

function beyondText({ beyond, diagonal }) {
  if (!beyond) return ''
  return ` Beyond the band, where ${round(100 * beyond.share, 2)}% of points anywhere in the domain lie: ${percent(beyond.mean, diagonal)} off in the mean, and up to ${percent(beyond.maxTooFar, diagonal)} too far away.`
}

function clothSection(file) {
  const { character, network, fields, queries, crowd, step, endurance } = file.result
  const drapes = file.result.drapes ?? (file.result.drape ? [file.result.drape] : [])
  const whole = (value) => value.toLocaleString('en')
  const us = (value) => `${round(value)} us`
  const hasBeyond = fields.rows[0].beyond !== undefined
  const fieldRows = fields.rows.map((row) => [
    row.field === 'exact' ? 'our exact field' : row.field,
    intervalText(row.error),
    row.error.max === undefined ? '' : `${round(row.error.max, 2)}%`,
    `${round(row.sign, 4)}%`,
    `${round(row.normalError.median, 2)} / ${round(row.normalError.p95, 2)}`,
    ...(hasBeyond ? [`${round(row.beyond.mean, 2)}% / ${round(row.beyond.maxTooFar, 2)}%`] : []),
    us(row.uniform),
    us(row.near),
  ])
  const exact = ['exact', 'exactPseudonormal', 'exactStop', 'threeMeshBvh', 'threeMeshBvhStop', 'staticGeometry']
  const queryRows = queries.map(({ points, count, microseconds: time }) => [
    whole(count),
    points,
    us(time.learned),
    us(fastestOf(time.paper, time.paperOrt)),
    us(time.boneGrids),
    us(time.capsules),
    us(fastestOf(time.exact, time.exactPseudonormal, time.exactStop)),
    us(fastestOf(time.threeMeshBvh, time.threeMeshBvhStop)),
    gainCell(gainOver(time, 'learned', exact)),
  ])
  const easier = (fields.clips ?? [])
    .filter(({ clip }) => clip !== fields.clip)
    .map(({ clip, rows: [learned] }) => `on ${clip} ours has ${round(learned.error.mean, 2)}%`)
  const judges = fields.clips
    ? `${fields.poses} poses of ${fields.clip}, never trained on, with each of ${fields.seeds.length} seeds${easier.length > 0 ? ` (the harder clip: ${easier.join(', ')})` : ''}`
    : `${fields.poses} poses of ${character.heldOut.join(', ')}, never trained on`
  const band = hasBeyond
    ? ` within ${round(fields.band.width, 2)}% of it from the surface; mean with its 95% interval, and the largest; beyond that band, where ${round(fields.band.beyond, 2)}% of points anywhere near the body lie: mean error, and how much too far away at most`
    : ', within 5% of it from the surface'
  const crowdTimes = Object.fromEntries(Object.entries(crowd.methods).map(([name, { frame }]) => [name, frame]))
  const crowdGain = gainOver(crowdTimes, 'learned', exact)
  const paper = network.paperTrained ? "the paper's network" : "the paper's 8 x 128, untrained"
  const parts = [
    `### A character, posed anew each frame
${whole(character.triangles)} triangles, ${character.bones} bones, ${whole(network.multiplications)} multiplications per query. Error on ${judges}, in % of the height${band}; normals in degrees, median / 95%; time of a pose and ${whole(fields.queries)} queries. Learned runs on SIMD; grids, capsules and exact fields are plain JavaScript, which a SIMD version of theirs would beat:

${table(['field', 'mean error', 'largest', 'right sign', 'normals', ...(hasBeyond ? ['beyond the band'] : []), 'uniform', 'near'], fieldRows)}

A pose and N queries with sign and normal, one thread, each rival in its fastest engine and setting; *gain* is over the fastest that is as exact as ours, which bone grids and capsules are not:

${table(['points', 'where', 'learned', paper, 'bone grids', 'capsules', 'skinning + our exact field', 'skinning + three-mesh-bvh refit', 'gain'], queryRows)}

- A crowd of ${crowd.characters}, each with its own pose and ${crowd.queriesEach} queries: **${round(crowdTimes.learned)} ms** a frame, clips included; the fastest rival, skinning + ${RIVALS[crowdGain.rival]}, ${round(crowdTimes[crowdGain.rival])} ms, ${round(crowdGain.gain, 2)}x.
- A whole cloth step, ${whole(step.clothVertices)} vertices on the moving body, clip and all contacts: **${round(step.learned.median)} ms** (${round(step.learned.max)} at most); Rapier 0.21 soft bodies ${round(step.rapier.median)} ms (${round(step.rapier.max)}), ${round(step.ratio, 2)}x.`,
  ]
  for (const drape of hardestFirst(drapes)) {
    const depths = Object.entries(drape.methods).map(([name, { penetration, margin }]) => {
      const kept = margin === undefined ? '' : margin > 0 ? `, kept ${round(margin, 2)}% off` : ', no margin'
      return `${DRAPED[name]} ${round(penetration.deepest, 2)}% (${penetration.longestRun} ${penetration.longestRun === 1 ? 'frame' : 'frames'}${kept})`
    })
    const times = drape.starts > 1 ? ` from each of ${drape.starts} moments` : ''
    const margins =
      drape.starts === undefined
        ? ''
        : ', each field without a margin or with the one that its own error asks for, whichever does better'
    parts.push(
      `- A ${drape.garment} over ${round(drape.frames / 60)} s of ${drape.clip}${times}: deepest vertex inside the exact body in % of the height, and the longest that one stays deeper than 1%${margins}: ${depths.join(', ')}.`,
    )
  }
  if (endurance) {
    parts.push(
      `- Coordinates that were not finite in ${round(endurance.seconds / 60)} minutes of a garment at ${endurance.speed}x: ${endurance.notFinite}.`,
    )
  }
  return `${parts.join('\n')}

${origin(file)}`
}

const DRAPED = {
  learned: 'learned',
  exact: 'exact',
  boneGrids: 'bone grids',
  fittedGrids: 'fitted bone grids',
  capsules: 'capsules',
}

function hardestFirst(drapes) {
  const deepest = ({ methods }) => methods.learned.penetration.deepest
  return [...drapes].sort((a, b) => deepest(b) - deepest(a))
}

function hapticsSection(file) {
  const { body, network, quality, queries, triangles, touch } = file.result
  const whole = (value) => value.toLocaleString('en')
  const ms = (value) => `${round(value)} ms`
  const field = { learned: 'learned', paper: "the paper's network" }
  const hasBeyond = quality.rows[0].beyond !== undefined
  const qualityRows = quality.rows.map((row) => [
    field[row.field],
    row.material,
    row.shapes,
    intervalText(row.error),
    row.error.max === undefined ? '' : `${round(row.error.max, 2)}%`,
    `${round(row.error.surface, 2)}%`,
    `${round(row.sign, 4)}%`,
    `${round(row.normalError.median, 2)} / ${round(row.normalError.p95, 2)}`,
    ...(hasBeyond ? [`${round(row.beyond.mean, 2)}% / ${round(row.beyond.maxTooFar, 2)}%`] : []),
  ])
  const trees = ['exact', 'exactPseudonormal', 'threeMeshBvh', 'threeMeshBvhRebuild']
  const stopping = ['exactStop', 'threeMeshBvhStop']
  const queryRows = queries.map(({ points, count, milliseconds: time }) => [
    whole(count),
    points,
    ...[time.learned, time.learnedGradient, time.learnedGradientTriangle].map(ms),
    ms(fastestOf(time.paper, time.paperOrt)),
    time.exact === undefined ? '' : ms(fastestOf(time.exact, time.exactPseudonormal)),
    ms(fastestOf(time.threeMeshBvh, time.threeMeshBvhRebuild)),
    gainCell(gainOver(time, 'learned', ['exactDistance', ...trees, ...stopping])),
    gainCell(gainOver(time, 'learnedGradient', [...trees, ...stopping])),
    gainCell(gainOver(time, 'learnedGradientTriangle', trees)),
  ])
  const { learned, exact } = touch
  const seeds = quality.seeds
    ? `${quality.rows[0].poses} poses of drops never trained on, by ${quality.seeds.length} seeds (in brackets: 95% interval by seeds)`
    : `${quality.rows[0].poses} poses of drops never trained on, of one seed`
  const band = hasBeyond
    ? `, within ${round(quality.band.width, 2)}% of it from the surface; beyond that band, where ${round(quality.band.beyond, 2)}% of points anywhere in the domain lie: mean error, and how much too far away at most`
    : ', within 5% of it from the surface'
  return `### An elastic body, deformed anew each step
${whole(body.nodes)} nodes, ${whole(body.tetrahedra)} tetrahedra, ${whole(body.triangles)} triangles outside; ${round(network.artifactBytes / 1000)} kB, ${whole(network.multiplications.learned.query)} multiplications per query (the paper's network: ${whole(network.multiplications.paper.query)}). Errors on ${seeds}, in % of the diagonal${band}; the material of run time is softer and lighter than the body's own. Ours was trained in many materials, among which it lies, the paper's network in the body's own alone, as in the paper:

${table(['field', 'material of', 'shapes', 'mean error', 'largest', 'on the surface', 'right sign', 'normals', ...(hasBeyond ? ['beyond the band'] : [])], qualityRows)}

A step and N queries, one thread: nodes moved, the field posed or the tree refitted, distances found; each rival in its fastest engine and setting. Trees give distance, normal and triangle in one search. *Gain* is over the fastest rival that gives the same: distances alone, with normals, with normals and triangles:

${table(['points', 'where', 'learned', 'with normals', 'with normals and triangles', network.paperTrained ? "the paper's network, distances" : "the paper's 8 x 128, untrained, distances", 'our exact field, all', 'three-mesh-bvh, all', 'gain, distances', 'with normals', 'with triangles'], queryRows)}

- Native libraries were measured apart ([notes](docs/notes/haptics-bench.md)): Embree, whose refit of this body takes 17 us, is ahead of ours up to some 50 queries, and with triangle ids at every number; FCPW takes 1.2 to 2.7 times as long as ours with normals, 1.0 to 2.1 if it stops at the band.
- Nearest triangles of ${whole(triangles.equality.queries)} queries beside the paper's scan of all triangles; ${whole(triangles.equality.sameTriangle.hinted)} the same triangle, ${whole(triangles.equality.sameDistance.hinted)} the same distance to the last bit.
- A soft hand that presses and slides, ${touch.frames} frames: **${ms(learned.total)}** a frame for all of it (body ${ms(learned.parts.body)}, hand ${ms(learned.parts.tool)}, field and triangles ${ms(learned.parts.pose + learned.parts.queries + learned.parts.triangles)}), ${ms(exact.total)} with the exact field; deepest ${round(learned.deepest, 2)}% of the diagonal inside the exact surface, ${round(exact.deepest, 2)}% with the exact field; the force's jerk is ${round(touch.jerkRatio, 2)} of the exact field's.

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

/** @param read gives a suite's file by its name, as `pliant bench SUITE --save` writes it now or wrote it before */
export function figuresText(read) {
  return [
    barSection(read('bar')),
    clothSection(read('cloth')),
    hapticsSection(read('haptics')),
    exactSection(read('exact')),
    kernelSection(read('kernels')),
    trainSection(read('train')),
  ].join('\n\n')
}

function updateReadme(onlyCheck) {
  const readme = join(root, 'README.md')
  const text = readFileSync(readme, 'utf8')
  const [before, rest] = text.split(START)
  const after = rest.split(END)[1]
  const updated = `${before}${START}\n${figuresText(read)}\n${END}${after}`
  if (!onlyCheck) return writeFileSync(readme, updated)
  if (updated === text) return console.log('README figures match bench/results')
  console.error('README figures differ from bench/results; run `node scripts/figures.mjs`.')
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) updateReadme(process.argv.includes('--check'))
