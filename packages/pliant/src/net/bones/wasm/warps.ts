/**
 * The work per pose: drivers to coefficients to a bone's warp grid (formula: bone-shape.ts), one-row products all the
 * way. It is done when a point first asks the bone: a few points on one arm do not pay for the legs.
 */
import {
  doWhile,
  f32,
  type I32,
  i32,
  increase,
  type Local,
  type ModuleBuilder,
  type Statement,
  type WasmFunction,
  when,
} from '../../wasm/assembler.js'
import { MAX_DRIVERS } from '../bone-shape.js'
import { BONE, BONE_TILE } from './bone-records.js'
import { locals, params, programFields } from './lanes.js'

export interface PoseKernels {
  dense: WasmFunction
  tanh: WasmFunction
}

/** Exports 'poseBones' (program, scratch), which poses all bones; returns a kernel for those of a tile alone. */
export function definePoseBones(module: ModuleBuilder, kernels: PoseKernels): WasmFunction {
  const poseBone = definePoseBone(module, kernels)
  const poseOnce = (program: Local<'i32'>, bone: Local<'i32'>, scratch: Local<'i32'>): Statement =>
    when(i32.eq(i32.load(bone.get, BONE.at.isPosed), i32.const(0)), [poseBone.call(program.get, bone.get, scratch.get)])
  module.define((scope) => {
    const [program, scratch] = params(scope, 2)
    const { word } = programFields(program, scratch)
    const bone = scope.local('i32')
    return [
      bone.set(word('bones')),
      doWhile([poseOnce(program, bone, scratch), increase(bone, BONE.size)], i32.ltU(bone.get, word('bonesEnd'))),
    ]
  }, 'poseBones')
  return module.define((scope) => {
    const [program, count, scratch] = params(scope, 3)
    const { word, inScratch } = programFields(program, scratch)
    const [level, index, end, bone] = locals(scope, 'i32', 4)
    return [
      doWhile(
        [
          index.set(i32.add(inScratch('indices'), i32.mul(level.get, i32.const(4 * BONE_TILE)))),
          end.set(i32.add(index.get, i32.shl(count.get, i32.const(2)))),
          doWhile(
            [
              bone.set(i32.add(word('bones'), i32.mul(i32.load(index.get), i32.const(BONE.size)))),
              poseOnce(program, bone, scratch),
              increase(index, 4),
            ],
            i32.ltU(index.get, end.get),
          ),
          increase(level, 1),
        ],
        i32.ltU(level.get, word('answering')),
      ),
    ]
  })
}

/** (program, bone, scratch) */
function definePoseBone(module: ModuleBuilder, { dense, tanh }: PoseKernels): WasmFunction {
  return module.define((scope) => {
    const [program, bone, scratch] = params(scope, 3)
    const { word, inScratch } = programFields(program, scratch)
    const of = (name: keyof typeof BONE.at): I32 => i32.load(bone.get, BONE.at[name])
    const none = i32.const(0)
    const inputs = i32.const(3 * MAX_DRIVERS)
    const product = (to: I32, row: I32, matrix: I32, rows: I32, panels: I32, bias: I32): Statement =>
      dense.call(to, none, row, none, matrix, rows, panels, bias, f32.const(-Infinity), i32.const(1))
    const [units, linearPart, coefficients] = [inScratch('units'), inScratch('linearPart'), inScratch('coefficients')]
    const endOfUnits = i32.add(units, i32.shl(word('unitPanels'), i32.const(6)))
    return [
      product(units, of('drivers'), of('hiddenWeight'), inputs, word('unitPanels'), of('hiddenBias')),
      tanh.call(units, inScratch('unitSlopes'), endOfUnits),
      product(linearPart, of('drivers'), of('linear'), inputs, word('coefficientPanels'), of('offset')),
      product(coefficients, units, of('output'), word('unitRows'), word('coefficientPanels'), linearPart),
      product(of('warp'), coefficients, of('basis'), word('coefficientRows'), word('warpPanels'), of('base')),
      i32.store(bone.get, i32.const(1), BONE.at.isPosed),
    ]
  })
}
