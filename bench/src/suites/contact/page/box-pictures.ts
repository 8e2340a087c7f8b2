/** A body and its oriented boxes, seen from above one of its corners: the boxes lie over a shaded picture of its surface. */
import { boxExpand, boxOfPoints, TransformedField } from 'pliant'
import type { OrientedBox } from 'pliant/detect'
import { boxDiagonal } from 'pliant/unstable'
import { escapeHtml } from '../../../pages/page.js'
import type { View } from '../../../pages/view.js'
import { drawZeroSet } from '../../../pages/zero-set.js'
import type { NamedBody } from '../boxes/measure-boxes.js'

/** By how much a body is turned about the vertical, and then towards whoever looks [rad]. */
const TURN = -0.6
const TILT = 0.4
/** Around all boxes, as a share of the body's size. */
const MARGIN = 0.02

/**
 * @param cuts  the boxes of each way to cut
 * @param rows  pixels along the height
 * @returns for each cut an SVG; all are as large, and from the same side
 */
export function drawBoxes(
  { body, field, box }: NamedBody,
  cuts: ReadonlyMap<string, readonly OrientedBox[]>,
  rows: number,
): Map<string, string> {
  const turned = new Map([...cuts].map(([method, boxes]) => [method, boxes.map(turnedFaces)]))
  const corners = [...turned.values()].flat(3).flat()
  const size = boxDiagonal(box)
  const view: View = {
    across: 0,
    up: 1,
    depth: 2,
    box: boxExpand(boxOfPoints(Float64Array.from(corners)), MARGIN * size),
  }
  const png = drawZeroSet(new TransformedField(field, turningFrame()), view, size, { rows }).toString('base64')
  const { lower, upper } = view.box
  const scale = rows / (upper[1] - lower[1])
  const columns = Math.ceil((upper[0] - lower[0]) * scale)
  const place = ([x, y]: Corner): string =>
    `${((x - lower[0]) * scale).toFixed(1)},${((upper[1] - y) * scale).toFixed(1)}`
  return new Map(
    [...turned].map(([method, boxes]) => {
      const drawn = boxes
        .map((faces, i) => ({ faces, colour: `hsl(${(i * GOLDEN) % 360} 75% 42%)`, depth: meanDepth(faces) }))
        .sort((a, b) => a.depth - b.depth)
        .flatMap(({ faces, colour }) =>
          faces.filter(isInFront).map((face) => {
            const points = face.map(place).join(' ')
            return `<polygon points="${points}" fill="${colour}" fill-opacity=".16" stroke="${colour}" stroke-width="1.2" stroke-linejoin="round"/>`
          }),
        )
      const label = escapeHtml(`${body}, ${method}`)
      const image = `<image width="${columns}" height="${rows}" href="data:image/png;base64,${png}"/>`
      const svg = `<svg viewBox="0 0 ${columns} ${rows}" width="${columns}" height="${rows}" role="img" aria-label="${label}">${image}${drawn.join('')}</svg>`
      return [method, svg] as const
    }),
  )
}

/** Degrees between the hues of boxes that follow each other, so that no two are alike. */
const GOLDEN = 137.5

type Corner = readonly [number, number, number]
type Face = readonly Corner[]

/** The turn about the vertical, then the tilt, as a frame. */
function turningFrame(): Float64Array {
  const [c, s, u, v] = [Math.cos(TURN), Math.sin(TURN), Math.cos(TILT), Math.sin(TILT)]
  return Float64Array.of(c, v * s, -u * s, 0, 0, u, v, 0, s, -v * c, u * c, 0, 0, 0, 0, 1)
}

/** The six faces of a box, turned as the picture is, corners in order around each. */
function turnedFaces({ frame, half }: OrientedBox): Face[] {
  const turn = turningFrame()
  const corner = (signs: readonly number[]): Corner => {
    const point = [0, 1, 2].map((k) =>
      signs.reduce((sum, sign, axis) => sum + sign * half[axis] * frame[4 * axis + k], frame[12 + k]),
    )
    return [0, 1, 2].map((k) => point.reduce((sum, value, axis) => sum + value * turn[4 * axis + k], 0)) as never
  }
  return [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) => {
      const around = side > 0 ? AROUND : AROUND.toReversed()
      return around.map(([u, v]) => {
        const signs = [0, 0, 0]
        signs[axis] = side
        signs[(axis + 1) % 3] = u
        signs[(axis + 2) % 3] = v
        return corner(signs)
      })
    }),
  )
}

/** Counterclockwise, seen against the axis. */
const AROUND = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const

function isInFront([a, b, c]: Face): boolean {
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0
}

function meanDepth(faces: readonly Face[]): number {
  return faces.flat().reduce((sum, [, , depth]) => sum + depth, 0)
}
