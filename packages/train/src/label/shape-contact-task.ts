/** A worker that holds a learned space of shapes: exact signs, points of the boundary, clearances and frames of its patches,
 * depths of its domains. */
import { exactShapeSpace, spaceDomains, spaceShape } from 'pliant/unstable'
import { domainShares, posedSelfContact } from 'pliant/unstable/exact'
import { clearanceTasks } from './clearance-tasks.js'
import { contactTasks } from './contact-tasks.js'
import { depthTasks } from './depth-tasks.js'
import { frameTasks } from './frame-tasks.js'
import type { ShapeContactStart } from './shape-contacts.js'

export function tasks({ space: data, patches, neighbours }: ShapeContactStart) {
  const shape = spaceShape(exactShapeSpace(data), patches.ofTriangle, neighbours)
  const contact = posedSelfContact(shape)
  const sharesOf = () => {
    const { entries, weights } = spaceDomains(data)
    return domainShares(shape.triangles, weights, entries.length)
  }
  return {
    ...contactTasks(contact.test),
    ...clearanceTasks(shape, contact.rest, contact.rule),
    ...depthTasks(contact.test, sharesOf),
    ...frameTasks(shape, shape.rest, patches),
  }
}
