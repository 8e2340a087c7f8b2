/**
 * Section 5 of Liu et al., contact between two fields, theirs beside ours: shortest ways between curves (Fig. 8), ball and
 * cube (Figs. 9 and 10a), bunny and cone, armadillo and cylinder (Figs. 11 to 13, Table 1), shell and rock (section 5.4).
 */
import { renderPage, runLine } from '../../../pages/page.js'
import { stagesOf } from '../../../suite/stages.js'
import type { ReproduceOptions, Reproduction } from '../../../suite/suite.js'
import { type CubeSphereResult, judgeCubeSphere } from '../cube-sphere.js'
import { type CurveResult, judgeCurves } from '../curves.js'
import { PAPER_SDF } from '../paper.js'
import type { ContactGiven } from '../parts.js'
import type { RaceFrames, RaceResult } from '../scenes/race.js'
import { raceAll } from '../scenes/race-all.js'
import { cubeSection, curveSection, memorySection, raceSection, shellRockSection } from './sections.js'

export interface SdfFigures {
  curves: CurveResult
  cubeSphere: CubeSphereResult
  /** Of each method, how far the contact points of each configuration are off, the mean of both bodies' [m]. */
  distances: Record<string, number[]>
  races: RaceResult[]
  /** Of each race, what every frame was. */
  series: RaceFrames[]
  paper: typeof PAPER_SDF
}

const FULL = { configurations: 1000, places: 500 }
const QUICK = { configurations: 100, places: 50 }

export async function reproduceContact(options: ReproduceOptions & ContactGiven): Promise<Reproduction> {
  const { quick = false, seed = 1 } = options
  const { configurations, places } = quick ? QUICK : FULL
  const stages = stagesOf(options)
  const told = (what: string, count: number, from: number, to: number) => {
    const tell = stages('measure', from, to)
    return async (done: number): Promise<void> => {
      tell({ fraction: done / count, detail: what })
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const curves = await judgeCurves({ seed, places }, told('curves', places, 0, 0.05))
  const distances: Record<string, number[]> = {}
  const cubeSphere = await judgeCubeSphere(
    { seed, configurations },
    told('ball and cube', configurations, 0.05, 0.2),
    (method, _, { cube, ball }) => {
      distances[method] ??= []
      distances[method].push((cube + ball) / 2)
    },
  )
  const raced = await raceAll(options, (scene, from, to) => told(scene, 1, from, to), 0.2, 1)
  const result: SdfFigures = {
    ...{ curves, cubeSphere, distances, paper: PAPER_SDF },
    races: raced.map(({ result: race }) => race),
    series: raced.map(({ series }) => series),
  }
  return { result, html: pageOf(result, options) }
}

function pageOf({ curves, cubeSphere, distances, races, series }: SdfFigures, options: ReproduceOptions): string {
  const scanned = races.flatMap((race, i) => (race.scene === 'shell and rock' ? [] : [{ race, frames: series[i] }]))
  const rest = races.flatMap((race, i) => (race.scene === 'shell and rock' ? [{ race, frames: series[i] }] : []))
  return renderPage({
    title: 'Contact between two distance fields',
    lead: 'Liu, Zhang, Wang, Yip, Liu, Jin: <i>Real-time collision detection between general SDFs</i>, section 5, measured again, with Pliant and what one would use instead beside it. Every figure but those that are said to be the paper’s comes from one run of <code>pliant reproduce sdf</code>.',
    sections: [
      curveSection(curves),
      cubeSection(cubeSphere, distances),
      ...scanned.map(({ race, frames }) => raceSection(race, frames)),
      memorySection(scanned.map(({ race }) => race)),
      ...rest.map(({ race, frames }) => shellRockSection(race, frames)),
    ],
    footer: runLine(options),
  })
}
