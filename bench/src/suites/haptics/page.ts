/**
 * Section 4.1 of Zesch et al., an elastic body that is touched, theirs beside ours: the setting, level sets (Fig. 3), query
 * time (Fig. 4), Table 1, and what the paper does not report: errors and where they come from, whole frames, how deep the
 * hand gets, how smooth its force is.
 */
import type { ElasticField } from 'pliant'
import { gatherVertices } from 'pliant/respond'
import { progressWithin } from 'pliant/unstable'
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
import { pickFurthest, shapePictures } from '../../pages/shape-pictures.js'
import type { ReproduceOptions } from '../../suite/suite.js'
import type { HapticsGiven } from './inputs.js'
import { nativeTime } from './paper.js'
import { pointsToRest } from './rest-frame.js'
import type { QueryMethod } from './rivals.js'
import { drawTurns, type HapticsBenchResult, measureHaptics, openGiven } from './run.js'
import { type ElasticFile, type HapticsSubject, loadElastic } from './subject.js'
import { touchSection } from './touch-section.js'

export interface HapticsReproduction {
  /** All figures on the page. */
  result: HapticsBenchResult
  html: string
}

const POSES = 3
/** In % of the diagonal: as far as distances are learned. */
const LEVELS = { step: 1, last: 4 }
/** Share of the progress that measuring takes; the rest is pictures. */
const MEASURING = 0.9

export async function reproduceHaptics(options: ReproduceOptions & HapticsGiven): Promise<HapticsReproduction> {
  const { onProgress } = options
  const measuring: ReproduceOptions = {
    ...options,
    onProgress: progressWithin(onProgress, 0, MEASURING),
  }
  const subject = await openGiven(options)
  const poses = await drawTurns(subject, measuring)
  const result = await measureHaptics(subject, poses, measuring)
  const pictures = await drawPictures(subject, poses, {
    ...options,
    onProgress: progressWithin(onProgress, MEASURING, 1),
  })
  return { result, html: hapticsPage(result, pictures, options) }
}

