/** The exact test of self-contact as others take it: codes in, yes or no out. */
import type { ExactTest } from '../field/configuration-field.js'
import { LinearSelfContact, type LinearShape } from './self-contact/linear-self-contact.js'
import { type BendingShape, posedSelfContact } from './self-contact/posed-self-contact.js'

/**
 * Share of the box beyond its ends in which codes are served as fast as within: what a simulation presses against an end
 * lies some 1e-4 outside. It costs no speed within that could be measured (docs/notes/reduced.md).
 */
const BEYOND = 0.01

/**
 * An exact test of whether the surface at a code touches itself; touching counts. What cannot meet in the box of codes
 * is ruled out when it is made (seconds for some thousand triangles), so make one and keep it.
 * @param shape  a surface that bends by linear modes, as `model` of a file of kind 'self-contact'; or one that moves in any
 *   way, as `characterShape` of pliant/character makes of a character, whose neighbours are left alone
 * @throws RangeError if the mesh is broken, or sizes disagree
 */
export function exactSelfContact(shape: LinearShape | BendingShape): ExactTest {
  return 'modes' in shape ? new LinearSelfContact(shape, { beyond: BEYOND }) : posedSelfContact(shape).test
}
