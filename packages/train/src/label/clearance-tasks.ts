/** What a worker does that tells how far parts of a shape are apart at codes: labels of every pair at once. */
import { boxOfPoints, type TriangleMesh } from 'pliant'
import type { NeighbourRule, PosedShape } from 'pliant/exact'
import { boxDiagonal } from 'pliant/unstable'
import { type NearestOfParts, PartClearances } from 'pliant/unstable/exact'
import { moved } from '../pool/index.js'

/** How far clearances are told, as a share of the diagonal at rest: 5 cm of a person. */
export const CLEARANCE_REACH = 0.025

export interface AskedClearances {
  codes: Float32Array
  /** Pairs, by their places in the list of all; left out, all of them. */
  pairs?: Uint32Array
  /** Whether to tell where parts are nearest. */
  places?: boolean
}

export interface Clearances {
  /** For each code one for each pair, in units of the reach: from -1, so deep or deeper, to 1. */
  values: Float32Array
  /** Where pairs within reach are nearest: triangles, two each, and weights of their corners, six each; if asked for. */
  triangles: Uint32Array
  weights: Float32Array
}

/** @param rest  the surface at rest, of which the rule was made */
export function clearanceTasks(shape: PosedShape, rest: TriangleMesh, rule: NeighbourRule) {
  const reach = CLEARANCE_REACH * boxDiagonal(boxOfPoints(rest.positions))
  const positions = new Float64Array(rest.positions.length)
  // Made when it is first asked for: it takes a second or two.
  let clearances: PartClearances | undefined
  const all = (): PartClearances => {
    clearances ??= new PartClearances({ ...rest, positions: rest.positions.slice() }, rule, { reach })
    return clearances
  }
  return {
    /** Parts of each pair, two numbers, and the reach [m]. */
    allPairs: () => ({ pairs: all().pairs, reach }),
    clearances({ codes, pairs, places = false }: AskedClearances) {
      const parts = all()
      const asked = pairs ?? Uint32Array.from({ length: parts.pairs.length / 2 }, (_, pair) => pair)
      const count = codes.length / shape.codeSize
      const values = new Float32Array(count * asked.length)
      const triangles: number[] = []
      const weights: number[] = []
      const keep = ({ triangles: at, weights: shares }: NearestOfParts): void => {
        triangles.push(...at)
        weights.push(...shares)
      }
      for (let row = 0; row < count; row++) {
        shape.positions(codes.subarray(row * shape.codeSize, (row + 1) * shape.codeSize), positions)
        parts.moveTo(positions)
        const own = values.subarray(row * asked.length, (row + 1) * asked.length)
        parts.write(asked, own, places ? (_, place) => keep(place) : undefined)
        for (let i = 0; i < own.length; i++) own[i] /= reach
      }
      const found: Clearances = {
        values,
        triangles: Uint32Array.from(triangles),
        weights: Float32Array.from(weights),
      }
      return moved(found, found.values, found.triangles, found.weights)
    },
  }
}
