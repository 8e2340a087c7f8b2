/**
 * Section 4.2 of Zesch et al., cloth on a skinned character, theirs beside ours: the setting, level sets (Fig. 5), query
 * time (Fig. 6), and what the paper does not report: errors, rivals, a crowd, the cloth itself.
 */
import type { BodyField } from 'pliant/sim'
import { progressWithin } from 'pliant/unstable'
import type { DrapeResult } from '../../drape/drape.js'
import type { CharacterGiven } from '../../inputs/character.js'
import { type CurvePoint, drawCurves, drawLegend } from '../../pages/charts.js'
import {
  count,
  escapeHtml,
  type PageSection,
  renderFigure,
  renderPage,
  renderTable,
  runLine,
} from '../../pages/page.js'
import { pickPoses, posedPictures } from '../../pages/posed-pictures.js'
import type { ReproduceOptions } from '../../suite/suite.js'
import type { QueryMethod } from './rivals.js'
import { benchCloth, type ClothBenchResult } from './run.js'
import { disposeSubject, loadSubject } from './subject.js'

export interface ClothReproduction {
  /** All figures on the page. */
  result: ClothBenchResult
  html: string
}

const POSES = 3
/** Share of the progress that measuring takes; the rest is pictures. */
const MEASURING = 0.9

export async function reproduceCloth(options: ReproduceOptions & CharacterGiven): Promise<ClothReproduction> {
  const { signal, onProgress } = options
  const result = await benchCloth({
    ...options,
    onProgress: progressWithin(onProgress, 0, MEASURING),
  })
  const subject = await loadSubject(options.artifact!, options.clips, options.paper)
  try {
    const { character, heldOut } = subject.artifact
    const fields: Record<string, BodyField> = { Pliant: subject.learned }
    if (subject.paper.trained) fields["the paper's network"] = subject.paper.field
    const pictures = await posedPictures({
      character,
      poses: pickPoses(character, heldOut, POSES),
      fields,
      quick: options.quick,
      signal,
      onProgress: progressWithin(onProgress, MEASURING, 1),
    })
    return { result, html: clothPage(result, pictures, options) }
  } finally {
    disposeSubject(subject)
  }
}

/** Methods on the chart, as they are called there, and their colours. */
const METHODS: readonly [QueryMethod, string, string][] = [
  ['learned', 'Pliant', '#d9541e'],
  ['paper', "the paper's network, our SIMD", '#7b4fb5'],
  ['paperOrt', "the paper's network, onnxruntime", '#b79ad6'],
  ['exact', 'skinning + our exact field', '#14406b'],
  ['exactStop', 'skinning + our exact field, stopping at the band', '#5b86b0'],
  ['threeMeshBvh', 'skinning + three-mesh-bvh refit', '#1f77b4'],
  ['staticGeometry', 'StaticGeometryGenerator + refit', '#17a2b8'],
  ['skinnedMeshBvhStop', 'SkinnedMeshBVH, stopping at the band', '#0e6b78'],
  ['boneGrids', 'rigid grids on bones', '#4c9a3f'],
  ['capsules', 'capsules on bones', '#9a9a9a'],
]

function clothPage(result: ClothBenchResult, pictures: string, options: ReproduceOptions) {
  return renderPage({
    title: 'Cloth on a skinned character',
    lead: 'Zesch, Witemeyer, Xiong, Levin, Sueda: <i>Neural collision detection for deformable objects</i>, sections 3.2 and 4.2, measured again, with Pliant and what one would use instead beside it. Every figure comes from one run of <code>pliant reproduce cloth</code>.',
    sections: [
      settingSection(result),
      qualitySection(result),
      { title: 'Level sets of three poses never trained on (Fig. 5)', body: levelSetText(result) + pictures },
      timeSection(result),
      crowdSection(result),
      stepSection(result),
      ...result.drapes.map((drape, n) => drapeSection(drape, n === 0 ? result.endurance : null)),
    ],
    footer: runLine(options),
  })
}

