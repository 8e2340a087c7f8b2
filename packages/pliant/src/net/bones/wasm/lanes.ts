/** Pieces that the kernels of bone networks share: fields of the program, four by four transposition. */
import { type I32, i32, type Local, type Statement, type V128, v128 } from '../../../math/wasm/assembler.js'
import { BONE_PROGRAM } from './bone-records.js'

type FloatField = 'fadeInverse' | 'sharpness' | 'scale' | 'scaleInverse'
export type WordField = Exclude<keyof typeof BONE_PROGRAM.at, FloatField>

export function programFields({ program, scratch }: Record<'program' | 'scratch', Local<'i32'>>) {
  const word = (name: WordField): I32 => BONE_PROGRAM.load(program.get, name)
  return {
    word,
    /** A float, in all four lanes. */
    float: (name: FloatField): V128 => BONE_PROGRAM.splat(program.get, name),
    /** Address of something in scratch. */
    inScratch: (name: WordField): I32 => i32.add(scratch.get, word(name)),
  }
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
