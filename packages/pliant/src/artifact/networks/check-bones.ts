/** What a file says of a network in bone frames, checked field by field before use. */
import { MOST_NODES } from '../../net/bones/bone-checks.js'
import { type BoneFrame, MAX_DRIVERS } from '../../net/bones/bone-shape.js'
import { finite, numbers, object, positive, text, wholeUpTo, wrong } from '../checks.js'

/** @param joints how many there are that bones may go with */
export function checkBones(value: unknown, joints: number, path: string): void {
  const network = object(value, path)
  const bones = network['bones']
  if (!Array.isArray(bones) || bones.length === 0 || bones.length > 255) {
    throw wrong(`${path}.bones`, bones, 'a list of 1 to 255 bones')
  }
  bones.forEach((bone, b) => {
    checkBone(bone, joints, `${path}.bones[${b}]`)
  })
  wholeUpTo(network['nearest'], 8, `${path}.nearest`, 1)
  for (const key of ['fade', 'sharpness', 'scale'] as const) positive(network[key], `${path}.${key}`)
  wholeUpTo(network['coefficients'], 256, `${path}.coefficients`, 1)
  wholeUpTo(network['codeHidden'], 1024, `${path}.codeHidden`, 1)
  wholeUpTo(network['hidden'], 1024, `${path}.hidden`, 1)
  const [warp, grid] = ['warp', 'grid'].map((key) => object(network[key], `${path}.${key}`))
  wholeUpTo(warp['resolution'], 64, `${path}.warp.resolution`, 2)
  wholeUpTo(warp['features'], 64, `${path}.warp.features`)
  wholeUpTo(grid['features'], 64, `${path}.grid.features`)
}

function checkBone(value: unknown, joints: number, path: string): void {
  const bone = object(value, path) as unknown as Record<keyof BoneFrame, unknown>
  text(bone.name, `${path}.name`)
  wholeUpTo(bone.joint, joints - 1, `${path}.joint`)
  for (const key of ['centre', 'half', 'start', 'end'] as const) numbers(bone[key], 3, `${path}.${key}`)
  for (const half of bone.half as number[]) positive(half, `${path}.half`)
  numbers(bone.nodes, 3, `${path}.nodes`)
  for (const nodes of bone.nodes as number[]) wholeUpTo(nodes, MOST_NODES, `${path}.nodes`, 2)
  finite(bone.radius, `${path}.radius`)
  if (!Array.isArray(bone.drivers) || bone.drivers.length > MAX_DRIVERS) {
    throw wrong(`${path}.drivers`, bone.drivers, `up to ${MAX_DRIVERS} joints`)
  }
  for (const joint of bone.drivers) wholeUpTo(joint, joints - 1, `${path}.drivers`)
}
