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
  when,
} from '../../../math/wasm/assembler.js'
import type { ActivationFunction } from '../../wasm/activation.js'
import type { DenseFunction } from '../../wasm/dense.js'
import { MAX_DRIVERS } from '../bone-shape.js'
import { BONE, BONE_TILE } from './bone-records.js'
import { programFields } from './lanes.js'

interface PoseKernels {
  dense: DenseFunction
  tanh: ActivationFunction
}

/** Exports 'poseBones', which poses all bones; returns a kernel for those of a tile alone. */
export function definePoseBones(module: ModuleBuilder, kernels: PoseKernels) {
  const poseBone = definePoseBone(module, kernels)
  const poseOnce = (program: Local<'i32'>, bone: Local<'i32'>, scratch: Local<'i32'>): Statement =>
    when(i32.eq(BONE.load(bone.get, 'isPosed'), i32.const(0)), [poseBone.call({ program, bone, scratch })])
  const params = { program: 'i32', scratch: 'i32' } as const
  module.define('poseBones', { params, isExported: true }, (p, scope) => {
    const { program, scratch } = p
    const { word } = programFields(p)
    const bone = scope.local('i32')
    return [
      bone.set(word('bones')),
      doWhile([poseOnce(program, bone, scratch), increase(bone, BONE.size)], i32.ltU(bone.get, word('bonesEnd'))),
    ]
  })
  const tileParams = { program: 'i32', count: 'i32', scratch: 'i32' } as const
  return module.define('bones.poseTile', { params: tileParams }, (p, scope) => {
    const { program, count, scratch } = p
    const { word, inScratch } = programFields(p)
    const [level, index, end, bone] = scope.some(4, 'i32')
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

function definePoseBone(module: ModuleBuilder, { dense, tanh }: PoseKernels) {
  const params = { program: 'i32', bone: 'i32', scratch: 'i32' } as const
  return module.define('bones.poseBone', { params }, (p) => {
    const { bone } = p
    const { word, inScratch } = programFields(p)
    const of = (name: keyof typeof BONE.at): I32 => BONE.load(bone.get, name)
    const [toStride, fromStride] = [i32.const(0), i32.const(0)]
    const driverCount = i32.const(3 * MAX_DRIVERS)
    const product = (to: I32, from: I32, weight: I32, inputs: I32, panels: I32, beside: I32): Statement => {
      const [floor, rows] = [f32.const(-Infinity), i32.const(1)]
      return dense.call({ to, toStride, from, fromStride, weight, inputs, panels, beside, floor, rows })
    }
    const [units, linearPart, coefficients] = [inScratch('units'), inScratch('linearPart'), inScratch('coefficients')]
    const endOfUnits = i32.add(units, i32.shl(word('unitPanels'), i32.const(6)))
    return [
      product(units, of('drivers'), of('hiddenWeight'), driverCount, word('unitPanels'), of('hiddenBias')),
      tanh.call({ values: units, slopes: inScratch('unitSlopes'), end: endOfUnits }),
      product(linearPart, of('drivers'), of('linear'), driverCount, word('coefficientPanels'), of('offset')),
      product(coefficients, units, of('output'), word('unitRows'), word('coefficientPanels'), linearPart),
      product(of('warp'), coefficients, of('basis'), word('coefficientRows'), word('warpPanels'), of('base')),
      BONE.store(bone.get, 'isPosed', i32.const(1)),
    ]
  })
}
