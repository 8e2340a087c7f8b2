/**
 * The papers' Figs. 3 and 5: level sets of a posed object on an upright plane, drawn as SVG. They draw steps of 0.05 and
 * 0.075 of their normalised lengths; we draw 1% of the object's size, as far as distances are learned.
 */
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import type { SignedField } from 'pliant'
import { extent, type View } from './view.js'

export interface Slice {
  view: View
  columns: number
  rows: number
  /** Where the plane lies on the axis towards the viewer [m]. */
  offset: number
  /** Distances [m], rows from below. */
  distances: Float32Array
}

/** @param rows nodes along the height of the picture */
export function sliceField(field: SignedField, view: View, offset: number, rows: number): Slice {
  const [left, right] = extent(view, view.across)
  const [bottom, top] = extent(view, view.up)
  const spacing = (top - bottom) / (rows - 1)
  const columns = Math.round((right - left) / spacing) + 1
  const points = new Float32Array(3 * columns * rows)
  for (let i = 0; i < columns * rows; i++) {
    points[3 * i + view.across] = left + ((i % columns) * (right - left)) / (columns - 1)
    points[3 * i + view.up] = bottom + Math.floor(i / columns) * spacing
    points[3 * i + view.depth] = offset
  }
  const distances = new Float32Array(columns * rows)
  field.query(points, columns * rows, distances)
  return { view, columns, rows, offset, distances }
}

/** Which levels are drawn, in % of the object's size: how far they are apart, and up to where. */
export interface Levels {
  step: number
  last: number
}
export const LEVELS_DEFAULTS: Levels = { step: 1, last: 5 }

/** What lies deeper than all levels [%]. */
const DEEPEST = -100

/** @param size  what levels are shares of [m] */
export function drawSlice(
  slice: Slice,
  size: number,
  { width, label, levels: { step, last } = LEVELS_DEFAULTS }: { width: number; label: string; levels?: Levels },
): string {
  const { view, columns, rows, distances } = slice
  const percent = Float32Array.from(distances, (d) => (100 * d) / size)
  const [left, right] = extent(view, view.across)
  const [bottom, top] = extent(view, view.up)
  const place = { width: columns, height: rows, x1: left, x2: right, y1: bottom, y2: top }
  const thresholds = [DEEPEST, ...Array.from({ length: (2 * last) / step + 1 }, (_, i) => i * step - last)]
  const margins = { marginLeft: 42, marginRight: 6, marginTop: 22, marginBottom: 34 }
  const inner = width - margins.marginLeft - margins.marginRight
  const { document } = parseHTML('<html><body></body></html>')
  const svg = Plot.plot({
    document,
    width,
    height: (inner * (top - bottom)) / (right - left) + margins.marginTop + margins.marginBottom,
    ...margins,
    ariaLabel: label,
    x: { label: `${'xyz'[view.across]} [m]`, domain: [left, right], ticks: 5 },
    y: { label: `${'xyz'[view.up]} [m]`, domain: [bottom, top], ticks: 7 },
    color: { type: 'diverging', scheme: 'RdBu', domain: [-1.6 * last, 1.6 * last], clamp: true },
    marks: [
      Plot.contour(percent, { ...place, thresholds, fill: Plot.identity, stroke: '#0003', strokeWidth: 0.6 }),
      Plot.contour(percent, { ...place, thresholds: [0], fill: 'none', stroke: 'black', strokeWidth: 1.6 }),
    ],
  } as Plot.PlotOptions)
  return svg.outerHTML
}
