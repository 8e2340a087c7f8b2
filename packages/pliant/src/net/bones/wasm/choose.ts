/** Which bones answer (bone-choice.ts), four points at a time, and the windows with which they enter. */
import {
  doWhile,
  f32x4,
  i32,
  i32x4,
  increase,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
  when,
} from '../../../math/wasm/assembler.js'
import type { Madd } from '../../wasm/madd.js'
import { LEVEL, SEGMENT } from './bone-records.js'
import { programFields, transposeFour } from './lanes.js'

const { add, sub, mul, div, pmin, pmax, sqrt } = f32x4
const zero = f32x4.const(0)
const one = f32x4.const(1)
/** Keeps a division by a length of zero finite. */
const TINY = f32x4.const(1e-30)

/**
 * Of groups of four points: writes the numbers of the `levels` nearest bones, nearest first, and the
 * points as lanes. The bone's number takes the lowest bits of its distance, so that keeping the nearest takes a
 * minimum and a maximum per level: two bones closer together than that, 1e-5 of their distance, may change places,
 * where their windows are next to nothing.
 */
export function defineChoose(module: ModuleBuilder, madd: Madd, levels: number) {
  const params = { program: 'i32', points: 'i32', groups: 'i32', scratch: 'i32' } as const
  return module.define(`bones.choose${levels}`, { params }, (p, scope) => {
    const { points, groups } = p
    const { word, inScratch } = programFields(p)
    const [bone, end, number, out, lanes] = scope.some(5, 'i32')
    const [x, y, z, px, py, pz, t, score, mask, keep] = scope.some(10, 'v128')
    const best = scope.some(levels, 'v128')
    const of = (...field: [keyof typeof SEGMENT.at, number?]): V128 => SEGMENT.splat(bone.get, ...field)
    const dot = (a: V128[], b: V128[]): V128 => madd(a[0], b[0], madd(a[1], b[1], mul(a[2], b[2])))
    const toPoint = [px, py, pz]
    const direction = [0, 1, 2].map((axis) => of('minusDirection', axis))
    const perBone = [
      ...toPoint.map((component, axis) => component.set(sub([x, y, z][axis].get, of('start', axis)))),
      t.set(
        mul(
          dot(
            toPoint.map((component) => component.get),
            direction,
          ),
          of('minusInverse'),
        ),
      ),
      t.set(pmin(pmax(t.get, zero), one)),
      ...toPoint.map((component, axis) => component.set(madd(t.get, direction[axis], component.get))),
      score.set(
        sub(
          sqrt(
            dot(
              toPoint.map((component) => component.get),
              toPoint.map((component) => component.get),
            ),
          ),
          of('radius'),
        ),
      ),
      score.set(v128.or(v128.and(score.get, keep.get), i32x4.splat(number.get))),
      ...best.flatMap((kept, level) => [
        t.set(pmax(kept.get, score.get)),
        kept.set(pmin(kept.get, score.get)),
        ...(level < levels - 1 ? [score.set(t.get)] : []),
      ]),
      increase(number, 1),
      increase(bone, SEGMENT.size),
    ]
    return [
      mask.set(i32x4.splat(word('indexMask'))),
      keep.set(i32x4.splat(i32.sub(i32.const(-1), word('indexMask')))),
      end.set(word('segmentsEnd')),
      out.set(inScratch('indices')),
      lanes.set(inScratch('pointLanes')),
      doWhile(
        [
          px.set(v128.load(points.get)),
          py.set(v128.load(points.get, 16)),
          pz.set(v128.load(points.get, 32)),
          x.set(v128.shuffle(v128.shuffle(px.get, py.get, [0, 3, 6, 6]), pz.get, [0, 1, 2, 5])),
          y.set(v128.shuffle(v128.shuffle(px.get, py.get, [1, 4, 7, 7]), pz.get, [0, 1, 2, 6])),
          z.set(v128.shuffle(v128.shuffle(px.get, py.get, [2, 5, 5, 5]), pz.get, [0, 1, 4, 7])),
          ...[x, y, z].map((component, axis) => v128.store(lanes.get, component.get, 16 * axis)),
          // Farther than any bone. Who answers is then bone 0, so that a point of NaN, or one so far that its distances
          // overflow, still gets a valid number; who sets the windows is nobody, kept there by being less far than those.
          ...best.map((kept, level) =>
            kept.set(
              level < levels - 1
                ? v128.and(f32x4.const(2e30), keep.get)
                : v128.or(v128.and(f32x4.const(1e30), keep.get), i32x4.splat(word('nobody'))),
            ),
          ),
          bone.set(word('segments')),
          number.set(i32.const(0)),
          doWhile(perBone, i32.ltU(bone.get, end.get)),
          ...best.map((kept, level) => v128.store(out.get, v128.and(kept.get, mask.get), LEVEL * level)),
          increase(points, 48),
          increase(lanes, 48),
          increase(out, 16),
          groups.set(i32.sub(groups.get, i32.const(1))),
        ],
        groups.get,
      ),
    ]
  })
}

