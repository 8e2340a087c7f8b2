/**
 * From the bones' answers s and l to the distance, four points at a time, and the seeds of the way back. Sums are of
 * differences from the strongest bone's answer: where its window is all but shut, and the gradient is divided by that,
 * rounding would show otherwise.
 */

import {
  doWhile,
  f32x4,
  i32,
  increase,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
  when,
} from '../../../math/wasm/assembler.js'
import { exponential } from '../../wasm/activation.js'
import type { Madd } from '../../wasm/madd.js'
import { LEVEL } from './bone-records.js'
import { programFields, transposeFour } from './lanes.js'

const { add, sub, mul, div, pmin, pmax, gt } = f32x4
const zero = f32x4.const(0)

/** Distances [m] of groups of four points; for gradients also df/ds, df/dl and the windows' part. */
export function defineBlend(module: ModuleBuilder, madd: Madd) {
  const params = { program: 'i32', values: 'i32', groups: 'i32', scratch: 'i32' } as const
  return module.define('bones.blend', { params }, (p, scope) => {
    const { values, groups } = p
    const { word, float, inScratch } = programFields(p)
    const [group, level, end, slope, out] = scope.some(5, 'i32')
    const [strongest, strength, window, largest, total, sum, relative] = scope.some(7, 'v128')
    const gradient = scope.some(4, 'v128')
    const spare = scope.some(4, 'v128')
    type PerRow = 'windows' | 'distances' | 'logits' | 'distanceSeeds' | 'logitSeeds'
    const load = (name: PerRow): V128 => v128.load(i32.add(inScratch(name), level.get))
    const store = (name: PerRow, value: V128): Statement => v128.store(i32.add(inScratch(name), level.get), value)
    /** For the rows of the four points, one level after the other; `level` counts bytes. */
    const eachLevel = (body: Statement[]): Statement[] => [
      level.set(group.get),
      doWhile([...body, increase(level, LEVEL)], i32.ltU(level.get, end.get)),
    ]
    const backward = [
      // From here on one over the total.
      total.set(div(f32x4.const(1), total.get)),
      ...gradient.map((component) => component.set(zero)),
      slope.set(i32.add(inScratch('windowSlopes'), i32.mul(group.get, i32.const(3)))),
      ...eachLevel([
        relative.set(sub(sub(load('distances'), strongest.get), sum.get)),
        strength.set(mul(load('logits'), total.get)),
        window.set(mul(strength.get, load('windows'))),
        strength.set(mul(strength.get, relative.get)),
        relative.set(mul(window.get, relative.get)),
        store('logitSeeds', relative.get),
        store('distanceSeeds', sub(window.get, mul(float('sharpness'), relative.get))),
        ...[0, 1, 2].map((axis) =>
          gradient[axis].set(madd(strength.get, v128.load(slope.get, 16 * axis), gradient[axis].get)),
        ),
        increase(slope, 3 * LEVEL),
      ]),
      ...transposeFour(gradient, spare),
      out.set(i32.add(inScratch('pointGradients'), i32.shl(group.get, i32.const(2)))),
      ...gradient.map((point, i) => v128.store(out.get, point.get, 16 * i)),
    ]
    return [
      doWhile(
        [
          end.set(i32.mul(word('answering'), i32.const(LEVEL))),
          largest.set(f32x4.const(-Infinity)),
          strongest.set(zero),
          ...eachLevel([
            strength.set(sub(load('logits'), mul(float('sharpness'), load('distances')))),
            store('logits', strength.get),
            // A row that its window shuts out must not push the others below what a float can hold.
            strength.set(v128.select(strength.get, f32x4.const(-Infinity), gt(load('windows'), zero))),
            strongest.set(v128.select(load('distances'), strongest.get, gt(strength.get, largest.get))),
            largest.set(pmax(largest.get, strength.get)),
          ]),
          total.set(zero),
          sum.set(zero),
          ...eachLevel([
            ...exponential(scope, madd, pmin(sub(load('logits'), largest.get), zero), strength),
            store('logits', strength.get),
            window.set(mul(load('windows'), strength.get)),
            total.set(add(total.get, window.get)),
            sum.set(madd(window.get, sub(load('distances'), strongest.get), sum.get)),
          ]),
          sum.set(div(sum.get, total.get)),
          v128.store(values.get, mul(add(strongest.get, sum.get), float('scale'))),
          when(word('wantsGradient'), backward),
          increase(values, 16),
          increase(group, 16),
          groups.set(i32.sub(groups.get, i32.const(1))),
        ],
        groups.get,
      ),
    ]
  })
}
