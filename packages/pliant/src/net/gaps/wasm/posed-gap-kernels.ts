/**
 * The driver of posed gap networks (posed-gap-shape.ts): for each pair whose middles are near each other, where its places
 * are, the least gap between balls, places seen from the other part's frame, and the dense layers behind. Places go into
 * planes, all x, all y, all z, four at a time: their number is a multiple of four.
 */
import {
  doWhile,
  f32,
  f32x4,
  type I32,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
  when,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import { exponential } from '../../wasm/activation.js'
import type { Madd } from '../../wasm/madd.js'
import { LEAST_GAP } from '../scalar-pairs.js'
import { logarithm } from './gap-kernels.js'
import { definePairLayers } from './pair-layers.js'

/** What is the same for all pairs. Conventions as in net/wasm/records.ts. */
export const PAIRS_PROGRAM = record({
  /** Column-major 4x4 of each frame. */
  frames: 'u32',
  /** PAIR records. */
  pairs: 'u32',
  /** A float for each pair. */
  values: 'u32',
  /** Bytes of a plane of one part's places; of those of it that are seen. */
  plane: 'u32',
  seenPlane: 'u32',
  far: 'f32',
  perMetre: 'f32',
  softness: 'f32',
  /** Its inverse. */
  sharpness: 'f32',
  // In scratch: six planes of places, x, y, z of the first part and of the second; gaps; what the layers see; outputs of one.
  places: 'u32',
  gaps: 'u32',
  features: 'u32',
  outputs: 'u32',
})

/** One pair. Frames are byte offsets from the first frame. */
export const PAIR = record({
  /** x, y, z of the two middles. */
  middleA: 'f32x4',
  middleB: 'f32x4',
  frameA: 'u32',
  frameB: 'u32',
  /** Squared length between the middles from which on it is not looked at. */
  far: 'f32',
  /** PLACE records of the first part, then of the second. */
  places: 'u32',
  /** Rows of radii. */
  radius: 'u32',
  /** In planes as what is seen. */
  scale: 'u32',
  shift: 'u32',
  /** Its network (pair-layers.ts). */
  layers: 'u32',
  layersEnd: 'u32',
  last: 'u32',
})

export const PLACE = record({ frame: 'u32', x: 'f32', y: 'f32', z: 'f32' })

/** Addresses and sizes of the program. */
type Field = Exclude<keyof typeof PAIRS_PROGRAM.at, 'far' | 'perMetre' | 'softness' | 'sharpness'>

/** Exports 'run': pairs from `first` on. */
export function definePairKernels(module: ModuleBuilder, madd: Madd): void {
  const answer = definePairLayers(module, madd)
  const place = definePlace(module, madd)
  const leastGap = defineLeastGap(module, madd)
  const see = defineSee(module, madd)
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  module.define('run', { params, isExported: true }, ({ program, first, count, scratch }, scope) => {
    const [pair, to, frames] = scope.some(3, 'i32')
    const way = scope.local('v128')
    const field = (name: Field) => PAIRS_PROGRAM.load(program.get, name)
    const middle = (name: 'middleA' | 'middleB', frame: 'frameA' | 'frameB'): V128 => {
      const point = PAIR.at[name]
      return transformed(madd, i32.add(frames.get, PAIR.load(pair.get, frame)), (axis) =>
        v128.loadSplat(pair.get, point + 4 * axis),
      )
    }
    const inScratch = (name: Field) => i32.add(scratch.get, field(name))
    const of = (name: 'layers' | 'layersEnd' | 'last') => PAIR.load(pair.get, name)
    const network = { layers: of('layers'), end: of('layersEnd'), last: of('last') }
    const near = [
      place.call({ program, pair, scratch }),
      leastGap.call({ program, pair, scratch, to }),
      see.call({ program, pair, scratch }),
      f32.store(
        to.get,
        f32.add(f32.load(to.get), answer.call({ ...network, from: inScratch('features'), to: inScratch('outputs') })),
      ),
    ]
    const isFar = [f32.store(to.get, PAIRS_PROGRAM.load(program.get, 'far'))]
    return [
      frames.set(field('frames')),
      pair.set(i32.add(field('pairs'), i32.mul(first.get, i32.const(PAIR.size)))),
      to.set(i32.add(field('values'), i32.shl(first.get, i32.const(2)))),
      doWhile(
        [
          way.set(f32x4.sub(middle('middleA', 'frameA'), middle('middleB', 'frameB'))),
          way.set(f32x4.mul(way.get, way.get)),
          // Of the first lane alone it is the squared length.
          way.set(f32x4.add(way.get, f32x4.add(v128.splatLane(way, 1), v128.splatLane(way, 2)))),
          when(i32.and(i32x4.bitmask(f32x4.gt(way.get, PAIR.splat(pair.get, 'far'))), i32.const(1)), isFar, near),
          increase(pair, PAIR.size),
          increase(to, 4),
          count.set(i32.sub(count.get, i32.const(1))),
        ],
        count.get,
      ),
    ]
  })
}

/** Frame times point. */
function transformed(madd: Madd, frame: I32, axis: (axis: number) => V128): V128 {
  return madd(
    v128.load(frame),
    axis(0),
    madd(v128.load(frame, 16), axis(1), madd(v128.load(frame, 32), axis(2), v128.load(frame, 48))),
  )
}

/** Where the places of both parts are, in planes. */
function definePlace(module: ModuleBuilder, madd: Madd) {
  const params = { program: 'i32', pair: 'i32', scratch: 'i32' } as const
  return module.define('pairs.place', { params }, ({ program, pair, scratch }, scope) => {
    const [from, to, end, plane, frames, frame, side] = scope.some(7, 'i32')
    const four = scope.some(4, 'v128')
    const mixed = scope.some(4, 'v128')
    const field = (name: Field) => PAIRS_PROGRAM.load(program.get, name)
    const inPlane = (k: number) =>
      k === 0 ? to.get : i32.add(to.get, k === 1 ? plane.get : i32.shl(plane.get, i32.const(1)))
    const [a, b, c, d] = four
    const group = [
      ...four.flatMap((place, k) => [
        frame.set(i32.add(frames.get, i32.load(from.get, k * PLACE.size))),
        place.set(
          transformed(madd, frame.get, (axis) => v128.loadSplat(from.get, k * PLACE.size + PLACE.at.x + 4 * axis)),
        ),
      ]),
      mixed[0].set(v128.shuffle(a.get, b.get, [0, 4, 1, 5])),
      mixed[1].set(v128.shuffle(c.get, d.get, [0, 4, 1, 5])),
      mixed[2].set(v128.shuffle(a.get, b.get, [2, 6, 3, 7])),
      mixed[3].set(v128.shuffle(c.get, d.get, [2, 6, 3, 7])),
      v128.store(inPlane(0), v128.shuffle(mixed[0].get, mixed[1].get, [0, 1, 4, 5])),
      v128.store(inPlane(1), v128.shuffle(mixed[0].get, mixed[1].get, [2, 3, 6, 7])),
      v128.store(inPlane(2), v128.shuffle(mixed[2].get, mixed[3].get, [0, 1, 4, 5])),
      increase(from, 4 * PLACE.size),
      increase(to, 16),
    ]
    return [
      frames.set(field('frames')),
      plane.set(field('plane')),
      from.set(PAIR.load(pair.get, 'places')),
      to.set(i32.add(scratch.get, field('places'))),
      side.set(i32.const(2)),
      doWhile(
        [
          end.set(i32.add(to.get, plane.get)),
          doWhile(group, i32.ltU(to.get, end.get)),
          // Past the planes of y and z.
          increase(to, i32.shl(plane.get, i32.const(1))),
          side.set(i32.sub(side.get, i32.const(1))),
        ],
        side.get,
      ),
    ]
  })
}

/** The soft least of all gaps between balls. */
function defineLeastGap(module: ModuleBuilder, madd: Madd) {
  const params = { program: 'i32', pair: 'i32', scratch: 'i32', to: 'i32' } as const
  return module.define('pairs.leastGap', { params }, ({ program, pair, scratch, to }, scope) => {
    const [a, b, endA, endB, radius, gaps, end, plane] = scope.some(8, 'i32')
    const place = scope.some(3, 'v128')
    const way = scope.some(3, 'v128')
    const [gap, least, sum, perMetre, sharpness, e] = scope.some(6, 'v128')
    const field = (name: Field) => PAIRS_PROGRAM.load(program.get, name)
    const planeAt = (base: Local<'i32'>, k: number) =>
      k === 0 ? base.get : i32.add(base.get, k === 1 ? plane.get : i32.shl(plane.get, i32.const(1)))
    const [x, y, z] = way
    const four = [
      ...way.map((v, k) => v.set(f32x4.sub(place[k].get, v128.load(planeAt(b, k))))),
      gap.set(madd(x.get, x.get, madd(y.get, y.get, madd(z.get, z.get, f32x4.const(LEAST_GAP))))),
      gap.set(f32x4.sub(f32x4.mul(f32x4.sqrt(gap.get), perMetre.get), v128.load(radius.get))),
      v128.store(gaps.get, gap.get),
      least.set(f32x4.pmin(least.get, gap.get)),
      ...[b, radius, gaps].map((address) => increase(address, 16)),
    ]
    const startB = i32.add(i32.add(i32.add(scratch.get, field('places')), plane.get), i32.shl(plane.get, i32.const(1)))
    return [
      plane.set(field('plane')),
      perMetre.set(PAIRS_PROGRAM.splat(program.get, 'perMetre')),
      a.set(i32.add(scratch.get, field('places'))),
      endA.set(i32.add(a.get, plane.get)),
      endB.set(i32.add(startB, plane.get)),
      radius.set(PAIR.load(pair.get, 'radius')),
      gaps.set(i32.add(scratch.get, field('gaps'))),
      least.set(f32x4.const(Number.POSITIVE_INFINITY)),
      doWhile(
        [
          ...place.map((v, k) => v.set(v128.loadSplat(planeAt(a, k)))),
          b.set(startB),
          doWhile(four, i32.ltU(b.get, endB.get)),
          increase(a, 4),
        ],
        i32.ltU(a.get, endA.get),
      ),
      // The least of the four lanes, in all of them.
      least.set(f32x4.pmin(least.get, v128.shuffle(least.get, least.get, [2, 3, 0, 1]))),
      least.set(f32x4.pmin(least.get, v128.shuffle(least.get, least.get, [1, 0, 3, 2]))),
      sharpness.set(PAIRS_PROGRAM.splat(program.get, 'sharpness')),
      end.set(gaps.get),
      gaps.set(i32.add(scratch.get, field('gaps'))),
      sum.set(f32x4.const(0)),
      doWhile(
        [
          ...exponential(scope, madd, f32x4.mul(f32x4.sub(least.get, v128.load(gaps.get)), sharpness.get), e),
          sum.set(f32x4.add(sum.get, e.get)),
          increase(gaps, 16),
        ],
        i32.ltU(gaps.get, end.get),
      ),
      sum.set(f32x4.add(sum.get, v128.shuffle(sum.get, sum.get, [2, 3, 0, 1]))),
      sum.set(f32x4.add(sum.get, v128.shuffle(sum.get, sum.get, [1, 0, 3, 2]))),
      ...logarithm(scope, madd, sum, e),
      least.set(f32x4.sub(least.get, f32x4.mul(e.get, PAIRS_PROGRAM.splat(program.get, 'softness')))),
      f32.store(to.get, f32x4.extract(least.get, 0)),
    ]
  })
}

/** Places of either part from the other's frame, in planes: x, y, z of the second's, then of the first's. */
function defineSee(module: ModuleBuilder, madd: Madd) {
  const sight = defineSight(module, madd)
  const params = { program: 'i32', pair: 'i32', scratch: 'i32' } as const
  return module.define('pairs.see', { params }, ({ program, pair, scratch }, scope) => {
    const [all, first, seen, features, scale, shift, places] = scope.some(7, 'i32')
    const field = (name: Field) => PAIRS_PROGRAM.load(program.get, name)
    const three = (plane: Local<'i32'>) => i32.add(plane.get, i32.shl(plane.get, i32.const(1)))
    const ofFrame = (place: I32) => i32.add(field('frames'), i32.load(place))
    const second = i32.add(places.get, i32.mul(i32.shrU(all.get, i32.const(2)), i32.const(PLACE.size)))
    const passed: Statement[] = [features, scale, shift].map((address) => increase(address, three(seen)))
    return [
      all.set(field('plane')),
      seen.set(field('seenPlane')),
      first.set(i32.add(scratch.get, field('places'))),
      features.set(i32.add(scratch.get, field('features'))),
      scale.set(PAIR.load(pair.get, 'scale')),
      shift.set(PAIR.load(pair.get, 'shift')),
      places.set(PAIR.load(pair.get, 'places')),
      sight.call({
        ...{ frame: ofFrame(places.get), from: i32.add(first.get, three(all)) },
        ...{ plane: all, seen, features, scale, shift },
      }),
      ...passed,
      sight.call({ frame: ofFrame(second), from: first, plane: all, seen, features, scale, shift }),
    ]
  })
}

const SIGHT = {
  frame: 'i32',
  from: 'i32',
  plane: 'i32',
  seen: 'i32',
  features: 'i32',
  scale: 'i32',
  shift: 'i32',
} as const

/** scale (A^T (place - o)) + shift of places in planes. */
function defineSight(module: ModuleBuilder, madd: Madd) {
  const params = SIGHT
  return module.define('pairs.sight', { params }, ({ frame, from, plane, seen, features, scale, shift }, scope) => {
    const [done, to, at] = scope.some(3, 'i32')
    const way = scope.some(3, 'v128')
    const along = scope.local('v128')
    const entry = (column: number, row: number): V128 => v128.loadSplat(frame.get, 16 * column + 4 * row)
    const axes = [0, 1, 2].flatMap((axis) => [
      along.set(
        madd(way[0].get, entry(axis, 0), madd(way[1].get, entry(axis, 1), f32x4.mul(way[2].get, entry(axis, 2)))),
      ),
      v128.store(
        i32.add(features.get, to.get),
        madd(along.get, v128.load(i32.add(scale.get, to.get)), v128.load(i32.add(shift.get, to.get))),
      ),
      increase(to, seen.get),
    ])
    return [
      doWhile(
        [
          at.set(i32.add(from.get, done.get)),
          ...way.flatMap((v, row) => [v.set(f32x4.sub(v128.load(at.get), entry(3, row))), increase(at, plane.get)]),
          to.set(done.get),
          ...axes,
          increase(done, 16),
        ],
        i32.ltU(done.get, seen.get),
      ),
    ]
  })
}
