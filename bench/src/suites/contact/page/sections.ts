/** The sections of `pliant reproduce sdf`, figure by figure. */
import { type CurvePoint, drawCurves, drawLegend } from '../../../pages/charts.js'
import { count, type PageSection, renderFigure, renderTable } from '../../../pages/page.js'
import type { CubeSphereResult } from '../cube-sphere.js'
import type { CurveResult } from '../curves.js'
import { GIMPACT, PAPER_SDF } from '../paper.js'
import type { RacedMethod, RaceFrames, RaceResult } from '../scenes/race.js'

const COLOURS = [
  '#d9541e',
  '#e57f2c',
  '#f0a35e',
  '#8a6d3b',
  '#1f77b4',
  '#17a2b8',
  '#5b86b0',
  '#14406b',
  '#7b4fb5',
  '#666666',
]

/** In the order in which they are told. */
export function coloursOf(methods: readonly string[], colours: readonly string[] = COLOURS): Map<string, string> {
  return new Map(methods.map((method, i) => [method, colours[i % colours.length]]))
}

export function curveSection({ places, fields, lines }: CurveResult): PageSection {
  const { error, iterations } = PAPER_SDF.curves
  const rows = [
    ['the paper, distance functions', small(error), `${iterations} steps`],
    ['Pliant, distance functions', small(fields.largest), 'at most 32 steps'],
    ...lines.map((each) => [`${each.count} lines for each curve`, small(each.largest), 'all pairs']),
  ]
  const caption = `largest error of the shortest way, ${count(places)} places of the two curves`
  return { title: 'Shortest ways between curves (Fig. 8)', body: renderTable(['', 'error [m]', ''], rows, caption) }
}

export function cubeSection(result: CubeSphereResult, distances: Readonly<Record<string, number[]>>): PageSection {
  const colours = coloursOf(Object.keys(distances))
  // Nothing is drawn at zero on a logarithmic axis.
  const points = Object.entries(distances).flatMap(([curve, values]) =>
    values.slice(0, 200).map((y, x): CurvePoint => ({ x: x + 1, y: Math.max(y, 1e-16), curve })),
  )
  const range = [1e-16, 1] as const
  const label = 'mean distance of contact points from the exact ones'
  const logarithmic = points.map((point) => ({ ...point, y: Math.log10(point.y) }))
  const chart = drawCurves(logarithmic, {
    ...{ x: 'configuration', y: 'log10 of the distance [m]', label, colours, scattered: true },
    range: [Math.log10(range[0]), Math.log10(range[1])],
  })
  const rows = result.rows.map(({ method, missed, within, cubePlace, ballPlace, normal }) => [
    method,
    count(missed),
    count(within),
    ...[cubePlace, ballPlace, normal].map(({ mean, largest }) => `${small(mean)} / ${small(largest)}`),
  ])
  const head = [
    'method',
    'missed',
    'both within 1e-5',
    "the cube's point, mean / largest [m]",
    "the ball's",
    'normal [degrees]',
  ]
  const caption = `${count(result.configurations)} configurations of a ball of ${result.radius} m and a cube of ${2 * result.half} m; the paper's tolerance is ${small(PAPER_SDF.cubeSphere.tolerance)}`
  return {
    title: 'Ball and cube (Figs. 9 and 10a)',
    body: drawLegend(colours) + renderFigure(chart, label) + renderTable(head, rows, caption),
  }
}

export function raceSection(race: RaceResult, frames: RaceFrames): PageSection {
  const colours = coloursOf(race.methods.map(({ method }) => method))
  const text = `<p>${count(race.frames)} frames, of which ${count(race.touching)} are proved to touch and ${count(race.free)} not to; ${count(race.triangles.body)} triangles against ${count(race.triangles.tool)}; shares are of the smaller diagonal, ${race.size.toFixed(3)} m. The paper gives its times as curves without numbers. Bullet's GImpact takes ${GIMPACT.least} to ${GIMPACT.most} ms for a bunny of 5,880 triangles and a cone, in contact (measured apart).</p>`
  const figures = [timesFigure(frames, colours), placesFigure(race, frames)].join('')
  return {
    title: `${race.scene[0].toUpperCase()}${race.scene.slice(1)} (Figs. 11 to 13)`,
    body: `${text}${drawLegend(colours)}<div class="row">${figures}</div>${methodTable(race)}`,
  }
}

