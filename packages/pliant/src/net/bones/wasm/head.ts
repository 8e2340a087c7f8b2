/**
 * The head, eight rows at a time with rows in lanes: no padding of its few inputs and units to panels of 16, which
 * would double the work of a head of 10 inputs and 24 units.
 */

import {
  doWhile,
  f32x4,
  type I32,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  v128,
  type WasmFunction,
} from '../../../math/wasm/assembler.js'
import { exponential } from '../../wasm/activation.js'
import type { Madd } from '../../wasm/madd.js'
import { programFields, transposeFour } from './lanes.js'

const { add, mul } = f32x4

/** Rows of a block, and bytes from one feature or unit of a block to the next. */
export const BLOCK = 8
const STEP = 4 * BLOCK

/** Rows of a vector: blocks of one half are for what is left of a tile, up to four points. */
export const HALF_BLOCK = BLOCK / 2

type Halves = 1 | 2

/** `row` is the first of the block. */
const PARAMS = { program: 'i32', row: 'i32', scratch: 'i32' } as const

export type HeadFunction = WasmFunction<typeof PARAMS>

/** s and l of eight rows, or of four; with `keeps`, slopes of the hidden units. */
export function defineHeadForward(module: ModuleBuilder, madd: Madd, keeps: boolean, halves: Halves): HeadFunction {
  const name = `bones.head${keeps ? 'Keeping' : ''}${halves}`
  return module.define(name, { params: PARAMS }, (p, scope) => {
    const { row } = p
    const { word, inScratch } = programFields(p)
    const [lanes, from, address, to, left, index, bias, slopes, end, output, at] = scope.some(11, 'i32')
    const product = declareProduct(scope, madd, halves)
    const { sums, spare } = product
    const [x, slope] = scope.some(2, 'v128')
    const outputs = sums.map(() => scope.some(2, 'v128'))
    const rowWord = i32.shl(row.get, i32.const(2))
    const gridLanes = i32.add(lanes.get, i32.shl(word('gridFeature'), i32.const(3)))
    return [
      lanes.set(inScratch('featureLanes')),
      from.set(i32.add(inScratch('features'), i32.mul(row.get, word('featureStride')))),
      to.set(lanes.get),
      left.set(word('inputBlocks')),
      doWhile(
        [
          address.set(from.get),
          ...sums.flatMap((rows, half) => [
            ...rows.flatMap((value) => [value.set(v128.load(address.get)), increase(address, word('featureStride'))]),
            ...transposeFour(rows, spare),
            ...rows.map((value, c) => v128.store(to.get, value.get, STEP * c + 16 * half)),
          ]),
          increase(from, 16),
          increase(to, 4 * STEP),
          left.set(i32.sub(left.get, i32.const(1))),
        ],
        left.get,
      ),

      // s starts at the static grid's distance and the distance from the box, l at the grid's logit.
      at.set(i32.add(inScratch('outside'), rowWord)),
      ...outputs.flatMap(([s, l], half) => [
        s.set(
          add(add(v128.load(gridLanes, 16 * half), v128.load(at.get, 16 * half)), v128.loadSplat(word('outputBias'))),
        ),
        l.set(add(v128.load(gridLanes, STEP + 16 * half), v128.loadSplat(word('outputBias'), 4))),
      ]),
      index.set(i32.add(inScratch('indices'), rowWord)),
      slopes.set(slopesOf(row, word, inScratch)),
      bias.set(word('biases')),
      product.weight.set(word('weight')),
      left.set(word('hiddenBlocks')),
      doWhile(
        [
          // Each row starts at its own bone's bias.
          ...sums.flatMap((rows, half) => [
            ...rows.map((value, r) =>
              value.set(
                v128.load(i32.add(bias.get, i32.mul(i32.load(index.get, 16 * half + 4 * r), word('biasStride')))),
              ),
            ),
            ...transposeFour(rows, spare),
          ]),
          ...product.addRows(lanes.get, word('inputs')),
          ...product.store(slopes.get),
          increase(bias, 16),
          increase(slopes, 4 * STEP),
          left.set(i32.sub(left.get, i32.const(1))),
        ],
        left.get,
      ),
      end.set(slopes.get),
      at.set(slopesOf(row, word, inScratch)),
      to.set(inScratch('exponentials')),
      doWhile(
        [
          ...sums.flatMap((_, half) => [
            ...exponential(scope, madd, v128.load(at.get, 16 * half), x),
            v128.store(to.get, x.get, 16 * half),
          ]),
          increase(to, STEP),
          increase(at, STEP),
        ],
        i32.ltU(at.get, end.get),
      ),
      at.set(slopesOf(row, word, inScratch)),
      to.set(inScratch('exponentials')),
      output.set(word('outputWeight')),
      doWhile(
        [
          ...outputs.flatMap(([s, l], half) => [
            slope.set(v128.load(to.get, 16 * half)),
            slope.set(f32x4.div(slope.get, add(f32x4.const(1), slope.get))),
            x.set(mul(v128.load(at.get, 16 * half), slope.get)),
            ...(keeps
              ? [v128.store(at.get, madd(x.get, f32x4.sub(f32x4.const(1), slope.get), slope.get), 16 * half)]
              : []),
            s.set(madd(x.get, v128.loadSplat(output.get), s.get)),
            l.set(madd(x.get, v128.loadSplat(output.get, 4), l.get)),
          ]),
          increase(output, 8),
          increase(to, STEP),
          increase(at, STEP),
        ],
        i32.ltU(at.get, end.get),
      ),
      at.set(i32.add(inScratch('distances'), rowWord)),
      ...outputs.map(([s], half) => v128.store(at.get, s.get, 16 * half)),
      at.set(i32.add(inScratch('logits'), rowWord)),
      ...outputs.map(([, l], half) => v128.store(at.get, l.get, 16 * half)),
    ]
  })
}

