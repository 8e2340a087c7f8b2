/** Pictures of one shape, as in the papers' Figs. 3 and 5: zero sets, and level sets on a plane, exact beside learned. */
import { boxOfPoints, type SignedField } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { drawSlice, type Levels, sliceField } from './level-sets.js'
import { renderFigure, renderPng } from './page.js'
import { chooseView, type View } from './view.js'
import { drawZeroSet } from './zero-set.js'

/** Width of a slice on the page, pixels and nodes along the height. */
const SLICE_WIDTH = 330
const FINE = { pixels: 420, nodes: 180 }
const COARSE = { pixels: 105, nodes: 60 }

export interface ShapePicturesOptions {
  /** The surface in the fields' frame [m]. */
  positions: Float64Array
  triangles: Uint32Array
  /** What lengths on the pictures are shares of [m]. */
  size: number
  /** Drawn beside the exact shape, under these names. */
  fields: Readonly<Record<string, SignedField>>
  levels?: Levels
  /** Coarse pictures. */
  quick?: boolean
}

/** @returns HTML, a row of zero sets and one of level sets */
export function shapePictures({ positions, triangles, size, fields, levels, quick }: ShapePicturesOptions): string {
  const { pixels, nodes } = quick ? COARSE : FINE
  const exact = new ExactMeshField({ positions, triangles })
  const view = chooseView(boxOfPoints(positions), size)
  const offset = medianDepth(positions, view)
  const shown: [string, SignedField][] = [['exact', exact], ...Object.entries(fields)]
  const solids = shown.map(([name, field]) => {
    const truth = field === exact ? undefined : exact
    const png = drawZeroSet(field, view, size, { rows: pixels, exact: truth })
    return renderFigure(renderPng(png, `zero set, ${name}`), name)
  })
  const slices = shown.map(([name, field]) => {
    const look = { width: SLICE_WIDTH, label: `level sets, ${name}`, levels }
    return renderFigure(drawSlice(sliceField(field, view, offset, nodes), size, look), name)
  })
  return `<div class="row">${solids.join('')}</div><div class="row">${slices.join('')}</div>`
}

/** Codes far from each other: the first, then always the one furthest from those that were taken. @returns their numbers */
export function pickFurthest(codes: readonly Float64Array[], count: number): number[] {
  const nearest = new Float64Array(codes.length).fill(Number.POSITIVE_INFINITY)
  const picked: number[] = []
  let next = 0
  while (picked.length < Math.min(count, codes.length)) {
    picked.push(next)
    for (const [i, code] of codes.entries()) nearest[i] = Math.min(nearest[i], squaredDistance(code, codes[next]))
    next = nearest.indexOf(Math.max(...nearest))
  }
  return picked
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0)
}

/** The plane goes through the middle of the shape's vertices, so that it cuts what there is to be cut. */
function medianDepth(positions: Float64Array, { depth }: View): number {
  const depths = Float64Array.from({ length: positions.length / 3 }, (_, v) => positions[3 * v + depth]).sort()
  return depths[depths.length >> 1]
}
