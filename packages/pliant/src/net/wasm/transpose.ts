/** Transposed copy of a packed matrix: the gradient's pass multiplies by it with the same dense kernel. */
import { doWhile, i32, increase, type Local, type ModuleBuilder, type V128, v128 } from '../../math/wasm/assembler.js'

/**
 * Exports 'transpose', both counts multiples of 4.
 * From: panels of 16 outputs, each [inputs][16]. To: panels of 16 inputs, each [outputs][16].
 */
export function defineTranspose(module: ModuleBuilder): void {
  const params = { from: 'i32', to: 'i32', inputs: 'i32', outputs: 'i32' } as const
  module.define('transpose', { params, isExported: true }, ({ from, to, inputs, outputs }, scope) => {
    const [i, o, source, target] = scope.some(4, 'i32')
    const rows = scope.some(4, 'v128')
    const [a, b, c, d] = scope.some(4, 'v128')
    const pair = (x: Local<'v128'>, y: Local<'v128'>, lanes: readonly [number, number, number, number]): V128 =>
      v128.shuffle(x.get, y.get, lanes)
    /** Address of element (row, column) of a packed matrix with `height` rows per panel. */
    const element = (base: Local<'i32'>, row: Local<'i32'>, column: Local<'i32'>, height: Local<'i32'>) => {
      const panelRow = i32.add(i32.mul(i32.shrU(column.get, i32.const(4)), height.get), row.get)
      const inPanel = i32.shl(i32.and(column.get, i32.const(15)), i32.const(2))
      return i32.add(base.get, i32.add(i32.shl(panelRow, i32.const(6)), inPanel))
    }
    const block = [
      source.set(element(from, i, o, inputs)),
      target.set(element(to, o, i, outputs)),
      ...rows.map((row, r) => row.set(v128.load(source.get, 64 * r))),
      a.set(pair(rows[0], rows[1], [0, 4, 1, 5])),
      b.set(pair(rows[0], rows[1], [2, 6, 3, 7])),
      c.set(pair(rows[2], rows[3], [0, 4, 1, 5])),
      d.set(pair(rows[2], rows[3], [2, 6, 3, 7])),
      v128.store(target.get, pair(a, c, [0, 1, 4, 5])),
      v128.store(target.get, pair(a, c, [2, 3, 6, 7]), 64),
      v128.store(target.get, pair(b, d, [0, 1, 4, 5]), 128),
      v128.store(target.get, pair(b, d, [2, 3, 6, 7]), 192),
      increase(i, 4),
    ]
    return [
      doWhile(
        [i.set(i32.const(0)), doWhile(block, i32.ltU(i.get, inputs.get)), increase(o, 4)],
        i32.ltU(o.get, outputs.get),
      ),
    ]
  })
}