/** Replaces the features of eight rows, or of four, by the gradient over them. */
export function defineHeadBackward(module: ModuleBuilder, madd: Madd, halves: Halves): HeadFunction {
  return module.define(`bones.headBackward${halves}`, { params: PARAMS }, (p, scope) => {
    const { row } = p
    const { word, inScratch } = programFields(p)
    const [lanes, slopes, unit, end, output, left, to, address, at] = scope.some(9, 'i32')
    const product = declareProduct(scope, madd, halves)
    const { sums, spare } = product
    const seeds = sums.map(() => scope.some(2, 'v128'))
    const [w0, w1] = scope.some(2, 'v128')
    const rowWord = i32.shl(row.get, i32.const(2))
    const names = ['distanceSeeds', 'logitSeeds'] as const
    return [
      lanes.set(inScratch('featureLanes')),
      slopes.set(slopesOf(row, word, inScratch)),
      ...names.flatMap((name, n) => [
        at.set(i32.add(inScratch(name), rowWord)),
        ...seeds.map((seed, half) => seed[n].set(v128.load(at.get, 16 * half))),
      ]),

      unit.set(slopes.get),
      end.set(i32.add(slopes.get, i32.mul(word('hiddenBlocks'), i32.const(4 * STEP)))),
      output.set(word('outputWeight')),
      doWhile(
        [
          w0.set(v128.loadSplat(output.get)),
          w1.set(v128.loadSplat(output.get, 4)),
          ...seeds.map(([s, l], half) =>
            v128.store(
              unit.get,
              mul(v128.load(unit.get, 16 * half), madd(w0.get, s.get, mul(w1.get, l.get))),
              16 * half,
            ),
          ),
          increase(output, 8),
          increase(unit, STEP),
        ],
        i32.ltU(unit.get, end.get),
      ),

      to.set(lanes.get),
      product.weight.set(word('transposed')),
      left.set(word('inputBlocks')),
      doWhile(
        [
          ...sums.flat().map((sum) => sum.set(f32x4.const(0))),
          ...product.addRows(slopes.get, i32.shl(word('hiddenBlocks'), i32.const(2))),
          ...product.store(to.get),
          increase(to, 4 * STEP),
          left.set(i32.sub(left.get, i32.const(1))),
        ],
        left.get,
      ),
      // The static grid's first two channels also enter s and l as they are.
      at.set(i32.add(lanes.get, i32.shl(word('gridFeature'), i32.const(3)))),
      ...names.flatMap((_, n) =>
        seeds.map((seed, half) =>
          v128.store(at.get, add(v128.load(at.get, STEP * n + 16 * half), seed[n].get), STEP * n + 16 * half),
        ),
      ),

      to.set(i32.add(inScratch('features'), i32.mul(row.get, word('featureStride')))),
      left.set(word('inputBlocks')),
      doWhile(
        [
          address.set(to.get),
          ...sums.flatMap((rows, half) => [
            ...rows.map((value, c) => value.set(v128.load(lanes.get, STEP * c + 16 * half))),
            ...transposeFour(rows, spare),
            ...rows.flatMap((value) => [v128.store(address.get, value.get), increase(address, word('featureStride'))]),
          ]),
          increase(to, 16),
          increase(lanes, 4 * STEP),
          left.set(i32.sub(left.get, i32.const(1))),
        ],
        left.get,
      ),
    ]
  })
}

/** Sums of four outputs by eight rows: 8 sums, 2 inputs and a weight stay in registers. */
function declareProduct(scope: Scope, madd: Madd, halves: Halves) {
  const [from, end, weight] = scope.some(3, 'i32')
  const sums = Array.from({ length: halves }, () => scope.some(4, 'v128'))
  const spare = scope.some(4, 'v128')
  const [w, ...x] = spare
  return {
    sums,
    spare,
    /** Four weights per input; moves on as they are used. */
    weight,
    /** Adds `count` inputs of eight lanes. */
    addRows: (inputs: I32, count: I32): Statement[] => [
      from.set(inputs),
      end.set(i32.add(from.get, i32.mul(count, i32.const(STEP)))),
      doWhile(
        [
          ...sums.map((_, half) => x[half].set(v128.load(from.get, 16 * half))),
          ...[0, 1, 2, 3].flatMap((o) => [
            w.set(v128.loadSplat(weight.get, 4 * o)),
            ...sums.map((rows, half) => rows[o].set(madd(x[half].get, w.get, rows[o].get))),
          ]),
          increase(weight, 16),
          increase(from, STEP),
        ],
        i32.ltU(from.get, end.get),
      ),
    ],
    store: (to: I32): Statement[] =>
      sums.flatMap((rows, half) => rows.map((sum, o) => v128.store(to, sum.get, STEP * o + 16 * half))),
  }
}

/** Address of the slopes of a block's hidden units. */
function slopesOf(
  row: Local<'i32'>,
  word: (name: 'hiddenBlocks') => I32,
  inScratch: (name: 'hiddenSlopes') => I32,
): I32 {
  // Sixteen bytes per row and block of four units.
  return i32.add(inScratch('hiddenSlopes'), i32.mul(i32.mul(row.get, word('hiddenBlocks')), i32.const(16)))
}
