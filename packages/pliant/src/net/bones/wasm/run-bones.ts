/** The driver for networks in bone frames: takes tiles of points through choice, rows, head and blend, and back. */
import {
  doWhile,
  f32x4,
  i32,
  increase,
  type ModuleBuilder,
  v128,
  when,
  whileLoop,
} from '../../../math/wasm/assembler.js'
import { defineActivation } from '../../wasm/activation.js'
import { defineDense } from '../../wasm/dense.js'
import type { Driver } from '../../wasm/kernel-module.js'
import type { Madd } from '../../wasm/madd.js'
import { storeXyz } from '../../wasm/run.js'
import { MAX_NEAREST } from '../bone-checks.js'
import { defineBlend } from './blend.js'
import { defineBlendCell } from './blend-cell.js'
import { BONE_TILE } from './bone-records.js'
import { defineChoose, defineWindows } from './choose.js'
import { defineFinite, type FiniteCheck } from './finite.js'
import { BLOCK, defineHeadBackward, defineHeadForward, HALF_BLOCK, type HeadFunction } from './head.js'
import { programFields } from './lanes.js'
import { definePlaceBones } from './place-bones.js'
import { defineRowsBackward, defineRowsForward, type RowsFunction } from './rows.js'
import { definePoseBones, SMALL } from './warps.js'

/** What the module of networks in bone frames exports; addresses in bytes. */
export interface BoneKernels extends Driver {
  /** Poses the bones that no point has asked yet; otherwise a batch poses those that it asks. */
  poseBones(program: number, scratch: number): void
  /** Segments and boxes from the joints' matrices, of the pairs of bones from an address up to another. */
  placeBones(pairs: number, end: number): void
  areFinite: FiniteCheck
  areFiniteFloats: FiniteCheck
}

/** Kernels of the head for blocks of eight rows and of four. */
interface Heads {
  whole: HeadFunction
  half: HeadFunction
}

/** `run` takes a `first` that is a multiple of the tile, and a positive count. */
export function defineBoneKernels(module: ModuleBuilder, madd: Madd): void {
  const tanh = defineActivation(module, madd, 'tanh')
  const dense = defineDense(module, madd, 'bias')
  const poseTile = definePoseBones(module, { dense, tanh, blendCell: defineBlendCell(module, madd) })
  definePlaceBones(module)
  defineFinite(module, 'areFinite')
  defineFinite(module, 'areFiniteFloats')
  const choose = Array.from({ length: MAX_NEAREST }, (_, n) => defineChoose(module, madd, n + 2))
  const windows = defineWindows(module, madd)
  const rowsForward = defineRowsForward(module, madd, false)
  const rowsForwardKeeping = defineRowsForward(module, madd, true)
  const heads = (keeps: boolean): Heads => ({
    whole: defineHeadForward(module, madd, keeps, 2),
    half: defineHeadForward(module, madd, keeps, 1),
  })
  const headForward = heads(false)
  const headForwardKeeping = heads(true)
  const blend = defineBlend(module, madd)
  const headBackward = { whole: defineHeadBackward(module, madd, 2), half: defineHeadBackward(module, madd, 1) }
  const rowsBackward = defineRowsBackward(module, madd)
  const finish = defineFinish(module)
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  module.define('run', { params, isExported: true }, (p, scope) => {
    const { program, first, count, scratch } = p
    const { word } = programFields(p)
    const [size, padded, groups, points, row, end, levels, isSmall] = scope.some(8, 'i32')
    /** What the rest of the last one holds is not used. */
    const eachBlock = ({ whole, half }: Heads) => [
      levels.set(i32.const(0)),
      doWhile(
        [
          row.set(i32.mul(levels.get, i32.const(BONE_TILE))),
          end.set(i32.add(row.get, i32.and(padded.get, i32.const(-BLOCK)))),
          whileLoop(i32.ltU(row.get, end.get), [whole.call({ program, row, scratch }), increase(row, BLOCK)]),
          when(i32.and(padded.get, i32.const(HALF_BLOCK)), [half.call({ program, row, scratch })]),
          increase(levels, 1),
        ],
        i32.ltU(levels.get, word('answering')),
      ),
    ]
    /** Bones are posed once it is known where points fall in their boxes. */
    const eachStep = ([enterBoxes, ...others]: RowsFunction[]) => [
      enterBoxes.call({ program, points, count: size, scratch }),
      poseTile.call({ program, count: size, isSmall: isSmall.get, scratch }),
      ...others.map((step) => step.call({ program, points, count: size, scratch })),
    ]
    const tile = [
      size.set(i32.const(BONE_TILE)),
      when(i32.ltU(count.get, size.get), [size.set(count.get)]),
      padded.set(i32.and(i32.add(size.get, i32.const(HALF_BLOCK - 1)), i32.const(-HALF_BLOCK))),
      groups.set(i32.shrU(padded.get, i32.const(2))),
      points.set(i32.add(word('points'), i32.mul(first.get, i32.const(12)))),
      ...choose.map((kernel, n) =>
        when(i32.eq(word('levels'), i32.const(n + 2)), [kernel.call({ program, points, groups, scratch })]),
      ),
      windows.call({ program, groups, scratch }),
      when(
        word('wantsGradient'),
        [...eachStep(rowsForwardKeeping), ...eachBlock(headForwardKeeping)],
        [...eachStep(rowsForward), ...eachBlock(headForward)],
      ),
      blend.call({ program, values: i32.add(word('values'), i32.shl(first.get, i32.const(2))), groups, scratch }),
      when(word('wantsGradient'), [
        ...eachBlock(headBackward),
        rowsBackward.call({ program, points, count: size, scratch }),
        finish.call({ program, first, count: size, scratch }),
      ]),
      increase(first, size.get),
      count.set(i32.sub(count.get, size.get)),
    ]
    return [isSmall.set(i32.ltU(count.get, i32.const(SMALL + 1))), doWhile(tile, count.get)]
  })
}

/** Writes the tile's gradients, in metres per metre. */
function defineFinish(module: ModuleBuilder) {
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  return module.define('bones.finish', { params }, (p, scope) => {
    const { first, count } = p
    const { word, float, inScratch } = programFields(p)
    const [from, to] = scope.some(2, 'i32')
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
