/** How signed distances look on every slice: one colour scale over the trained band, lines at round distances. */
import { DIVERGING } from '../../draw/colour-map.js'
import {
  type ColourScale,
  type LineStyle,
  type NodeValues,
  paintIsoLine,
  paintValues,
  type Rectangle,
} from '../../draw/slice-painter.js'
import { roundStep } from '../../draw/ticks.js'

const LINE: LineStyle = { colour: 'rgb(12 20 32 / 0.4)', width: 1 }
const SURFACE_LINE: LineStyle = { colour: 'rgb(10 14 20)', width: 2.5 }
/** Lines between the surface and the edge of the band, at most. */
const LINES = 5

export interface DistanceStyle {
  readonly scale: ColourScale
  /** Between neighbouring lines [m]. */
  readonly step: number
}

/** @param truncation half-width of the trained band [m], which is what the colours span */
export function distanceStyle(truncation: number): DistanceStyle {
  return { scale: { table: DIVERGING, lower: -truncation, upper: truncation }, step: roundStep(truncation, LINES) }
}

/**
 * @param pixels canvas pixels to a line of width 1
 * @param fade   opacity just outside the surface and at the edge of the band; opaque if not given
 */
export function paintDistances(
  target: CanvasRenderingContext2D,
  nodes: NodeValues,
  { scale, step }: DistanceStyle,
  into: Rectangle,
  pixels: number,
  fade?: ColourScale['fade'],
): void {
  paintValues(target, nodes, { ...scale, fade }, into)
  const most = Math.floor(scale.upper / step - 1e-6)
  for (let i = -most; i <= most; i++) {
    const style = i === 0 ? SURFACE_LINE : LINE
    paintIsoLine(target, nodes, i * step, { ...style, width: style.width * pixels }, into)
  }
}
