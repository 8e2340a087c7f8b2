/** A worker that holds a skinned character: exact signs, points of the boundary, clearances of its parts, depths of its domains. */
import { characterShape, JointCode, Skeleton, SkinnedCharacter } from 'pliant/character'
import { characterDomains } from 'pliant/unstable'
import { domainShares, posedSelfContact } from 'pliant/unstable/exact'
import { clearanceTasks } from './clearance-tasks.js'
import { contactTasks } from './contact-tasks.js'
import { depthTasks } from './depth-tasks.js'
import type { PosedContactStart } from './posed-contacts.js'

export function tasks({ skeleton: data, code, neighbours, ...rest }: PosedContactStart) {
  const skeleton = new Skeleton(data)
  const character = new SkinnedCharacter({ ...rest, skeleton, code: new JointCode(skeleton, code) })
  const shape = characterShape(character, neighbours)
  const contact = posedSelfContact(shape)
  const sharesOf = () => {
    const { entries, weights } = characterDomains(character)
    return domainShares(shape.triangles, weights, entries.length)
  }
  return {
    ...contactTasks(contact.test),
    ...clearanceTasks(shape, contact.rest, contact.rule),
    ...depthTasks(contact.test, sharesOf),
  }
}
