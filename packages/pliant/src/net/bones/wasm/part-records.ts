/**
 * What parts of an elastic body are in WebAssembly memory. Their motions lie one after the other; all that follows takes
 * two parts at a time, a double of each in a vector: 'pair' says so. The last pair of an odd number has an idle lane.
 */
import { record } from '../../../math/wasm/records.js'
import { AFFINE } from '../part-motions.js'

/** Bytes of a part's motion: F, row by row, then c. */
export const MOTION = 8 * AFFINE
/** Where c is in it. */
export const CENTRE = 72

/** Bytes of nine numbers of a pair: its rotations, its axes. */
export const PAIR_MATRIX = 9 * 16

/** Addresses in bytes. */
export const PARTS = record({
  /** From where places are counted [m]. */
  origin: ['f64', 3],
  /** For each node that a part follows, one part after the other: the byte at which it stands among the nodes. */
  places: 'u32',
  /** Its four shares, doubles. */
  shares: 'u32',
  /** For each part the end of its places. */
  ends: 'u32',
  endsEnd: 'u32',
  /** MOTION per part. */
  motions: 'u32',
  motionsEnd: 'u32',
  /** PAIR_MATRIX per pair: rotations, row by row. */
  rotations: 'u32',
  /** Word per pair: TURNED where both lanes were turned, less where one is too flat for it. */
  turned: 'u32',
  /** PAIR_MATRIX per pair: axes at rest. */
  axes: 'u32',
  /** MAX_NEIGHBOURS of NEIGHBOUR per pair. */
  neighbours: 'u32',
  /** Column-major 4x4 of doubles per part. */
  matrices: 'u32',
  /** 3 * MAX_DRIVERS floats per part. */
  drivers: 'u32',
})

/** All lanes' bits. */
export const TURNED = 15

/** One of the neighbours of a pair's two parts; one that a part lacks is itself, at no distance. */
export const NEIGHBOUR = record({
  /** E^T (C_n - C) and one over its length, a double for each of the two. */
  resting: ['f64', 8],
  /** Where their neighbours' motions are. */
  motions: ['u32', 2],
})
