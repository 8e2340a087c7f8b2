/**
 * Section 5 of Liu et al., contact between two fields, theirs beside ours: shortest ways between curves (Fig. 8), ball and
 * cube (Figs. 9 and 10a), bodies in oriented boxes and what these are worth (sections 4.1, 5.3), bunny and cone, armadillo and
 * cylinder (Figs. 11 to 13, Table 1), shell and rock (section 5.4). And what the paper does not have: bodies that rest on such
 * contacts, and two that deform.
 */
import { renderPage, runLine } from '../../../pages/page.js'
import { stagesOf } from '../../../suite/stages.js'
import type { ReproduceOptions, Reproduction } from '../../../suite/suite.js'
import type { BoxesResult } from '../boxes/measure-boxes.js'
import { QUICK_BOXES } from '../boxes/surface-boxes.js'
import { type CubeSphereResult, judgeCubeSphere } from '../cube-sphere.js'
import { type CurveResult, judgeCurves } from '../curves.js'
import { openSoftBody, type SoftFiles } from '../deformables/soft-bodies.js'
import { measureSqueeze, type SqueezeResult, squeezeRuns } from '../deformables/squeeze.js'
import { METHODS } from '../methods.js'
import { PAPER_SDF } from '../paper.js'
import type { ContactGiven } from '../parts.js'
import { judgePairs, type PairsResult } from '../random-pairs.js'
import type { RaceFrames, RaceResult } from '../scenes/race.js'
import { raceAll } from '../scenes/race-all.js'
import { judgeStacking, type StackingResult } from '../stacking.js'
import { type MethodSeries, type StackingMotion, squeezeSection, stackingSection } from './motion-sections.js'
import { ablationSection, boxesSection, cutAndDraw, type DrawnBoxes } from './parts-section.js'
import { cubeSection, curveSection, memorySection, raceSection, shellRockSection } from './sections.js'

export interface SdfFigures {
  curves: CurveResult
  cubeSphere: CubeSphereResult
  /** Of each method, how far the contact points of each configuration are off, the mean of both bodies' [m]. */
  distances: Record<string, number[]>
  pairs: PairsResult
  boxes: BoxesResult
  races: RaceResult[]
  /** Of each race, what every frame was. */
  series: RaceFrames[]
  stacking: StackingResult
  motion: StackingMotion
  /** Empty without the files of soft bodies. */
  squeezed: SqueezeResult[]
  /** Of each pair of soft bodies, by its name, and method: how deep they are in each other over time, as a share of the size. */
  depths: Record<string, MethodSeries>
  paper: typeof PAPER_SDF
}

const FULL = { configurations: 1000, places: 500, poses: 300, seconds: 60, pileSeconds: 8, squeezed: 10 }
/** Contacts of MuJoCo's take most of the time of stacks and piles. */
const QUICK = { configurations: 100, places: 50, poses: 50, seconds: 0.5, pileSeconds: 1, squeezed: 2 }
const STACKED = { full: METHODS.slice(0, 3), quick: METHODS.slice(0, 2) } as const