/** Of groups of four points: windows of the chosen bones and, if gradients are wanted, their slopes. */
export function defineWindows(module: ModuleBuilder, madd: Madd) {
  const params = { program: 'i32', groups: 'i32', scratch: 'i32' } as const
  return module.define('bones.windows', { params }, (given, scope) => {
    const { groups } = given
    const { word, float, inScratch } = programFields(given)
    const [segments, fromLimit, index, window, slope, lanes, left, bone, indexGroup, windowGroup] = scope.some(
      10,
      'i32',
    )
    const rows = [scope.some(4, 'v128'), scope.some(4, 'v128')]
    const spare = scope.some(4, 'v128')
    const [px, py, pz, t, length, limit, room] = scope.some(7, 'v128')
    const limitDirection = scope.some(3, 'v128')
    const p = [px, py, pz]
    const [[sx, sy, sz, dx], [dy, dz, minusInverse, radius]] = rows
    const direction = [dx, dy, dz]
    const square = (): V128 => madd(px.get, px.get, madd(py.get, py.get, mul(pz.get, pz.get)))
    /** Distance to `t`, its gradient to `p`, of the bones of four points whose numbers are at `index`. */
    const measure: Statement[] = [
      ...[0, 1, 2, 3].flatMap((lane) => [
        bone.set(i32.add(segments.get, i32.shl(i32.load(index.get, 4 * lane), i32.const(SEGMENT.shift)))),
        rows[0][lane].set(v128.load(bone.get)),
        rows[1][lane].set(v128.load(bone.get, 16)),
      ]),
      ...rows.flatMap((four) => transposeFour(four, spare)),
      ...p.map((component, axis) => component.set(sub(v128.load(lanes.get, 16 * axis), [sx, sy, sz][axis].get))),
      t.set(mul(madd(px.get, dx.get, madd(py.get, dy.get, mul(pz.get, dz.get))), minusInverse.get)),
      t.set(pmin(pmax(t.get, zero), one)),
      ...p.map((component, axis) => component.set(madd(t.get, direction[axis].get, component.get))),
      length.set(sqrt(square())),
      t.set(sub(length.get, radius.get)),
      length.set(div(one, pmax(length.get, TINY))),
      ...p.map((component) => component.set(mul(component.get, length.get))),
    ]
    const perLevel = [
      ...measure,
      room.set(pmin(pmax(mul(sub(limit.get, t.get), float('fadeInverse')), zero), one)),
      v128.store(window.get, mul(mul(room.get, room.get), sub(f32x4.const(3), add(room.get, room.get)))),
      when(word('wantsGradient'), [
        room.set(mul(mul(mul(f32x4.const(6), room.get), sub(one, room.get)), float('fadeInverse'))),
        ...p.map((component, axis) =>
          v128.store(slope.get, mul(room.get, sub(limitDirection[axis].get, component.get)), 16 * axis),
        ),
      ]),
      increase(index, LEVEL),
      increase(window, LEVEL),
      increase(slope, 3 * LEVEL),
      left.set(i32.sub(left.get, i32.const(1))),
    ]
    return [
      segments.set(word('segments')),
      lanes.set(inScratch('pointLanes')),
      indexGroup.set(inScratch('indices')),
      windowGroup.set(i32.const(0)),
      fromLimit.set(i32.mul(word('answering'), i32.const(LEVEL))),
      doWhile(
        [
          index.set(i32.add(indexGroup.get, fromLimit.get)),
          ...measure,
          limit.set(t.get),
          ...limitDirection.map((component, axis) => component.set(p[axis].get)),
          index.set(indexGroup.get),
          window.set(i32.add(inScratch('windows'), windowGroup.get)),
          slope.set(i32.add(inScratch('windowSlopes'), i32.mul(windowGroup.get, i32.const(3)))),
          left.set(word('answering')),
          doWhile(perLevel, left.get),
          // All equally far: the nearest alone answers, and its window, held at its least, has no slope.
          window.set(i32.add(inScratch('windows'), windowGroup.get)),
          slope.set(i32.add(inScratch('windowSlopes'), i32.mul(windowGroup.get, i32.const(3)))),
          room.set(f32x4.gt(v128.load(window.get), f32x4.const(1e-6))),
          v128.store(window.get, v128.select(v128.load(window.get), f32x4.const(1e-6), room.get)),
          ...[0, 16, 32].map((axis) => v128.store(slope.get, v128.and(v128.load(slope.get, axis), room.get), axis)),
          increase(lanes, 48),
          increase(indexGroup, 16),
          increase(windowGroup, 16),
          groups.set(i32.sub(groups.get, i32.const(1))),
        ],
        groups.get,
      ),
    ]
  })
}
