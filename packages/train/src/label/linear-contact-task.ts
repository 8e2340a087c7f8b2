/** A worker that holds a body which bends by linear modes, and what it has ruled out for good. */
import { LinearSelfContact, type LinearShape } from 'pliant/unstable/exact'
import { contactTasks } from './contact-tasks.js'

export function tasks(shape: LinearShape) {
  return contactTasks(new LinearSelfContact(shape))
}
