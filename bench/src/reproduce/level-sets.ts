/**
 * The paper's Fig. 5: level sets of a posed character on an upright plane, drawn as SVG. The paper draws steps of 0.075 of
 * its normalised lengths; we draw 1% of the height, as far as distances are learned.
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
  field.evaluate(points, columns * rows, distances)
  return { view, columns, rows, offset, distances }
}

/** Levels in % of the height, how far they go, and what lies deeper than all of them. */
const STEP = 1
const LAST = 5
const DEEPEST = -100

export function drawSlice(slice: Slice, height: number, { width, label }: { width: number; label: string }): string {
  const { view, columns, rows, distances } = slice
  const percent = Float32Array.from(distances, (d) => (100 * d) / height)
  const [left, right] = extent(view, view.across)
  const [bottom, top] = extent(view, view.up)
  const place = { width: columns, height: rows, x1: left, x2: right, y1: bottom, y2: top }
  const levels = [DEEPEST, ...Array.from({ length: (2 * LAST) / STEP + 1 }, (_, i) => i * STEP - LAST)]
  const margins = { marginLeft: 42, marginRight: 6, marginTop: 8, marginBottom: 34 }
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
    color: { type: 'diverging', scheme: 'RdBu', domain: [-1.6 * LAST, 1.6 * LAST], clamp: true },
    marks: [
      Plot.contour(percent, { ...place, thresholds: levels, fill: Plot.identity, stroke: '#0003', strokeWidth: 0.6 }),
      Plot.contour(percent, { ...place, thresholds: [0], fill: 'none', stroke: 'black', strokeWidth: 1.6 }),
    ],
  } as Plot.PlotOptions)
  return svg.outerHTML
}
