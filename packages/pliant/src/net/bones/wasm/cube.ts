/**
 * Trilinear lookups in the grids of bones: nodes over [-1, 1]^3, one grid per bone. Channels lie in planes of four, one
 * or two that are left over in a plane of two: neighbours along x are a constant number of bytes apart, and of a plane of
 * two one vector holds both.
 *
 * A lookup may keep its slopes, so that the way back is a few products instead of a second visit to the eight corners:
 * x, y, z of each plane's channels, four lanes each.
 */

import type { Vec3 } from '../../../math/box.js'
import {
  doWhile,
  drop,
  f32x4,
  type I32,
  i32,
  i32x4,
  increase,
  type Local,
  type Scope,
  type Statement,
  type V128,
  v128,
  when,
} from '../../../math/wasm/assembler.js'
import { record, type Values } from '../../../math/wasm/records.js'
import { mixWith, sumLanes } from '../../wasm/grid.js'
import type { Madd } from '../../wasm/madd.js'
import { PANEL, roundUp } from '../../wasm/pack.js'

const { sub, pmin, pmax, eq } = f32x4

/** Describes a bone's grid; lengths in bytes. The first four hold x, y, z and an unused lane. */
export const CUBE = record(
  {
    /** To the next node of a plane of four. */
    strides: 'u32x4',
    /** Nodes per unit. */
    scale: 'f32x4',
    /** Last node, last cell. */
    last: 'f32x4',
    lastCell: 'u32x4',
    row: 'u32',
    slice: 'u32',
    plane: 'u32',
    /** Planes of four. */
    fours: 'u32',
    /** Where the plane of two begins, 0 if there is none. */
    pair: 'u32',
    data: 'u32',
  },
  128,
)

/** Planes of four, and whether one of two follows. */
function planesOf(channels: number): { fours: number; hasPair: boolean } {
  const rest = channels % 4
  const hasPair = channels > 4 && (rest === 1 || rest === 2)
  return { fours: hasPair ? (channels - rest) / 4 : Math.ceil(channels / 4), hasPair }
}

/** Bytes of the slopes of one lookup. */
export function slopeBytes(channels: number): number {
  return 48 * Math.ceil(channels / 4)
}

/** Nodes in [z][y][x][channel] order to planes, padded to a multiple of 16 words. */
export function packCube(nodes: Float32Array, channels: number): Float32Array {
  const { fours, hasPair } = planesOf(channels)
  const count = nodes.length / channels
  const out = new Float32Array(roundUp(count * (4 * fours + (hasPair ? 2 : 0)), PANEL))
  for (let node = 0; node < count; node++) {
    for (let c = 0; c < channels; c++) {
      const plane = Math.floor(c / 4)
      const width = plane < fours ? 4 : 2
      out[4 * count * plane + width * node + (c % 4)] = nodes[node * channels + c]
    }
  }
  return out
}

/** @param data  where the packed grid lies */
export function describeCube(nodes: Vec3, channels: number, data: number): Values<typeof CUBE> {
  const { fours, hasPair } = planesOf(channels)
  const row = 16 * nodes[0]
  const slice = row * nodes[1]
  const plane = slice * nodes[2]
  return {
    strides: [16, row, slice],
    scale: nodes.map((n) => (n - 1) / 2),
    last: nodes.map((n) => n - 1),
    lastCell: nodes.map((n) => n - 2),
    row,
    slice,
    plane,
    fours,
    pair: hasPair ? fours * plane : 0,
    data,
  }
}

type Lanes = 'strides' | 'scale' | 'last' | 'lastCell'