/** Fig. 13. */
function timesFigure({ methods }: RaceFrames, colours: ReadonlyMap<string, string>): string {
  const points = methods.flatMap(({ method, times }) =>
    times.map((time, frame): CurvePoint => ({ x: frame, y: Math.log10(time), curve: method })),
  )
  const label = 'time of a frame, one thread; the least of several rounds'
  return renderFigure(drawCurves(points, { x: 'frame', y: 'log10 of ms', label, colours }), label)
}

/** Fig. 12: from the front, as the paper's pictures are. */
function placesFigure({ scene }: RaceResult, { methods }: RaceFrames): string {
  const shown = methods.filter(({ method }) =>
    /^ours, (voxels|neural)|^mesh against mesh|projected gradient/.test(method),
  )
  const colours = coloursOf(shown.map(({ method }) => method))
  const points = shown.flatMap(({ method, points: places }) =>
    places.map(([x, y]): CurvePoint => ({ x, y, curve: method })),
  )
  const label = `where the deepest contact of each frame is, ${scene}, from the front`
  const chart = drawCurves(points, { x: 'x [m]', y: 'y [m]', label, colours, scattered: true })
  return renderFigure(chart + drawLegend(colours), label)
}

function methodTable({ methods, touching }: RaceResult): string {
  const rows = methods.map((each) => [each.oneSided ? `${each.method} *` : each.method, ...figuresOf(each, touching)])
  const head = [
    'method',
    'ms in contact, median / 95%',
    'ms out of it',
    'missed',
    'made up',
    'depth off, mean / largest',
    'off by over .5%',
    'bytes of the body',
    'beside it',
  ]
  return renderTable(head, rows, '* tells points of one body alone, and is held to how deep these are')
}

function figuresOf({ touching, free, missed, madeUp, depth, bytes }: RacedMethod, frames: number): string[] {
  return [
    `${milliseconds(touching.median)} / ${milliseconds(touching.p95)}`,
    `${milliseconds(free.median)} / ${milliseconds(free.p95)}`,
    `${missed} of ${frames}`,
    count(madeUp),
    `${percent(depth.mean)} / ${percent(depth.largest)}`,
    count(depth.offBy),
    count(bytes.body),
    count(bytes.beside),
  ]
}

/** Table 1: theirs is the memory of the whole program, so only differences between columns say something. */
export function memorySection(races: readonly RaceResult[]): PageSection {
  const theirs = PAPER_SDF.table1.map(({ scene, triangles, mesh, meshField, voxels, neural }) => [
    `the paper, ${scene}, ${count(triangles)} triangles, ${256}³ nodes`,
    ...[mesh, meshField, voxels, neural].map((value) => `${value} MB`),
  ])
  const bytesOf = (race: RaceResult, pattern: RegExp): string => {
    const found = race.methods.filter(({ method }) => pattern.test(method)).at(-1)
    return found ? `${((found.bytes.body + found.bytes.beside) / 1e6).toFixed(2)} MB` : '-'
  }
  const ours = races.map((race) => [
    `here, ${race.scene}`,
    bytesOf(race, /^mesh against mesh/),
    bytesOf(race, /^mesh against field/),
    bytesOf(race, /^ours, voxels/),
    bytesOf(race, /^ours, neural/),
  ])
  const head = ['', 'triangles', 'triangles and field', 'voxels', 'neural']
  return {
    title: 'Memory (Table 1)',
    body: renderTable(
      head,
      [...theirs, ...ours],
      "the paper's is that of the whole program; ours of the body and what contact keeps with it",
    ),
  }
}

export function shellRockSection(race: RaceResult, frames: RaceFrames): PageSection {
  const { shellRock } = PAPER_SDF
  const colours = coloursOf(race.methods.map(({ method }) => method))
  const text = `<p>The paper: ${count(shellRock.triangles.shell)} and ${count(shellRock.triangles.rock)} triangles, ${shellRock.nodes}³ nodes, ${shellRock.points.shell} and ${shellRock.points.rock} detection points; ${shellRock.ours} ms a frame for its descents, ${shellRock.meshField} ms for triangles against a field, both on a GPU, whose contacts lie ${percent(shellRock.apart)} of the size apart at most. Here: ${count(race.triangles.body)} triangles of the shell, one thread, ${count(race.frames)} frames, of which ${count(race.touching)} are proved to touch.</p>`
  return {
    title: 'Shell and rock (section 5.4)',
    body: `${text}${drawLegend(colours)}${timesFigure(frames, colours)}${methodTable(race)}`,
  }
}

function milliseconds(value: number): string {
  return value < 0.1 ? value.toFixed(3) : value.toPrecision(3)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`
}

function small(value: number): string {
  if (value === 0) return '0'
  return value < 1e-3 ? value.toExponential(1) : value.toPrecision(2)
}
