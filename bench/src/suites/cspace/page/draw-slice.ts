/** A slice of the space of codes as SVG: level sets of a learned field over the exact boundary, or the exact signs alone. */
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import type { CodeSlice } from '../cells/slice.js'

const SIZE = 340
/** Levels that are drawn, in the unit of the code. */
const LEVELS = { step: 0.1, last: 1 } as const
/** What lies deeper than all levels. */
const DEEPEST = -100
/** Stands for the signs, which have no slope. */
const SIGN_COLOUR = 0.45

export function drawLearnedSlice({ learned, exact }: CodeSlice, label: string): string {
  const { step, last } = LEVELS
  const count = Math.round((2 * last) / step) + 1
  const thresholds = [DEEPEST, ...Array.from({ length: count }, (_, i) => Math.round(10 * (i * step - last)) / 10)]
  const values = learned.flat()
  const place = placeOf(learned.length)
  return plot(label, [
    Plot.contour(values, { ...place, thresholds, fill: Plot.identity, stroke: '#0003', strokeWidth: 0.6 }),
    Plot.contour(values, { ...place, thresholds: [0], fill: 'none', stroke: 'black', strokeWidth: 2 }),
    Plot.contour(signsOf(exact), {
      ...place,
      thresholds: [0],
      fill: 'none',
      stroke: '#7a1fa2',
      strokeWidth: 1.4,
      strokeDasharray: '5 3',
    }),
  ])
}

export function drawExactSlice({ exact }: CodeSlice, label: string): string {
  const values = signsOf(exact).map((sign) => SIGN_COLOUR * sign)
  const place = placeOf(exact.length)
  return plot(label, [
    Plot.contour(values, { ...place, thresholds: [-SIGN_COLOUR, 0], fill: Plot.identity, stroke: 'none' }),
    Plot.contour(values, { ...place, thresholds: [0], fill: 'none', stroke: 'black', strokeWidth: 2 }),
  ])
}

/** -1 where the shape touches itself, 1 where it is free. */
function signsOf(exact: readonly string[]): number[] {
  return exact.flatMap((row) => Array.from(row, (mark) => (mark === '#' ? -1 : 1)))
}

/** Values are those of pixels' middles: half a pixel lies beyond the box, and with it the lines that close level sets. */
function placeOf(nodes: number): object {
  const end = 1 + 1 / (nodes - 1)
  return { width: nodes, height: nodes, x1: -end, x2: end, y1: -end, y2: end, clip: true }
}

function plot(label: string, marks: Plot.Markish[]): string {
  const { document } = parseHTML('<html><body></body></html>')
  const svg = Plot.plot({
    document,
    width: SIZE,
    height: SIZE,
    marginLeft: 38,
    marginRight: 8,
    marginTop: 22,
    marginBottom: 36,
    ariaLabel: label,
    x: { label: 'mode 1', domain: [-1, 1], ticks: 5 },
    y: { label: 'mode 2', domain: [-1, 1], ticks: 5 },
    color: { type: 'diverging', scheme: 'RdBu', domain: [-1, 1], clamp: true },
    marks,
  } as Plot.PlotOptions)
  return svg.outerHTML
}
