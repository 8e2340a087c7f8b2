/** The driver of frames that follow pieces (piece-shape.ts): a dense layer, the pieces' turn, a dense layer, there or back. */
import { i32, type ModuleBuilder, type Statement, when } from '../../../math/wasm/assembler.js'
import { record } from '../../../math/wasm/records.js'
import { defineDenseStep, defineLayerKernels } from '../../wasm/dense-step.js'
import type { Madd } from '../../wasm/madd.js'
import { defineTurn, defineTurnBack } from './turn-kernels.js'

/** One way. Conventions as in net/wasm/records.ts; all rows are in scratch, inputs and outputs as well. */
export const PIECES_PROGRAM = record({
  /** DENSE record before the turn, and behind it. */
  before: 'u32',
  after: 'u32',
  // Scratch: (v, S), T or the gradient by it, gradient by (v, S).
  told: 'u32',
  turned: 'u32',
  byTold: 'u32',
  plane: 'u32',
  stride: 'u32',
  isBack: 'u32',
})

/** Exports 'run' for `count` rows, at most a tile; `first` means nothing. */
export function definePieceKernels(module: ModuleBuilder, madd: Madd): void {
  const step = defineDenseStep(module, defineLayerKernels(module, madd))
  const turn = defineTurn(module, madd)
  const turnBack = defineTurnBack(module, madd)
  const params = { program: 'i32', first: 'i32', count: 'i32', scratch: 'i32' } as const
  module.define('run', { params, isExported: true }, ({ program, count, scratch }) => {
    const field = (name: keyof typeof PIECES_PROGRAM.at) => PIECES_PROGRAM.load(program.get, name)
    const inScratch = (name: 'told' | 'turned' | 'byTold') => i32.add(scratch.get, field(name))
    const dense = (of: 'before' | 'after'): Statement => step.call({ step: field(of), rows: count, scratch })
    const rows = {
      ...{ told: inScratch('told'), turned: inScratch('turned'), byTold: inScratch('byTold') },
      ...{ plane: field('plane'), stride: field('stride'), rows: count },
    }
    return [dense('before'), when(field('isBack'), [turnBack.call(rows)], [turn.call(rows)]), dense('after')]
  })
}
