/**
 * A network of a code that sees gaps between patches of a surface (net/gaps/posed-gap-shape.ts), with what tells where the
 * patches are (net/gaps/piece-shape.ts).
 */
import { type PieceShape, pieceMultiplications, pieceTensors } from '../../net/gaps/piece-shape.js'
import { type PosedGapShape, posedGapMultiplications } from '../../net/gaps/posed-gap-shape.js'
import { object, wholeUpTo } from '../checks.js'
import { take } from '../take.js'
import { type NetworkKind, tensorOf } from './network-kind.js'
import { checkPosedGapShape, storePosedGaps, takePosedGaps } from './posed-gaps.js'

/** What a file says of a network from a code to where patches are, and to how far pairs of them are apart. */
export interface FramedGapsNetwork {
  /** Name of the kind. */
  kind: 'framed-gaps'
  /** Its gaps and layers. */
  shape: PosedGapShape
  /** How many pieces of the surface turn and stretch by themselves, which patches follow. */
  pieces: number
}

/** Far more than anybody cuts a surface into. */
const MOST_PIECES = 65_536

/** In single precision, as there is little of it. */
export const network: NetworkKind<FramedGapsNetwork> = {
  check(network, { codeSize }, path) {
    const shape = object(network['shape'], `${path}.shape`) as Partial<Record<keyof PosedGapShape, unknown>>
    checkPosedGapShape(shape, codeSize, `${path}.shape`)
    wholeUpTo(network['pieces'], MOST_PIECES, `${path}.pieces`, 1)
  },
  store({ shape, pieces }, tensors) {
    const own = [...pieceTensors(pieceShape({ shape, pieces }))].map(([name, dims]) => {
      return [name, { shape: dims, data: tensorOf(tensors, name, dims) }] as const
    })
    return new Map([...storePosedGaps(shape, tensors), ...own])
  },
  take({ shape, pieces }, stored) {
    const own = [...pieceTensors(pieceShape({ shape, pieces }))].map(([name, dims]) => {
      return [name, take(stored, name, dims, Float32Array)] as const
    })
    return new Map([...takePosedGaps(shape, stored), ...own])
  },
  multiplications: ({ shape, pieces }) =>
    posedGapMultiplications(shape) + pieceMultiplications(pieceShape({ shape, pieces })),
}

/** What tells its frames. */
export function pieceShape({ shape, pieces }: Pick<FramedGapsNetwork, 'shape' | 'pieces'>): PieceShape {
  const { codeSize, frames } = shape
  return { codeSize, pieces, frames }
}
