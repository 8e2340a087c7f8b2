/** A learned space of shapes as exact tests of self-contact take it: a surface that moves with a code, told apart by patches. */
import type { Floats } from '../../math/floats.js'
import type { MovedPoints } from '../reduced-model.js'
import type { ShapeSpace } from './shape-space.js'

/** Fits `BendingShape` of pliant/exact. */
export interface SpaceShape
  extends Pick<ShapeSpace, 'codeSize' | 'bounds' | 'vertexCount' | 'triangles' | 'positions'> {
  /** The mesh that shapes are compared with [m], which tells neighbours. */
  rest: Float64Array
  /** Patches of its surface, none of them joined to another. */
  parts: { ofTriangle: Uint16Array }
  /** Which triangles may touch, as shares of the diagonal at rest. */
  neighbours?: { along?: number; near?: number }
  /** Some vertices, with their way back to the code. */
  movedPoints(vertices: ArrayLike<number>): MovedPoints
}

/**
 * What `exactSelfContact` of pliant/exact takes of a space of shapes.
 * @param patches     patch of each triangle
 * @param neighbours  which triangles may touch
 */
export function spaceShape(space: ShapeSpace, patches: Uint16Array, neighbours?: SpaceShape['neighbours']): SpaceShape {
  const { codeSize, bounds, vertexCount, triangles } = space
  return {
    codeSize,
    bounds,
    vertexCount,
    triangles,
    rest: Float64Array.from(space.reference.positions),
    positions: (code: ArrayLike<number>, out: Floats) => space.positions(code, out),
    movedPoints: (vertices) => space.movedPoints(vertices),
    parts: { ofTriangle: patches },
    neighbours,
  }
}