function settingSection({ character, network, paper }: ClothBenchResult): PageSection {
  const rows = [
    ['character, vertices', count(paper.vertices), count(character.vertices)],
    ['character, triangles', count(paper.triangles), count(character.triangles)],
    ['network', `${paper.network}, all joint angles`, `in the frames of ${character.bones} bones`],
    ['multiplications a query', '131,584', count(network.multiplications)],
    ['judged on', 'no error reported', character.heldOut.join(', ')],
    ['rival', paper.rival, 'the fastest of three-mesh-bvh and our own exact field, refitted every frame'],
  ]
  return { title: 'Setting', body: renderTable(['', 'the paper', `Pliant, ${character.name}`], rows) }
}

function qualitySection({ fields }: ClothBenchResult): PageSection {
  const rows = fields.rows.map(({ field, bytes, error, sign, normalError, near, beyond }) => [
    field === 'learned' ? 'Pliant' : field === 'paper' ? "the paper's network" : field,
    `${error.mean.toFixed(3)}% (${error.low.toFixed(3)} to ${error.high.toFixed(3)})`,
    `${error.p95.toFixed(3)}%`,
    `${error.max.toFixed(2)}%`,
    `${sign.toFixed(2)}%`,
    `${normalError.median.toFixed(1)}° / ${normalError.p95.toFixed(0)}°`,
    `${beyond.mean.toFixed(2)}% / ${beyond.maxTooFar.toFixed(1)}%`,
    `${(near / fields.queries).toFixed(2)} µs`,
    `${(bytes / 1e6).toFixed(2)} MB`,
  ])
  const head = [
    'field',
    'mean error (95% interval)',
    '95% below',
    'largest',
    'right sign',
    'normals, median / 95%',
    'beyond the band: mean / too far away at most',
    'a query',
    'size',
  ]
  const others = fields.clips
    .filter(({ clip }) => clip !== fields.clip)
    .map(({ clip, rows: [learned] }) => `${clip} ${learned.error.mean.toFixed(3)}%`)
  const easier = others.length > 0 ? `, the harder clip for ours (${others.join(', ')})` : ''
  const caption = `${fields.poses} poses of ${fields.clip}${easier} with each of ${fields.seeds.length} seeds; error of points within ${fields.band.width.toFixed(0)}% of the height off the surface, in % of the height; ${fields.band.beyond.toFixed(0)}% of points anywhere near the body lie beyond; sign beyond 0.5%; time with normals, near the surface, pose included; grids, capsules and trees of others are JavaScript, ours SIMD`
  return { title: 'Error against exact geometry', body: renderTable(head, rows, caption) }
}

function levelSetText({ network }: ClothBenchResult): string {
  const paper = network.paperTrained
    ? ''
    : " The paper's network is not shown: pass it with <code>--paper</code> (<code>pliant train character.glb --method paper</code>)."
  return `<p>Above: the zero level set; a learned one is red where it lies 1% of the height off the exact surface. Below: level sets 1% of the height apart on a plane through the middle of the body, red inside, the surface in black.${paper}</p>`
}

function timeSection({ queries, paper, character }: ClothBenchResult): PageSection {
  const colours = new Map(METHODS.map(([, title, colour]) => [title, colour]))
  const charts = (['uniform', 'near'] as const).map((kind) => {
    const points = queries
      .filter((row) => row.points === kind)
      .flatMap(({ count: x, microseconds }) =>
        METHODS.map(([method, curve]): CurvePoint => ({ x, y: microseconds[method] / 1000, curve })),
      )
    const label = kind === 'uniform' ? 'points anywhere in the box, as in the paper' : 'points near the surface'
    const svg = drawCurves(points, { x: 'queries', y: 'ms a frame', label, colours, logarithmic: true })
    return renderFigure(svg, label)
  })
  const rows = queries.map((row) => [
    `${count(row.count)} ${row.points === 'uniform' ? 'anywhere' : 'near'}`,
    ...METHODS.map(([method]) => (row.microseconds[method] / 1000).toFixed(3)),
    `${row.best.gain.toFixed(1)}×`,
    METHODS.find(([method]) => method === row.best.rival)?.[1] ?? row.best.rival,
  ])
  const table = renderTable(
    ['queries', ...METHODS.map(([, title]) => title), 'Pliant against the fastest exact rival', 'which is'],
    rows,
    'ms for a new pose and so many queries with sign and normal, one thread',
  )
  const theirs = `<p>In the paper the network on a CPU is ahead of ${escapeHtml(paper.rival)}, up to about ${count(paper.cpuAheadUpToQueries)} queries on ${count(paper.triangles)} triangles; here the rival is refitted, which is far cheaper, on ${count(character.triangles)}.</p>`
  return {
    title: 'Time of a frame against the number of queries (Fig. 6)',
    body: `${theirs}${drawLegend(colours)}<div class="row">${charts.join('')}</div>${table}`,
  }
}

