/**
 * Two images drawn in code, as in Cai et al., Fig. 6, one mostly smooth and one all corners: a pear that somebody has bitten
 * into, with its leaf, and a maple leaf.
 */
import type { BinaryImage } from './binary-image.js'
import { outlineImage, type Point } from './outline-image.js'

/** Corners of the pear: 0.02 apart, so that the outline is 5e-5 off the curve. */
const PEAR_CORNERS = 200
const ARC_CORNERS = 40

export type DrawnImage = 'pear' | 'leaf'

export function drawnImage(name: DrawnImage): BinaryImage {
  return name === 'pear' ? pear() : mapleLeaf()
}

export function pear(): BinaryImage {
  return outlineImage('pear', [bittenPear(), lens([0.06, 0.6], [0.52, 0.86], 0.45)])
}

export function mapleLeaf(): BinaryImage {
  const right: Point[] = [
    [0.12, 0.6],
    [0.29, 0.69],
    [0.23, 0.27],
    [0.47, 0.53],
    [0.53, 0.38],
    [0.82, 0.45],
    [0.72, 0.2],
    [0.88, 0.09],
    [0.5, -0.2],
    [0.55, -0.38],
    [0.06, -0.3],
    [0.04, -0.86],
  ]
  const left = right.map(([x, y]): Point => [-x, y]).reverse()
  return outlineImage('maple leaf', [[[0, 0.92], ...right, ...left]])
}

/** A round belly and a neck; what of it lies in the bite's circle is gone, and the circle's arc is the outline there. */
function bittenPear(): Point[] {
  const bite = { x: -0.62, y: -0.34, radius: 0.28 }
  const whole = Array.from({ length: PEAR_CORNERS }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / PEAR_CORNERS
    const width = 0.43 - 0.17 * Math.cos(angle) + 0.05 * Math.cos(2 * angle) + 0.06 * Math.cos(3 * angle)
    return [width * Math.sin(angle), 0.72 * Math.cos(angle) - 0.18]
  })
  const kept = whole.map(([x, y]) => Math.hypot(x - bite.x, y - bite.y) > bite.radius)
  const [last, next] = [kept.indexOf(false) - 1, kept.lastIndexOf(false) + 1]
  const angleOf = ([x, y]: Point): number => Math.atan2(y - bite.y, x - bite.x)
  const [from, to] = [angleOf(whole[last]), angleOf(whole[next])]
  const arc = Array.from({ length: ARC_CORNERS }, (_, i): Point => {
    const angle = from + ((i + 0.5) / ARC_CORNERS) * (to - from)
    return [bite.x + bite.radius * Math.cos(angle), bite.y + bite.radius * Math.sin(angle)]
  })
  return [...whole.slice(0, last + 1), ...arc, ...whole.slice(next)]
}

/** A leaf between two points: two arcs of circles, each as far from the middle as `bulge` times half the way. */
function lens([ax, ay]: Point, [bx, by]: Point, bulge: number): Point[] {
  const side = (sign: number): Point[] =>
    Array.from({ length: ARC_CORNERS }, (_, i): Point => {
      // From tip to tip, or back: an arc through both whose height over the chord is the bulge.
      const half = 2 * Math.atan(bulge)
      const angle = half * ((2 * i) / ARC_CORNERS - 1)
      const along = (sign * Math.sin(angle)) / Math.sin(half)
      const across = (sign * (Math.cos(angle) - Math.cos(half))) / Math.sin(half)
      const [mx, my, hx, hy] = [(ax + bx) / 2, (ay + by) / 2, (bx - ax) / 2, (by - ay) / 2]
      return [mx + along * hx - across * hy, my + along * hy + across * hx]
    })
  return [...side(1), ...side(-1)]
}
