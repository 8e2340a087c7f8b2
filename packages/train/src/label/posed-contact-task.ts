/** A worker that holds a skinned character: exact signs, points of the boundary, and clearances of its parts. */
import { JointCode, Skeleton, SkinnedCharacter } from 'pliant/character'
import { NeighbourRule } from 'pliant/exact'
import { movedPoints, surfaceBones } from 'pliant/unstable'
import { PosedSelfContact } from 'pliant/unstable/exact'
import { clearanceTasks } from './clearance-tasks.js'
import { contactTasks } from './contact-tasks.js'
import type { PosedContactStart } from './posed-contacts.js'

export function tasks({ skeleton: data, code, neighbours, ...rest }: PosedContactStart) {
  const skeleton = new Skeleton(data)
  const character = new SkinnedCharacter({ ...rest, skeleton, code: new JointCode(skeleton, code) })
  const { codeSize, bounds, vertexCount, triangles } = character
  const positions = new Float64Array(3 * vertexCount)
  character.positions(new Float64Array(codeSize), positions)
  const surface = { positions, triangles }
  const rule = new NeighbourRule(surface, surfaceBones(character), neighbours)
  const shape = {
    ...{ codeSize, bounds, vertexCount, triangles },
    positions: (at: ArrayLike<number>, out: Float64Array | Float32Array) => character.positions(at, out),
    movedPoints: (vertices: ArrayLike<number>) => movedPoints(character, vertices),
  }
  return { ...contactTasks(new PosedSelfContact(shape, rule)), ...clearanceTasks(shape, surface, rule) }
}
