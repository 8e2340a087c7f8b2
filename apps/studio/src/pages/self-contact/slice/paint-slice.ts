/** Paints a slice of the space of codes, what was sampled in it, and where the body is: each into its own layer. */
import { DIVERGING } from '../../../draw/colour-map.js'
import {
  type ColourScale,
  paintIsoLine,
  paintSegments,
  paintValues,
  type Rectangle,
} from '../../../draw/slice-painter.js'
import type { CodeBox, LearnedRounds } from '../contact-protocol.js'
import { type CodeSlice, placeInSlice } from './code-slice.js'
import { roundSpan } from './round-samples.js'
import type { SliceAnswer } from './slice-protocol.js'

/** Colours of the two boundaries, of samples and of the present code; the legend shows the same. */
export const LEARNED_LINE = '#10151c'
export const EXACT_LINE = '#d4007a'
export const TOUCHING_SAMPLE = '#8a2f00'
export const FREE_SAMPLE = '#0c3a78'
export const PRESENT = '#ffd83d'
const HALO = 'rgb(10 14 20 / 0.75)'
/** Over the picture while samples are shown, so that they stand out. */
const VEIL = 'rgb(255 255 255 / 0.35)'
/** Side of a sample's square, of earlier rounds and of the last one [CSS pixels]. */
const OLD_SAMPLE = 1.6
const NEW_SAMPLE = 3.2
const DOT = 5

/** Full colour this far from the boundary, as a share of the box. */
const REACH = 0.25

/** What a layer needs to place something. */
export interface SliceFrame {
  readonly axes: CodeSlice['axes']
  readonly box: CodeBox
  /** Where the slice lies in the canvas [canvas pixels]. */
  readonly into: Rectangle
  /** Canvas pixels in one of CSS. */
  readonly pixels: number
}

/** Colours for distances in a box of codes. */
export function distanceScale({ lower, upper }: CodeBox): ColourScale {
  const widest = upper.reduce((most, end, k) => Math.max(most, end - lower[k]), 0)
  return { table: DIVERGING, lower: -REACH * widest, upper: REACH * widest }
}

/** Learned distance as colour with its zero line, and the exact boundary. */
export function paintSlice(
  context: CanvasRenderingContext2D,
  { learned, exact, line }: Pick<SliceAnswer, 'learned' | 'exact' | 'line'>,
  { box, into, pixels }: Omit<SliceFrame, 'axes'>,
): void {
  paintValues(context, learned, distanceScale(box), into)
  paintSegments(context, line, exact, { colour: EXACT_LINE, width: 2.4 * pixels }, into)
  paintIsoLine(context, learned, 0, { colour: LEARNED_LINE, width: 1.3 * pixels }, into)
}

/** Samples of all rounds up to one, projected on the axes; the last round's are larger and on top. */
export function paintSamples(
  context: CanvasRenderingContext2D,
  rounds: LearnedRounds,
  round: number,
  { axes, box, into, pixels }: SliceFrame,
): void {
  if (round === 0) return
  const { first, end } = roundSpan(rounds, round)
  const size = box.lower.length
  context.fillStyle = VEIL
  context.fillRect(into.x, into.y, into.width, into.height)
  const paint = (from: number, to: number, side: number): void => {
    for (const [sign, colour] of [
      [1, FREE_SAMPLE],
      [-1, TOUCHING_SAMPLE],
    ] as const) {
      context.fillStyle = colour
      for (let n = from; n < to; n++) {
        if (rounds.signs[n] !== sign) continue
        const [x, y] = pixelOf(placeInSlice(rounds.codes, axes, box, n * size), into)
        context.fillRect(x - side / 2, y - side / 2, side, side)
      }
    }
  }
  context.globalAlpha = 0.55
  paint(0, first, OLD_SAMPLE * pixels)
  context.globalAlpha = 1
  paint(first, end, NEW_SAMPLE * pixels)
}

/** The present code as a dot, and where it came from, fading. */
export function paintPresent(
  context: CanvasRenderingContext2D,
  trail: readonly Float64Array[],
  { axes, box, into, pixels }: SliceFrame,
): void {
  const places = trail.map((code) => pixelOf(placeInSlice(code, axes, box), into))
  context.lineCap = 'round'
  for (const [colour, width] of [
    [HALO, 3.4],
    [PRESENT, 1.6],
  ] as const) {
    context.strokeStyle = colour
    context.lineWidth = width * pixels
    for (let n = 1; n < places.length; n++) {
      context.globalAlpha = n / places.length
      context.beginPath()
      context.moveTo(...places[n - 1])
      context.lineTo(...places[n])
      context.stroke()
    }
  }
  context.globalAlpha = 1
  const last = places.at(-1)
  if (!last) return
  context.beginPath()
  context.arc(...last, DOT * pixels, 0, 2 * Math.PI)
  context.fillStyle = PRESENT
  context.fill()
  context.strokeStyle = HALO
  context.lineWidth = 1.6 * pixels
  context.stroke()
}

/** @param place  0 to 1 from the left and from the bottom; what is beyond stays at the edge */
export function pixelOf([across, up]: readonly [number, number], into: Rectangle): [number, number] {
  const within = (value: number): number => Math.min(1, Math.max(0, value))
  return [into.x + within(across) * into.width, into.y + (1 - within(up)) * into.height]
}
