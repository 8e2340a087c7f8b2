/** A skinned character as exact tests of self-contact take it: a surface that moves with a code, and its bones as parts. */
import type { Floats } from '../math/floats.js'
import type { MovedPoints } from './reduced-model.js'
import type { SkinnedCharacter } from './skinned-character.js'
import { SkinnedPoints } from './skinned-points.js'
import { type SurfaceBones, surfaceBones } from './surface-bones.js'

/** Fits `BendingShape` of pliant/exact. */
export interface CharacterShape
  extends Pick<SkinnedCharacter, 'codeSize' | 'bounds' | 'vertexCount' | 'triangles' | 'positions'> {
  /** Some vertices, with their way back to the code. */
  movedPoints(vertices: ArrayLike<number>): MovedPoints
  /** Its bones. */
  parts: SurfaceBones
  /** Which triangles may touch, as shares of the diagonal at rest. */
  neighbours?: { along?: number; near?: number }
}

/**
 * What `exactSelfContact` of pliant/exact takes of a character.
 * @param neighbours  which triangles may touch: `manifest.model.neighbours` of a file, or the usual ones
 */
export function characterShape(character: SkinnedCharacter, neighbours?: CharacterShape['neighbours']): CharacterShape {
  const { codeSize, bounds, vertexCount, triangles } = character
  return {
    codeSize,
    bounds,
    vertexCount,
    triangles,
    positions: (code: ArrayLike<number>, out: Floats) => character.positions(code, out),
    movedPoints: (vertices) => new SkinnedPoints(character, vertices),
    parts: surfaceBones(character),
    neighbours,
  }
}
