/** The driver of frames that follow pieces (piece-shape.ts): a dense layer, the pieces' turn, another layer; and the way back. */
import {
  doWhile,
  f32,
  f32x4,
  i32,
  increase,
  type ModuleBuilder,
  type Statement,
  v128,
  when,
} from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import { defineDenseRow } from '../../wasm/dense.js'
import { defineDenseStep, defineLayerKernels } from '../../wasm/dense-step.js'
import type { Madd } from '../../wasm/madd.js'
import { FRAME_SIZE } from '../piece-shape.js'
import { defineTurn, defineTurnBack } from './turn-kernels.js'

/** One way. Conventions as in net/wasm/records.ts; all rows are in scratch, inputs and outputs as well. */
export const PIECES_PROGRAM = record({
  isBack: 'u32',
  /** DENSE records: there the layer before the turn and the one behind it, back the one behind it alone. */
  before: 'u32',
  after: 'u32',
  // Scratch: (v, S), T or the gradient by it, gradient by (v, S); bytes of a plane, and from row to row.
  told: 'u32',
  turned: 'u32',
  byTold: 'u32',
  plane: 'u32',
  stride: 'u32',
  // Back: gradients by frames in scratch; what each frame does to T, matrices of so many bytes and panels.
  byFrames: 'u32',
  frameStride: 'u32',
  frames: 'u32',
  matrices: 'u32',
  matrixSize: 'u32',
  panels: 'u32',
})

type Field = keyof typeof PIECES_PROGRAM.at

/** Exports 'run' for `count` rows, at most a tile; `first` means nothing. */
export function definePieceKernels(module: ModuleBuilder, madd: Madd): void {
  const step = defineDenseStep(module, defineLayerKernels(module, madd))
  const turn = defineTurn(module, madd)
  const turnBack = defineTurnBack(module, madd)
  const gather = defineGather(module, madd)
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  module.define('run', { params, isExported: true }, ({ program, count, scratch }) => {
    const field = (name: Field) => PIECES_PROGRAM.load(program.get, name)
    const inScratch = (name: Field) => i32.add(scratch.get, field(name))
    const dense = (of: 'before' | 'after'): Statement => step.call({ step: field(of), rows: count, scratch })
    const rows = {
      ...{ told: inScratch('told'), turned: inScratch('turned'), byTold: inScratch('byTold') },
      ...{ plane: field('plane'), stride: field('stride'), rows: count },
    }
    const back = [gather.call({ program, rows: count, scratch }), turnBack.call(rows)]
    return [when(field('isBack'), back, [dense('before'), turn.call(rows)]), dense('after')]
  })
}

/**
 * From gradients by frames to those by T. Of most numbers that are asked for few frames matter, two of the least of all
 * pairs: the others are skipped.
 */
function defineGather(module: ModuleBuilder, madd: Madd) {
  const addFrame = defineDenseRow(module, madd, 'pieces.addFrame')
  const params = { program: 'i32', rows: 'i32', scratch: 'i32' } as const
  return module.define('pieces.gather', { params }, ({ program, rows, scratch }, scope) => {
    const [to, start, at, end, frame, matrix] = scope.some(6, 'i32')
    const field = (name: Field) => PIECES_PROGRAM.load(program.get, name)
    const one = i32.const(1)
    const some = v128.or(v128.or(v128.load(at.get), v128.load(at.get, 16)), v128.load(at.get, 32))
    const added = {
      ...{ to, toStride: i32.const(0), from: at, fromStride: i32.const(0), rows: one, beside: to },
      ...{ weight: matrix, inputs: i32.const(FRAME_SIZE), panels: field('panels'), floor: f32.const(-Infinity) },
    }
    const row = [
      at.set(to.get),
      end.set(i32.add(to.get, field('stride'))),
      doWhile([v128.store(at.get, f32x4.const(0)), increase(at, 16)], i32.ltU(at.get, end.get)),
      at.set(start.get),
      frame.set(field('frames')),
      matrix.set(field('matrices')),
      doWhile(
        [
          when(v128.anyTrue(some), [addFrame.call(added)]),
          increase(at, 4 * FRAME_SIZE),
          increase(matrix, field('matrixSize')),
          frame.set(i32.sub(frame.get, one)),
        ],
        frame.get,
      ),
      increase(to, field('stride')),
      increase(start, field('frameStride')),
      rows.set(i32.sub(rows.get, one)),
    ]
    return [
      to.set(i32.add(scratch.get, field('turned'))),
      start.set(i32.add(scratch.get, field('byFrames'))),
      doWhile(row, rows.get),
    ]
  })
}
