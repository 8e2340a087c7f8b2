/**
 * What an exact field does for points, by kernels and in plain code: both answer the same, which is checked first. Beside
 * them three-mesh-bvh, which tells no sign.
 */
import type { Floats } from 'pliant'
import { ASKED, BLOCK, type PointSearch, ScalarPoints, SimdPoints, TriangleTree } from 'pliant/unstable/exact'
import { Vector3 } from 'three'
import { MeshBVH, SAH } from 'three-mesh-bvh'
import { pinchedTube } from '../../shapes/pinched-tube.js'
import { timeTurns } from '../../timing/turns.js'
import { drawPoints, geometryOf } from './points.js'

export interface PointKernelRow {
  does: string
  triangles: number
  /** Microseconds, for a point or for the whole surface. */
  kernels: number
  plain: number
  threeMeshBvh?: number
  /** plain / kernels. */
  gain: number
}

/** Rows and columns of the tubes: 3,040 triangles, as many as the bunny has, and 5,880. */
const SIZES = [
  [76, 20],
  [84, 35],
] as const

const POINTS = 4 * BLOCK
const LEAF_SIZE = 4

/** @param seconds  about how long each rival runs in each row */
export function benchPointKernels(seconds: number): PointKernelRow[] {
  return SIZES.flatMap(([rows, columns]) => benchSize(rows, columns, seconds))
}

function benchSize(rows: number, columns: number, seconds: number): PointKernelRow[] {
  const mesh = pinchedTube(0, rows, columns)
  const triangles = mesh.triangles.length / 3
  const searches = {
    kernels: new SimdPoints(new TriangleTree(mesh, LEAF_SIZE), mesh.positions) as PointSearch,
    plain: new ScalarPoints(new TriangleTree(mesh, LEAF_SIZE)) as PointSearch,
  }
  const geometry = geometryOf(mesh)
  const bvh = new MeshBVH(geometry, { strategy: SAH })
  const row = (does: string, times: Times, perTurn: number): PointKernelRow => ({
    ...{ does, triangles, kernels: times.kernels / perTurn, plain: times.plain / perTurn },
    ...(times.threeMeshBvh !== undefined && { threeMeshBvh: times.threeMeshBvh / perTurn }),
    gain: times.plain / times.kernels,
  })
  const all: PointKernelRow[] = []
  for (const kind of ['near', 'uniform'] as const) {
    const points = drawPoints(mesh, kind, POINTS, 2)
    const nearest = (search: PointSearch): Int32Array =>
      ask(search, points, (count) => search.nearest(count, Infinity), search.slots)
    const wind = (search: PointSearch): Int32Array =>
      ask(search, points, (count) => windAll(search, count), search.windings)
    requireSame(nearest(searches.kernels), nearest(searches.plain))
    requireSame(wind(searches.kernels), wind(searches.plain))
    const rivals = {
      kernels: () => nearest(searches.kernels),
      plain: () => nearest(searches.plain),
      threeMeshBvh: () => nearestByTheirs(bvh, points),
    }
    all.push(row(`nearest triangle, ${kind} points`, times(rivals, seconds), POINTS))
    const winders = { kernels: () => wind(searches.kernels), plain: () => wind(searches.plain) }
    all.push(row(`winding number, ${kind} points`, times(winders, seconds), POINTS))
  }
  const shapes = [pinchedTube(0.1, rows, columns).positions, pinchedTube(0.2, rows, columns).positions]
  const vertices = geometry.attributes.position.array
  let turn = 0
  // Which way the surface faces is part of a refit by kernels.
  const refit = (search: PointSearch): boolean => {
    search.refit(shapes[turn++ % 2])
    return search.facesOutward
  }
  const rivals = {
    kernels: () => refit(searches.kernels),
    plain: () => refit(searches.plain),
    threeMeshBvh: () => {
      vertices.set(shapes[turn++ % 2])
      bvh.refit()
    },
  }
  return [...all, row('refit', times(rivals, seconds), 1)]
}

/** Microseconds a turn. */
interface Times {
  kernels: number
  plain: number
  threeMeshBvh?: number
}

function times<Name extends keyof Times>(rivals: Record<Name, () => unknown>, seconds: number): Times {
  return timeTurns(rivals, [0], seconds, (run) => run()).medians as unknown as Times
}

/** All points, block by block. @returns the answers of the last one */
function ask(search: PointSearch, points: Floats, run: (count: number) => void, answers: Int32Array): Int32Array {
  for (let from = 0; from < 3 * POINTS; from += 3 * BLOCK) {
    search.points.set(points.subarray(from, from + 3 * BLOCK))
    run(BLOCK)
  }
  return answers
}

function windAll(search: PointSearch, count: number): void {
  search.windings.fill(ASKED)
  search.wind(count)
}

function nearestByTheirs(bvh: MeshBVH, points: Floats): void {
  for (let i = 0; i < 3 * POINTS; i += 3)
    bvh.closestPointToPoint(at.set(points[i], points[i + 1], points[i + 2]), found)
}
const at = new Vector3()
const found = { point: new Vector3(), distance: 0, faceIndex: 0 }

function requireSame(ours: Int32Array, plain: Int32Array): void {
  if (!ours.every((answer, i) => answer === plain[i])) throw new Error('bench exact: kernels and plain code disagree.')
}