/** Pieces of code for lookups in the grid whose CUBE is at `cube`. */
export function declareCube(scope: Scope, madd: Madd, cube: Local<'i32'>, keeps: boolean) {
  const [cell, at, row, slice, left, to, kept] = scope.some(7, 'i32')
  const [fraction, isInside, t, index, ...f] = scope.some(7, 'v128')
  const v = scope.some(8, 'v128')
  const dx = scope.some(4, 'v128')
  const [dy0, dy1] = scope.some(2, 'v128')
  const [fx, fy, fz] = f.map((local) => local.get)
  const word = (name: Exclude<keyof typeof CUBE.at, Lanes>): I32 => CUBE.load(cube.get, name)
  const lanes = (name: Lanes): V128 => CUBE.load(cube.get, name)
  const mix = mixWith(madd)
  const corners = [at.get, i32.add(at.get, row.get), i32.add(at.get, slice.get)]
  corners.push(i32.add(corners[1], slice.get))
  /** Writes a plane's channels and slopes, and moves on to the next. */
  const write = (value: V128, slopes: V128[]): Statement[] => [
    ...(keeps ? slopes.map((slope, axis) => v128.store(kept.get, slope, 16 * axis)) : []),
    v128.store(to.get, value),
    increase(to, 16),
    ...(keeps ? [increase(kept, 48)] : []),
  ]

  const planeOfFour = [
    ...v.map((value, i) => value.set(v128.load(corners[i >> 1], 16 * (i & 1)))),
    // Edges along x; then v[0], v[2], v[4], v[6] become the values on them.
    ...dx.map((d, i) => d.set(sub(v[2 * i + 1].get, v[2 * i].get))),
    ...dx.map((d, i) => v[2 * i].set(madd(fx, d.get, v[2 * i].get))),
    dy0.set(sub(v[2].get, v[0].get)),
    dy1.set(sub(v[6].get, v[4].get)),
    v[0].set(madd(fy, dy0.get, v[0].get)),
    v[4].set(sub(madd(fy, dy1.get, v[4].get), v[0].get)),
    ...write(madd(fz, v[4].get, v[0].get), [
      mix(mix(dx[0].get, dx[1].get, fy), mix(dx[2].get, dx[3].get, fy), fz),
      mix(dy0.get, dy1.get, fz),
      v[4].get,
    ]),
  ]

  // x comes last here: until then each vector holds both neighbours along it.
  const upper = (edge: Local<'v128'>): V128 => v128.shuffle(edge.get, edge.get, [2, 3, 2, 3])
  const alongX = (edge: Local<'v128'>): V128 => madd(fx, sub(upper(edge), edge.get), edge.get)
  const lowerTwo = (value: V128): V128 => v128.shuffle(value, f32x4.const(0), [0, 1, 4, 5])
  const planeOfTwo = [
    ...v.slice(0, 4).map((edge, i) => edge.set(v128.load(corners[i]))),
    dy0.set(sub(v[1].get, v[0].get)),
    dy1.set(sub(v[3].get, v[2].get)),
    v[0].set(madd(fy, dy0.get, v[0].get)),
    v[2].set(sub(madd(fy, dy1.get, v[2].get), v[0].get)),
    dy0.set(mix(dy0.get, dy1.get, fz)),
    v[0].set(madd(fz, v[2].get, v[0].get)),
    ...write(alongX(v[0]), [
      sub(upper(v[0]), v[0].get),
      // What is no channel must not count on the way back.
      lowerTwo(alongX(dy0)),
      lowerTwo(alongX(v[2])),
    ]),
  ]

  return {
    /** Byte offset of a cell within a plane of four. */
    cell,
    /** x, y, z within it. */
    fraction,
    /** Per axis: all bits set where the point is within the grid, so that the clamped value follows it. */
    isInside,
    /** Sets the three above. */
    locate: (position: V128): Statement[] => [
      t.set(madd(position, lanes('scale'), lanes('scale'))),
      fraction.set(pmin(pmax(t.get, f32x4.const(0)), lanes('last'))),
      isInside.set(eq(t.get, fraction.get)),
      index.set(i32x4.minS(i32x4.truncate(fraction.get), lanes('lastCell'))),
      fraction.set(sub(fraction.get, f32x4.fromI32x4(index.get))),
      index.set(i32x4.mul(index.get, lanes('strides'))),
      cell.set(i32.add(i32.add(i32x4.extract(index.get, 0), i32x4.extract(index.get, 1)), i32x4.extract(index.get, 2))),
    ],
    /** Writes all channels, in fours, from `out` on, and their slopes. */
    lookup: (out: I32, slopes: I32): Statement[] => [
      at.set(i32.add(word('data'), cell.get)),
      row.set(word('row')),
      slice.set(word('slice')),
      to.set(out),
      ...(keeps ? [kept.set(slopes)] : []),
      ...f.map((local, axis) => local.set(v128.splatLane(fraction, axis))),
      left.set(word('fours')),
      doWhile([...planeOfFour, increase(at, word('plane')), left.set(i32.sub(left.get, i32.const(1)))], left.get),
      when(word('pair'), [
        at.set(i32.add(i32.add(word('data'), word('pair')), i32.shrU(cell.get, i32.const(1)))),
        row.set(i32.shrU(row.get, i32.const(1))),
        slice.set(i32.shrU(slice.get, i32.const(1))),
        ...planeOfTwo,
      ]),
    ],
    /** Reads the cell's corners of the first plane, so that they are in the cache when needed. */
    fetch: (): Statement[] => [
      at.set(i32.add(word('data'), cell.get)),
      row.set(word('row')),
      slice.set(word('slice')),
      ...corners.flatMap((corner) => [drop(i32.load(corner)), drop(i32.load(corner, 16))]),
    ],
  }
}

/**
 * (slopes, end of slopes, upstream): the transposed Jacobian times `upstream`, in cells, x y z in the lower lanes.
 * @param ahead the first four of `upstream`, where they differ from what is in memory
 */
export function declareLookupBack(scope: Scope, madd: Madd) {
  const [at, upstream] = scope.some(2, 'i32')
  const [g, ...sums] = scope.some(4, 'v128')
  return (slopes: I32, end: I32, from: I32, out: Local<'v128'>, ahead = v128.load(from)): Statement[] => [
    at.set(slopes),
    upstream.set(from),
    g.set(ahead),
    ...sums.map((sum) => sum.set(f32x4.const(0))),
    doWhile(
      [
        ...sums.map((sum, axis) => sum.set(madd(g.get, v128.load(at.get, 16 * axis), sum.get))),
        increase(at, 48),
        increase(upstream, 16),
        g.set(v128.load(upstream.get)),
      ],
      i32.ltU(at.get, end),
    ),
    out.set(sumLanes(sums[0].get, sums[1].get, sums[2].get)),
  ]
}
