/**
 * A cell of a bone's warp grid of a pose, for the few points of a small batch: its eight corners cost less than a tenth of
 * the whole grid. Sums are those of the dense kernel that blends the whole, in its order.
 */
import {
  doWhile,
  type I32,
  i32,
  increase,
  type ModuleBuilder,
  v128,
  type WasmFunction,
  when,
} from '../../../math/wasm/assembler.js'
import type { Madd } from '../../wasm/madd.js'
import { BONE } from './bone-records.js'
import { CUBE } from './cube.js'

const CORNERS = 8
/** Bytes of a panel of 16 values. */
const PANEL_BYTES = 64

/** `cube` describes the bone's warp grid, `rows` are coefficients, padded; `cell` as `declareCube` locates it. */
const PARAMS = { bone: 'i32', cube: 'i32', cell: 'i32', rows: 'i32' } as const

export type BlendCell = WasmFunction<typeof PARAMS>

export function defineBlendCell(module: ModuleBuilder, madd: Madd): BlendCell {
  const blend = defineBlendVectors(module, madd)
  return module.define('bones.blendCell', { params: PARAMS }, ({ bone, cube, cell, rows }, scope) => {
    const [at, left, row, slice] = scope.some(4, 'i32')
    const word = (name: 'row' | 'slice' | 'plane' | 'fours' | 'pair'): I32 => CUBE.load(cube.get, name)
    /** The edges of the cell along x, by where they begin. */
    const edges = [at.get, i32.add(at.get, row.get), i32.add(at.get, slice.get)]
    edges.push(i32.add(edges[1], slice.get))
    const all = (vectors: I32[]) =>
      blend.call({
        ...{ bone, rows },
        ...(Object.fromEntries(vectors.map((vector, i) => [`o${i}`, vector])) as Record<Offset, I32>),
      })
    return [
      at.set(cell.get),
      row.set(word('row')),
      slice.set(word('slice')),
      left.set(word('fours')),
      doWhile(
        [
          all(edges.flatMap((edge) => [edge, i32.add(edge, i32.const(16))])),
          increase(at, word('plane')),
          left.set(i32.sub(left.get, i32.const(1))),
        ],
        left.get,
      ),
      // Both neighbours lie in one vector, which may begin in the middle of one that is blended.
      when(word('pair'), [
        at.set(i32.add(word('pair'), i32.shrU(cell.get, i32.const(1)))),
        row.set(i32.shrU(row.get, i32.const(1))),
        slice.set(i32.shrU(slice.get, i32.const(1))),
        all(
          edges.flatMap((edge) => [
            i32.and(edge, i32.const(-16)),
            i32.and(i32.add(edge, i32.const(8)), i32.const(-16)),
          ]),
        ),
      ]),
    ]
  })
}

type Offset = 'o0' | 'o1' | 'o2' | 'o3' | 'o4' | 'o5' | 'o6' | 'o7'

/** base + sum_k c_k basis_k of eight vectors, by their bytes within the grid. */
function defineBlendVectors(module: ModuleBuilder, madd: Madd) {
  const places = { o0: 'i32', o1: 'i32', o2: 'i32', o3: 'i32', o4: 'i32', o5: 'i32', o6: 'i32', o7: 'i32' } as const
  const params = { bone: 'i32', rows: 'i32', ...places } as const
  return module.define('bones.blendVectors', { params }, (p, scope) => {
    const { bone, rows } = p
    const offsets = (Object.keys(places) as Offset[]).map((name) => p[name])
    const sums = scope.some(CORNERS, 'v128')
    const from = scope.some(CORNERS, 'i32')
    const [coefficient, end, step] = scope.some(3, 'i32')
    const c = scope.local('v128')
    const within = (name: 'base' | 'warp', offset: I32): I32 => i32.add(BONE.load(bone.get, name), offset)
    return [
      ...offsets.flatMap((offset, i) => [
        sums[i].set(v128.load(within('base', offset.get))),
        // Panels of all coefficients, one after the other.
        from[i].set(
          i32.add(
            BONE.load(bone.get, 'basis'),
            i32.add(
              i32.mul(i32.and(offset.get, i32.const(-PANEL_BYTES)), rows.get),
              i32.and(offset.get, i32.const(PANEL_BYTES - 1)),
            ),
          ),
        ),
      ]),
      coefficient.set(BONE.load(bone.get, 'coefficients')),
      end.set(i32.add(coefficient.get, i32.shl(rows.get, i32.const(2)))),
      doWhile(
        [
          c.set(v128.loadSplat(coefficient.get)),
          ...sums.map((sum, i) => sum.set(madd(c.get, v128.load(i32.add(from[i].get, step.get)), sum.get))),
          increase(step, PANEL_BYTES),
          increase(coefficient, 4),
        ],
        i32.ltU(coefficient.get, end.get),
      ),
      ...sums.map((sum, i) => v128.store(within('warp', offsets[i].get), sum.get)),
    ]
  })
}