function crowdSection({ crowd }: ClothBenchResult): PageSection {
  const { learned, learnedTwoThreads, exact, exactStop, threeMeshBvh, threeMeshBvhStop } = crowd.methods
  const rows = Object.entries({
    'Pliant, one thread': learned,
    'Pliant, two threads': learnedTwoThreads,
    'skinning + our exact field': exact,
    'the same, stopping at the band': exactStop,
    'skinning + three-mesh-bvh refit': threeMeshBvh,
    'skinning + three-mesh-bvh refit, stopping at the band': threeMeshBvhStop,
  }).map(([name, { frame, withoutClips }]) => [name, frame.toFixed(1), withoutClips.toFixed(1)])
  const title = `A crowd of ${crowd.characters}, each with its own pose and ${crowd.queriesEach} queries`
  return { title, body: renderTable(['', 'ms a frame', 'poses given'], rows) }
}

function stepSection({ step }: ClothBenchResult): PageSection {
  const rows = (['learned', 'rapier'] as const).map((name) => {
    const { median, max, penetration } = step[name]
    return [
      name === 'learned' ? 'Pliant' : 'Rapier 0.21 soft bodies',
      median.toFixed(1),
      max.toFixed(1),
      `${penetration.deepest.toFixed(2)}%`,
      `${penetration.insideShare.toFixed(2)}%`,
    ]
  })
  return {
    title: `A whole step of a free sheet of ${count(step.clothVertices)} vertices on the moving body`,
    body: renderTable(
      ['', 'ms, median', 'ms, largest', 'deepest, of the height', 'vertices inside'],
      rows,
      `${step.frames} frames; Pliant is ${step.ratio.toFixed(0)} times as fast in the median`,
    ),
  }
}

const FIELDS: Record<string, string> = {
  learned: 'Pliant',
  exact: 'exact mesh',
  boneGrids: 'rigid grids on bones',
  fittedGrids: 'rigid grids on bones, soft minimum, fitted',
  capsules: 'capsules on bones',
}

function drapeSection(drape: DrapeResult, endurance: ClothBenchResult['endurance']): PageSection {
  const rows = Object.entries(drape.methods).map(
    ([method, { penetration, deepest, margin, time, energy, notFinite }]) => [
      FIELDS[method] ?? method,
      `${penetration.deepest.toFixed(2)}%`,
      deepest.map((depth) => depth.toFixed(2)).join(', '),
      `${penetration.deepShare.toFixed(3)}%`,
      String(penetration.longestRun),
      `${margin.toFixed(2)}%`,
      time.total.toFixed(1),
      `${energy.max.toFixed(1)} of ${energy.bound.toFixed(0)} J`,
      String(notFinite),
    ],
  )
  const head = [
    'field',
    'deepest',
    'from each start',
    'deeper than 1%',
    'longest stay',
    'margin',
    'ms a frame',
    'energy, of its bound',
    'not finite',
  ]
  const caption = `${drape.garment} of ${count(drape.clothVertices)} vertices over ${drape.frames} frames from each of ${drape.starts} moments of ${drape.clip}; depth inside the exact body in % of the height; the longest that a vertex stays deeper than 1%, in frames; each field without a margin or with its own, whichever keeps the cloth further out`
  const long = endurance
    ? `<p>${count(endurance.seconds)} s of simulated time at ${endurance.speed} times the speed: ${endurance.notFinite} coordinates that are no number, no vertex faster than ${endurance.maxSpeed.toFixed(0)} m/s.</p>`
    : ''
  return { title: `A garment over a clip: ${drape.clip}`, body: renderTable(head, rows, caption) + long }
}
