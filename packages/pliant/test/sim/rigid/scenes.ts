/** Worlds of a few bodies that tests step. */
import { type Solid, solidOf } from '../../../src/detect/fields/solid.js'
import { box, halfSpace, sphere } from '../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../src/field/shapes/shape.js'
import { composeMat4 } from '../../../src/math/mat4.js'
import { quaternionOfVector } from '../../../src/math/quaternion.js'
import type { RigidWorld } from '../../../src/sim/rigid/rigid-world.js'

export const solid = (shape: Shape): Solid => solidOf(fieldOf(shape), shape.box, { cells: 12 })
export const CUBE = solid(box([0.5, 0.5, 0.5]))
export const BALL = solid(sphere(0.5))
export const GROUND = solid(halfSpace([0, 1, 0], 0))
export const FRAME = 1 / 60
export const G = 9.81

/** @param turn  rotation vector [rad] */
export function pose(at: readonly number[], turn: readonly number[] = [0, 0, 0]): Float64Array {
  const [rotation, out] = [new Float64Array(4), new Float64Array(16)]
  quaternionOfVector(turn, 0, rotation, 0)
  composeMat4(at, rotation, [1, 1, 1], 0, out, 0)
  return out
}

export function run(world: RigidWorld, seconds: number): void {
  for (let frame = 0; frame < Math.round(seconds / FRAME); frame++) world.step(FRAME)
}
