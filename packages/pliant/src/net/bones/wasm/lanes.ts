/** Pieces that the kernels of bone networks share: fields of the program, blocks of locals, four by four transposition. */
import { type I32, i32, type Local, type Scope, type Statement, type V128, v128 } from '../../wasm/assembler.js'
import { BONE_PROGRAM } from './bone-records.js'

export type Field = keyof typeof BONE_PROGRAM.at

export function programFields(program: Local<'i32'>, scratch: Local<'i32'>) {
  const word = (name: Field): I32 => i32.load(program.get, BONE_PROGRAM.at[name])
  return {
    word,
    /** A float, in all four lanes. */
    float: (name: Field): V128 => v128.loadSplat(program.get, BONE_PROGRAM.at[name]),
    /** Address of something in scratch. */
    inScratch: (name: Field): I32 => i32.add(scratch.get, word(name)),
  }
}

export function locals<T extends 'i32' | 'v128'>(scope: Scope, type: T, count: number): Local<T>[] {
  return Array.from({ length: count }, () => scope.local(type))
}

export function params(scope: Scope, count: number): Local<'i32'>[] {
  return Array.from({ length: count }, () => scope.param('i32'))
}

/** Turns four rows of four lanes into their columns, in place; `spare` are four more locals. */
export function transposeFour(rows: Local<'v128'>[], spare: Local<'v128'>[]): Statement[] {
  const pair = (x: Local<'v128'>, y: Local<'v128'>, lanes: readonly [number, number, number, number]): V128 =>
    v128.shuffle(x.get, y.get, lanes)
  const [a, b, c, d] = spare
  return [
    a.set(pair(rows[0], rows[1], [0, 4, 1, 5])),
    b.set(pair(rows[0], rows[1], [2, 6, 3, 7])),
    c.set(pair(rows[2], rows[3], [0, 4, 1, 5])),
    d.set(pair(rows[2], rows[3], [2, 6, 3, 7])),
    rows[0].set(pair(a, c, [0, 1, 4, 5])),
    rows[1].set(pair(a, c, [2, 3, 6, 7])),
    rows[2].set(pair(b, d, [0, 1, 4, 5])),
    rows[3].set(pair(b, d, [2, 3, 6, 7])),
  ]
}
