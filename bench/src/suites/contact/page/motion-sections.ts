/** What contacts are good for, over time: bodies at rest, a pile that is dropped, two soft bodies pressed together. */
import { type CurvePoint, drawCurves, drawLegend } from '../../../pages/charts.js'
import { count, type PageSection, renderFigure, renderTable } from '../../../pages/page.js'
import { LOOKED_AFTER, type SqueezeResult } from '../deformables/squeeze.js'
import type { StackingResult, StackingSeries } from '../stacking.js'
import { squeezedTable } from '../text/deformables.js'
import { pileTable, restTable } from '../text/stacking.js'
import { coloursOf } from './sections.js'

/** Of each method, what was seen of every step. */
export type MethodSeries = Record<string, readonly number[]>
export type StackingMotion = Record<StackingSeries, MethodSeries>

/** Of few methods, whose curves cross. */
const COLOURS = ['#d9541e', '#1f77b4', '#8a6d3b', '#7b4fb5', '#2a9d5c'] as const
const FRAME = 1 / 60
/** Points of a curve that are drawn. */
const DRAWN = 300

export function stackingSection(result: StackingResult, { drift, energy }: StackingMotion): PageSection {
  const { bodies, pileBodies, seconds, pileSeconds, rest, pile } = result
  const colours = coloursOf(
    rest.map(({ method }) => method),
    COLOURS,
  )
  const ofRest = 'the furthest that a corner of a resting body’s box went so far, as a share of the body’s size'
  const ofPile = 'energy of the pile that is still to be lost, as a share of all that it loses'
  const figures = [
    chartOf(drift, FRAME, { colours, label: ofRest, y: 'log10 of the share', floor: 1e-7 }),
    chartOf(restOfEnergy(energy), FRAME, { colours, label: ofPile, y: 'log10 of the share', floor: 1e-7 }),
  ]
  const text = `<p>One solver with contacts of each method, 60 steps a second, nothing sleeps. At rest for ${count(seconds)} s: ${bodies.join(', ')}; five of them in one stack, two in another; a run ends where a body has gone a tenth of its size. Dropped into a tray, ${count(pileSeconds)} s: ${pileBodies.join(', ')}.</p>`
  const [atRest, dropped] = [restTable(rest), pileTable(pile)]
  return {
    title: 'Bodies at rest, and a pile',
    body: [
      ...[text, drawLegend(colours), `<div class="row">${figures.join('')}</div>`],
      renderTable(atRest.head, atRest.rows, 'at rest'),
      renderTable(
        dropped.head,
        dropped.rows,
        'the pile; rises of energy after the last impact are shares of what it loses',
      ),
    ].join(''),
  }
}

/** What is between the energy at a step before the end and that at the end, over what is lost in all. */
function restOfEnergy(energy: MethodSeries): MethodSeries {
  return Object.fromEntries(
    Object.entries(energy).map(([method, values]) => {
      const last = values[values.length - 1]
      return [method, values.slice(0, -1).map((value) => (value - last) / (values[0] - last))]
    }),
  )
}

/** @param depths  of each pair of bodies, by its name, and method the deepest place over time, as a share of the size */
export function squeezeSection(
  squeezed: readonly SqueezeResult[],
  depths: Readonly<Record<string, MethodSeries>>,
  seconds: number,
): PageSection {
  const colours = coloursOf(
    squeezed[0].rows.map(({ method }) => method),
    COLOURS,
  )
  const figures = squeezed.map(({ pair }) =>
    chartOf(depths[pair], LOOKED_AFTER, {
      ...{ colours, label: `${pair}: the deepest place of either surface in the other’s triangles` },
      ...{ y: 'log10 of the share of the size', floor: 1e-5 },
    }),
  )
  const { head, rows } = squeezedTable(squeezed)
  const text = `<p>Two soft bodies, each told by a learned field of its own nodes: pressed together by a fifth of the lower body’s size, slid, twisted by a quarter turn and let go, in ${seconds} s. None of the papers has this. Aimed at: below 2% of the size, ${Math.log10(0.02).toFixed(1)} in the figures. Firm: twice as stiff, in steps of 1/120 s.</p>`
  return {
    title: 'Two bodies that deform, pressed together',
    body: [
      ...[text, drawLegend(colours), `<div class="row">${figures.join('')}</div>`],
      renderTable(head, rows, 'shares of the lower body’s size'),
    ].join(''),
  }
}

interface SeriesChart {
  colours: ReadonlyMap<string, string>
  label: string
  y: string
  /** What is less is drawn as this: a logarithm has no zero. */
  floor: number
}

/** @param every  time between two values [s] */
function chartOf(series: MethodSeries, every: number, { colours, label, y, floor }: SeriesChart): string {
  const points = Object.entries(series).flatMap(([curve, values]) => {
    const stride = Math.ceil(values.length / DRAWN)
    return values
      .map((value, i): CurvePoint => ({ x: (i + 1) * every, y: Math.log10(Math.max(value, floor)), curve }))
      .filter((_, i) => i % stride === 0 || i === values.length - 1)
  })
  return renderFigure(drawCurves(points, { x: 'time [s]', y, label, colours }), label)
}
