/** The driver for networks in bone frames: takes tiles of points through choice, rows, head and blend, and back. */
import {
  doWhile,
  f32x4,
  i32,
  increase,
  type ModuleBuilder,
  v128,
  type WasmFunction,
  when,
} from '../../wasm/assembler.js'
import type { Madd } from '../../wasm/madd.js'
import { storeXyz } from '../../wasm/run.js'
import { MAX_NEAREST } from '../bone-checks.js'
import { defineBlend } from './blend.js'
import { BONE_TILE } from './bone-records.js'
import { defineChoose, defineWindows } from './choose.js'
import { BLOCK, defineHeadBackward, defineHeadForward } from './head.js'
import { locals, params, programFields } from './lanes.js'
import { defineRowsBackward, defineRowsForward } from './rows.js'
import { definePoseBones, type PoseKernels } from './warps.js'

/** Exports 'runBones' (program, first point, count, scratch); `first` is a multiple of the tile, count is positive. */
export function defineRunBones(module: ModuleBuilder, madd: Madd, kernels: PoseKernels): void {
  const poseTile = definePoseBones(module, kernels)
  const choose = Array.from({ length: MAX_NEAREST }, (_, n) => defineChoose(module, madd, n + 2))
  const windows = defineWindows(module, madd)
  const rowsForward = defineRowsForward(module, madd, false)
  const rowsForwardKeeping = defineRowsForward(module, madd, true)
  const headForward = defineHeadForward(module, madd, false)
  const headForwardKeeping = defineHeadForward(module, madd, true)
  const blend = defineBlend(module, madd)
  const headBackward = defineHeadBackward(module, madd)
  const rowsBackward = defineRowsBackward(module, madd)
  const finish = defineFinish(module)
  module.define((scope) => {
    const [program, first, count, scratch] = params(scope, 4)
    const { word } = programFields(program, scratch)
    const [size, padded, groups, points, row, end, levels] = locals(scope, 'i32', 7)
    /** Whole blocks: what the rest of the last one holds goes nowhere. */
    const eachBlock = (head: WasmFunction) => [
      levels.set(i32.const(0)),
      doWhile(
        [
          row.set(i32.mul(levels.get, i32.const(BONE_TILE))),
          end.set(i32.add(row.get, padded.get)),
          doWhile([head.call(program.get, row.get, scratch.get), increase(row, BLOCK)], i32.ltU(row.get, end.get)),
          increase(levels, 1),
        ],
        i32.ltU(levels.get, word('answering')),
      ),
    ]
    const eachStep = (steps: WasmFunction[]) =>
      steps.map((step) => step.call(program.get, points.get, size.get, scratch.get))
    const tile = [
      size.set(i32.const(BONE_TILE)),
      when(i32.ltU(count.get, size.get), [size.set(count.get)]),
      padded.set(i32.and(i32.add(size.get, i32.const(BLOCK - 1)), i32.const(-BLOCK))),
      groups.set(i32.shrU(padded.get, i32.const(2))),
      points.set(i32.add(word('points'), i32.mul(first.get, i32.const(12)))),
      ...choose.map((kernel, n) =>
        when(i32.eq(word('levels'), i32.const(n + 2)), [kernel.call(program.get, points.get, groups.get, scratch.get)]),
      ),
      windows.call(program.get, groups.get, scratch.get),
      poseTile.call(program.get, size.get, scratch.get),
      when(
        word('wantsGradient'),
        [...eachStep(rowsForwardKeeping), ...eachBlock(headForwardKeeping)],
        [...eachStep(rowsForward), ...eachBlock(headForward)],
      ),
      blend.call(program.get, i32.add(word('values'), i32.shl(first.get, i32.const(2))), groups.get, scratch.get),
      when(word('wantsGradient'), [
        ...eachBlock(headBackward),
        rowsBackward.call(program.get, points.get, size.get, scratch.get),
        finish.call(program.get, first.get, size.get, scratch.get),
      ]),
      increase(first, size.get),
      count.set(i32.sub(count.get, size.get)),
    ]
    return [doWhile(tile, count.get)]
  }, 'runBones')
}

/** (program, first, points, scratch): writes the tile's gradients, in metres per metre. */
function defineFinish(module: ModuleBuilder): WasmFunction {
  return module.define((scope) => {
    const [program, first, count, scratch] = params(scope, 4)
    const { word, float, inScratch } = programFields(program, scratch)
    const [from, to] = locals(scope, 'i32', 2)
    return [
      from.set(inScratch('pointGradients')),
      to.set(i32.add(word('gradients'), i32.mul(first.get, i32.const(12)))),
      doWhile(
        [
          ...storeXyz(to.get, f32x4.mul(v128.load(from.get), float('scale'))),
          increase(from, 16),
          increase(to, 12),
          count.set(i32.sub(count.get, i32.const(1))),
        ],
        count.get,
      ),
    ]
  })
}
