/**
 * The zero level set of a field as a shaded picture (the paper's Fig. 5, rendered), by sphere tracing along parallel
 * rays. A learned surface is coloured by how far it lies off the exact one.
 */
import type { SignedField } from 'pliant'
import { encodePng } from './png.js'
import { extent, type View } from './view.js'

/** A learned slope may exceed one where parts meet: steps are shortened so that rays do not jump through. */
const STEP_SHARE = 0.8
const MOST_STEPS = 120
/** A ray has arrived at this share of the height. */
const ARRIVED = 5e-4
/** Error that is drawn in full red, as a share of the height. */
const RED = 0.01
const LIGHT = [0.35, 0.55, 0.76]
const BACKGROUND = 255

export interface ZeroSetOptions {
  /** Pixels along the height. */
  rows: number
  /** Truth to colour by; left out, the surface is plain. */
  exact?: SignedField
}

/** @returns a PNG file */
export function drawZeroSet(field: SignedField, view: View, height: number, { rows, exact }: ZeroSetOptions): Buffer {
  const [left, right] = extent(view, view.across)
  const [bottom, top] = extent(view, view.up)
  const pixel = (top - bottom) / rows
  const columns = Math.ceil((right - left) / pixel)
  const arrivals = traceRays(field, view, { columns, rows, pixel }, ARRIVED * height)
  const { points, pixels, count } = arrivals
  const distances = new Float32Array(count)
  const gradients = new Float32Array(3 * count)
  field.query(points, count, distances, gradients)
  const errors = new Float32Array(count)
  exact?.query(points, count, errors)
  const rgb = new Uint8Array(3 * columns * rows).fill(BACKGROUND)
  for (let i = 0; i < count; i++) {
    const gradient = gradients.subarray(3 * i, 3 * i + 3)
    const length = Math.hypot(...gradient) || 1
    const facing =
      (LIGHT[0] * gradient[view.across] + LIGHT[1] * gradient[view.up] + LIGHT[2] * gradient[view.depth]) / length
    const shade = 0.35 + 0.65 * Math.max(0, facing)
    const off = Math.min(1, Math.abs(errors[i] - distances[i]) / (RED * height))
    rgb[3 * pixels[i]] = 235 * shade
    rgb[3 * pixels[i] + 1] = 235 * shade * (1 - 0.8 * off)
    rgb[3 * pixels[i] + 2] = 235 * shade * (1 - 0.9 * off)
  }
  return encodePng(columns, rows, rgb)
}

interface Arrivals {
  points: Float32Array
  pixels: Uint32Array
  count: number
}

/** All rays that are still under way advance together, so that the field is asked in batches. */
function traceRays(
  field: SignedField,
  view: View,
  { columns, rows, pixel }: { columns: number; rows: number; pixel: number },
  arrived: number,
): Arrivals {
  const [left] = extent(view, view.across)
  const [, top] = extent(view, view.up)
  const [back, front] = extent(view, view.depth)
  let points = new Float32Array(3 * columns * rows)
  let pixels = Uint32Array.from({ length: columns * rows }, (_, i) => i)
  for (let i = 0; i < pixels.length; i++) {
    points[3 * i + view.across] = left + ((i % columns) + 0.5) * pixel
    points[3 * i + view.up] = top - (Math.floor(i / columns) + 0.5) * pixel
    points[3 * i + view.depth] = front
  }
  const there: Arrivals = { points: new Float32Array(points.length), pixels: new Uint32Array(pixels.length), count: 0 }
  const distances = new Float32Array(pixels.length)
  for (let step = 0; step < MOST_STEPS && pixels.length > 0; step++) {
    field.query(points, pixels.length, distances)
    let kept = 0
    for (let i = 0; i < pixels.length; i++) {
      if (distances[i] < arrived) {
        there.points.set(points.subarray(3 * i, 3 * i + 3), 3 * there.count)
        there.pixels[there.count++] = pixels[i]
        continue
      }
      const depth = points[3 * i + view.depth] - Math.max(STEP_SHARE * distances[i], arrived)
      if (depth < back) continue
      points.copyWithin(3 * kept, 3 * i, 3 * i + 3)
      points[3 * kept + view.depth] = depth
      pixels[kept++] = pixels[i]
    }
    points = points.subarray(0, 3 * kept)
    pixels = pixels.subarray(0, kept)
  }
  return there
}
