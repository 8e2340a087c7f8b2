/** Any model's vertices as points with gradients by the code: those of models that know theirs, linear and skinned ones. */
import { requireIndices } from '../math/require.js'
import { LinearModes } from './linear-modes.js'
import { LinearPoints } from './linear-points.js'
import type { DifferentiableModel, MovedPoints, ReducedModel } from './reduced-model.js'
import { SkinnedCharacter } from './skinned-character.js'
import { SkinnedPoints } from './skinned-points.js'

/**
 * @param vertices  those asked for, in this order; left out: all. What they cost goes with their number
 * @throws RangeError if a vertex is not there, or the model cannot tell gradients
 */
export function movedPoints(model: ReducedModel | DifferentiableModel, vertices?: ArrayLike<number>): MovedPoints {
  if (vertices) requireIndices('moved points', vertices, 'vertex', model.vertexCount)
  if ('movedPoints' in model) return model.movedPoints(vertices)
  if (model instanceof LinearModes) return new LinearPoints(model, vertices)
  if (model instanceof SkinnedCharacter) return new SkinnedPoints(model, vertices)
  throw new RangeError('moved points: this model tells no gradients; pass linear modes or a skinned character.')
}
