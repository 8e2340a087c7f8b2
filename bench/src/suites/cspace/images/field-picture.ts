/** A signed distance over [-1, 1]^2 as SVG: red inside, blue outside, isolines, the zero line strong. */
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'

export interface FieldPicture {
  /** Distances on a square grid over the box, ends included, rows from below. */
  distances: readonly (readonly number[])[]
  /** Exact ones: their zero line is drawn under the other in orange, and is seen where the two differ. */
  exact?: readonly (readonly number[])[]
  label: string
  width: number
}

/** Distance from one isoline to the next, and where colours end. */
export const ISOLINES = 0.1
const FULL_COLOUR = 1
/** Beyond all distances in the box. */
const DEEPEST = -4

export function drawField({ distances, exact, label, width }: FieldPicture): string {
  const nodes = distances.length
  // Values are those of pixels' middles: half a pixel lies beyond the box.
  const end = 1 + 1 / (nodes - 1)
  const grid = { width: nodes, height: nodes, x1: -end, x2: end, y1: -end, y2: end, clip: true }
  const margins = { marginLeft: 34, marginRight: 8, marginTop: 8, marginBottom: 24 }
  const side = width - margins.marginLeft - margins.marginRight
  const thresholds = [DEEPEST, ...Array.from({ length: 31 }, (_, i) => ISOLINES * (i - 15))]
  // Of the inside, hence the minus: around the outside the line would run along the frame, too.
  const zero = (of: readonly (readonly number[])[], stroke: string, strokeWidth: number) =>
    Plot.contour(
      of.flat().map((distance) => -distance),
      { ...grid, thresholds: [0], fill: 'none', stroke, strokeWidth },
    )
  const { document } = parseHTML('<html><body></body></html>')
  const svg = Plot.plot({
    document,
    width,
    height: side + margins.marginTop + margins.marginBottom,
    ...margins,
    ariaLabel: label,
    x: { label: null, domain: [-1, 1], ticks: 5 },
    y: { label: null, domain: [-1, 1], ticks: 5 },
    color: { type: 'diverging', scheme: 'RdBu', domain: [-FULL_COLOUR, FULL_COLOUR], clamp: true },
    marks: [
      Plot.contour(distances.flat(), { ...grid, thresholds, fill: Plot.identity, stroke: '#0004', strokeWidth: 0.6 }),
      ...(exact ? [zero(exact, '#ff8c00', 2.4)] : []),
      zero(distances, 'black', 1.8),
    ],
  } as Plot.PlotOptions)
  return svg.outerHTML
}
