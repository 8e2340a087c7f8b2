/**
 * The driver of gap networks (gap-shape.ts): tiles of codes go through the vectors of the gaps, a dense layer, their
 * logarithms and the dense layers behind, and back again for the gradient. Vectors lie in planes, all x, all y, all z.
 */
import {
  doWhile,
  f32x4,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  when,
  whileLoop,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import { defineDenseStep, defineLayerKernels } from '../../wasm/dense-step.js'
import type { Madd } from '../../wasm/madd.js'
import { DENSE, TILE } from '../../wasm/records.js'

/** One batch query: values, or values and gradients. Conventions as in net/wasm/records.ts. */
export const GAP_PROGRAM = record({
  /** Rows of codes, and of gradients by them; their stride. */
  codes: 'u32',
  gradients: 'u32',
  codeStride: 'u32',
  /** Rows of values; their stride. A tile of cotangents: ones. */
  values: 'u32',
  valueStride: 'u32',
  ones: 'u32',
  /** DENSE records: code to vectors, and gradients by vectors to those by the code. */
  toVectors: 'u32',
  fromVectors: 'u32',
  /** Of each gap: e^2, a, b. */
  softening: 'u32',
  scale: 'u32',
  shift: 'u32',
  /** Bytes of a plane of vectors, which are those of the gaps in a row of features. */
  plane: 'u32',
  /** Arrays of DENSE records. */
  forward: 'u32',
  forwardEnd: 'u32',
  backward: 'u32',
  backwardEnd: 'u32',
  // All of the following in scratch.
  vectors: 'u32',
  /** Gaps, then the code. */
  features: 'u32',
  featureGradient: 'u32',
  featureStride: 'u32',
  output: 'u32',
  seeds: 'u32',
  codeGradient: 'u32',
  wantsGradient: 'u32',
})

type Field = keyof typeof GAP_PROGRAM.at

/** Exports 'run'; `first` is a multiple of the tile, count is positive. */
export function defineGapKernels(module: ModuleBuilder, madd: Madd): void {
  const step = defineDenseStep(module, defineLayerKernels(module, madd))
  const copyRows = defineCopyRows(module)
  const addRows = defineAddRows(module)
  const see = defineSee(module, madd)
  const weigh = defineWeigh(module, madd)
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  module.define('run', { params, isExported: true }, ({ program, first, count, scratch }, scope) => {
    const [rows, at] = scope.some(2, 'i32')
    const field = (name: Field) => GAP_PROGRAM.load(program.get, name)
    const inScratch = (name: Field) => i32.add(scratch.get, field(name))
    const staged = (name: Field, stride: Field) => i32.add(field(name), i32.mul(first.get, field(stride)))
    const ofCode = (name: Field) => i32.add(inScratch(name), field('plane'))
    const steps = (from: Field, end: Field): Statement[] => [
      at.set(field(from)),
      whileLoop(i32.ltU(at.get, field(end)), [step.call({ step: at, rows, scratch }), increase(at, DENSE.size)]),
    ]
    const [width, across, beside] = [field('codeStride'), field('valueStride'), field('featureStride')]
    const tile = [
      rows.set(i32.const(TILE)),
      when(i32.ltU(count.get, rows.get), [rows.set(count.get)]),
      copyRows.call({
        ...{ from: staged('codes', 'codeStride'), fromStride: width, to: ofCode('features'), toStride: beside },
        ...{ bytes: width, rows },
      }),
      step.call({ step: field('toVectors'), rows, scratch }),
      see.call({ program, rows, scratch }),
      ...steps('forward', 'forwardEnd'),
      copyRows.call({
        ...{ from: inScratch('output'), fromStride: across, to: staged('values', 'valueStride'), toStride: across },
        ...{ bytes: across, rows },
      }),
      when(field('wantsGradient'), [
        copyRows.call({
          ...{ from: field('ones'), fromStride: across, to: inScratch('seeds'), toStride: across, bytes: across, rows },
        }),
        ...steps('backward', 'backwardEnd'),
        weigh.call({ program, rows, scratch }),
        step.call({ step: field('fromVectors'), rows, scratch }),
        addRows.call({
          ...{ a: inScratch('codeGradient'), aStride: width, b: ofCode('featureGradient'), bStride: beside },
          ...{ to: staged('gradients', 'codeStride'), rows },
        }),
      ]),
      increase(first, rows.get),
      count.set(i32.sub(count.get, rows.get)),
    ]
    return [doWhile(tile, count.get)]
  })
}

/** Gaps as the network sees them, a log(|v|^2 + e^2) + b. */
function defineSee(module: ModuleBuilder, madd: Madd) {
  return defineOverGaps(module, madd, 'gaps.see', 'features', ({ square, features, of, scope }) => {
    const log = scope.local('v128')
    return [...logarithm(scope, madd, square, log), v128.store(features.get, madd(log.get, of('scale'), of('shift')))]
  })
}

/** From gradients by gaps to those by vectors, in their place: v *= 2 a dy/dg / (|v|^2 + e^2). */
function defineWeigh(module: ModuleBuilder, madd: Madd) {
  return defineOverGaps(module, madd, 'gaps.weigh', 'featureGradient', ({ square, features, of, planes, vector }) => [
    square.set(f32x4.div(f32x4.mul(f32x4.mul(f32x4.const(2), of('scale')), v128.load(features.get)), square.get)),
    ...planes.map((plane, k) => v128.store(plane.get, f32x4.mul(vector[k].get, square.get))),
  ])
}

interface FourGaps {
  scope: Scope
  /** |v|^2 + e^2 */
  square: Local<'v128'>
  vector: readonly Local<'v128'>[]
  /** Where the vectors are, and the four numbers of the row. */
  planes: readonly Local<'i32'>[]
  features: Local<'i32'>
  of(name: 'scale' | 'shift'): V128
}

/** A pass over all gaps of a tile, four at a time. */
function defineOverGaps(
  module: ModuleBuilder,
  madd: Madd,
  name: string,
  row: 'features' | 'featureGradient',
  body: (four: FourGaps) => Statement[],
) {
  const params = { program: 'i32', rows: 'i32', scratch: 'i32' } as const
  return module.define(name, { params }, ({ program, rows, scratch }, scope) => {
    const [start, features, offset, plane, stride] = scope.some(5, 'i32')
    const planes = scope.some(3, 'i32')
    const vector = scope.some(3, 'v128')
    const square = scope.local('v128')
    const field = (of: Field) => GAP_PROGRAM.load(program.get, of)
    const of = (which: 'scale' | 'shift' | 'softening'): V128 => v128.load(i32.add(field(which), offset.get))
    const [x, y, z] = vector
    return [
      plane.set(field('plane')),
      stride.set(i32.sub(field('featureStride'), plane.get)),
      start.set(i32.add(scratch.get, field('vectors'))),
      features.set(i32.add(scratch.get, field(row))),
      doWhile(
        [
          offset.set(i32.const(0)),
          planes[0].set(start.get),
          planes[1].set(i32.add(planes[0].get, plane.get)),
          planes[2].set(i32.add(planes[1].get, plane.get)),
          doWhile(
            [
              ...vector.map((v, k) => v.set(v128.load(planes[k].get))),
              square.set(madd(x.get, x.get, madd(y.get, y.get, madd(z.get, z.get, of('softening'))))),
              ...body({ scope, square, vector, planes, features, of }),
              ...[...planes, features, offset].map((address) => increase(address, 16)),
            ],
            i32.ltU(offset.get, plane.get),
          ),
          // Past the three planes begins the next row.
          start.set(planes[2].get),
          increase(features, stride.get),
          rows.set(i32.sub(rows.get, i32.const(1))),
        ],
        rows.get,
      ),
    ]
  })
}

/**
 * log x = n log 2 + log m with m between sqrt(1/2) and sqrt(2), log m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172:
 * five terms leave 1e-9. x is held above the least normal float.
 */
export function logarithm(scope: Scope, madd: Madd, x: Local<'v128'>, out: Local<'v128'>): Statement[] {
  const [power, s, square] = scope.some(3, 'v128')
  const series = [2 / 9, 2 / 7, 2 / 5, 2 / 3, 2]
  const rootHalf = 0x3f3504f3
  const whole = (value: number): V128 => i32x4.splat(i32.const(value))
  return [
    x.set(f32x4.pmax(x.get, f32x4.const(2 ** -126))),
    power.set(i32x4.shrS(i32x4.add(x.get, whole(-rootHalf)), i32.const(23))),
    // The mantissa: n less in the exponent.
    s.set(i32x4.add(x.get, i32x4.mul(power.get, whole(-(2 ** 23))))),
    s.set(f32x4.div(f32x4.sub(s.get, f32x4.const(1)), f32x4.add(s.get, f32x4.const(1)))),
    square.set(f32x4.mul(s.get, s.get)),
    out.set(f32x4.const(series[0])),
    ...series.slice(1).map((term) => out.set(madd(out.get, square.get, f32x4.const(term)))),
    out.set(madd(f32x4.fromI32x4(power.get), f32x4.const(Math.LN2), f32x4.mul(s.get, out.get))),
  ]
}

/** Rows of `bytes`, a multiple of 16, not zero. */
function defineCopyRows(module: ModuleBuilder) {
  const params = { from: 'i32', fromStride: 'i32', to: 'i32', toStride: 'i32', bytes: 'i32', rows: 'i32' } as const
  return module.define('gaps.copyRows', { params }, ({ from, fromStride, to, toStride, bytes, rows }, scope) => {
    const at = scope.local('i32')
    return [
      doWhile(
        [
          at.set(i32.const(0)),
          doWhile(
            [v128.store(i32.add(to.get, at.get), v128.load(i32.add(from.get, at.get))), increase(at, 16)],
            i32.ltU(at.get, bytes.get),
          ),
          increase(from, fromStride.get),
          increase(to, toStride.get),
          rows.set(i32.sub(rows.get, i32.const(1))),
        ],
        rows.get,
      ),
    ]
  })
}

/** to = a + b; rows of `to` are as those of a. */
function defineAddRows(module: ModuleBuilder) {
  const params = { a: 'i32', aStride: 'i32', b: 'i32', bStride: 'i32', to: 'i32', rows: 'i32' } as const
  return module.define('gaps.addRows', { params }, ({ a, aStride, b, bStride, to, rows }, scope) => {
    const at = scope.local('i32')
    const here = (base: Local<'i32'>) => i32.add(base.get, at.get)
    return [
      doWhile(
        [
          at.set(i32.const(0)),
          doWhile(
            [v128.store(here(to), f32x4.add(v128.load(here(a)), v128.load(here(b)))), increase(at, 16)],
            i32.ltU(at.get, aStride.get),
          ),
          increase(a, aStride.get),
          increase(to, aStride.get),
          increase(b, bStride.get),
          rows.set(i32.sub(rows.get, i32.const(1))),
        ],
        rows.get,
      ),
    ]
  })
}