async function drawPictures(
  { ours, paper, surface, diagonal }: HapticsSubject,
  poses: readonly Float64Array[],
  { quick, signal, onProgress }: ReproduceOptions,
): Promise<string> {
  const files: Record<string, ElasticFile> = { Pliant: ours, ...(paper.trained && { "the paper's network": paper }) }
  const fields: Record<string, ElasticField> = {}
  for (const [name, file] of Object.entries(files)) fields[name] = await loadElastic(file)
  const shapes = Object.fromEntries(
    Object.entries(files).map(([name, { body }]) => [name, poses.map((nodes) => restShape(body, nodes))]),
  )
  const picked = pickFurthest(
    shapes['Pliant'].map(({ code }) => code),
    POSES,
  )
  const positions = new Float64Array(surface.positions.length)
  const rows: string[] = []
  for (const [row, pose] of picked.entries()) {
    signal?.throwIfAborted()
    for (const [name, field] of Object.entries(fields)) {
      field.update({ nodes: shapes[name][pose].nodes })
    }
    // Files of one body have the same nodes and masses, so all are turned alike.
    gatherVertices(shapes['Pliant'][pose].nodes, surface.nodeOfVertex, positions)
    const { triangles } = surface
    const drawn = shapePictures({ positions, triangles, size: diagonal, fields, levels: LEVELS, quick })
    rows.push(`<h3>Pose ${row + 1}</h3>${drawn}`)
    onProgress?.({ fraction: (row + 1) / POSES, stage: 'pictures' })
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  for (const field of Object.values(fields)) field.dispose()
  return rows.join('\n')
}

/** A pose without its rigid motion. */
function restShape(
  { modal }: ElasticFile['body'],
  positions: Float64Array,
): { nodes: Float64Array; code: Float64Array } {
  const code = new Float64Array(modal.codeSize)
  const frame = new Float64Array(16)
  modal.encode(positions, code, frame)
  const nodes = new Float64Array(positions.length)
  pointsToRest(frame, positions, positions.length / 3, nodes)
  return { nodes, code }
}

/** Methods on the chart, as they are called there, and their colours. */
const METHODS: readonly [QueryMethod, string, string][] = [
  ['learned', 'Pliant, distances alone', '#d9541e'],
  ['learnedGradient', 'Pliant with normals', '#e57f2c'],
  ['learnedGradientTriangle', 'Pliant with normals and triangles', '#f0a35e'],
  ['paper', "the paper's network, our SIMD", '#7b4fb5'],
  ['paperOrt', "the paper's network, onnxruntime", '#b79ad6'],
  ['exactDistance', 'our exact field, distances alone', '#0b2540'],
  ['exact', 'our exact field', '#14406b'],
  ['exactStop', 'our exact field, stopping at the band', '#5b86b0'],
  ['threeMeshBvh', 'three-mesh-bvh refit', '#1f77b4'],
  ['threeMeshBvhRebuild', 'three-mesh-bvh rebuild', '#17a2b8'],
]
const NATIVE_COLOURS = ['#333333', '#666666', '#8a6d3b', '#c2a878', '#a8a8a8']

function hapticsPage(result: HapticsBenchResult, pictures: string, options: ReproduceOptions): string {
  return renderPage({
    title: 'An elastic body that is touched',
    lead: 'Zesch, Witemeyer, Xiong, Levin, Sueda: <i>Neural collision detection for deformable objects</i>, sections 3.1 and 4.1, measured again, with Pliant and what one would use instead beside it. Every figure but those of the paper and of native libraries comes from one run of <code>pliant reproduce haptics</code>.',
    sections: [
      settingSection(result),
      qualitySection(result),
      { title: 'Level sets of three poses never trained on (Fig. 3)', body: levelSetText(result) + pictures },
      timeSection(result),
      tableSection(result),
      triangleSection(result),
      touchSection(result),
    ],
    footer: runLine(options),
  })
}

function settingSection({ body, network, paper, touch }: HapticsBenchResult): PageSection {
  const { learned, paper: theirs } = network.multiplications
  const { training, runTime } = body.material
  const material = (m: typeof training): string =>
    `${m.density.toFixed(0)} kg/m³, ${(m.young / 1000).toPrecision(3)} kPa, Poisson ${m.poisson}`
  const rows = [
    ['body, nodes', count(paper.nodes), count(body.nodes)],
    ['body, triangles outside', count(paper.triangles), count(body.triangles)],
    ['body, tetrahedra', count(paper.tetrahedra), count(body.tetrahedra)],
    ['hand, nodes', count(paper.toolNodes), count(touch.tool.nodes)],
    ['modes', count(paper.modes), count(body.modes)],
    ['material in training', 'high density, Poisson 0.49', material(training)],
    ['material at run time', 'a sixth of the density, a tenth of Young, Poisson 0.40', material(runTime)],
    ['multiplications a query', count(theirs.query), count(learned.query)],
    ['multiplications before the first query', count(paperStep(paper)), count(learned.step)],
    ['file', '', `${(network.artifactBytes / 1e6).toFixed(2)} MB`],
    ['rival', paper.rival, 'the fastest of three-mesh-bvh and our own exact field, refitted every step'],
  ]
  return { title: 'Setting', body: renderTable(['', 'the paper', `Pliant, ${body.name}`], rows) }
}

/** The code from all nodes, and its rows of the first layer. */
function paperStep({ nodes, modes }: HapticsBenchResult['paper']): number {
  return modes * 3 * nodes + modes * 128
}

function qualitySection({ quality, body }: HapticsBenchResult): PageSection {
  const rows = quality.rows.map(({ field, material, shapes, inRange, poses, error, sign, normalError }) => [
    field === 'learned' ? 'Pliant' : "the paper's network",
    material,
    shapes,
    `${inRange} of ${poses}`,
    `${error.mean.toFixed(3)}% (${error.low.toFixed(3)} to ${error.high.toFixed(3)})`,
    `${error.p95.toFixed(3)}%`,
    `${error.max.toFixed(2)}%`,
    `${error.surface.toFixed(3)}%`,
    `${sign.toFixed(2)}%`,
    `${normalError.median.toFixed(1)}° / ${normalError.p95.toFixed(0)}°`,
  ])
  const head = [
    'field',
    'material of',
    'shapes',
    'codes in range',
    'mean error (95% interval)',
    '95% below',
    'largest',
    'on the surface',
    'right sign',
    'normals, median / 95%',
  ]
  const caption = `drops never trained on, by ${quality.seeds.length} seeds, ${count(quality.points)} points each; error of points off the surface within a band of ${quality.band.width.toFixed(0)}%, in % of the diagonal; ${quality.band.beyond.toFixed(0)}% of points anywhere lie beyond it, where ours is ${quality.rows[0].beyond.mean.toFixed(2)}% off in the mean; sign beyond 0.5%`
  const modes = quality.projection['run time'].toFixed(3)
  const text = `<p>The paper reports no error. Posed by the body's nodes, a network has no code between; posed by codes, it sees what ${body.modes} modes leave of the shape, which is ${modes}% of the diagonal off in the mean in the material of run time. Shapes that lie in the modes have nothing left out: the error there is the network's alone.</p>`
  return { title: 'Error against exact geometry', body: text + renderTable(head, rows, caption) }
}

function levelSetText({ network, paper }: HapticsBenchResult): string {
  const missing = network.paperTrained
    ? ''
    : " The paper's network is not shown: pass it with <code>--paper</code> (<code>pliant train bunny --method paper</code>)."
  return `<p>Above: the zero level set; a learned one is red where it lies 1% of the diagonal off the exact surface. Below: level sets ${LEVELS.step}% of the diagonal apart (the paper's are ${paper.levelSpacing} of its half-size) on a plane through the middle of the body, red inside, the surface in black.${missing}</p>`
}

function timeSection(result: HapticsBenchResult): PageSection {
  const { queries, paper, body, native, split } = result
  const colours = new Map(METHODS.map(([, title, colour]) => [title, colour]))
  for (const [i, { name }] of native.entries()) colours.set(`${name} (native)`, NATIVE_COLOURS[i])
  const charts = (['uniform', 'near'] as const).map((kind) => {
    const points = queries
      .filter((row) => row.points === kind)
      .flatMap(({ count: x, milliseconds }) => [
        ...METHODS.map(([method, curve]): CurvePoint => ({ x, y: milliseconds[method], curve })),
        ...native.map((mark): CurvePoint => ({ x, y: nativeTime(mark, kind, x), curve: `${mark.name} (native)` })),
      ])
    const label = kind === 'uniform' ? 'points anywhere in the box, as in the paper' : 'points near the surface'
    const svg = drawCurves(points, { x: 'queries', y: 'ms a step', label, colours, logarithmic: true })
    return renderFigure(svg, label)
  })
  const head = [
    'queries',
    ...METHODS.map(([, title]) => title),
    'gain, distances alone',
    'gain, with normals',
    'gain, with normals and triangles',
  ]
  const rows = queries.map((row) => [
    `${count(row.count)} ${row.points === 'uniform' ? 'anywhere' : 'near'}`,
    ...METHODS.map(([method]) => milliseconds(row.milliseconds[method])),
    ...[row.gains.distances, row.gains.normals, row.gains.triangles].map(({ gain }) => `${gain.toFixed(1)}×`),
  ])
  const table = renderTable(
    head,
    rows,
    'ms for a body that has bent and so many queries, one thread; a gain is over the fastest rival that gives the same output',
  )
  const theirs = `<p>In the paper the network is ahead of ${escapeHtml(paper.rival)}, up to about ${count(paper.cpuAheadUpToQueries)} queries on the CPU and ${count(paper.gpuAheadUpToQueries)} on a GPU, on ${count(paper.triangles)} triangles; here rivals are refitted, which is far cheaper, on ${count(body.triangles)}. Native marks, with normals and triangles, were measured apart, in another run beside Pliant.</p>`
  const before = `<p>Before the first query: code ${Math.round(split.learned.code)} µs, pose ${Math.round(split.learned.pose)} µs; refit ${Math.round(split.threeMeshBvh.refit)} µs, of our exact field ${Math.round(split.exact.refit)} µs.</p>`
  return {
    title: 'Time of a step against the number of queries (Fig. 4)',
    body: `${theirs}${drawLegend(colours)}<div class="row">${charts.join('')}</div>${before}${table}`,
  }
}

function tableSection({ triangles, paper }: HapticsBenchResult): PageSection {
  const { table1 } = triangles
  const row = (name: string, values: readonly number[]): string[] => [
    name,
    ...table1.map((_, i) => milliseconds(values[i])),
  ]
  const ours = (name: string, method: keyof (typeof table1)[number]['milliseconds']): string[] =>
    row(
      name,
      table1.map((entry) => entry.milliseconds[method]),
    )
  const rows = [
    row('the paper: libigl BVH, rebuilt', paper.table1.bvh),
    row('the paper: network on a GPU, scan on the CPU', paper.table1.neural),
    ours("the paper's network and a scan, our SIMD, one thread", 'paperScan'),
    ours('three-mesh-bvh, rebuilt', 'threeMeshBvhRebuild'),
    ours('three-mesh-bvh, refitted', 'threeMeshBvh'),
    ours('our exact field, refitted', 'exact'),
    ours('Pliant, one thread', 'learned'),
  ]
  const head = ['ms', ...table1.map((entry) => `${count(entry.count)} queries`)]
  const caption = 'signed distance, normal and triangle of points anywhere in the box'
  return { title: 'With the triangle (Table 1)', body: renderTable(head, rows, caption) }
}

function triangleSection({ triangles }: HapticsBenchResult): PageSection {
  const rows = triangles.rows.map(({ points, count: n, milliseconds: ms, gains }) => [
    `${count(n)} ${points === 'uniform' ? 'anywhere' : 'near'}`,
    ...[ms.hinted, ms.patches, ms.scan, ms.threeMeshBvh, ms.exact].map(milliseconds),
    ...[gains.scan, gains.trees].map(({ gain }) => `${gain.toFixed(1)}×`),
  ])
  const head = [
    'queries',
    'Pliant',
    'without learned distances',
    'scan',
    'three-mesh-bvh',
    'our exact field',
    'against scan',
    'against the faster tree',
  ]
  const { queries, sameTriangle, sameDistance } = triangles.equality
  const caption = 'ms for a surface that has moved and so many nearest triangles'
  const text = `<p>Of ${count(queries)} queries Pliant has the scan's triangle in ${count(sameTriangle.hinted)}, and its distance to the last bit in ${count(sameDistance.hinted)}.</p>`
  return { title: 'The nearest triangle alone', body: text + renderTable(head, rows, caption) }
}

function milliseconds(value: number): string {
  return value.toPrecision(3).replace(/e\+(\d)$/, '·10^$1')
}
