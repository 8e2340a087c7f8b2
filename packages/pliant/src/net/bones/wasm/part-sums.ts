/** How parts move (part-motions.ts): sums over their nodes, two of the twelve in a vector. */
import { doWhile, f64x2, i32, increase, type ModuleBuilder, v128, whileLoop } from '../../../math/wasm/assembler.js'
import { CENTRE, MOTION, PARTS } from './part-records.js'

const { add, sub, mul } = f64x2

/** Exports 'sumParts': motions of all parts from the nodes at an address. Sums run over a part's nodes in their order. */
export function defineSumParts(module: ModuleBuilder): void {
  const params = { parts: 'i32', nodes: 'i32' } as const
  module.define('sumParts', { params, isExported: true }, ({ parts, nodes }, scope) => {
    const word = (name: 'places' | 'shares' | 'ends' | 'endsEnd' | 'motions') => PARTS.load(parts.get, name)
    const [place, shares, part, partsEnd, end, node, motion] = scope.some(7, 'i32')
    const [origin, sums] = [scope.some(3, 'v128'), scope.some(6, 'v128')]
    const [reach, rest, x] = scope.some(3, 'v128')
    return [
      place.set(word('places')),
      shares.set(word('shares')),
      part.set(word('ends')),
      partsEnd.set(word('endsEnd')),
      motion.set(word('motions')),
      ...origin.map((one, axis) => one.set(f64x2.splat(PARTS.load(parts.get, 'origin', axis)))),
      doWhile(
        [
          end.set(i32.load(part.get)),
          ...sums.map((sum) => sum.set(f64x2.const(0))),
          whileLoop(i32.ltU(place.get, end.get), [
            node.set(i32.add(nodes.get, i32.load(place.get))),
            reach.set(v128.load(shares.get)),
            rest.set(v128.load(shares.get, 16)),
            ...origin.flatMap((one, axis) => [
              x.set(sub(f64x2.loadSplat(node.get, 8 * axis), one.get)),
              sums[2 * axis].set(add(sums[2 * axis].get, mul(x.get, reach.get))),
              sums[2 * axis + 1].set(add(sums[2 * axis + 1].get, mul(x.get, rest.get))),
            ]),
            increase(place, 4),
            increase(shares, 32),
          ]),
          ...origin.flatMap((_, row) => [
            v128.store(motion.get, sums[2 * row].get, 24 * row),
            f64x2.storeLane(motion.get, sums[2 * row + 1].get, 0, 24 * row + 16),
            f64x2.storeLane(motion.get, sums[2 * row + 1].get, 1, CENTRE + 8 * row),
          ]),
          increase(motion, MOTION),
          increase(part, 4),
        ],
        i32.ltU(part.get, partsEnd.get),
      ),
    ]
  })
}
