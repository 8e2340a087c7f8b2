/** Curves as SVG for the reproduction pages, drawn by Observable Plot without a browser. */
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'

export interface CurvePoint {
  x: number
  y: number
  /** Which curve the point is on. */
  curve: string
}

export interface ChartOptions {
  x: string
  y: string
  label: string
  /** Curves in the order of the legend, with their colours; one not listed is not drawn. */
  colours: ReadonlyMap<string, string>
  logarithmic?: boolean
  /** Points alone, in no order. */
  scattered?: boolean
  /** What the vertical axis shows, so that charts can be compared; by default what there is. */
  range?: readonly [number, number]
  width?: number
  height?: number
}

export function drawCurves(points: readonly CurvePoint[], options: ChartOptions): string {
  const { colours, logarithmic = false, scattered = false, range, width = 560, height = 380 } = options
  const { document } = parseHTML('<html><body></body></html>')
  const shown = points.filter(({ curve }) => colours.has(curve))
  const scale = logarithmic ? { type: 'log' as const, tickFormat: plainNumber } : {}
  const svg = Plot.plot({
    document,
    width,
    height,
    marginLeft: 62,
    marginBottom: 42,
    ariaLabel: options.label,
    grid: true,
    x: { ...scale, label: options.x },
    y: { ...scale, label: options.y, ...(range && { domain: range }) },
    color: { domain: [...colours.keys()], range: [...colours.values()] },
    marks: [
      ...(scattered ? [] : [Plot.lineY(shown, { x: 'x', y: 'y', z: 'curve', stroke: 'curve', strokeWidth: 1.8 })]),
      ...(scattered || shown.length < 400 ? [Plot.dot(shown, { x: 'x', y: 'y', fill: 'curve', r: 2.6 })] : []),
    ],
  } as Plot.PlotOptions)
  return svg.outerHTML
}

/** Names of the curves beside patches of their colours. */
export function drawLegend(colours: ReadonlyMap<string, string>): string {
  const entries = [...colours].map(([name, colour]) => `<span><i style="background:${colour}"></i>${name}</span>`)
  return `<p class="legend">${entries.join(' ')}</p>`
}

/** 1, 10, 1,000 and 0.01 rather than 1e+3 and 1e-2; only powers of ten carry a number. */
function plainNumber(value: number): string {
  const power = Math.log10(value)
  return Math.abs(power - Math.round(power)) < 1e-9 ? value.toLocaleString('en', { maximumFractionDigits: 6 }) : ''
}