export async function reproduceContact(options: ReproduceOptions & ContactGiven): Promise<Reproduction> {
  const { quick = false, seed = 1, scenes, soft, signal } = options
  const { configurations, places, seconds, pileSeconds, ...size } = quick ? QUICK : FULL
  const poses = options.poses ?? size.poses
  const stages = stagesOf(options)
  const told = (what: string, count: number, from: number, to: number) => {
    const tell = stages('measure', from, to)
    return async (done: number): Promise<void> => {
      tell({ fraction: done / count, detail: what })
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const curves = await judgeCurves({ seed, places }, told('curves', places, 0, 0.02))
  const distances: Record<string, number[]> = {}
  const cubeSphere = await judgeCubeSphere(
    { seed, configurations },
    told('ball and cube', configurations, 0.02, 0.06),
    (method, _, { cube, ball }) => {
      distances[method] ??= []
      distances[method].push((cube + ball) / 2)
    },
  )
  const boxes = await cutAndDraw({ quick, scenes }, (bodies) => told('bodies in boxes', bodies, 0.06, 0.15))
  const pairs = await judgePairs(
    { seed, poses, signal, boxes: quick ? QUICK_BOXES : {} },
    told('poses', poses, 0.15, 0.35),
  )
  const raced = await raceAll(options, (scene, from, to) => told(scene, 1, from, to), 0.35, 0.65)
  const motion: StackingMotion = { drift: {}, energy: {} }
  const stacked = quick ? STACKED.quick : STACKED.full
  const stacking = await judgeStacking(
    { seconds, pileSeconds, seed },
    told('bodies at rest and dropped', stacked.length * (seconds + pileSeconds), 0.65, 0.85),
    stacked,
    (method, series, values) => {
      motion[series][method] = values
    },
  )
  const { squeezed, depths } = await squeeze(soft, { quick, seed, seconds: size.squeezed }, (runs) =>
    told('squeezed bodies', runs, 0.85, 1),
  )
  const result: SdfFigures = {
    ...{ curves, cubeSphere, distances, pairs, boxes: boxes.result },
    races: raced.map(({ result: race }) => race),
    series: raced.map(({ series }) => series),
    ...{ stacking, motion, squeezed, depths, paper: PAPER_SDF },
  }
  return { result, html: pageOf(result, boxes, size.squeezed, options) }
}

/** Bunny on bunny and hand on bunny; for a first look the latter alone. */
async function squeeze(
  soft: SoftFiles | undefined,
  { quick, seed, seconds }: { quick: boolean; seed: number; seconds: number },
  tell: (runs: number) => (done: number) => Promise<void>,
): Promise<Pick<SdfFigures, 'squeezed' | 'depths'>> {
  const squeezed: SqueezeResult[] = []
  const depths: SdfFigures['depths'] = {}
  if (!soft) return { squeezed, depths }
  const [bunny, hand] = [await openSoftBody('bunny', soft.bunny), await openSoftBody('hand', soft.hand)]
  const uppers = quick ? [hand] : [bunny, hand]
  const size = { seeds: [seed], seconds, timed: quick ? 0.2 : 1 }
  const runs = squeezeRuns(size)
  const told = tell(uppers.length * runs)
  for (const [i, upper] of uppers.entries()) {
    const own: MethodSeries = {}
    const hear = (done: number): Promise<void> => told(i * runs + done)
    const result = await measureSqueeze(bunny, upper, size, hear, (method, _, depth) => {
      own[method] = depth
    })
    squeezed.push(result)
    depths[result.pair] = own
  }
  return { squeezed, depths }
}

function pageOf(figures: SdfFigures, boxes: DrawnBoxes, seconds: number, options: ReproduceOptions): string {
  const { curves, cubeSphere, distances, pairs, races, series, stacking, motion, squeezed, depths } = figures
  const all = races.map((race, i) => ({ race, frames: series[i] }))
  const scanned = all.filter(({ race }) => race.scene !== 'shell and rock')
  const rest = all.filter(({ race }) => race.scene === 'shell and rock')
  return renderPage({
    title: 'Contact between two distance fields',
    lead: 'Liu, Zhang, Wang, Yip, Liu, Jin: <i>Real-time collision detection between general SDFs</i>, section 5, measured again, with Pliant and what one would use instead beside it. Every figure but those that are said to be the paper’s comes from one run of <code>pliant reproduce sdf</code>.',
    sections: [
      curveSection(curves),
      cubeSection(cubeSphere, distances),
      boxesSection(boxes),
      ablationSection(pairs),
      ...scanned.map(({ race, frames }) => raceSection(race, frames)),
      memorySection(scanned.map(({ race }) => race)),
      ...rest.map(({ race, frames }) => shellRockSection(race, frames)),
      stackingSection(stacking, motion),
      ...(squeezed.length > 0 ? [squeezeSection(squeezed, depths, seconds)] : []),
    ],
    footer: runLine(options),
  })
}
