/**
 * The work per pose: drivers to coefficients to a bone's warp grid (formula: bone-shape.ts), one-row products all the
 * way. It is done when a point first asks the bone: a few points on one arm do not pay for the legs. While few have asked,
 * in batches of two tiles at most, only the cells that they fall into are blended.
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
import type { BlendCell } from './blend-cell.js'
import { BONE, BONE_TILE } from './bone-records.js'
import { CUBE } from './cube.js'
import { programFields } from './lanes.js'

interface PoseKernels {
  dense: DenseFunction
  tanh: ActivationFunction
  blendCell: BlendCell
}

/** Cells of a bone that are blended one by one; the next row has the whole grid blended, the price of about ten. */
const FEW = 6
/** Points of a batch whose cells are worth it: of more, most bones are asked more often than that. */
export const SMALL = 2 * BONE_TILE
/** `posed` of a bone whose whole grid is. */
const WHOLE = FEW + 1

/** Exports 'poseBones', which poses all bones; returns a kernel for those of a tile alone, whose cells are known. */
export function definePoseBones(module: ModuleBuilder, kernels: PoseKernels) {
  const bendBone = defineBendBone(module, kernels)
  const poseBone = definePoseBone(module, kernels)
  const isPosed = (bone: Local<'i32'>, least: number): I32 => i32.geU(BONE.load(bone.get, 'posed'), i32.const(least))
  const bendOnce = (program: Local<'i32'>, bone: Local<'i32'>, scratch: Local<'i32'>): Statement =>
    when(isPosed(bone, 1), [], [bendBone.call({ program, bone, scratch })])
  const poseWhole = (program: Local<'i32'>, bone: Local<'i32'>, scratch: Local<'i32'>): Statement[] => [
    bendOnce(program, bone, scratch),
    poseBone.call({ program, bone, scratch }),
    BONE.store(bone.get, 'posed', i32.const(WHOLE)),
  ]
  const params = { program: 'i32', scratch: 'i32' } as const
  module.define('poseBones', { params, isExported: true }, (p, scope) => {
    const { program, scratch } = p
    const { word } = programFields(p)
    const bone = scope.local('i32')
    return [
      bone.set(word('bones')),
      doWhile(
        [when(isPosed(bone, WHOLE), [], poseWhole(program, bone, scratch)), increase(bone, BONE.size)],
        i32.ltU(bone.get, word('bonesEnd')),
      ),
    ]
  })
  /** `isSmall`: whether its batch is of SMALL at most. */
  const tileParams = { program: 'i32', count: 'i32', isSmall: 'i32', scratch: 'i32' } as const
  return module.define('bones.poseTile', { params: tileParams }, (p, scope) => {
    const { program, count, isSmall, scratch } = p
    const { word, inScratch } = programFields(p)
    const [level, index, end, bone, cell] = scope.some(5, 'i32')
    const before = i32.mul(level.get, i32.const(4 * BONE_TILE))
    const poseCell = [
      bendOnce(program, bone, scratch),
      BONE.store(bone.get, 'posed', i32.add(BONE.load(bone.get, 'posed'), i32.const(1))),
      kernels.blendCell.call({
        bone,
        cube: i32.add(word('warps'), i32.shl(i32.load(index.get), i32.const(CUBE.shift))),
        cell: i32.load(cell.get, 12),
        rows: word('coefficientRows'),
      }),
    ]
    return [
      doWhile(
        [
          index.set(i32.add(inScratch('indices'), before)),
          cell.set(i32.add(inScratch('cells'), i32.shl(before, i32.const(2)))),
          end.set(i32.add(index.get, i32.shl(count.get, i32.const(2)))),
          doWhile(
            [
              bone.set(i32.add(word('bones'), i32.mul(i32.load(index.get), i32.const(BONE.size)))),
              when(
                isPosed(bone, WHOLE),
                [],
                [
                  when(
                    i32.and(isSmall.get, i32.ltU(BONE.load(bone.get, 'posed'), i32.const(FEW))),
                    poseCell,
                    poseWhole(program, bone, scratch),
                  ),
                ],
              ),
              increase(index, 4),
              increase(cell, 16),
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

const POSE = { program: 'i32', bone: 'i32', scratch: 'i32' } as const

/** A product of one row. */
function productBy(dense: DenseFunction) {
  return (to: I32, from: I32, weight: I32, inputs: I32, panels: I32, beside: I32): Statement => {
    const [toStride, fromStride] = [i32.const(0), i32.const(0)]
    const [floor, rows] = [f32.const(-Infinity), i32.const(1)]
    return dense.call({ to, toStride, from, fromStride, weight, inputs, panels, beside, floor, rows })
  }
}

/** From a bone's drivers to its coefficients. */
function defineBendBone(module: ModuleBuilder, { dense, tanh }: PoseKernels) {
  const product = productBy(dense)
  return module.define('bones.bendBone', { params: POSE }, (p) => {
    const { word, inScratch } = programFields(p)
    const of = (name: keyof typeof BONE.at): I32 => BONE.load(p.bone.get, name)
    const driverCount = i32.const(3 * MAX_DRIVERS)
    const [units, linearPart] = [inScratch('units'), inScratch('linearPart')]
    const endOfUnits = i32.add(units, i32.shl(word('unitPanels'), i32.const(6)))
    return [
      product(units, of('drivers'), of('hiddenWeight'), driverCount, word('unitPanels'), of('hiddenBias')),
      tanh.call({ values: units, slopes: inScratch('unitSlopes'), end: endOfUnits }),
      product(linearPart, of('drivers'), of('linear'), driverCount, word('coefficientPanels'), of('offset')),
      product(of('coefficients'), units, of('output'), word('unitRows'), word('coefficientPanels'), linearPart),
    ]
  })
}

/** From its coefficients to its whole grid. */
function definePoseBone(module: ModuleBuilder, { dense }: PoseKernels) {
  const product = productBy(dense)
  return module.define('bones.poseBone', { params: POSE }, (p) => {
    const { word } = programFields(p)
    const of = (name: keyof typeof BONE.at): I32 => BONE.load(p.bone.get, name)
    return [
      product(of('warp'), of('coefficients'), of('basis'), word('coefficientRows'), word('warpPanels'), of('base')),
    ]
  })
}
