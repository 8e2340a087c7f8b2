/**
 * Contacts of two fields in one call. What is found once per field and per pair is kept beside them, and goes with them: a
 * frame costs what `SolidPair.update` costs.
 */
import type { ContactList } from '../../field/contact.js'
import type { SignedField } from '../../field/signed-field.js'
import type { Box } from '../../math/box.js'
import { shown } from '../../math/require.js'
import { type CollideOptions, SolidPair } from './collide.js'
import { type Solid, solidOf } from './solid.js'

/** A field that knows where its body is, as shapes and voxel grids do. */
export interface BoxedBody extends SignedField {
  /** A box that holds the body, in the field's frame [m]. */
  readonly box: Box
}

/** What is told of the contacts of two fields. */
export interface CollideFieldsOptions extends CollideOptions {
  /**
   * How far from their surface the fields tell distances [m], of both or of each: `truncation` of a trained file, half the
   * width of a narrow band. Everywhere, if left out.
   */
  band?: number | readonly [number, number]
}

/**
 * Where two bodies touch, the deepest place first: points on both, normal from A to B, separation, area.
 * @param a      field of a body that does not change its shape; `solidOf` and `SolidPair` take fields that have no box
 * @param poseA  from A's frame to the world, rigid, column-major 4x4
 * @returns a list that the next call for the same two fields and options fills again
 * @throws RangeError if a field has no box, neither body has an end, a pose is not rigid, or an option is wrong
 */
export function collide(
  a: BoxedBody,
  poseA: ArrayLike<number>,
  b: BoxedBody,
  poseB: ArrayLike<number>,
  options: CollideFieldsOptions = {},
): ContactList {
  const ofA = pairs.get(a) ?? new WeakMap<BoxedBody, Map<string, SolidPair>>()
  pairs.set(a, ofA)
  const ofBoth = ofA.get(b) ?? new Map<string, SolidPair>()
  ofA.set(b, ofBoth)
  const { band = Infinity, ...rest } = options
  const [bandA, bandB] = Array.isArray(band) ? band : [band, band]
  const key = `${bandA} ${bandB} ${JSON.stringify(rest)}`
  const pair = ofBoth.get(key) ?? new SolidPair(keptSolid(a, bandA), keptSolid(b, bandB), rest)
  ofBoth.set(key, pair)
  return pair.update(poseA, poseB)
}

const solids = new WeakMap<BoxedBody, Map<number, Solid>>()
const pairs = new WeakMap<BoxedBody, WeakMap<BoxedBody, Map<string, SolidPair>>>()

function keptSolid(field: BoxedBody, band: number): Solid {
  const ofField = solids.get(field) ?? new Map<number, Solid>()
  const kept = ofField.get(band)
  if (kept) return kept
  if (typeof field?.box !== 'object') {
    throw new RangeError(`collide: the field's box is ${shown(field?.box)}; make a solid of it by solidOf(field, box).`)
  }
  const solid = solidOf(field, field.box, { band })
  solids.set(field, ofField.set(band, solid))
  return solid
}
